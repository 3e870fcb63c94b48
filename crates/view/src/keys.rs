//! Keys of a window as the bytes that a terminal sends for them. A toolkit says which key it is, with what held down, and
//! what text that makes on this keyboard; the bytes themselves are the screen's matter.

use flightdeck_screen::Modes;
use flightdeck_screen::keys::{KeyModes, key, paste};

/// What is held down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub shift: bool,
    pub control: bool,
    pub alt: bool,
}

/// Qt's numbers of the keys that make no text.
const NAMED: [(i32, &str); 29] = [
    (0x0100_0000, "Escape"),
    (0x0100_0001, "Tab"),
    (0x0100_0002, "Tab"), // Backtab: Shift is held as well.
    (0x0100_0003, "Backspace"),
    (0x0100_0004, "Enter"),
    (0x0100_0005, "Enter"),
    (0x0100_0006, "Insert"),
    (0x0100_0007, "Delete"),
    (0x0100_0010, "Home"),
    (0x0100_0011, "End"),
    (0x0100_0012, "Left"),
    (0x0100_0013, "Up"),
    (0x0100_0014, "Right"),
    (0x0100_0015, "Down"),
    (0x0100_0016, "PageUp"),
    (0x0100_0017, "PageDown"),
    (0x0100_0030, "F1"),
    (0x0100_0031, "F2"),
    (0x0100_0032, "F3"),
    (0x0100_0033, "F4"),
    (0x0100_0034, "F5"),
    (0x0100_0035, "F6"),
    (0x0100_0036, "F7"),
    (0x0100_0037, "F8"),
    (0x0100_0038, "F9"),
    (0x0100_0039, "F10"),
    (0x0100_003a, "F11"),
    (0x0100_003b, "F12"),
    (0x20, "Space"),
];
const BACKTAB: i32 = 0x0100_0002;

/// What a key sends; nothing for one that only changes others.
pub fn bytes(qt_key: i32, held: Held, text: &str, modes: &Modes) -> Vec<u8> {
    let modes = key_modes(modes);
    let shift = held.shift || qt_key == BACKTAB;
    let named = NAMED.iter().find(|(number, _)| *number == qt_key).map(|(_, name)| *name);
    // A space is text unless something else than Shift is held.
    if let Some(name) = named.filter(|name| *name != "Space" || held.control) {
        let mut keys = String::new();
        for (is, prefix) in [(held.control, "C-"), (held.alt, "M-"), (shift, "S-")] {
            keys.push_str(if is { prefix } else { "" });
        }
        return key(&(keys + name), modes).unwrap_or_default();
    }
    let typed = if text.is_empty() && held.control { control_text(qt_key, modes) } else { text.as_bytes().to_vec() };
    if held.alt && !typed.is_empty() { [b"\x1b", typed.as_slice()].concat() } else { typed }
}

/// Some keyboards make no text of Ctrl with a sign.
fn control_text(qt_key: i32, modes: KeyModes) -> Vec<u8> {
    let character = u32::try_from(qt_key).ok().and_then(char::from_u32).filter(char::is_ascii_graphic);
    character.and_then(|c| key(&format!("C-{c}"), modes).ok()).unwrap_or_default()
}

/// What a paste sends.
pub fn pasted(text: &str, modes: &Modes) -> Vec<u8> {
    paste(text, key_modes(modes))
}

fn key_modes(modes: &Modes) -> KeyModes {
    KeyModes { application_cursor: modes.application_cursor, bracketed_paste: modes.bracketed_paste }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_send_what_terminals_send() {
        let plain = Modes::default();
        let application = Modes { application_cursor: true, ..plain };
        let (none, control, alt) =
            (Held::default(), Held { control: true, ..Held::default() }, Held { alt: true, ..Held::default() });
        let shift = Held { shift: true, ..none };
        let cases: &[(i32, Held, &str, &Modes, &[u8])] = &[
            (0x41, none, "a", &plain, b"a"),
            (0x41, shift, "A", &plain, b"A"),
            (0x43, control, "\x03", &plain, b"\x03"),
            (0x5c, control, "", &plain, b"\x1c"),
            (0x58, alt, "x", &plain, b"\x1bx"),
            (0x0100_0004, none, "\r", &plain, b"\r"),
            (0x0100_0005, none, "\r", &plain, b"\r"),
            (0x0100_0003, none, "\x08", &plain, b"\x7f"),
            (0x0100_0002, shift, "", &plain, b"\x1b[Z"),
            (0x0100_0013, none, "", &plain, b"\x1b[A"),
            (0x0100_0013, none, "", &application, b"\x1bOA"),
            (0x0100_0013, control, "", &application, b"\x1b[1;5A"),
            (0x0100_0034, none, "", &plain, b"\x1b[15~"),
            (0x20, none, " ", &plain, b" "),
            (0x20, control, " ", &plain, b"\0"),
            (0xe9, none, "é", &plain, "é".as_bytes()),
            // Shift by itself, and a dead key that waits for its letter.
            (0x0100_0020, shift, "", &plain, b""),
            (0x0100_1251, none, "", &plain, b""),
        ];
        for (key, held, text, modes, expected) in cases {
            assert_eq!(bytes(*key, *held, text, modes), *expected, "{key:#x} {held:?} {text:?}");
        }
    }

    #[test]
    fn a_paste_is_framed_where_it_is_asked_for() {
        let framed = Modes { bracketed_paste: true, ..Modes::default() };
        assert_eq!(pasted("a\nb", &framed), b"\x1b[200~a\rb\x1b[201~");
    }
}
