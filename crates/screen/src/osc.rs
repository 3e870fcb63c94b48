//! Operating-system commands: titles, colours, hyperlinks, and where a shell edits a line. Everything else is for others (clipboard,
//! notifications) and does nothing to the screen.

use alacritty_terminal::vte::ansi::{CursorShape, Handler, Hyperlink, Rgb};

use super::engine::Terminal;
use super::reply::default_color;

/// Engine indices of the dynamic colours that OSC 10, 11 and 12 name.
const FOREGROUND: usize = 256;
const CURSOR: usize = 258;

pub(super) fn dispatch(terminal: &mut Terminal, params: &[&[u8]], bell_terminated: bool) {
    let terminator = if bell_terminated { "\x07" } else { "\x1b\\" };
    match params {
        [b"0" | b"2", title @ ..] if !title.is_empty() => terminal.title.set(&title.join(&b';')),
        [b"4", pairs @ ..] => {
            for pair in pairs.chunks_exact(2) {
                if let Some(index) = number(pair[0]).filter(|index| *index < 256) {
                    color(terminal, index, pair[1], &format!("4;{index}"), terminator);
                }
            }
        }
        [b"8", options, uri @ ..] if !uri.is_empty() => link(terminal, options, &uri.join(&b';')),
        [code @ (b"10" | b"11" | b"12"), specs @ ..] => {
            let first = number(code).unwrap_or(10) - 10;
            for (offset, spec) in (first..3).zip(specs) {
                color(terminal, FOREGROUND + offset, spec, &(offset + 10).to_string(), terminator);
            }
        }
        [b"50", shape, ..] => match shape.strip_prefix(b"CursorShape=").and_then(<[u8]>::first) {
            Some(b'0') => terminal.term.set_cursor_shape(CursorShape::Block),
            Some(b'1') => terminal.term.set_cursor_shape(CursorShape::Beam),
            Some(b'2') => terminal.term.set_cursor_shape(CursorShape::Underline),
            _ => {}
        },
        [b"104"] | [b"104", b""] => (0..256).for_each(|index| terminal.set_color(index, None)),
        [b"104", indices @ ..] => {
            for index in indices.iter().filter_map(|index| number(index)).filter(|index| *index < 256) {
                terminal.set_color(index, None);
            }
        }
        // Where a shell begins to edit a line, and where it is done with it: ours, and as other terminals have them.
        [b"7733", _, kind, ..] | [b"133" | b"633", kind, ..] => match *kind {
            // A shell that lets the kernel edit lines says more here, and draws nothing anew.
            b"A" => terminal.prompting = params[0] != b"7733" || params.len() == 3,
            b"C" | b"R" | b"D" => terminal.prompting = false,
            _ => {}
        },
        [b"110", ..] => terminal.set_color(FOREGROUND, None),
        [b"111", ..] => terminal.set_color(FOREGROUND + 1, None),
        [b"112", ..] => terminal.set_color(CURSOR, None),
        _ => {}
    }
}

fn color(terminal: &mut Terminal, index: usize, spec: &[u8], prefix: &str, terminator: &str) {
    if spec == b"?" {
        let Rgb { r, g, b } = terminal.term.colors()[index].unwrap_or_else(|| default_color(index));
        let reply = format!("\x1b]{prefix};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{terminator}");
        terminal.replies.push(&reply);
    } else if let Some(rgb) = parse_color(spec) {
        terminal.set_color(index, Some(rgb));
    }
}

fn link(terminal: &mut Terminal, options: &[u8], uri: &[u8]) {
    let clean = |bytes| String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).collect::<String>();
    let uri = clean(uri);
    if uri.is_empty() {
        terminal.term.set_hyperlink(None);
        return;
    }
    let id = options.split(|byte| *byte == b':').find_map(|option| option.strip_prefix(b"id=")).unwrap_or_default();
    // The engine would make up an id from a global counter, and two screens fed the same bytes would differ.
    let id = Some(clean(id));
    terminal.term.set_hyperlink(Some(Hyperlink { id, uri }));
}

fn number(digits: &[u8]) -> Option<usize> {
    let all = !digits.is_empty() && digits.len() <= 3 && digits.iter().all(u8::is_ascii_digit);
    all.then(|| digits.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0')))
}

/// `#rgb` to `#rrrrggggbbbb`, or `rgb:r/g/b` with one to four digits each.
fn parse_color(spec: &[u8]) -> Option<Rgb> {
    let spec = std::str::from_utf8(spec).ok()?;
    let scaled = |digits: &str| {
        let value = u32::from_str_radix(digits, 16).ok()?;
        let max = 16u32.pow(u32::try_from(digits.len()).ok().filter(|len| (1..=4).contains(len))?) - 1;
        u8::try_from(value * 255 / max).ok()
    };
    if let Some(digits) = spec.strip_prefix('#') {
        let each = digits.len() / 3;
        // With `#` the digits are the high ones: one of them is doubled by the terminal, not scaled.
        let high = |at: usize| {
            let part = digits.get(at * each..(at + 1) * each)?;
            let value = u32::from_str_radix(part.get(..each.min(2))?, 16).ok()?;
            u8::try_from(if each == 1 { value << 4 } else { value }).ok()
        };
        return (digits.len() == each * 3 && (1..=4).contains(&each))
            .then(|| Some(Rgb { r: high(0)?, g: high(1)?, b: high(2)? }))?;
    }
    let mut parts = spec.strip_prefix("rgb:")?.split('/');
    let rgb = Rgb { r: scaled(parts.next()?)?, g: scaled(parts.next()?)?, b: scaled(parts.next()?)? };
    parts.next().is_none().then_some(rgb)
}
