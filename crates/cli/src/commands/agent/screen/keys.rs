//! Keys, out of the bytes that a terminal sends for them.

/// What a person does at the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    /// Text that came at once.
    Paste(String),
    Enter,
    /// Another line of the same text.
    NewLine,
    Tab,
    Escape,
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    WordLeft,
    WordRight,
    DeleteWord,
    DeleteWordRight,
    KillRight,
    KillLeft,
    Yank,
    Redraw,
    Interrupt,
    /// Ctrl-D.
    Eof,
    Suspend,
}

const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
/// A paste that is longer is cut.
const MAX_PASTE_BYTES: usize = 256 * 1024;
/// The longest sequence of a key.
const MAX_SEQUENCE_BYTES: usize = 32;

/// Reads keys from bytes that come in pieces, cut anywhere.
#[derive(Debug, Default)]
pub struct Keys {
    pending: Vec<u8>,
    /// What was pasted so far.
    paste: Option<Vec<u8>>,
}

impl Keys {
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.pending.extend_from_slice(bytes);
        let mut keys = Vec::new();
        loop {
            if let Some(paste) = &mut self.paste {
                let end = find(&self.pending, PASTE_END);
                // The end may be cut.
                let keep = if end.is_some() { 0 } else { PASTE_END.len() - 1 };
                let len = end.unwrap_or(self.pending.len().saturating_sub(keep));
                let room = MAX_PASTE_BYTES.saturating_sub(paste.len()).min(len);
                paste.extend_from_slice(&self.pending[..room]);
                self.pending.drain(..len);
                if end.is_none() {
                    return keys;
                }
                self.pending.drain(..PASTE_END.len());
                keys.push(Key::Paste(pasted(&self.paste.take().unwrap_or_default())));
            }
            if self.pending.is_empty() {
                return keys;
            }
            if self.pending.starts_with(PASTE_BEGIN) {
                self.pending.drain(..PASTE_BEGIN.len());
                self.paste = Some(Vec::new());
                continue;
            }
            let Some((key, len)) = key(&self.pending) else { return keys };
            self.pending.drain(..len);
            keys.extend(key);
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|part| part == wanted)
}

/// Pasted text with its lines, without anything that controls.
fn pasted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// The first key and its length; `None` for a key when it is none of ours, and `None` when more has to come.
fn key(bytes: &[u8]) -> Option<(Option<Key>, usize)> {
    let one = |key| Some((Some(key), 1));
    match bytes[0] {
        0x1b => escape(bytes),
        b'\r' => one(Key::Enter),
        b'\n' => one(Key::NewLine),
        b'\t' => one(Key::Tab),
        0x7f | 0x08 => one(Key::Backspace),
        0x01 => one(Key::Home),
        0x02 => one(Key::Left),
        0x03 => one(Key::Interrupt),
        0x04 => one(Key::Eof),
        0x05 => one(Key::End),
        0x06 => one(Key::Right),
        0x0b => one(Key::KillRight),
        0x0c => one(Key::Redraw),
        0x0e => one(Key::Down),
        0x10 => one(Key::Up),
        0x15 => one(Key::KillLeft),
        0x17 => one(Key::DeleteWord),
        0x19 => one(Key::Yank),
        0x1a => one(Key::Suspend),
        0x00..0x20 => Some((None, 1)),
        _ => character(bytes),
    }
}

fn character(bytes: &[u8]) -> Option<(Option<Key>, usize)> {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        Err(error) => match error.error_len() {
            Some(len) => return Some((None, len)),
            None => return None,
        },
    };
    let c = valid.chars().next()?;
    Some(((!c.is_control()).then_some(Key::Char(c)), c.len_utf8()))
}

