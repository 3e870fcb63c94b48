//! What colours look like: the program names them, the theme gives them their shade.

use crate::screen::{Color, Flags, Run};

/// Red, green and blue, as in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The colours that programs do not choose themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    pub foreground: Rgb,
    pub background: Rgb,
    pub cursor: Rgb,
    /// Black, red, green, yellow, blue, magenta, cyan, white; then the same brighter.
    pub ansi: [Rgb; 16],
}

impl Theme {
    /// Light text on near black. The first eight colours are of middle lightness, because programs use them both ways:
    /// as text on the background, and as a background of white or black text.
    pub fn dark() -> Self {
        Self {
            foreground: Rgb(0xd9, 0xdd, 0xe4),
            background: Rgb(0x13, 0x15, 0x1a),
            cursor: Rgb(0xf0, 0xf2, 0xf5),
            ansi: [
                Rgb(0x27, 0x2b, 0x33),
                Rgb(0xd9, 0x4a, 0x4a),
                Rgb(0x46, 0xa7, 0x58),
                Rgb(0xd0, 0x9a, 0x2e),
                Rgb(0x34, 0x6b, 0xc8),
                Rgb(0xae, 0x62, 0xc9),
                Rgb(0x2a, 0xa2, 0xb0),
                Rgb(0xc3, 0xc8, 0xd1),
                Rgb(0x6b, 0x73, 0x80),
                Rgb(0xff, 0x7a, 0x75),
                Rgb(0x71, 0xd7, 0x83),
                Rgb(0xf3, 0xcb, 0x5d),
                Rgb(0x74, 0xab, 0xff),
                Rgb(0xd9, 0x97, 0xf0),
                Rgb(0x5f, 0xdb, 0xe6),
                Rgb(0xff, 0xff, 0xff),
            ],
        }
    }

    pub(super) fn color(&self, index: u8) -> Rgb {
        match index {
            0..16 => self.ansi[usize::from(index)],
            // A cube of six steps each way, as xterm has it: 0 is dark, the others begin at 95.
            16..232 => {
                let step = |value: u8| if value == 0 { 0 } else { 55 + 40 * value };
                let index = index - 16;
                Rgb(step(index / 36), step(index / 6 % 6), step(index % 6))
            }
            232.. => {
                let grey = 8 + 10 * (index - 232);
                Rgb(grey, grey, grey)
            }
        }
    }

    fn resolve(&self, color: Color, default: Rgb) -> Rgb {
        match color {
            Color::Default => default,
            Color::Indexed(index) => self.color(index),
            Color::Rgb(r, g, b) => Rgb(r, g, b),
        }
    }

    /// The colour of text whose program chose a ground for it but no colour, in the hope that it would be dark on light
    /// (Vim's selection does). The theme's, unless that could not be read.
    fn usual(&self, ground: Rgb) -> Rgb {
        let legible = |text: Rgb| text.contrast(ground);
        if legible(self.foreground) < 2.0 && legible(self.background) > legible(self.foreground) {
            self.background
        } else {
            self.foreground
        }
    }

    pub(super) fn inks(&self, run: &Run) -> Inks {
        let mut ground = self.resolve(run.bg, self.background);
        let mut text = self.resolve(run.fg, self.usual(ground));
        if run.flags.contains(Flags::DIM) {
            text = ground.towards(text, 150);
        }
        if run.flags.contains(Flags::INVERSE) {
            (text, ground) = (ground, text);
        }
        let hidden = run.flags.contains(Flags::HIDDEN);
        if hidden {
            text = ground;
        }
        let line = run.underline_color.filter(|_| !hidden).map_or(text, |color| self.resolve(color, text));
        Inks { text, ground, line }
    }
}

/// The colours of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inks {
    pub text: Rgb,
    pub ground: Rgb,
    /// Of underlines.
    pub line: Rgb,
}

impl Rgb {
    /// From 1, which is none, to 21, as the WCAG defines it but with a plain power for the curve of sRGB.
    fn contrast(self, other: Self) -> f32 {
        let light = |Self(r, g, b): Self| {
            let linear = |value: u8| (f32::from(value) / 255.0).powf(2.2);
            0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05
        };
        let (a, b) = (light(self), light(other));
        a.max(b) / a.min(b)
    }

    /// The mixture that begins here and has reached `other` at 255.
    pub(super) fn towards(self, other: Self, part: u8) -> Self {
        let mix = |from: u8, to: u8| {
            let part = u32::from(part);
            ((u32::from(from) * (255 - part) + u32::from(to) * part + 127) / 255) as u8
        };
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}
