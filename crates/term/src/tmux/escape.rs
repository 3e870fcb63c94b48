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

/// The command for `pipe-pane` that copies output into a FIFO. The FIFO is opened for both ways, so that neither
/// opening nor a reader that is away for a moment stops it. tmux expands formats and dates in it.
pub(super) fn pipe_command(fifo: &Path) -> OsString {
    let mut command = b"exec cat 1<>'".to_vec();
    for byte in fifo.as_os_str().as_bytes() {
        match byte {
            b'\'' => command.extend(b"'\\''"),
            // No way to double it holds in front of a `[` in all versions, so the shell makes it.
            b'#' => command.extend(b"'\"$(printf '\\043')\"'"),
            b'%' => command.extend(b"%%"),
            other => command.push(*other),
        }
    }
    command.push(b'\'');
    OsString::from_vec(command)
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
            pipe_command(Path::new("/a b/it's 50%#[d/f")),
            OsString::from("exec cat 1<>'/a b/it'\\''s 50%%'\"$(printf '\\043')\"'[d/f'")
        );
    }
}
