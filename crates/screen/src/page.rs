//! Plain text under construction. Lines have no width: this is not a screen but the log, with its own overwriting
//! undone. The last lines can still be changed (carriage return, cursor up and erase); what leaves that window is final.
//!
//! What a program has printed is final too when the shell tells that its prompt begins, and the prompt when a command does. A line
//! editor moves up as many rows as its line had in a window of some width, and erases them: here that line is one row, and above
//! it is output.

use std::collections::VecDeque;

use alacritty_terminal::vte::{Params, Perform};
use memchr::{memchr, memchr_iter, memrchr_iter};

use super::charsets::{Charsets, Shift};
use super::line::Line;
use super::simple_text::{append_simple, is_simple, simple_lines};

/// Lines that cursor movements can still reach.
const WINDOW: usize = 200;
/// A line of more bytes than this is final too: a carriage return begins a new one after it.
const LINE_LIMIT: usize = 64 * 1024;

/// The final text and the lines that can still change.
#[derive(Debug)]
pub(super) struct Page {
    done: String,
    lines: VecDeque<Line>,
    /// The cursor, as an index into `lines`.
    row: usize,
    /// How many lines are in `done`, to keep a saved cursor on its line.
    gone: u64,
    saved: Option<Saved>,
    /// Nothing before this can be changed any more.
    floor: Floor,
    /// The cursor was saved and neither restored nor moved on since.
    saving: bool,
    /// A carriage return came on a line that is too long to be changed.
    folding: bool,
    hidden: Hidden,
    charsets: Charsets,
    /// What is printed pushes the rest of its line to the right.
    inserting: bool,
    last: Option<char>,
}

/// The place where the last prompt or the last command begins, by its line since the beginning.
#[derive(Clone, Copy, Debug, Default)]
struct Floor {
    line: u64,
    col: usize,
}

/// A saved cursor, by its line since the beginning.
#[derive(Clone, Copy, Debug)]
struct Saved {
    line: u64,
    col: usize,
    charsets: Charsets,
}

/// Why what is printed does not belong into the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hidden {
    No,
    /// The screen of a full-screen program.
    Alternate,
    /// A status line drawn elsewhere between saving and restoring the cursor.
    Aside,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            done: String::new(),
            lines: VecDeque::from([Line::default()]),
            row: 0,
            gone: 0,
            saved: None,
            floor: Floor::default(),
            saving: false,
            folding: false,
            hidden: Hidden::No,
            charsets: Charsets::default(),
            inserting: false,
            last: None,
        }
    }
}

impl Page {
    /// Takes whole lines that are only appended, at the speed of copying; returns how many bytes that was.
    pub(super) fn push_simple_lines(&mut self, bytes: &[u8]) -> usize {
        if !self.is_appending() {
            return 0;
        }
        let mut at = self.push_final_lines(bytes);
        while let Some(end) = memchr(b'\n', &bytes[at..]) {
            let line = &bytes[at..at + end];
            let text = line.strip_suffix(b"\r").unwrap_or(line);
            let Some(current) = self.lines.back_mut() else { break };
            if !append_simple(current, text) {
                break;
            }
            self.new_line();
            at += end + 1;
        }
        if at > 0 {
            self.last = None;
        }
        at
    }

    /// Takes text within a line, if it is nothing but that.
    pub(super) fn push_simple_text(&mut self, bytes: &[u8]) -> bool {
        if !self.is_appending() || self.folding || !is_simple(bytes) {
            return false;
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return false };
        self.line().append(text);
        self.last = text.chars().next_back().filter(|c| *c != '\t');
        true
    }

    /// The cursor is at the end of everything, and characters are what they say.
    fn is_appending(&self) -> bool {
        let plain = self.charsets.is_unshifted() && self.charsets.begins_with_ascii();
        plain && self.visible() && self.row + 1 == self.lines.len() && self.lines[self.row].at_end()
    }

    /// Takes lines that will be final because so many follow them, in one piece.
    fn push_final_lines(&mut self, bytes: &[u8]) -> usize {
        let Ok(text) = std::str::from_utf8(simple_lines(bytes)) else { return 0 };
        let Some(end) = memrchr_iter(b'\n', text.as_bytes()).nth(WINDOW).map(|end| end + 1) else { return 0 };
        for mut line in std::mem::take(&mut self.lines) {
            self.done.push_str(line.text());
            self.done.push('\n');
            self.gone += 1;
        }
        // The last of these lines is the one that the text continues.
        self.done.pop();
        let mut rest = &text[..end];
        while let Some(found) = memchr(b'\r', rest.as_bytes()) {
            self.done.push_str(&rest[..found]);
            rest = &rest[found + 1..];
        }
        self.done.push_str(rest);
        self.gone += memchr_iter(b'\n', &text.as_bytes()[..end]).count() as u64 - 1;
        self.lines.push_back(Line::default());
        self.row = 0;
        self.saving = false;
        self.folding = false;
        end
    }

