//! The light escape-sequence scanner: tells where the engine's parser stands and what a sequence is, without
//! executing it. Fast-forward and the query filter share it, so that there is one opinion on where a sequence ends.

use memchr::{memchr, memchr3};

pub(super) const ESC: u8 = 0x1b;
pub(super) const BEL: u8 = 0x07;
pub(super) const CAN: u8 = 0x18;
pub(super) const SUB: u8 = 0x1a;

/// Longest operating-system command that is read; the rest of a longer one is dropped, so that a stream that never
/// ends one cannot eat memory.
pub(super) const OSC_LIMIT: usize = 8 * 1024;

/// Where vte's state machine stands. The transitions are a copy of vte 0.15's; a test holds them together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    #[default]
    Ground,
    Escape,
    EscapeIntermediate,
    Csi,
    DcsEntry,
    DcsParam,
    DcsIntermediate,
    DcsIgnore,
    DcsPassthrough,
    Osc,
    /// SOS, PM and APC strings.
    Text,
}

impl Place {
    pub(super) fn next(self, byte: u8) -> Self {
        match (self, byte) {
            (_, ESC) => return Self::Escape,
            (Self::Ground, _) | (_, CAN | SUB) | (Self::Osc, BEL) | (Self::DcsPassthrough, 0x9c) => {
                return Self::Ground;
            }
            _ => {}
        }
        match self {
            Self::Escape => match byte {
                0x20..=0x2f => Self::EscapeIntermediate,
                b'P' => Self::DcsEntry,
                b'[' => Self::Csi,
                b']' => Self::Osc,
                b'X' | b'^' | b'_' => Self::Text,
                0x30..=0x7e => Self::Ground,
                _ => self,
            },
            Self::EscapeIntermediate if matches!(byte, 0x30..=0x7e) => Self::Ground,
            Self::Csi if matches!(byte, 0x40..=0x7e) => Self::Ground,
            Self::DcsEntry => match byte {
                0x20..=0x2f => Self::DcsIntermediate,
                0x30..=0x3f => Self::DcsParam,
                0x40..=0x7e => Self::DcsPassthrough,
                _ => self,
            },
            Self::DcsParam => match byte {
                0x20..=0x2f => Self::DcsIntermediate,
                0x3c..=0x3f => Self::DcsIgnore,
                0x40..=0x7e => Self::DcsPassthrough,
                _ => self,
            },
            Self::DcsIntermediate => match byte {
                0x30..=0x3f => Self::DcsIgnore,
                0x40..=0x7e => Self::DcsPassthrough,
                _ => self,
            },
            _ => self,
        }
    }
}

/// Follows the parser through the stream and keeps the bytes of what is not finished yet, so that a snapshot taken in
/// the middle of a sequence or of a character can end with them.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    place: Place,
    osc_len: usize,
    pending: Vec<u8>,
    /// Where in the last chunk its closing stretch of ground state began.
    text_from: usize,
}

impl Tracker {
    pub(super) fn in_osc(&self) -> bool {
        self.place == Place::Osc
    }

    /// In ground state with a character begun.
    pub(super) fn in_character(&self) -> bool {
        self.place == Place::Ground && !self.pending.is_empty()
    }

    /// In ground state and with no half character: what comes next is read with no memory of what was before.
    pub(super) fn is_clean(&self) -> bool {
        self.place == Place::Ground && self.pending.is_empty()
    }

    /// For a chunk that ends in an unfinished character: how many bytes come before that one and the broken ones
    /// right before it, and how many those are. Left to the parser, they too would look unfinished.
    pub(super) fn before_broken(&self, bytes: &[u8]) -> (usize, usize) {
        let mut end = bytes.len();
        let mut broken = 0;
        if self.in_character() {
            end -= self.pending.len();
            while let cut @ 1.. = partial_char(&bytes[self.text_from..end]).len() {
                end -= cut;
                broken += 1;
            }
        }
        (end, broken)
    }

    /// The bytes of the unfinished sequence or character.
    pub(super) fn pending(&self) -> &[u8] {
        &self.pending
    }

    /// Follows `bytes` up to the beginning of an OSC's text, or to their end; returns how many were followed. There
    /// must be no unfinished character.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        let mut start = 0;
        while at < bytes.len() {
            if self.place == Place::Ground {
                let Some(found) = memchr(ESC, &bytes[at..]) else {
                    self.text_from = at;
                    self.pending.extend_from_slice(partial_char(&bytes[at..]));
                    return bytes.len();
                };
                self.pending.clear();
                at += found;
                start = at;
            } else if bytes[at] == ESC {
                self.pending.clear();
                start = at;
            }
            self.place = self.place.next(bytes[at]);
            at += 1;
            if self.place == Place::Osc && bytes[at - 1] == b']' {
                self.osc_len = 0;
                self.pending.extend_from_slice(&bytes[start..at]);
                return at;
            }
            if self.place == Place::Ground {
                self.pending.clear();
            }
        }
        if self.place != Place::Ground {
            let room = OSC_LIMIT.saturating_sub(self.pending.len());
            self.pending.extend_from_slice(&bytes[start..][..room.min(bytes.len() - start)]);
        }
        at
    }

    /// Follows the text of an OSC up to its end, which is left to `advance`. Returns how many bytes are text and how
    /// many of them the parser may see.
    pub(super) fn advance_osc(&mut self, bytes: &[u8]) -> (usize, usize) {
        let len = osc_text_len(bytes);
        let room = OSC_LIMIT.saturating_sub(self.osc_len);
        let seen = len.min(room);
        self.osc_len += seen;
        self.pending.extend_from_slice(&bytes[..seen]);
        (len, seen)
    }

    /// More of the unfinished character.
    pub(super) fn hold(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// The unfinished character is finished.
    pub(super) fn release(&mut self) {
        self.pending.clear();
    }
}