fn escape(bytes: &[u8]) -> Option<(Option<Key>, usize)> {
    match bytes.get(1) {
        Some(b'[') => {
            let Some(end) = bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
                return (bytes.len() > MAX_SEQUENCE_BYTES).then_some((None, bytes.len()));
            };
            let len = end + 3;
            Some((csi(&bytes[2..len]), len))
        }
        Some(b'O') => {
            let last = bytes.get(2)?;
            let key = match last {
                b'H' => Some(Key::Home),
                b'F' => Some(Key::End),
                b'A' => Some(Key::Up),
                b'B' => Some(Key::Down),
                b'C' => Some(Key::Right),
                b'D' => Some(Key::Left),
                b'M' => Some(Key::Enter),
                _ => None,
            };
            Some((key, 3))
        }
        Some(b'\r' | b'\n') => Some((Some(Key::NewLine), 2)),
        Some(0x7f | 0x08) => Some((Some(Key::DeleteWord), 2)),
        Some(b'b') => Some((Some(Key::WordLeft), 2)),
        Some(b'f') => Some((Some(Key::WordRight), 2)),
        Some(b'd') => Some((Some(Key::DeleteWordRight), 2)),
        // Terminals send sequences at once: nothing more comes of this one.
        None | Some(0x1b) => Some((Some(Key::Escape), 1)),
        // Alt with another key.
        Some(_) => Some((None, 2)),
    }
}

fn csi(sequence: &[u8]) -> Option<Key> {
    let text = std::str::from_utf8(sequence).ok()?;
    let (parameters, last) = text.split_at(text.len() - 1);
    let with_word = parameters.ends_with(";5") || parameters.ends_with(";3");
    Some(match (last, parameters) {
        ("A", _) => Key::Up,
        ("B", _) => Key::Down,
        ("C", _) if with_word => Key::WordRight,
        ("D", _) if with_word => Key::WordLeft,
        ("C", _) => Key::Right,
        ("D", _) => Key::Left,
        ("H", _) | ("~", "1" | "7") => Key::Home,
        ("F", _) | ("~", "4" | "8") => Key::End,
        ("~", "3") => Key::Delete,
        ("~", "3;5") => Key::DeleteWordRight,
        // Shift-Enter, where a terminal tells it from Enter.
        ("u", "13;2" | "13;3") | ("~", "27;2;13") => Key::NewLine,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_however_they_are_cut() {
        use Key::{Char, Down, Enter, Home, Interrupt, Left, NewLine, Paste, WordRight};
        let bytes =
            "aé日\r\x1b[D\x1b[1;5C\x1b[200~one\r\ntwo\x1b[31m\tthree\x1b[201~\x1bOH\x1b\r\x1b[99~\x03\x1b[B".as_bytes();
        let keys = [
            Char('a'),
            Char('é'),
            Char('日'),
            Enter,
            Left,
            WordRight,
            Paste("one\ntwo[31m\tthree".into()),
            Home,
            NewLine,
            Interrupt,
            Down,
        ];
        for size in [3, 4, 5, 7, 11, bytes.len()] {
            let mut reader = Keys::default();
            let read: Vec<Key> = bytes.chunks(size).flat_map(|piece| reader.push(piece)).collect();
            // An escape at the end of a piece is a key: terminals don't cut their sequences there.
            let cut = bytes.chunks(size).any(|piece| piece.last() == Some(&0x1b));
            assert!(cut || read == keys, "{size}: {read:?}");
        }
        assert_eq!(Keys::default().push(b"\x1b"), [Key::Escape]);
    }

    #[test]
    fn a_paste_is_one_whatever_is_in_it_and_no_longer_than_it_may_be() {
        use Key::Paste;
        let mut keys = Keys::default();
        assert_eq!(keys.push(b"\x1b[200~a\x03b\r"), []);
        let long = vec![b'x'; MAX_PASTE_BYTES * 2];
        assert_eq!(keys.push(&long), []);
        let read = keys.push(b"\x1b[201~y");
        let [Paste(text), Key::Char('y')] = &read[..] else { panic!("{} keys", read.len()) };
        assert_eq!((text.len(), &text[..4]), (MAX_PASTE_BYTES - 1, "ab\nx"));
    }
}
