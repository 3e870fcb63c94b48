//! Text on its way through tmux: what it would expand or split is taken as it is.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// One argument of a command. At its end a `;` would begin the next command.
pub(super) fn argument(text: &OsStr) -> OsString {
    match text.as_bytes() {
        [head @ .., b';'] => OsString::from_vec([head, b"\\;"].concat()),
        _ => text.to_owned(),
    }
}

/// Text where tmux expands formats: `#(command)` would run one.
pub(super) fn format(text: &OsStr) -> OsString {
    let bytes = text.as_bytes().iter().flat_map(|byte| std::iter::repeat_n(*byte, if *byte == b'#' { 2 } else { 1 }));
    OsString::from_vec(bytes.collect())
}

/// The name of a window. tmux has no place for control characters in it.
pub(super) fn window_name(name: &str) -> OsString {
    let plain: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    argument(&format(OsStr::new(&plain)))
}

/// What becomes of the writer of a pipe when the keeper is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// It waits for the next keeper, and tmux keeps what comes meanwhile. For a server of our own.
    Waits,
    /// It ends, and the pipe with it: the user's server must not grow because of us.
    Ends,
}

/// The command for `pipe-pane` that copies output into a FIFO. The FIFO is opened for both ways, so that neither
/// opening nor a reader that is away for a moment stops it. One that is to end keeps only the way in.
pub(super) fn pipe_command(fifo: &Path, writer: Writer) -> OsString {
    let fifo = quoted(fifo);
    OsString::from_vec(match writer {
        Writer::Waits => [b"exec cat 1<>", fifo.as_slice()].concat(),
        Writer::Ends => [b"exec 3<>", fifo.as_slice(), b"; exec cat >", fifo.as_slice(), b" 3<&-"].concat(),
    })
}

/// A line that is one word of another command of tmux.
pub(super) fn nested(line: &OsStr) -> Vec<u8> {
    let mut word = b"'".to_vec();
    for byte in line.as_bytes() {
        match byte {
            b'\'' => word.extend(b"'\\''"),
            other => word.push(*other),
        }
    }
    word.push(b'\'');
    word
}

/// A path in a line for the shell, through tmux, which expands formats and dates in it.
fn quoted(path: &Path) -> Vec<u8> {
    let mut word = b"'".to_vec();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'\'' => word.extend(b"'\\''"),
            // No way to double it holds in front of a `[` in all versions, so the shell makes it.
            b'#' => word.extend(b"'\"$(printf '\\043')\"'"),
            b'%' => word.extend(b"%%"),
            other => word.push(*other),
        }
    }
    word.push(b'\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_expanded_or_split() {
        for (name, escaped) in [
            ("web", "web"),
            ("#(touch x) #S", "##(touch x) ##S"),
            ("a;", "a\\;"),
            (";", "\\;"),
            ("a;b", "a;b"),
            ("a\tb\nc", "a b c"),
        ] {
            assert_eq!(window_name(name), OsString::from(escaped), "{name:?}");
        }
        assert_eq!(
            pipe_command(Path::new("/a b/it's 50%#[d/f"), Writer::Waits),
            OsString::from("exec cat 1<>'/a b/it'\\''s 50%%'\"$(printf '\\043')\"'[d/f'")
        );
        assert_eq!(pipe_command(Path::new("/f"), Writer::Ends), OsString::from("exec 3<>'/f'; exec cat >'/f' 3<&-"));
        assert_eq!(nested(OsStr::new("it's")), b"'it'\\''s'");
    }
}
