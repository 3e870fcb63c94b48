//! Named keys and pasted text, as the bytes that a terminal sends for them.
//!
//! Names are those of tmux and Emacs, which agents and people already know: `Enter`, `C-c`, `M-x`, `S-Tab`, `Up`,
//! `F5`, `C-Left`. One name is one key: the text "Enter" is typed by sending text, never by naming keys, so the
//! two can't be confused.

/// How the program in the terminal wants its keys, as it said by escape sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyModes {
    /// Cursor keys send SS3 instead of CSI (DECCKM).
    pub application_cursor: bool,
    /// Pasted text is framed, so that a program can tell it from typing.
    pub bracketed_paste: bool,
}

/// A key name that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown key {0:?}: use a character, Enter, Tab, Escape, Space, Backspace, Delete, Insert, Up, Down, Left, Right, Home, End, PageUp, PageDown or F1 to F12, with C-, M- or S- before it"
)]
pub struct UnknownKey(pub String);

/// The bytes for one named key.
pub fn key(name: &str, modes: KeyModes) -> Result<Vec<u8>, UnknownKey> {
    let unknown = || UnknownKey(name.to_owned());
    let (modifiers, base) = Modifiers::split(name);
    if let Some(special) = Special::named(base) {
        return Ok(special.bytes(modifiers, modes));
    }
    let mut chars = base.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return Err(unknown()) };
    let mut bytes = Vec::new();
    if modifiers.meta {
        bytes.push(0x1b);
    }
    if modifiers.control {
        bytes.push(control(c).ok_or_else(unknown)?);
    } else {
        let c = if modifiers.shift { c.to_uppercase().next().unwrap_or(c) } else { c };
        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(bytes)
}

/// Pasted text as the terminal sends it: framed where the program asked for that, line ends as Enter.
///
/// A frame's end inside the text would let it break out of the paste, so it is taken out.
pub fn paste(text: &str, modes: KeyModes) -> Vec<u8> {
    let lines = text.replace("\r\n", "\r").replace('\n', "\r");
    if !modes.bracketed_paste {
        return lines.into_bytes();
    }
    let mut inner = lines;
    // Removing one occurrence can join the parts of another.
    while inner.contains("\x1b[201~") {
        inner = inner.replace("\x1b[201~", "");
    }
    format!("\x1b[200~{inner}\x1b[201~").into_bytes()
}

#[derive(Clone, Copy, Debug, Default)]
struct Modifiers {
    control: bool,
    meta: bool,
    shift: bool,
}

impl Modifiers {
    fn split(name: &str) -> (Self, &str) {
        let mut modifiers = Modifiers::default();
        let mut rest = name;
        while rest.len() > 2 {
            match &rest.as_bytes()[..2] {
                b"C-" => modifiers.control = true,
                b"M-" | b"A-" => modifiers.meta = true,
                b"S-" => modifiers.shift = true,
                _ => break,
            }
            rest = &rest[2..];
        }
        (modifiers, rest)
    }

    /// The parameter that xterm adds to a modified special key; 1 means none.
    fn parameter(self) -> u8 {
        1 + u8::from(self.shift) + 2 * u8::from(self.meta) + 4 * u8::from(self.control)
    }
}

#[derive(Clone, Copy, Debug)]
enum Special {
    /// A control character, with what Shift and Control make of it being the same.
    Char(u8),
    /// `CSI letter`, or `SS3 letter` in application cursor mode.
    Cursor(u8),
    /// `CSI number ~`.
    Tilde(u8),
    /// F1 to F4: `SS3 letter`.
    Function(u8),
    /// Tab, whose shifted form is a sequence of its own.
    Tab,
}

