//! What a program in a terminal has printed, made safe for a person's own terminal, as a stream.
//!
//! Output is anybody's text. Passed on as it is, it could write to the clipboard (OSC 52), have the terminal type an answer
//! into the person's shell (queries, title reports), wrap either for tmux, or show text in another order than it has.
//! [`OutputFilter::for_reading`] leaves text, line ends and colours; [`OutputFilter::for_attaching`] leaves everything that
//! draws, and takes out what reaches beyond the window.

use super::shown::escape;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
/// A control sequence that is longer is none that draws.
const MAX_SEQUENCE_BYTES: usize = 256;
/// So much of a string says what it is for.
const STRING_PREFIX_BYTES: usize = 32;

/// What is left of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// It is read: text and colours.
    Reading,
    /// It is the person's window: everything but what reaches beyond it.
    Attaching,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// After ESC, with its intermediate bytes.
    Escape,
    /// A control sequence.
    Control,
    /// A string, of which it is not known yet whether it may pass.
    Prefix(Str),
    /// The rest of a string.
    Rest { passes: bool },
}

/// The kinds of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Str {
    OperatingSystem,
    Device,
    /// An application's, which kitty draws pictures by.
    Application,
    Other,
}

/// Takes out of a stream what is dangerous to a person's terminal. Keeps its place between pieces.
#[derive(Debug)]
pub struct OutputFilter {
    purpose: Purpose,
    state: State,
    /// The sequence that is being read, held back until it is known.
    held: Vec<u8>,
    /// An ESC within a string, which may begin its end.
    escaped: bool,
    /// A character of several bytes that is not whole yet.
    char: Vec<u8>,
    /// Colours were changed and not set back.
    coloured: bool,
}

impl OutputFilter {
    /// For output that a person reads: colours stay.
    pub fn for_reading() -> Self {
        OutputFilter::new(Purpose::Reading)
    }

    /// For a terminal that a person has attached to a window.
    pub fn for_attaching() -> Self {
        OutputFilter::new(Purpose::Attaching)
    }

    fn new(purpose: Purpose) -> Self {
        let (held, char) = (Vec::new(), Vec::new());
        OutputFilter { purpose, state: State::Ground, held, escaped: false, char, coloured: false }
    }

