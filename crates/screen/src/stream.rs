//! vte's parser with what it lacks: it can say where it stands, it bounds the text of an OSC, and it takes characters
//! that are cut by a chunk's end (vte 0.15 swallows what follows such a character).

use alacritty_terminal::vte::{Parser, Perform};

use super::tokens::{ESC, Tracker};

#[derive(Default)]
pub(super) struct Stream {
    parser: Parser,
    tracker: Tracker,
}

impl Stream {
    pub(super) fn advance(&mut self, performer: &mut impl Perform, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let len = if self.tracker.in_osc() {
                let (len, seen) = self.tracker.advance_osc(bytes);
                self.parser.advance(performer, &bytes[..seen]);
                len
            } else if self.tracker.in_character() {
                self.finish_character(performer, bytes)
            } else {
                0
            };
            bytes = &bytes[len..];
            if bytes.is_empty() {
                break;
            }
            let len = self.tracker.advance(bytes);
            let (end, broken) = self.tracker.before_broken(&bytes[..len]);
            self.parser.advance(performer, &bytes[..end]);
            (0..broken).for_each(|_| performer.print(char::REPLACEMENT_CHARACTER));
            bytes = &bytes[len..];
        }
    }

    /// What comes next is read with no memory of what was before.
    pub(super) fn is_clean(&self) -> bool {
        self.tracker.is_clean()
    }

    /// There is an unfinished character.
    pub(super) fn in_character(&self) -> bool {
        self.tracker.in_character()
    }

    /// The bytes of the unfinished sequence or character.
    pub(super) fn pending(&self) -> &[u8] {
        self.tracker.pending()
    }

    /// What another parser needs to be where this one is: the pending bytes without the controls among them, which
    /// were executed as they came.
    pub(super) fn unfinished(&self) -> Vec<u8> {
        let pending = self.tracker.pending();
        match pending {
            [ESC, b']' | b'P' | b'X' | b'^' | b'_', ..] => pending.to_vec(),
            _ => pending.iter().copied().filter(|&byte| byte == ESC || byte >= 0x20).collect(),
        }
    }

    /// Completes a character that an earlier chunk began, or finds that it cannot be; returns how many bytes it took.
    fn finish_character(&mut self, performer: &mut impl Perform, bytes: &[u8]) -> usize {
        let begun = self.tracker.pending().len();
        let mut buffer = [0; 4];
        let len = (begun + bytes.len()).min(4);
        buffer[..begun].copy_from_slice(self.tracker.pending());
        buffer[begun..len].copy_from_slice(&bytes[..len - begun]);
        let (taken, c) = match std::str::from_utf8(&buffer[..len]) {
            Ok(text) => first(text),
            Err(error) => match (error.valid_up_to(), error.error_len()) {
                (0, None) => {
                    self.tracker.hold(&bytes[..len - begun]);
                    return len - begun;
                }
                (0, Some(invalid)) => (invalid, char::REPLACEMENT_CHARACTER),
                (valid, _) => first(std::str::from_utf8(&buffer[..valid]).unwrap_or_default()),
            },
        };
        self.tracker.release();
        performer.print(c);
        taken.saturating_sub(begun)
    }
}

fn first(text: &str) -> (usize, char) {
    let c = text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
    (c.len_utf8(), c)
}
