//! Answers that the terminal owes the program. They wait here, bounded, until the session writes them to the PTY.

use alacritty_terminal::vte::ansi::Rgb;

/// More than this waiting means that nobody writes them; a program that asks on gets nothing.
const LIMIT: usize = 64 * 1024;

/// The colours that a query reports while the program has not set its own.
const FOREGROUND: Rgb = Rgb { r: 0xd8, g: 0xd8, b: 0xd8 };
const BACKGROUND: Rgb = Rgb { r: 0x18, g: 0x18, b: 0x18 };
const ANSI: [u32; 16] = [
    0x18_1818, 0xac_4242, 0x90_a959, 0xf4_bf75, 0x6a_9fb5, 0xaa_759f, 0x75_b5aa, 0xd8_d8d8, 0x6b_6b6b, 0xc5_5555,
    0xaa_c474, 0xfe_ca88, 0x82_b8c8, 0xc2_8cb8, 0x93_d3c3, 0xf8_f8f8,
];

#[derive(Debug, Default)]
pub(super) struct Replies {
    waiting: Vec<u8>,
}

impl Replies {
    pub(super) fn push(&mut self, reply: &str) {
        if self.waiting.len() + reply.len() <= LIMIT {
            self.waiting.extend_from_slice(reply.as_bytes());
        }
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.waiting)
    }
}

/// The default colour of an engine index: 0 to 255 the palette, then foreground, background, cursor.
pub(super) fn default_color(index: usize) -> Rgb {
    let grey = |level: usize| Rgb { r: level as u8, g: level as u8, b: level as u8 };
    let step = |level: usize| if level == 0 { 0 } else { (level * 40 + 55) as u8 };
    match index {
        1..=15 => {
            let [_, r, g, b] = ANSI[index].to_be_bytes();
            Rgb { r, g, b }
        }
        16..=231 => {
            let cube = index - 16;
            Rgb { r: step(cube / 36), g: step(cube / 6 % 6), b: step(cube % 6) }
        }
        232..=255 => grey((index - 232) * 10 + 8),
        0 | 257 => BACKGROUND,
        _ => FOREGROUND,
    }
}