    pub(super) fn finish(mut self) -> String {
        let last = self.lines.len() - 1;
        for (index, line) in self.lines.iter_mut().enumerate() {
            self.done.push_str(line.text());
            if index < last {
                self.done.push('\n');
            }
        }
        self.done
    }

    /// See [`Plain::take_settled`](super::Plain::take_settled).
    pub(super) fn take_settled(&mut self, changeable: usize) -> String {
        while self.row > changeable {
            self.retire();
        }
        std::mem::take(&mut self.done)
    }

    fn line(&mut self) -> &mut Line {
        &mut self.lines[self.row]
    }

    fn unfold(&mut self) {
        if self.folding {
            self.new_line();
        }
    }

    fn visible(&self) -> bool {
        self.hidden == Hidden::No
    }

    /// Down to the next line, which is made when there is none.
    fn new_line(&mut self) {
        self.line().leave();
        self.folding = false;
        self.saving = false;
        self.row += 1;
        if self.row == self.lines.len() {
            let line = if self.lines.len() == WINDOW { self.retire() } else { Line::default() };
            self.lines.push_back(line);
        }
        self.line().go_to(0);
    }

    /// Makes the oldest line final and hands out its memory.
    fn retire(&mut self) -> Line {
        let mut line = self.lines.pop_front().unwrap_or_default();
        self.finish_line(&mut line);
        line.clear();
        line
    }

    fn finish_line(&mut self, line: &mut Line) {
        self.done.push_str(line.text());
        self.done.push('\n');
        self.gone += 1;
        self.row = self.row.saturating_sub(1);
    }

    /// To a row above or below, as far as there are lines.
    fn move_rows(&mut self, rows: isize) {
        let col = self.line().column();
        self.line().leave();
        let target = self.row.saturating_add_signed(rows).max(self.floor_row());
        while target >= self.lines.len() && self.lines.len() < WINDOW {
            self.lines.push_back(Line::default());
        }
        self.row = target.min(self.lines.len() - 1);
        self.go_to(col);
    }

    /// What is there now stays.
    fn fence(&mut self) {
        if self.visible() {
            self.unfold();
            let col = self.line().column();
            self.line().go_to(col);
            self.floor = Floor { line: self.gone + self.row as u64, col };
        }
    }

    /// The first row that can be changed.
    fn floor_row(&self) -> usize {
        usize::try_from(self.floor.line.saturating_sub(self.gone)).unwrap_or(0).min(self.lines.len() - 1)
    }

    /// The first column of the cursor's line that can be changed.
    fn left(&self) -> usize {
        if self.floor.line == self.gone + self.row as u64 { self.floor.col } else { 0 }
    }

    fn go_to(&mut self, col: usize) {
        let col = col.max(self.left());
        self.line().go_to(col);
    }

    fn erase_line(&mut self, mode: u16) {
        let (left, col) = (self.left(), self.line().column());
        match mode {
            0 => self.line().erase_right(),
            1 => self.line().blank(left, (col + 1).saturating_sub(left)),
            2 if left == 0 => self.line().clear_text(),
            2 => {
                self.line().go_to(left);
                self.line().erase_right();
                self.line().go_to(col);
            }
            _ => {}
        }
    }

    /// A row of the screen is asked for, and there is no screen: go on below.
    fn go_below(&mut self, col: usize) {
        self.line().leave();
        self.row = self.lines.len() - 1;
        if !self.line().text().is_empty() {
            self.new_line();
        }
        self.line().go_to(col);
    }

    fn save(&mut self) {
        let col = self.line().column();
        self.saved = Some(Saved { line: self.gone + self.row as u64, col, charsets: self.charsets });
        self.saving = true;
    }

    fn restore(&mut self) {
        if self.hidden == Hidden::Aside {
            self.hidden = Hidden::No;
        }
        self.saving = false;
        let Some(Saved { line, col, charsets }) = self.saved else { return };
        self.charsets = charsets;
        self.line().leave();
        let row = usize::try_from(line.saturating_sub(self.gone)).unwrap_or(0);
        self.row = row.max(self.floor_row()).min(self.lines.len() - 1);
        self.go_to(col);
    }

    fn erase_display(&mut self, mode: u16) {
        match mode {
            0 => {
                self.line().erase_right();
                self.lines.truncate(self.row + 1);
            }
            2 | 3 => {
                let col = self.line().column();
                self.go_below(col);
            }
            _ => {}
        }
    }

