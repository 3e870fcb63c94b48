//! The line that reads a command, as the line editor of a shell with our start-up files paints it: it moves about, breaks lines
//! and paints them anew. It stands behind a prompt, where programs in the background print, too.

use super::echo::{Letters, find};
use super::sequence::{ESC, sequence, visible};
use crate::screen::plain;
use crate::shell::{NAME, NAMED, ShellKind, own_line};

/// How much is looked at to see whether lines may become ours.
const LOOKED_AT: usize = 4096;
/// Fewer letters may stand in any text.
pub(super) const PIECE: usize = 4;

/// The line of one kind of shell.
#[derive(Debug)]
pub(super) struct Painted {
    /// What stands before the name of the file, without blanks.
    begin: String,
    after: &'static str,
    /// What no such line lacks, however it was broken.
    kept_whole: &'static str,
}

impl Painted {
    pub(super) fn by(kind: ShellKind) -> Self {
        let (begin, after) = own_line(kind);
        let kept_whole = if kind == ShellKind::Fish { "eval(string" } else { ".$FLIGHTDECK_RUN/" };
        Painted { begin: begin.replace(' ', ""), after, kept_whole }
    }

    /// Whether all of the line is in these bytes.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        let text = squeezed(bytes);
        text.contains(NAMED) && text.contains(self.kept_whole)
    }

    /// Whether the line has begun in these bytes, as it seems.
    pub(super) fn has_begun(&self, bytes: &[u8]) -> bool {
        squeezed(bytes).len() >= PIECE && self.may_begin(bytes)
    }

    /// How many of these bytes are whole lines that something in the background has printed.
    pub(super) fn printed_before(&self, bytes: &[u8]) -> usize {
        let whole = &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1)];
        let mut at = 0;
        while let Some(newline) = memchr::memchr(b'\n', &whole[at..]) {
            let (line, lines) = (&whole[at..=at + newline], &whole[at..whole.len().min(at + LOOKED_AT)]);
            if self.may_begin(line) && self.may_begin(lines) || self.is_piece(line) {
                break;
            }
            at += newline + 1;
        }
        at
    }

    /// Where the line begins that ends with these bytes: what programs in the background have printed stands before it. It may
    /// have been painted more than once, and in pieces.
    pub(super) fn begins_at(&self, bytes: &[u8]) -> usize {
        let is_first = |found: &usize| !bytes[..*found].split(|byte| *byte == b'\n').any(|line| self.is_piece(line));
        if let Some(found) = find(&self.letters(), bytes).filter(is_first) {
            let line = memchr::memrchr(b'\n', &bytes[..found]).map_or(0, |newline| newline + 1);
            let before = squeezed(&bytes[line..found]);
            return match before.as_str() {
                "" => found,
                before if self.begin.starts_with(before) => line,
                // A blank keeps it apart from what comes.
                _ => found + usize::from(bytes[found] == b' '),
            };
        }
        let last = self.last_painted(bytes).unwrap_or(bytes.len());
        let (mut at, mut end) = (0, 0);
        for line in bytes[..last].split_inclusive(|byte| *byte == b'\n') {
            end += line.len();
            // One without an end stands before the line that was typed, if that is whole.
            if self.is_painted(line) || !line.ends_with(b"\n") && last == bytes.len() {
                break;
            }
            at = if squeezed(line).is_empty() { at } else { end };
        }
        at
    }

    fn may_begin(&self, bytes: &[u8]) -> bool {
        let text = squeezed(bytes);
        text.contains("FLIGHTDECK_R") || self.begin.starts_with(&text)
    }

    /// Where the line begins at the end of these bytes, if it was painted there in one go; 0 if it began before them.
    fn last_painted(&self, bytes: &[u8]) -> Option<usize> {
        let wanted = self.letters();
        let visible: Vec<(usize, u8)> = visible(bytes).collect();
        let mut both = wanted.iter().rev().zip(visible.iter().rev());
        let is_it = both.all(|(wanted, (_, byte))| wanted.is_none_or(|wanted| wanted == *byte));
        is_it.then(|| visible.len().checked_sub(wanted.len()).map_or(0, |first| visible[first].0))
    }

    fn letters(&self) -> Letters {
        self.begin.bytes().map(Some).chain([None; NAME]).chain(self.after.bytes().map(Some)).collect()
    }

    /// Whether a line editor has painted this, as far as it says anything: it moves about, or it is a piece of the line.
    fn is_painted(&self, line: &[u8]) -> bool {
        self.is_piece(line) || moves(line) && !squeezed(line).is_empty()
    }

    fn is_piece(&self, line: &[u8]) -> bool {
        let text = squeezed(line);
        let begin = text.trim_end_matches(')').trim_end_matches(|c: char| c.is_ascii_hexdigit());
        begin.len() >= PIECE && self.begin.contains(begin) || text.contains("FLIGHTDECK_R")
    }
}

/// The text without its blanks, each line by itself: a line editor breaks lines anywhere, and moves between them.
fn squeezed(bytes: &[u8]) -> String {
    let lines = bytes.split(|byte| *byte == b'\n').map(plain);
    lines.flat_map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>()).collect()
}

/// Whether a line editor has moved about in these bytes. Colours move nothing.
fn moves(bytes: &[u8]) -> bool {
    memchr::memchr_iter(ESC, bytes).any(|at| {
        let sequence = sequence(&bytes[at..]).map_or(&bytes[at..], |length| &bytes[at..at + length]);
        !(sequence.starts_with(b"\x1b[") && sequence.ends_with(b"m"))
    })
}
