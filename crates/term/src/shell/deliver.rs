//! How a command reaches a live shell: typed when that is harmless, otherwise in a file that the shell reads.

use std::path::Path;

use super::append;
use super::line::{foreign_line, own_line};
use super::plain::is_plain;
use super::preview::preview;
use super::quote::quote;
use super::{Nonce, RunId, ShellKind};

/// The start-up files bind this to "discard the line", in every keymap. No keyboard sends it.
pub(crate) const CLEAR_LINE_KEY: &[u8] = b"\x1b[7733~";
/// The terminal's own kill character, which also line editors obey.
const KILL: &[u8] = b"\x15";
/// In zsh a file that is read has its own name in `$0`. This gives the shell's back, and is evaluated as an argument, which
/// leaves the status alone. Where the two are the same it may not be set.
const ZSH_NAME: &str = "\"${${0:#$ZSH_ARGZERO}:+${0::=$ZSH_ARGZERO}}\"";
/// The same in a shell of which it is not known what it is.
const FOREIGN_NAME: &str =
    "if [ -n \"${ZSH_ARGZERO-}\" ] && [ \"$0\" != \"${ZSH_ARGZERO-}\" ]; then 0=$ZSH_ARGZERO; fi";
/// The first line of a file for a shell that has our start-up files and has lost its hooks: it has them again then.
pub(crate) const MEND: &[u8] = b"__flightdeck_hook >/dev/null 2>&1 || :\n";
/// A longer command would only clutter the history.
const LONGEST_IN_HISTORY: usize = 1000;

/// What to write to the terminal. The bytes hold the final carriage return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    Typed(Vec<u8>),
    /// First `contents` goes to `<dir>/run/<name>` with mode 0600, then `line` to the terminal. The file can go when
    /// the run is over. So it is with `end`, if there is one, in a file called [`end_name`](super::end_name).
    File {
        name: String,
        contents: Vec<u8>,
        end: Option<Vec<u8>>,
        line: Vec<u8>,
    },
}

/// Why a command can't be delivered to a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliverError {
    #[error("the command holds a NUL byte, which no shell can take; remove it")]
    Nul,
    #[error("the command is empty; give one, or send a key instead")]
    Empty,
}

/// Says how to run `text` in a shell that waits for input.
///
/// `dir` is the folder given to [`prepare`](super::prepare). With `clear_line_first` a partly typed line is discarded.
pub fn deliver(
    kind: ShellKind,
    text: &str,
    run: &RunId,
    dir: &Path,
    nonce: &Nonce,
    clear_line_first: bool,
) -> Result<Delivery, DeliverError> {
    if text.contains('\0') {
        return Err(DeliverError::Nul);
    }
    if text.trim().is_empty() {
        return Err(DeliverError::Empty);
    }
    let mut line = match (clear_line_first, kind) {
        (false, _) => Vec::new(),
        (true, ShellKind::Bash | ShellKind::Zsh | ShellKind::Fish) => CLEAR_LINE_KEY.to_vec(),
        (true, ShellKind::Posix | ShellKind::Other) => KILL.to_vec(),
    };
    // fish prints a title and colours between the hook and the command, and expands abbreviations; a POSIX shell
    // has no hook at all. Only a file makes their output exact.
    let typed = text.trim_end_matches('\n');
    if matches!(kind, ShellKind::Bash | ShellKind::Zsh) && is_plain(typed) {
        line.extend(typed.bytes());
        line.push(b'\r');
        return Ok(Delivery::Typed(line));
    }
    let name = run.as_str().to_owned();
    let contents = contents(kind, text, run, nonce);
    let end = (kind == ShellKind::Other).then(|| foreign_end(run, nonce));
    if kind == ShellKind::Other {
        // It sees to the end itself. It is echoed, so it holds nothing secret.
        let [begin, between, after] = foreign_line(dir);
        line.extend([begin.as_slice(), name.as_bytes(), &between, name.as_bytes(), &after].concat());
    } else {
        let (begin, after) = own_line(kind);
        line.extend([begin, &name, after].concat().bytes());
    }
    line.push(b'\r');
    Ok(Delivery::File { name, contents, end, line })
}

fn contents(kind: ShellKind, text: &str, run: &RunId, nonce: &Nonce) -> Vec<u8> {
    let shown = quote(kind, one_line(kind, preview(text)).as_bytes());
    let remembered = quote(kind, history_text(text).as_bytes());
    let begin = [b"__flightdeck_begin ", run.as_str().as_bytes(), b" ", &shown, b" ", &remembered].concat();
    match kind {
        // fish parses a whole file before it runs any of it, so an error in the command would hide the start.
        ShellKind::Fish => {
            let text = with_end(kind, text, "__flightdeck_end $status $pipestatus");
            [&begin, b"\neval ".as_slice(), &quote(kind, &text), b"\n"].concat()
        }
        ShellKind::Bash => {
            framed(kind, &begin, "", text, "{ __flightdeck_end \"$?\" \"${PIPESTATUS[@]}\" && :; } >/dev/null 2>&1")
        }
        ShellKind::Zsh => {
            let is_whole = append::may_follow(kind, text) && !text.contains("return");
            let more = format!(" '{}' {ZSH_NAME}", if is_whole { "whole" } else { "" });
            framed(kind, &begin, &more, text, "{ __flightdeck_end \"$?\" \"${pipestatus[@]}\" && :; } >/dev/null 2>&1")
        }
        ShellKind::Posix => framed(kind, &begin, "", text, "{ __flightdeck_end \"$?\" && :; } >/dev/null 2>&1"),
        ShellKind::Other => {
            let start = format!(
                "__flightdeck_status=$?; {FOREIGN_NAME}; printf '\\033[2m%b\\033[22m\\n\\033]7733;{};R;r={run}\\007' ",
                nonce.as_str()
            );
            // The command sees how the one before it ended, also under `set -e`.
            let last = b"; (exit \"$__flightdeck_status\") && :\n";
            [start.as_bytes(), &shown, last, text.as_bytes(), b"\n"].concat()
        }
    }
}