impl Special {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "enter" | "return" | "cr" => Special::Char(b'\r'),
            "escape" | "esc" => Special::Char(0x1b),
            "space" => Special::Char(b' '),
            "backspace" | "bspace" => Special::Char(0x7f),
            "tab" => Special::Tab,
            "btab" | "backtab" => Special::Cursor(b'Z'),
            "up" => Special::Cursor(b'A'),
            "down" => Special::Cursor(b'B'),
            "right" => Special::Cursor(b'C'),
            "left" => Special::Cursor(b'D'),
            "home" => Special::Cursor(b'H'),
            "end" => Special::Cursor(b'F'),
            "insert" | "ic" => Special::Tilde(2),
            "delete" | "dc" | "del" => Special::Tilde(3),
            "pageup" | "pgup" | "ppage" => Special::Tilde(5),
            "pagedown" | "pgdn" | "npage" => Special::Tilde(6),
            "f1" => Special::Function(b'P'),
            "f2" => Special::Function(b'Q'),
            "f3" => Special::Function(b'R'),
            "f4" => Special::Function(b'S'),
            "f5" => Special::Tilde(15),
            "f6" => Special::Tilde(17),
            "f7" => Special::Tilde(18),
            "f8" => Special::Tilde(19),
            "f9" => Special::Tilde(20),
            "f10" => Special::Tilde(21),
            "f11" => Special::Tilde(23),
            "f12" => Special::Tilde(24),
            _ => return None,
        })
    }

    fn bytes(self, modifiers: Modifiers, modes: KeyModes) -> Vec<u8> {
        let parameter = modifiers.parameter();
        let modified = parameter > 1;
        match self {
            Special::Tab if modifiers.shift => b"\x1b[Z".to_vec(),
            Special::Tab => with_meta(modifiers, b'\t'),
            Special::Char(b' ') if modifiers.control => with_meta(modifiers, 0),
            Special::Char(byte) => with_meta(modifiers, byte),
            Special::Cursor(b'Z') => b"\x1b[Z".to_vec(),
            Special::Cursor(letter) if modified => format!("\x1b[1;{parameter}{}", char::from(letter)).into_bytes(),
            Special::Cursor(letter) if modes.application_cursor => vec![0x1b, b'O', letter],
            Special::Cursor(letter) => vec![0x1b, b'[', letter],
            Special::Tilde(number) if modified => format!("\x1b[{number};{parameter}~").into_bytes(),
            Special::Tilde(number) => format!("\x1b[{number}~").into_bytes(),
            Special::Function(letter) if modified => format!("\x1b[1;{parameter}{}", char::from(letter)).into_bytes(),
            Special::Function(letter) => vec![0x1b, b'O', letter],
        }
    }
}

fn with_meta(modifiers: Modifiers, byte: u8) -> Vec<u8> {
    if modifiers.meta { vec![0x1b, byte] } else { vec![byte] }
}

fn control(c: char) -> Option<u8> {
    match c {
        'a'..='z' | 'A'..='Z' => Some(c.to_ascii_lowercase() as u8 - b'a' + 1),
        '@' | ' ' | '2' => Some(0),
        '[' | '3' => Some(0x1b),
        '\\' | '4' => Some(0x1c),
        ']' | '5' => Some(0x1d),
        '^' | '6' => Some(0x1e),
        '_' | '/' | '-' | '7' => Some(0x1f),
        '?' | '8' => Some(0x7f),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let plain = KeyModes::default();
        let application = KeyModes { application_cursor: true, ..plain };
        let cases: &[(&str, KeyModes, &[u8])] = &[
            ("Enter", plain, b"\r"),
            ("C-c", plain, b"\x03"),
            ("C-[", plain, b"\x1b"),
            ("C-Space", plain, b"\0"),
            ("M-x", plain, b"\x1bx"),
            ("C-M-c", plain, b"\x1b\x03"),
            ("a", plain, b"a"),
            ("S-a", plain, b"A"),
            ("-", plain, b"-"),
            ("C--", plain, b"\x1f"),
            ("é", plain, "é".as_bytes()),
            ("Up", plain, b"\x1b[A"),
            ("Up", application, b"\x1bOA"),
            ("C-Up", application, b"\x1b[1;5A"),
            ("S-Tab", plain, b"\x1b[Z"),
            ("F1", plain, b"\x1bOP"),
            ("F5", plain, b"\x1b[15~"),
            ("S-F5", plain, b"\x1b[15;2~"),
            ("Delete", plain, b"\x1b[3~"),
            ("PageUp", plain, b"\x1b[5~"),
        ];
        for (name, modes, bytes) in cases {
            assert_eq!(key(name, *modes).as_deref(), Ok(*bytes), "{name}");
        }
        for name in ["", "Entre", "C-", "C-é", "F13", "ab"] {
            assert_eq!(key(name, plain), Err(UnknownKey(name.to_owned())));
        }
    }

    #[test]
    fn pastes() {
        let framed = KeyModes { bracketed_paste: true, ..KeyModes::default() };
        assert_eq!(paste("a\nb\r\n", KeyModes::default()), b"a\rb\r");
        assert_eq!(paste("a\nb", framed), b"\x1b[200~a\rb\x1b[201~");
        assert_eq!(paste("x\x1b[20\x1b[201~1~rm", framed), b"\x1b[200~xrm\x1b[201~");
    }
}
