//! Character sets: what the codes of ASCII stand for. Four are designated at a time (G0 to G3), and one of these is in
//! use. Kept here because the engine knows only two sets, and does not save with the cursor which one is in use.

use alacritty_terminal::vte::ansi::StandardCharset;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Charset {
    #[default]
    Ascii,
    LineDrawing,
    British,
}

impl Charset {
    #[inline]
    fn map(self, c: char) -> char {
        match self {
            Charset::LineDrawing => StandardCharset::SpecialCharacterAndLineDrawing.map(c),
            Charset::British if c == '#' => '£',
            Charset::Ascii | Charset::British => c,
        }
    }
}

/// Which of the four sets is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shift {
    #[default]
    G0,
    G1,
    G2,
    G3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Charsets {
    designated: [Charset; 4],
    shift: Shift,
}

/// The intermediates that designate G0 to G3.
const SLOTS: [u8; 4] = *b"()*+";

impl Charsets {
    /// Obeys `ESC slot set`; what is not known changes nothing.
    pub(super) fn designate(&mut self, slot: u8, set: u8) {
        let charset = match set {
            b'B' => Charset::Ascii,
            b'0' => Charset::LineDrawing,
            b'A' => Charset::British,
            _ => return,
        };
        if let Some(slot) = SLOTS.iter().position(|known| *known == slot) {
            self.designated[slot] = charset;
        }
    }

    pub(super) fn shift(&mut self, shift: Shift) {
        self.shift = shift;
    }

    /// G0 is in use.
    pub(super) fn is_unshifted(self) -> bool {
        self.shift == Shift::G0
    }

    /// G0 is ASCII.
    pub(super) fn begins_with_ascii(self) -> bool {
        self.designated[0] == Charset::Ascii
    }

    #[inline]
    pub(super) fn map(self, c: char) -> char {
        self.designated[self.shift as usize].map(c)
    }

    /// Whether a character is also printed as itself by a terminal that can't shift to G2 and G3, and so is still at G0.
    pub(super) fn prints_everywhere(self, c: char) -> bool {
        matches!(self.shift, Shift::G0 | Shift::G1) || self.designated[0].map(c) == c
    }

    /// The sequences that bring a new terminal here.
    pub(super) fn sequences(self) -> Vec<u8> {
        let mut out = Vec::new();
        for (slot, charset) in SLOTS.iter().zip(self.designated) {
            match charset {
                Charset::Ascii => {}
                Charset::LineDrawing => out.extend_from_slice(&[0x1b, *slot, b'0']),
                Charset::British => out.extend_from_slice(&[0x1b, *slot, b'A']),
            }
        }
        out.extend_from_slice(match self.shift {
            Shift::G0 => b"",
            Shift::G1 => b"\x0e",
            Shift::G2 => b"\x1bn",
            Shift::G3 => b"\x1bo",
        });
        out
    }

    /// The sequences that bring a terminal from here back to how it was new.
    pub(super) fn undo(self) -> &'static [u8] {
        if self == Self::default() { b"" } else { b"\x0f\x1b(B\x1b)B\x1b*B\x1b+B" }
    }
}