/// The preview as the start-up files print it, on one line, so that ours is one line of the file and no more.
fn one_line(kind: ShellKind, preview: String) -> String {
    match kind {
        ShellKind::Fish => preview,
        _ => preview.replace('\\', "\\\\").replace('\n', "\\n"),
    }
}

/// The command between two calls of our functions. Their trace (`set -x`) and what a DEBUG trap prints for them must not show, and `&& :` keeps a
/// status that is not 0 from ending the shell under `set -e`.
fn framed(kind: ShellKind, begin: &[u8], more: &str, text: &str, end: &str) -> Vec<u8> {
    [b"{ ", begin, b" \"$?\"", more.as_bytes(), b" && :; } >/dev/null 2>&1\n", &with_end(kind, text, end)].concat()
}

/// The command and, where nothing of the command can reach into it, a line that runs when it is through. Otherwise the
/// command's text is the last of its file.
fn with_end(kind: ShellKind, text: &str, end: &str) -> Vec<u8> {
    let mut lines = [text.as_bytes(), b"\n"].concat();
    if append::may_follow(kind, text) {
        // The empty line ends a command that stops with a backslash.
        lines.extend(b"\n");
        lines.extend(end.bytes());
        lines.extend(b"\n");
    }
    lines
}

/// The one-line command as people would find it in their history, or nothing. A leading space asks to forget it.
fn history_text(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_fit = !text.starts_with(' ') && text.len() <= LONGEST_IN_HISTORY && !text.contains(char::is_control);
    if is_fit { text } else { "" }
}

/// The status is that of the command before, until something runs; and it is left to the one after.
fn foreign_end(run: &RunId, nonce: &Nonce) -> Vec<u8> {
    format!("eval \"printf '\\033]7733;{};X;r={run};x=%s\\007' $?; return $?\"\n", nonce.as_str()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> RunId {
        RunId::parse("0123456789abcdef").expect("run id")
    }

    fn delivery(kind: ShellKind, text: &str, clear: bool) -> Result<Delivery, DeliverError> {
        let nonce = Nonce::parse(&"0".repeat(32)).expect("nonce");
        deliver(kind, text, &run(), Path::new("/it's"), &nonce, clear)
    }

    fn file(kind: ShellKind, text: &str) -> (String, String) {
        match delivery(kind, text, false) {
            Ok(Delivery::File { contents, line, .. }) => {
                (String::from_utf8(contents).expect("UTF-8"), String::from_utf8(line).expect("UTF-8"))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn plain_commands_are_typed_where_hooks_make_them_exact() {
        assert_eq!(delivery(ShellKind::Bash, "cargo test", false), Ok(Delivery::Typed(b"cargo test\r".to_vec())));
        assert_eq!(delivery(ShellKind::Bash, "cargo test\n", false), Ok(Delivery::Typed(b"cargo test\r".to_vec())));
        assert_eq!(delivery(ShellKind::Zsh, "ls", true), Ok(Delivery::Typed(b"\x1b[7733~ls\r".to_vec())));
        for kind in [ShellKind::Fish, ShellKind::Posix, ShellKind::Other] {
            assert!(matches!(delivery(kind, "ls", false), Ok(Delivery::File { .. })), "{kind:?}");
        }
    }

    #[test]
    fn nul_and_nothing_are_refused() {
        assert_eq!(delivery(ShellKind::Bash, "a\0b", false), Err(DeliverError::Nul));
        assert_eq!(delivery(ShellKind::Bash, " \n\t", false), Err(DeliverError::Empty));
    }

    #[test]
    fn no_typed_line_holds_anything_of_the_command_but_plain_text() {
        for kind in [ShellKind::Bash, ShellKind::Zsh, ShellKind::Fish, ShellKind::Posix, ShellKind::Other] {
            let (contents, line) = file(kind, "echo '!x' \x1b\t\u{7}é");
            assert!(contents.contains('x'), "{kind:?}");
            let body = line.strip_suffix('\r').expect("carriage return");
            assert!(body.bytes().all(|byte| (b' '..0x7f).contains(&byte) && byte != b'!'), "{line:?}");
            assert!(!line.contains(&"0".repeat(32)), "the nonce is no text to be shown: {line:?}");
        }
    }

    #[test]
    fn the_end_is_not_appended_to_an_open_here_document() {
        assert!(file(ShellKind::Bash, "cat <<E\nx\nE").0.contains("__flightdeck_end"));
        assert!(!file(ShellKind::Bash, "cat <<E\nx").0.contains("__flightdeck_end"));
    }

    #[test]
    fn nothing_stands_behind_a_text_that_is_not_surely_whole() {
        let open =
            ["echo 'x", "echo \"x", "for i in 1 2", "if true; then", "(", "{", "echo $(", "ls |", "a \\", "case x in"];
        for kind in [ShellKind::Bash, ShellKind::Zsh, ShellKind::Posix] {
            for text in open {
                let (contents, _) = file(kind, text);
                assert!(contents.ends_with(&format!("{text}\n")), "{kind:?} {contents:?}");
            }
            assert!(!file(kind, "ls | wc").0.ends_with("ls | wc\n"), "{kind:?}");
        }
    }

    #[test]
    fn the_echo_of_a_foreign_line_is_no_mark() {
        let (_, line) = file(ShellKind::Other, "ls");
        assert!(!line.contains('\x1b') && line.contains("'/it'\\''s/run/0123456789abcdef'"), "{line}");
    }
}