    /// What of these bytes may pass. A sequence or a character whose end has not come yet is held back.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for byte in bytes {
            self.byte(*byte, &mut out);
        }
        out
    }

    /// The end of the stream: what sets the colours back.
    pub fn end(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.broken_char(&mut out);
        (self.state, self.escaped) = (State::Ground, false);
        self.held.clear();
        if std::mem::take(&mut self.coloured) {
            out.extend_from_slice(b"\x1b[0m");
        }
        out
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.state {
            State::Ground => self.ground(byte, out),
            State::Escape => self.escape(byte, out),
            State::Control => self.control(byte, out),
            State::Prefix(_) | State::Rest { .. } => self.string(byte, out),
        }
    }

    fn ground(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            0x80.. => return self.part_of_char(byte, out),
            _ => self.broken_char(out),
        }
        match byte {
            ESC => self.begin(State::Escape, &[ESC]),
            b'\n' | b'\r' | b'\t' | 0x08 | 0x20..0x7f => out.push(byte),
            _ if self.purpose == Purpose::Attaching => out.push(byte),
            _ => {}
        }
    }

    fn part_of_char(&mut self, byte: u8, out: &mut Vec<u8>) {
        if byte >= 0xc0 {
            self.broken_char(out);
        }
        self.char.push(byte);
        match std::str::from_utf8(&self.char) {
            Ok(text) => {
                let char = text.chars().next();
                let bytes = std::mem::take(&mut self.char);
                match char {
                    Some(c @ '\u{80}'..='\u{9f}') => self.c1(c, &bytes, out),
                    // It would show what follows in another order.
                    Some(
                        c @ ('\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}'),
                    ) if self.purpose == Purpose::Reading => {
                        out.extend_from_slice(escape(c).as_bytes());
                    }
                    _ => out.extend_from_slice(&bytes),
                }
            }
            Err(error) if error.error_len().is_some() => self.broken_char(out),
            Err(_) => {}
        }
    }

    /// Bytes that are no character. Terminals that are not in UTF-8 take some of them for the beginning of a sequence.
    fn broken_char(&mut self, out: &mut Vec<u8>) {
        if self.char.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.char);
        match self.purpose {
            Purpose::Attaching => out.extend_from_slice(&bytes),
            Purpose::Reading => out.extend_from_slice("\u{fffd}".as_bytes()),
        }
    }

    /// The controls of one character, which many terminals know beside those of two.
    fn c1(&mut self, c: char, bytes: &[u8], out: &mut Vec<u8>) {
        match c {
            '\u{9b}' => self.begin(State::Control, bytes),
            '\u{9d}' => self.begin(State::Prefix(Str::OperatingSystem), bytes),
            '\u{90}' => self.begin(State::Prefix(Str::Device), bytes),
            '\u{9f}' => self.begin(State::Prefix(Str::Application), bytes),
            '\u{98}' | '\u{9e}' => self.begin(State::Prefix(Str::Other), bytes),
            _ if self.purpose == Purpose::Attaching => out.extend_from_slice(bytes),
            _ => {}
        }
    }

    fn begin(&mut self, state: State, introducer: &[u8]) {
        self.state = state;
        self.escaped = false;
        self.held.clear();
        self.held.extend_from_slice(introducer);
    }

    fn escape(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.held.push(byte);
        let is_first = self.held.len() == 2;
        match byte {
            ESC => self.begin(State::Escape, &[ESC]),
            b'[' if is_first => self.state = State::Control,
            b']' if is_first => self.state = State::Prefix(Str::OperatingSystem),
            b'P' if is_first => self.state = State::Prefix(Str::Device),
            b'_' if is_first => self.state = State::Prefix(Str::Application),
            b'X' | b'^' if is_first => self.state = State::Prefix(Str::Other),
            0x20..0x30 if self.held.len() < MAX_SEQUENCE_BYTES => {}
            0x30..0x7f => self.done(self.purpose == Purpose::Attaching, out),
            _ => self.interrupted(byte, out),
        }
    }

    fn control(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            0x40..0x7f => {
                self.held.push(byte);
                let passes = match self.purpose {
                    Purpose::Reading => is_colour(&self.held),
                    Purpose::Attaching => !is_report(&self.held),
                };
                if passes && byte == b'm' && self.purpose == Purpose::Reading {
                    self.coloured = !matches!(&self.held[2..], b"m" | b"0m");
                }
                self.done(passes, out);
            }
            0x20..0x40 if self.held.len() < MAX_SEQUENCE_BYTES => self.held.push(byte),
            0x20..0x40 => {}
            _ => self.interrupted(byte, out),
        }
    }

    /// A byte that is no part of the sequence: line ends count in the middle of one too, all others end it.
    fn interrupted(&mut self, byte: u8, out: &mut Vec<u8>) {
        if matches!(byte, b'\n' | b'\r' | b'\t' | 0x08) && self.state == State::Control {
            out.push(byte);
            return;
        }
        let held = std::mem::take(&mut self.held);
        self.state = State::Ground;
        if self.purpose == Purpose::Attaching {
            // What was held is no sequence that does anything.
            let known = held.len() - usize::from(held.last() == Some(&byte) && held.len() > 1);
            out.extend_from_slice(&held[..known]);
        }
        if !matches!(byte, CAN | SUB) {
            self.ground(byte, out);
        }
    }

    fn done(&mut self, passes: bool, out: &mut Vec<u8>) {
        if passes {
            out.append(&mut self.held);
        }
        self.held.clear();
        self.state = State::Ground;
    }

    fn string(&mut self, byte: u8, out: &mut Vec<u8>) {
        // U+009C ends it as well, and the other controls of one character begin something else.
        let c1 = (!self.escaped && self.held.ends_with(&[0xc2]) && matches!(byte, 0x80..=0x9f)).then_some(byte);
        let ends = if self.escaped { byte == b'\\' } else { byte == BEL || c1 == Some(0x9c) };
        if matches!(byte, CAN | SUB) {
            self.done(false, out);
            return;
        }
        if let Some(c1) = c1.filter(|_| !ends) {
            self.held.pop();
            self.finish_string(&[], out);
            self.c1(char::from(c1), &[0xc2, c1], out);
            return;
        }
        if self.escaped && !ends {
            // Another sequence begins: this one is over.
            self.finish_string(&[], out);
            self.begin(State::Escape, &[ESC]);
            self.escape(byte, out);
            return;
        }
        if byte == ESC {
            self.escaped = true;
            return;
        }
        if ends {
            let end: &[u8] = if self.escaped { b"\x1b\\" } else { &[byte] };
            self.finish_string(end, out);
            return;
        }
        match self.state {
            State::Prefix(kind) => {
                self.held.push(byte);
                if self.held.len() >= STRING_PREFIX_BYTES {
                    let passes = self.may_pass(kind);
                    if passes {
                        out.append(&mut self.held);
                    }
                    self.held.clear();
                    self.state = State::Rest { passes };
                }
            }
            State::Rest { passes } => {
                if passes {
                    out.push(byte);
                }
                self.held.clear();
                self.held.push(byte);
            }
            State::Ground | State::Escape | State::Control => {}
        }
    }

    fn finish_string(&mut self, end: &[u8], out: &mut Vec<u8>) {
        let passes = match self.state {
            State::Prefix(kind) => self.may_pass(kind),
            State::Rest { passes } => passes,
            _ => false,
        };
        if passes {
            if matches!(self.state, State::Prefix(_)) {
                out.append(&mut self.held);
            }
            out.extend_from_slice(end);
        }
        self.held.clear();
        (self.state, self.escaped) = (State::Ground, false);
    }

    /// Whether a string may pass, by its beginning.
    fn may_pass(&self, kind: Str) -> bool {
        if self.purpose == Purpose::Reading {
            return false;
        }
        let introducer = 2;
        let text = &self.held[introducer.min(self.held.len())..];
        match kind {
            Str::OperatingSystem => {
                let number = text.split(|byte| *byte == b';').next().unwrap_or_default();
                // The clipboard, by its number and by what kitty and iTerm2 have; fonts.
                !matches!(number, b"52" | b"5522" | b"1337" | b"50")
            }
            // Questions, and what is wrapped for tmux and would not be looked at there.
            Str::Device => {
                let asks = [&b"$q"[..], b"+q", b"+p"].iter().any(|question| text.starts_with(question));
                !asks && !text.starts_with(b"tmux;")
            }
            Str::Application => true,
            Str::Other => false,
        }
    }
}

