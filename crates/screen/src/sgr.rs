//! SGR both ways: parameters to attributes of the engine, and a cell's attributes back to parameters.

use std::fmt::Write;

use alacritty_terminal::event::EventListener;
use alacritty_terminal::term::Term;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::Params;
use alacritty_terminal::vte::ansi::{Attr, Color, Handler, NamedColor, Rgb};

const NAMED: [NamedColor; 16] = [
    NamedColor::Black,
    NamedColor::Red,
    NamedColor::Green,
    NamedColor::Yellow,
    NamedColor::Blue,
    NamedColor::Magenta,
    NamedColor::Cyan,
    NamedColor::White,
    NamedColor::BrightBlack,
    NamedColor::BrightRed,
    NamedColor::BrightGreen,
    NamedColor::BrightYellow,
    NamedColor::BrightBlue,
    NamedColor::BrightMagenta,
    NamedColor::BrightCyan,
    NamedColor::BrightWhite,
];

/// Sets the attributes of what is printed next.
pub(super) fn apply<T: EventListener>(term: &mut Term<T>, params: &Params) {
    let mut params = params.iter();
    while let Some(param) = params.next() {
        let attr = match *param {
            [code @ (38 | 48 | 58)] => {
                let color = extended(&mut params.by_ref().map(|param| param[0]));
                color.map(|color| colored(code, color))
            }
            [code @ (38 | 48 | 58), kind, ref rest @ ..] => {
                // `38:2:space:r:g:b` has a colour space before the components, `38:2:r:g:b` has not.
                let rest = if rest.len() > 3 { &rest[1..] } else { rest };
                let color = extended(&mut std::iter::once(kind).chain(rest.iter().copied()));
                color.map(|color| colored(code, color))
            }
            [4, style, ..] => Some(underline(style)),
            [code] => simple(code),
            _ => None,
        };
        if let Some(attr) = attr {
            term.terminal_attribute(attr);
        }
    }
}

fn colored(code: u16, color: Color) -> Attr {
    match code {
        38 => Attr::Foreground(color),
        48 => Attr::Background(color),
        _ => Attr::UnderlineColor(Some(color)),
    }
}

fn extended(params: &mut dyn Iterator<Item = u16>) -> Option<Color> {
    let mut byte = || u8::try_from(params.next()?).ok();
    match byte()? {
        2 => Some(Color::Spec(Rgb { r: byte()?, g: byte()?, b: byte()? })),
        5 => Some(Color::Indexed(byte()?)),
        _ => None,
    }
}

fn underline(style: u16) -> Attr {
    match style {
        0 => Attr::CancelUnderline,
        2 => Attr::DoubleUnderline,
        3 => Attr::Undercurl,
        4 => Attr::DottedUnderline,
        5 => Attr::DashedUnderline,
        _ => Attr::Underline,
    }
}

fn simple(code: u16) -> Option<Attr> {
    let named = |first: u16, bright: u16| Color::Named(NAMED[usize::from(code - first + bright)]);
    Some(match code {
        0 => Attr::Reset,
        1 => Attr::Bold,
        2 => Attr::Dim,
        3 => Attr::Italic,
        4 => Attr::Underline,
        7 => Attr::Reverse,
        8 => Attr::Hidden,
        9 => Attr::Strike,
        21 => Attr::DoubleUnderline,
        22 => Attr::CancelBoldDim,
        23 => Attr::CancelItalic,
        24 => Attr::CancelUnderline,
        27 => Attr::CancelReverse,
        28 => Attr::CancelHidden,
        29 => Attr::CancelStrike,
        30..=37 => Attr::Foreground(named(30, 0)),
        39 => Attr::Foreground(Color::Named(NamedColor::Foreground)),
        40..=47 => Attr::Background(named(40, 0)),
        49 => Attr::Background(Color::Named(NamedColor::Background)),
        59 => Attr::UnderlineColor(None),
        90..=97 => Attr::Foreground(named(90, 8)),
        100..=107 => Attr::Background(named(100, 8)),
        _ => return None,
    })
}

/// The parameters that give exactly the look of `cell`, whatever was set before.
pub(super) fn parameters(cell: &Cell) -> String {
    let mut params = String::from("0");
    for (flag, code) in [
        (Flags::BOLD, "1"),
        (Flags::DIM, "2"),
        (Flags::ITALIC, "3"),
        (Flags::UNDERLINE, "4"),
        (Flags::DOUBLE_UNDERLINE, "4:2"),
        (Flags::UNDERCURL, "4:3"),
        (Flags::DOTTED_UNDERLINE, "4:4"),
        (Flags::DASHED_UNDERLINE, "4:5"),
        (Flags::INVERSE, "7"),
        (Flags::HIDDEN, "8"),
        (Flags::STRIKEOUT, "9"),
    ] {
        if cell.flags.contains(flag) {
            params.push(';');
            params.push_str(code);
        }
    }
    push_color(&mut params, cell.fg, 30);
    push_color(&mut params, cell.bg, 40);
    // With colons: a terminal that does not know 58 must not take the rest for attributes of their own.
    let _ = match cell.underline_color() {
        Some(Color::Indexed(index)) => write!(params, ";58:5:{index}"),
        Some(Color::Spec(Rgb { r, g, b })) => write!(params, ";58:2::{r}:{g}:{b}"),
        _ => Ok(()),
    };
    params
}

fn push_color(params: &mut String, color: Color, base: usize) {
    let _ = match color {
        Color::Named(name) => match name as usize {
            index @ 0..=7 => write!(params, ";{}", base + index),
            index @ 8..=15 => write!(params, ";{}", base + 60 + index - 8),
            _ => Ok(()),
        },
        Color::Indexed(index) => write!(params, ";{};5;{index}", base + 8),
        Color::Spec(Rgb { r, g, b }) => write!(params, ";{};2;{r};{g};{b}", base + 8),
    };
}
