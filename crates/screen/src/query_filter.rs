//! Takes out of an output stream what asks the terminal for an answer. The hub answers for the program; a person's
//! terminal that is attached must not answer a second time.

use memchr::memchr2;

use super::tokens::{ESC, Place, Sequence, Token, first_number, token};

const ENQ: u8 = 0x05;
/// A sequence that is not whole after this many bytes is passed on; questions are short.
const LIMIT: usize = 4096;

/// Passes everything but questions, byte by byte the same. Keeps its place between chunks.
#[derive(Debug, Default)]
pub struct QueryFilter {
    place: Place,
    /// The sequence that is being read, held back until it is known.
    held: Vec<u8>,
    /// Questions among its bytes that were taken out of it already.
    inside: usize,
    /// A sequence too long to be held: its rest passes.
    passing: bool,
    /// The sequence before is done with; its terminator, should it come, has to go.
    drop_terminator: bool,
    /// How many bytes did not pass since the last that did.
    gap: usize,
    /// There is a question among them, which kept apart what is around it.
    apart: bool,
}

impl QueryFilter {
    /// How many bytes of the stream are held back now, or were taken out last. A new filter that begins this far back
    /// goes on where this one stands.
    pub fn held(&self) -> usize {
        self.gap + self.reading()
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
                    self.leave_out(1);
                    at += 1;
                    continue;
                }
                if let Token::Whole(sequence, len) = token(&bytes[at..]) {
                    if asks(sequence) {
                        self.leave_out(len);
                    } else {
                        self.fill_gap(repeats(sequence), out);
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
        if byte == ESC && is_inert(before) && !self.passing {
            // The next byte tells whether this is its terminator.
            self.held.push(byte);
            return;
        }
        if byte != b'\\' && matches!(self.held.as_slice(), [_, .., ESC]) {
            // It was not, and nothing comes of such a string without one.
            self.gap += self.reading() - 1;
            self.inside = 0;
            let held = std::mem::replace(&mut self.held, vec![ESC]);
            self.execute(&held, out);
        }
        if byte == ESC && before != Place::Ground {
            // The sequence before ends here, by its terminator's ESC or because it is cut short.
            self.settle(before, out);
        }
        if byte == ENQ && is_command(before) {
            // Terminals execute controls inside a sequence: this one asks, others stay.
            if !self.passing {
                self.inside += 1;
                self.apart = true;
            }
            return;
        }
        if self.passing {
            out.push(byte);
        } else {
            self.held.push(byte);
            if self.held.len() >= LIMIT {
                out.append(&mut self.held);
                self.inside = 0;
                self.fill_gap(false, out);
                self.passing = true;
            }
        }
        if self.place == Place::Ground {
            self.settle(before, out);
        }
    }

    /// How many bytes the sequence has that is being read.
    fn reading(&self) -> usize {
        self.held.len() + self.inside
    }

    /// What was taken out may have kept things apart that mean something together: the pieces of a broken character,
    /// a character and its repetition. A NUL keeps them apart as well, and shows nothing.
    fn fill_gap(&mut self, needed: bool, out: &mut Vec<u8>) {
        self.gap = 0;
        if std::mem::take(&mut self.apart) && needed {
            out.push(0);
        }
    }

    /// Passes the controls inside of what does not pass itself; those in the text of a string are not executed.
    fn execute(&mut self, held: &[u8], out: &mut Vec<u8>) {
        let head = held.iter().take_while(|byte| !matches!(byte, 0x20..=0x7e)).count();
        let string = matches!(held.get(head), Some(b'P' | b'X' | b']' | b'^' | b'_'));
        let command = if string { &held[..head] } else { held };
        let before = out.len();
        out.extend(command.iter().filter(|&&byte| byte < 0x20 && byte != ESC));
        if out.len() > before {
            self.fill_gap(false, out);
        }
    }

    /// Takes out a question of `len` bytes.
    fn leave_out(&mut self, len: usize) {
        self.gap += len;
        self.apart = true;
    }

    /// The held sequence is complete, or as complete as it will get: decides on it.
    fn settle(&mut self, place: Place, out: &mut Vec<u8>) {
        let len = self.reading();
        let held = std::mem::take(&mut self.held);
        self.inside = 0;
        let passing = std::mem::take(&mut self.passing);
        let terminator = std::mem::take(&mut self.drop_terminator) && held == b"\x1b\\";
        let cut = self.place != Place::Ground;
        let asks = !passing && is_query(&held, place);
        if terminator {
            // Gone with the question that it ended, or passed with what it ended.
            self.gap += if self.apart { len } else { 0 };
        } else if asks || cut && !passing && is_command(place) {
            // A question, or what was cut short. Of that nothing comes; passed, it would need the ESC that follows,
            // which may be that of a question.
            if asks {
                self.leave_out(len);
                self.drop_terminator = cut;
            } else {
                self.gap += len;
            }
            self.execute(&held, out);
        } else {
            let repeats = matches!(token(&held), Token::Whole(sequence, _) if repeats(sequence));
            self.fill_gap(repeats, out);
            out.extend_from_slice(&held);
            if cut {
                // Its terminator passes with it, for the same reason.
                out.extend_from_slice(b"\x1b\\");
                self.drop_terminator = true;
            }
        }
    }
}

/// In a sequence with controls inside that are executed.
fn is_command(place: Place) -> bool {
    matches!(place, Place::Escape | Place::EscapeIntermediate | Place::Csi)
}

/// In a string that does nothing, or not yet.
fn is_inert(place: Place) -> bool {
    matches!(place, Place::Text | Place::DcsEntry | Place::DcsParam | Place::DcsIntermediate | Place::DcsIgnore)
}

fn repeats(sequence: Sequence<'_>) -> bool {
    matches!(sequence, Sequence::Csi { marker: 0, intermediates: [], end: b'b', .. })
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
        (place, _) if is_command(place) => {
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