/// `ESC [ 1;31 m`: the way text looks, and nothing else.
fn is_colour(sequence: &[u8]) -> bool {
    let Some((b'm', parameters)) = sequence.split_last() else { return false };
    parameters.iter().skip(2).all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'))
}

/// The terminal would type its title, which the program has set, or an answer of that kind.
fn is_report(sequence: &[u8]) -> bool {
    let Some((last, parameters)) = sequence.split_last() else { return false };
    let parameters = &parameters[2.min(parameters.len())..];
    *last == b't' && (parameters.starts_with(b"20") || parameters.starts_with(b"21"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the bytes are cut, the same comes out.
    #[track_caller]
    fn check(new: fn() -> OutputFilter, text: &[u8], expected: &[u8]) {
        for size in [1, 2, 3, 7, text.len().max(1)] {
            let mut filter = new();
            let mut out: Vec<u8> = text.chunks(size).flat_map(|piece| filter.pass(piece)).collect();
            out.extend(filter.end());
            let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
            assert_eq!(shown(&out), shown(expected), "{} in pieces of {size}", shown(text));
        }
    }

    #[test]
    fn reading_leaves_text_and_colours() {
        for (text, expected) in [
            ("plain\ttext\r\nä 日本 👍🏽 عربي\n", "plain\ttext\r\nä 日本 👍🏽 عربي\n"),
            ("\x1b[1;31mred\x1b[m", "\x1b[1;31mred\x1b[m"),
            ("\x1b[38:2::1:2:3mx", "\x1b[38:2::1:2:3mx\x1b[0m"),
            ("a\x1b]52;c;aGk=\x07b", "ab"),
            ("a\x1b]52;c;?\x1b\\b", "ab"),
            ("a\u{9d}52;c;aGk=\u{9c}b", "ab"),
            ("a\u{9b}31mb\u{9b}5nc", "a\u{9b}31mbc\x1b[0m"),
            ("a\x1b]0;title\x07b\x1b]8;;http://x\x07c", "abc"),
            ("a\x1bP$qm\x1b\\b\x1b_G\x1b\\c\x1b^x\x1b\\d", "abcd"),
            ("a\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\b", "ab"),
            ("a\x1b[6n\x1b[c\x1b[2J\x1b[1;1Hb\x1b[?1049hc", "abc"),
            ("a\x1b(0b\x1bcd\x1b#8e\x1b7", "abde"),
            ("a\x07b\0c\x7fd\x0ee", "abcde"),
            ("rm \u{202e}x\u{2066}y\u{2069}", "rm \\u{202e}x\\u{2066}y\\u{2069}"),
            ("a\x1b[3\n1mb", "a\n\x1b[31mb\x1b[0m"),
            ("a\x1b[31\x18b", "ab"),
            ("a\x1b[>4;1mb\x1b[?4mc", "abc"),
            ("never ended \x1b]52;c;aaaa", "never ended "),
            ("a\x1b]52;c;\x1b[31mb", "a\x1b[31mb\x1b[0m"),
        ] {
            check(OutputFilter::for_reading, text.as_bytes(), expected.as_bytes());
        }
        check(OutputFilter::for_reading, b"a\x9b31mb\xff\xc3(", "a\u{fffd}31mb\u{fffd}\u{fffd}(".as_bytes());
        let long = [b"a\x1b[", &[b'1'; 1000][..], b"mb"].concat();
        check(OutputFilter::for_reading, &long, &[b"a\x1b[", &[b'1'; 254][..], b"mb\x1b[0m"].concat());
    }

    #[test]
    fn attaching_leaves_all_that_draws() {
        let picture = format!("\x1bP0;0;0q{}\x1b\\\x1b_Ga=T;{}\x1b\\", "~".repeat(5000), "A".repeat(5000));
        for text in [
            "plain\ttext\r\nä 日本 \u{202e}x\u{7f}\x07\0",
            "\x1b[?1049h\x1b[2J\x1b[1;1H\x1b[1;31mred\x1b(0lqk\x1b(B\x1b7\x1b8\x1bc\x1b[14t\x1b[>4;1m",
            "\x1b]0;title\x07\x1b]2;title\x1b\\\x1b]8;;http://x\x07link\x1b]8;;\x07\x1b]10;#fff\x07\x1b]133;A\x07",
            &picture,
        ] {
            check(OutputFilter::for_attaching, text.as_bytes(), text.as_bytes());
        }
        check(OutputFilter::for_attaching, b"\xff\x9b31m\xc3(", b"\xff\x9b31m\xc3(");
        let long = format!("a\x1b]52;c;{}\x07b", "QUJD".repeat(5000));
        for (text, expected) in [
            (long.as_str(), "ab"),
            ("a\x1b]52;c;?\x1b\\b", "ab"),
            ("a\u{9d}52;c;aGk=\u{9c}b", "ab"),
            ("a\x1b]1337;CopyToClipboard=\x07b\x1b]5522;x\x07c", "abc"),
            ("a\x1b[21tb\x1b[20tc", "abc"),
            ("a\x1bP$qm\x1b\\b\x1bP+q544e\x1b\\c", "abc"),
            ("a\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\b", "a\x1b\\b"),
            ("a\x1b]52;c;\x1b[31mb", "a\x1b[31mb"),
            ("a\x1b]0;t\u{9d}52;c;aGk=\u{9c}b", "a\x1b]0;tb"),
        ] {
            check(OutputFilter::for_attaching, text.as_bytes(), expected.as_bytes());
        }
    }
}
