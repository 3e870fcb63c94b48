//! Device control strings that ask something: DECRQSS (a setting) and XTGETTCAP (a capability). Others are passed over.

use alacritty_terminal::vte::ansi::CursorShape;

use super::engine::Terminal;
use super::sgr;

/// Longest question that is read.
const LIMIT: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Setting,
    Capability,
}

#[derive(Debug, Default)]
pub(super) struct DeviceControl {
    question: Option<Question>,
    text: Vec<u8>,
}

impl DeviceControl {
    pub(super) fn begin(&mut self, intermediates: &[u8], ignore: bool, action: char) {
        self.text.clear();
        self.question = match (action, intermediates) {
            _ if ignore => None,
            ('q', [b'$']) => Some(Question::Setting),
            ('q', [b'+']) => Some(Question::Capability),
            _ => None,
        };
    }

    pub(super) fn put(&mut self, byte: u8) {
        if self.question.is_some() && self.text.len() < LIMIT {
            self.text.push(byte);
        }
    }
}

impl Terminal {
    pub(super) fn answer_device_control(&mut self) {
        let text = std::mem::take(&mut self.device_control.text);
        match self.device_control.question.take() {
            Some(Question::Setting) => {
                let reply = match self.setting(&text) {
                    Some(setting) => format!("\x1bP1$r{setting}\x1b\\"),
                    None => "\x1bP0$r\x1b\\".to_owned(),
                };
                self.replies.push(&reply);
            }
            Some(Question::Capability) => {
                for name in text.split(|byte| *byte == b';') {
                    self.replies.push(&capability(name));
                }
            }
            None => {}
        }
    }

    fn setting(&self, name: &[u8]) -> Option<String> {
        Some(match name {
            b"m" => format!("{}m", sgr::parameters(&self.grid().cursor.template)),
            b"r" => format!("{};{}r", self.region.top + 1, self.region.bottom),
            b" q" => {
                let style = self.term.cursor_style();
                let steady = match style.shape {
                    CursorShape::Underline => 4,
                    CursorShape::Beam => 6,
                    _ => 2,
                };
                format!("{} q", steady - u8::from(style.blinking))
            }
            b"\"p" => "62;1\"p".to_owned(),
            _ => return None,
        })
    }
}

/// Names and values travel in hexadecimal.
fn capability(name: &[u8]) -> String {
    let value = match name.to_ascii_uppercase().as_slice() {
        // TN, Co and RGB.
        b"544E" => "787465726D2D323536636F6C6F72",
        b"436F" | b"636F6C6F7273" => "323536",
        b"524742" => "38",
        _ => return "\x1bP0+r\x1b\\".to_owned(),
    };
    format!("\x1bP1+r{}={value}\x1b\\", String::from_utf8_lossy(name))
}