    /// What a reset does to how characters are written.
    fn soft_reset(&mut self) {
        self.charsets = Charsets::default();
        self.inserting = false;
    }

    fn set_modes(&mut self, params: &Params, on: bool) {
        for param in params {
            match (param[0], on) {
                (47 | 1047 | 1049, true) => self.hidden = Hidden::Alternate,
                (47 | 1047 | 1049, false) if self.hidden == Hidden::Alternate => self.hidden = Hidden::No,
                _ => {}
            }
        }
    }
}

impl Perform for Page {
    fn print(&mut self, c: char) {
        if matches!(c, '\u{80}'..='\u{9f}') {
            // A control, which vte takes for a character when a chunk's end cuts it in two.
            self.execute(c as u8);
        } else if self.visible() && c != '\u{7f}' {
            self.unfold();
            let (shown, inserting) = (self.charsets.map(c), self.inserting);
            if inserting {
                self.line().make_room(shown);
            }
            self.line().print(shown);
            self.last = Some(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        if self.hidden == Hidden::Aside && byte == b'\n' {
            // No status line ends like this.
            self.hidden = Hidden::No;
        }
        if !self.visible() {
            return;
        }
        self.last = None;
        match byte {
            b'\n' | 0x0b | 0x0c => self.new_line(),
            b'\r' if self.line().len() > LINE_LIMIT => self.folding = true,
            b'\r' => self.go_to(0),
            b'\t' => {
                self.unfold();
                self.line().tab();
            }
            0x08 => {
                let col = self.line().column();
                self.go_to(col.saturating_sub(1));
            }
            0x0e => self.charsets.shift(Shift::G1),
            0x0f => self.charsets.shift(Shift::G0),
            // A stray byte of some other encoding, or a control character that nothing here obeys: shown, not lost.
            0x80..=0x9f => self.print(char::REPLACEMENT_CHARACTER),
            _ => {}
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _bell_terminated: bool) {
        // Ours, and those that shells print for other terminals: a prompt begins, a command begins.
        let kind = match params {
            [b"7733", _, kind, ..] | [b"133" | b"633", kind, ..] => *kind,
            _ => return,
        };
        if matches!(kind, b"A" | b"C" | b"R") {
            self.fence();
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        if ignore || action == 'm' {
            return;
        }
        let mut values = params.iter().map(|param| param.first().copied().unwrap_or(0));
        let first = values.next().unwrap_or(0);
        let second = values.next().unwrap_or(0);
        match (action, intermediates) {
            ('h' | 'l', [b'?']) => self.set_modes(params, action == 'h'),
            ('p', [b'!']) => self.soft_reset(),
            _ => {}
        }
        if intermediates.is_empty() && self.hidden == Hidden::Aside && action == 'u' {
            self.restore();
        }
        if !intermediates.is_empty() || !self.visible() {
            return;
        }
        self.unfold();
        let count = usize::from(first.max(1));
        let col = self.line().column();
        match action {
            'A' => self.move_rows(-(count as isize)),
            'B' | 'e' => self.move_rows(count as isize),
            'E' | 'F' => {
                self.move_rows(if action == 'E' { count as isize } else { -(count as isize) });
                self.go_to(0);
            }
            'C' | 'a' => self.line().go_to(col + count),
            'D' => self.go_to(col.saturating_sub(count)),
            'G' | '`' => self.go_to(count - 1),
            'H' | 'f' | 'd' if self.saving => self.hidden = Hidden::Aside,
            'H' | 'f' => self.go_below(usize::from(second.max(1)) - 1),
            'd' => self.go_below(col),
            'J' => self.erase_display(first),
            'K' => self.erase_line(first),
            'X' => self.line().blank(col, count),
            'P' => self.line().delete(count),
            '@' => self.line().insert(count),
            'b' => {
                if let Some(c) = self.last {
                    (0..count.min(LINE_LIMIT)).for_each(|_| self.print(c));
                }
            }
            'h' | 'l' if params.iter().any(|param| param[0] == 4) => self.inserting = action == 'h',
            's' => self.save(),
            'u' => self.restore(),
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        match (byte, intermediates) {
            (b'8', []) if self.hidden != Hidden::Alternate => self.restore(),
            (b'c', []) => {
                self.hidden = Hidden::No;
                self.soft_reset();
            }
            _ if !self.visible() => {}
            (b'7', []) => self.save(),
            (b'D' | b'E', []) => self.new_line(),
            (b'M', []) => self.move_rows(-1),
            (b'n', []) => self.charsets.shift(Shift::G2),
            (b'o', []) => self.charsets.shift(Shift::G3),
            (set, [slot]) => self.charsets.designate(*slot, set),
            _ => {}
        }
    }
}
