//! `test` and `[`: questions about files, texts and numbers.

use super::paths::leads_inside;
use crate::Place;

/// Whether a condition asks nothing but what may be known.
pub(super) fn proven(program: &str, args: &[&str], place: &Place) -> bool {
    let (("[", [words @ .., "]"]) | ("test", words)) = (program, args) else { return false };
    asks(words, place)
}

fn asks(words: &[&str], place: &Place) -> bool {
    match words {
        ["!", rest @ ..] if !rest.is_empty() => asks(rest, place),
        // Whether a file is there is no secret, whatever it holds.
        ["-e" | "-f" | "-d" | "-r" | "-w" | "-x" | "-s" | "-L" | "-h" | "-p" | "-S" | "-b" | "-c", path] => {
            leads_inside(path, place)
        }
        ["-z" | "-n", text] | [text] => plain(text),
        [a, "=" | "==" | "!=", b] => plain(a) && plain(b),
        [a, "-eq" | "-ne" | "-gt" | "-ge" | "-lt" | "-le", b] => number(a) && number(b),
        [a, "-nt" | "-ot" | "-ef", b] => leads_inside(a, place) && leads_inside(b, place),
        _ => false,
    }
}

/// What no shell takes for an operator.
fn plain(text: &str) -> bool {
    !text.starts_with(['-', '(', ')', '!'])
}

fn number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}
