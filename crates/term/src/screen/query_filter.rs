//! Takes out of an output stream what asks the terminal for an answer. The hub answers for the program; a person's
//! terminal that is attached must not answer a second time.

use memchr::memchr2;

use super::tokens::{ESC, Place, Sequence, Token, first_number, token};

const ENQ: u8 = 0x05;
/// A sequence that is not whole after this many bytes is passed on; questions are short.
const LIMIT: usize = 4096;

/// Passes everything but questions, byte by byte the same. Keeps its place between chunks.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "four facts about the stream that do not depend on each other")]
pub struct QueryFilter {
    place: Place,
    /// The sequence that is being read, held back until it is known.
    held: Vec<u8>,
    /// A sequence too long to be held: its rest passes.
    passing: bool,
    /// The last sequence was taken out; its terminator has to go as well.
    drop_terminator: bool,
    /// What passed last was cut short by the sequence that is being read.
    cut: bool,
    /// Something was taken out right here.
    gap: bool,
}

impl QueryFilter {
    /// How many bytes are held back now.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Appends to `out` what of `bytes` may pass. A sequence whose end has not come yet is held back.
    pub fn strip(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut at = 0;
        while at < bytes.len() {
            if self.place == Place::Ground {
                let rest = &bytes[at..];
                let found = memchr2(ESC, ENQ, rest).unwrap_or(rest.len());
                if found > 0 {
                    self.fill_gap(matches!(rest[0], 0x80..=0xbf), out);
                    out.extend_from_slice(&rest[..found]);
                }
                at += found;
                if at == bytes.len() {
                    return;
                }
                if bytes[at] == ENQ {
                    self.gap = true;
                    at += 1;
                    continue;
                }
                if let Token::Whole(sequence, len) = token(&bytes[at..]) {
                    if asks(sequence) {
                        self.gap = true;
                    } else {
                        self.part_from_repeat(sequence, out);
                        out.extend_from_slice(&bytes[at..at + len]);
                    }
                    at += len;
                    continue;
                }
            }
            self.take(bytes[at], out);
            at += 1;
        }
    }

    /// One byte of a sequence, or the ESC that begins one.
    fn take(&mut self, byte: u8, out: &mut Vec<u8>) {
        let before = self.place;
        self.place = before.next(byte);
        if byte == ESC && before != Place::Ground {
            // The sequence before ends here, by its terminator's ESC or because it is cut short.
            self.settle(before, out);
        }
        if byte == ENQ && matches!(before, Place::Escape | Place::EscapeIntermediate | Place::Csi) {
            // Terminals execute controls inside a sequence: this one asks, others stay.
            return;
        }
        if self.passing {
            out.push(byte);
        } else {
            self.held.push(byte);
            if self.held.len() >= LIMIT {
                out.append(&mut self.held);
                self.passing = true;
            }
        }
        if self.place == Place::Ground {
            self.settle(before, out);
        }
    }

    /// What was taken out may have kept things apart that mean something together: the pieces of a broken character,
    /// a character and its repetition. A NUL keeps them apart as well, and shows nothing.
    fn fill_gap(&mut self, needed: bool, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.gap) && needed {
            out.push(0);
        }
    }

    fn part_from_repeat(&mut self, sequence: Sequence<'_>, out: &mut Vec<u8>) {
        if matches!(sequence, Sequence::Csi { marker: 0, intermediates: [], end: b'b', .. }) {
            self.fill_gap(true, out);
        }
    }

    /// The held sequence is complete, or as complete as it will get: decides on it.
    fn settle(&mut self, place: Place, out: &mut Vec<u8>) {
        let terminator = self.held == b"\x1b\\" && std::mem::take(&mut self.drop_terminator);
        let asks = !self.passing && is_query(&self.held, place);
        self.drop_terminator = asks && self.place == Place::Escape;
        if asks {
            self.gap = true;
            if std::mem::take(&mut self.cut) {
                // The question's ESC also ended the sequence before it; something has to.
                out.extend_from_slice(b"\x1b\\");
            }
            if matches!(place, Place::Csi | Place::Escape | Place::EscapeIntermediate) {
                out.extend(self.held.iter().filter(|&&byte| byte < 0x20 && byte != ESC));
            }
        } else if !terminator {
            let held = std::mem::take(&mut self.held);
            if let Token::Whole(sequence, _) = token(&held) {
                self.part_from_repeat(sequence, out);
            }
            out.extend_from_slice(&held);
            self.cut = self.place != Place::Ground;
        }
        self.held.clear();
        self.passing = false;
    }
}

fn is_query(held: &[u8], place: Place) -> bool {
    if let Token::Whole(sequence, _) = token(held) {
        return asks(sequence);
    }
    // A string without its terminator, which is settled apart, or one with controls inside: those are executed as
    // they come or passed over, so judge it without them.
    let clean: Vec<u8> = held.iter().copied().filter(|&byte| byte == ESC || (0x20..0x7f).contains(&byte)).collect();
    match (place, clean.as_slice()) {
        (Place::Osc, [ESC, b']', text @ ..]) => asks(Sequence::Osc { text }),
        (Place::DcsPassthrough, [ESC, b'P', text @ ..]) => asks(Sequence::String { kind: b'P', text }),
        (Place::Text, [ESC, b'_', text @ ..]) => asks(Sequence::String { kind: b'_', text }),
        (Place::Csi | Place::Escape | Place::EscapeIntermediate, _) => {
            matches!(token(&clean), Token::Whole(sequence, _) if asks(sequence))
        }
        _ => false,
    }
}

/// Whether a terminal answers to this.
fn asks(sequence: Sequence<'_>) -> bool {
    match sequence {
        Sequence::Csi { marker, params, intermediates: [], end } => match (marker, end) {
            // Device attributes, status reports, terminal parameters, version, keyboard, graphics, key modifiers.
            (0 | b'>' | b'=', b'c') | (0 | b'?', b'n') | (0, b'x') | (b'>', b'q') | (b'?', b'u' | b'S' | b'm') => true,
            (0, b't') => matches!(first_number(params), 11 | 13..=16 | 18..=21),
            _ => false,
        },
        // DECRQM, DECRQCRA, DECRQPSR, XTREPORTSGR.
        Sequence::Csi { intermediates, end, .. } => {
            matches!((intermediates, end), ([b'$'], b'p' | b'w' | b'u') | ([b'*'], b'y') | ([b'#'], b'|'))
        }
        Sequence::Esc { intermediates, end } => intermediates.is_empty() && end == b'Z',
        Sequence::Osc { text } => {
            let mut params = text.split(|byte| *byte == b';');
            let asked = params
                .next()
                .is_some_and(|number| matches!(number, [b'4' | b'5'] | [b'1', b'0'..=b'9'] | b"21" | b"52" | b"104"));
            asked && params.any(|param| param == b"?" || param.ends_with(b"=?"))
        }
        // DECRQSS, XTGETTCAP and the graphics protocol's question.
        Sequence::String { kind: b'P', text } => {
            let params = text.iter().take_while(|byte| matches!(byte, 0x30..=0x3b)).count();
            let text = &text[params..];
            text.starts_with(b"$q") || text.starts_with(b"+q")
        }
        Sequence::String { kind: b'_', text } => {
            let control = text.split(|byte| *byte == b';').next().unwrap_or_default();
            control.strip_prefix(b"G").is_some_and(|keys| keys.split(|byte| *byte == b',').any(|key| key == b"a=q"))
        }
        Sequence::String { .. } => false,
    }
}