/// The cut-off character at the end of `bytes`, if there is one.
fn partial_char(bytes: &[u8]) -> &[u8] {
    for back in 1..=3.min(bytes.len()) {
        let tail = &bytes[bytes.len() - back..];
        if tail[0] < 0x80 {
            break;
        }
        if tail[0] >= 0xc0 {
            let cut =
                std::str::from_utf8(tail).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none());
            return if cut { tail } else { &[] };
        }
    }
    &[]
}

fn osc_text_len(bytes: &[u8]) -> usize {
    let end = memchr3(ESC, BEL, CAN, bytes).unwrap_or(bytes.len());
    memchr(SUB, &bytes[..end]).unwrap_or(end)
}

/// One whole escape sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sequence<'a> {
    /// `marker` is one of `<=>?` or 0.
    Csi {
        marker: u8,
        params: &'a [u8],
        intermediates: &'a [u8],
        end: u8,
    },
    Esc {
        intermediates: &'a [u8],
        end: u8,
    },
    Osc {
        text: &'a [u8],
    },
    /// DCS, SOS, PM or APC, by its introducer.
    String {
        kind: u8,
        text: &'a [u8],
    },
}

/// What stands at an ESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Whole(Sequence<'a>, usize),
    /// The bytes end before the sequence does.
    Partial,
    /// Legal for the parser but with controls or another ESC inside: nothing that a scanner should reason about.
    Odd,
}

/// Reads the sequence at the head of `bytes`, which begin with ESC.
pub(super) fn token(bytes: &[u8]) -> Token<'_> {
    let Some(&kind) = bytes.get(1) else { return Token::Partial };
    match kind {
        b'[' => csi(bytes),
        b']' => {
            let text = &bytes[2..];
            let len = osc_text_len(text);
            match string_end(text, len) {
                End::At(extra) if !has_controls(&text[..len]) => {
                    Token::Whole(Sequence::Osc { text: &text[..len] }, 2 + len + extra)
                }
                End::Beyond => Token::Partial,
                _ => Token::Odd,
            }
        }
        b'P' | b'X' | b'^' | b'_' => {
            let text = &bytes[2..];
            let len = memchr3(ESC, CAN, SUB, text).unwrap_or(text.len());
            // vte ends a DCS at the byte 0x9c as well; leave such a one to it.
            let c1 = kind == b'P' && memchr(0x9c, &text[..len]).is_some();
            match string_end(text, len) {
                End::At(extra) if !c1 && !has_controls(&text[..len]) => {
                    Token::Whole(Sequence::String { kind, text: &text[..len] }, 2 + len + extra)
                }
                End::Beyond if !c1 => Token::Partial,
                _ => Token::Odd,
            }
        }
        _ => {
            let len = bytes[1..].iter().take_while(|byte| matches!(byte, 0x20..=0x2f)).count();
            match bytes.get(1 + len) {
                None => Token::Partial,
                Some(&end @ 0x30..=0x7e) => {
                    Token::Whole(Sequence::Esc { intermediates: &bytes[1..=len], end }, 2 + len)
                }
                Some(_) => Token::Odd,
            }
        }
    }
}

fn csi(bytes: &[u8]) -> Token<'_> {
    let marker = match bytes.get(2) {
        Some(&marker @ 0x3c..=0x3f) => marker,
        _ => 0,
    };
    let head = if marker == 0 { 2 } else { 3 };
    let mut at = head;
    while matches!(bytes.get(at), Some(0x30..=0x3b)) {
        at += 1;
    }
    let params = &bytes[head..at];
    let middle = at;
    while matches!(bytes.get(at), Some(0x20..=0x2f)) {
        at += 1;
    }
    match bytes.get(at) {
        None => Token::Partial,
        Some(&end @ 0x40..=0x7e) => {
            Token::Whole(Sequence::Csi { marker, params, intermediates: &bytes[middle..at], end }, at + 1)
        }
        Some(_) => Token::Odd,
    }
}

enum End {
    /// This many bytes end the string.
    At(usize),
    Beyond,
    Odd,
}

fn string_end(text: &[u8], len: usize) -> End {
    match (text.get(len), text.get(len + 1)) {
        (None, _) | (Some(&ESC), None) => End::Beyond,
        (Some(&ESC), Some(b'\\')) => End::At(2),
        (Some(&BEL), _) => End::At(1),
        _ => End::Odd,
    }
}

fn has_controls(text: &[u8]) -> bool {
    text.iter().any(|&byte| byte < 0x20)
}

/// The number that a parameter string begins with; 0 when there is none.
pub(super) fn first_number(params: &[u8]) -> u32 {
    params
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0u32, |number, byte| number.saturating_mul(10).saturating_add(u32::from(byte - b'0')))
}
