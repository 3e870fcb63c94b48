//! The line that reads a command where a shell tells nothing of its prompt: a shell of which we know nothing, as one that
//! somebody started inside of ours, and a POSIX shell, whose terminal echoes what is typed. All of the line is known but the
//! file's name, so it is looked for as such, whatever a line editor prints between its letters.

use std::path::Path;

use super::sequence::{ESC, sequence, visible};
use crate::shell::{NAME, ShellKind, foreign_line, own_line};

const DEL: u8 = 0x7f;
/// How much before the line is looked at for the blank that it begins with.
const BEFORE: usize = 64;

/// The lines that may be echoed in one terminal, the foreign one first.
#[derive(Debug)]
pub(super) struct Echoes(Vec<Letters>);

/// A line without its blanks; `None` for a digit of the file's name.
pub(super) type Letters = Vec<Option<u8>>;

/// A line that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Echo {
    /// Where it begins.
    pub begin: usize,
    /// Where it ends; `None` if that is not there yet.
    pub end: Option<usize>,
    /// It is the line of the terminal's own shell.
    pub is_own: bool,
}

impl Echoes {
    pub(super) fn of(kind: ShellKind, dir: &Path) -> Self {
        let letters = |bytes: &[u8]| visible(bytes).map(|(_, byte)| Some(byte)).collect::<Letters>();
        let name = vec![None; NAME];
        let [begin, between, after] = foreign_line(dir).map(|part| letters(&part));
        let mut lines = vec![[begin, name.clone(), between, name.clone(), after].concat()];
        if kind == ShellKind::Posix {
            lines.push([letters(own_line(kind).0.as_bytes()), name].concat());
        }
        Echoes(lines)
    }

    /// None at all: of a program everything is its own.
    pub(super) fn none() -> Self {
        Echoes(Vec::new())
    }

    /// The first line in these bytes. `behind_blank`: what came before them ends with a blank.
    pub(super) fn first(&self, bytes: &[u8], behind_blank: bool) -> Option<Echo> {
        // They all begin with a dot behind a blank.
        let dots = memchr::memchr_iter(b'.', bytes);
        let mut places = dots.flat_map(|dot| self.0.iter().enumerate().map(move |(number, line)| (dot, number, line)));
        places.find_map(|(dot, number, line)| {
            let end = match read(line, &bytes[dot..]) {
                Read::Whole(length) => Some(dot + length),
                Read::Cut => None,
                Read::Other => return None,
            };
            if !ends_blank(&bytes[..dot], behind_blank) {
                return None;
            }
            let begin = if bytes[..dot].ends_with(b" ") { dot - 1 } else { dot };
            Some(Echo { begin, end, is_own: number > 0 })
        })
    }

    /// Where the line ends with which these bytes begin, when it is painted again right behind itself; `None` if that is not
    /// there yet.
    pub(super) fn last_end(&self, bytes: &[u8], first: usize) -> Option<usize> {
        let mut end = first;
        while let Some(again) = self.first(&bytes[end..], false) {
            if visible(&bytes[end..end + again.begin]).next().is_some() {
                break;
            }
            end += again.end?;
        }
        Some(end)
    }
}

/// Where a line begins that is whole in these bytes.
pub(super) fn find(line: &[Option<u8>], bytes: &[u8]) -> Option<usize> {
    let first = line.first().copied().flatten()?;
    let found = memchr::memchr_iter(first, bytes).find(|at| matches!(read(line, &bytes[*at..]), Read::Whole(_)))?;
    Some(if bytes[..found].ends_with(b" ") { found - 1 } else { found })
}

enum Read {
    /// The line is there, in so many bytes.
    Whole(usize),
    /// So far it is the line.
    Cut,
    Other,
}

/// Reads a line letter by letter.
fn read(line: &[Option<u8>], bytes: &[u8]) -> Read {
    let (mut wanted, mut at) = (line.iter(), 0);
    let mut next = wanted.next();
    // The letter that was read last, if only a return has come since: zsh prints the first letter of a row twice.
    let (mut last, mut returned) = (None, None);
    while let Some(letter) = next {
        let Some(byte) = bytes.get(at).copied() else { return Read::Cut };
        if byte == ESC {
            let Some(length) = sequence(&bytes[at..]) else { return Read::Cut };
            at += length;
            continue;
        }
        at += 1;
        if byte <= b' ' || byte == DEL {
            returned = last.filter(|_| byte == b'\r');
            last = None;
        } else if returned.take() == Some(byte) {
            last = None;
        } else if letter.map_or(byte.is_ascii_hexdigit(), |letter| letter == byte) {
            (last, next) = (Some(byte), wanted.next());
        } else {
            return Read::Other;
        }
    }
    Read::Whole(at)
}

/// Whether there is a blank since the last letter of these bytes, which come behind others.
pub(super) fn ends_blank(bytes: &[u8], behind_blank: bool) -> bool {
    let near = &bytes[bytes.len().saturating_sub(BEFORE)..];
    let letter = visible(near).last();
    let begin = letter.map_or(0, |(at, _)| at + 1);
    memchr::memchr(b' ', &near[begin..]).is_some() || letter.is_none() && behind_blank && near.len() == bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_however_a_line_editor_paints_it() {
        let echoes = Echoes::of(ShellKind::Bash, Path::new("/a/b c"));
        let line = " . '/a/b c/run/0123456789abcdef'; . '/a/b c/run/0123456789abcdef.end'";
        for (painted, is_whole) in [
            (line.to_owned(), true),
            // zsh goes to the next row.
            (line.replacen("345", "34 \r\x1b[K5\r5", 1), true),
            (line.replacen("345", "34 \r5", 1), true),
            (line.replacen("'; ", "'\x1b[m;\r\x1b[3C ", 1), true),
            (line[..40].to_owned(), false),
        ] {
            let bytes = format!("x\r\n$ {painted}");
            let found = echoes.first(bytes.as_bytes(), false);
            assert_eq!(
                found,
                Some(Echo { begin: 5, end: is_whole.then_some(bytes.len()), is_own: false }),
                "{bytes:?}"
            );
        }
        for other in ["$ . ./env", "and so on. '/a/b c", "$ . '/a/b d/run/0", "$ . '/a/b c/run/xyz'"] {
            assert_eq!(echoes.first(other.as_bytes(), false), None, "{other:?}");
        }
        let behind_blank = echoes.first(&line.as_bytes()[1..], true);
        assert_eq!(behind_blank, Some(Echo { begin: 0, end: Some(line.len() - 1), is_own: false }));
        let twice = format!("{line}\x1b[A\r{line}\r\nx");
        assert_eq!(echoes.last_end(twice.as_bytes(), line.len()), Some(twice.len() - 3));
        assert_eq!(echoes.last_end(format!("{line}\r\nx{line}").as_bytes(), line.len()), Some(line.len()));
    }
}
