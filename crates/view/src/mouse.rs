//! The mouse, for programs that asked for it.

use flightdeck_screen::{Modes, Mouse, MouseEncoding};

use crate::keys::Held;

/// What was done with the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Press(Button),
    Release(Button),
    /// Moved, with a button held or none.
    Move(Option<Button>),
    WheelUp,
    WheelDown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Left,
    Middle,
    Right,
}

/// How many lines one notch of the wheel is.
pub const NOTCH: usize = 3;

/// What the program is sent, when it wants to know of this.
pub fn bytes(deed: Deed, column: u16, row: u16, held: Held, modes: &Modes) -> Option<Vec<u8>> {
    let wanted = match (modes.mouse, deed) {
        (Mouse::Off, _) | (Mouse::Clicks, Deed::Move(_)) | (Mouse::Drags, Deed::Move(None)) => false,
        (Mouse::Clicks | Mouse::Drags | Mouse::Motion, _) => true,
    };
    if !wanted {
        return None;
    }
    let number = |button: Button| match button {
        Button::Left => 0,
        Button::Middle => 1,
        Button::Right => 2,
    };
    let code = match deed {
        Deed::Press(button) | Deed::Release(button) => number(button),
        Deed::Move(button) => 32 + button.map_or(3, number),
        Deed::WheelUp => 64,
        Deed::WheelDown => 65,
    };
    let code = code + 4 * u32::from(held.shift) + 8 * u32::from(held.alt) + 16 * u32::from(held.control);
    let (column, row) = (u32::from(column) + 1, u32::from(row) + 1);
    let released = matches!(deed, Deed::Release(_));
    if modes.mouse_encoding == MouseEncoding::Sgr {
        return Some(format!("\x1b[<{code};{column};{row}{}", if released { 'm' } else { 'M' }).into_bytes());
    }
    // The old forms can't say which button was let go.
    let code = if released { code | 3 } else { code };
    let mut bytes = b"\x1b[M".to_vec();
    for value in [code, column, row] {
        match modes.mouse_encoding {
            MouseEncoding::Utf8 => {
                let c = char::from_u32(value + 32)?;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => bytes.push(u8::try_from(value + 32).ok()?),
        }
    }
    Some(bytes)
}

/// What a notch of the wheel is for a full-screen program that does not know the mouse: cursor keys.
pub fn wheel_as_keys(up: bool, modes: &Modes) -> Option<Vec<u8>> {
    if !(modes.alt_screen && modes.alternate_scroll) || modes.mouse != Mouse::Off {
        return None;
    }
    let letter = if up { b'A' } else { b'B' };
    let second = if modes.application_cursor { b'O' } else { b'[' };
    Some([0x1b, second, letter].repeat(NOTCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_asked_for_in_the_form_that_was_asked_for() {
        let held = Held::default();
        let modes = |mouse, mouse_encoding| Modes { mouse, mouse_encoding, ..Modes::default() };
        let sgr = modes(Mouse::Clicks, MouseEncoding::Sgr);
        let press = Deed::Press(Button::Left);
        assert_eq!(bytes(press, 0, 0, held, &Modes::default()), None);
        assert_eq!(bytes(press, 4, 2, held, &sgr).unwrap(), b"\x1b[<0;5;3M");
        assert_eq!(bytes(Deed::Release(Button::Right), 4, 2, held, &sgr).unwrap(), b"\x1b[<2;5;3m");
        assert_eq!(bytes(Deed::Move(Some(Button::Left)), 4, 2, held, &sgr), None);
        let drags = modes(Mouse::Drags, MouseEncoding::Sgr);
        assert_eq!(bytes(Deed::Move(Some(Button::Left)), 0, 0, held, &drags).unwrap(), b"\x1b[<32;1;1M");
        assert_eq!(bytes(Deed::Move(None), 0, 0, held, &drags), None);
        let old = modes(Mouse::Motion, MouseEncoding::Legacy);
        assert_eq!(bytes(Deed::WheelDown, 0, 0, held, &old).unwrap(), [0x1b, b'[', b'M', 97, 33, 33]);
        assert_eq!(bytes(Deed::Release(Button::Left), 300, 0, held, &old), None, "too far right for the old form");
        let control = Held { control: true, ..held };
        assert_eq!(bytes(Deed::WheelUp, 0, 0, control, &sgr).unwrap(), b"\x1b[<80;1;1M");
    }

    #[test]
    fn the_wheel_moves_pagers() {
        let pager = Modes { alt_screen: true, alternate_scroll: true, application_cursor: true, ..Modes::default() };
        assert_eq!(wheel_as_keys(true, &pager).unwrap(), b"\x1bOA\x1bOA\x1bOA");
        assert_eq!(wheel_as_keys(true, &Modes { alternate_scroll: true, ..Modes::default() }), None);
    }
}
