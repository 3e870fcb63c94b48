//! Output as an agent reads it: text without escape sequences, where a progress bar has left only its last state.
//!
//! Lines have no width: this is not a screen but the log, with its own overwriting undone. The last lines can still
//! be changed (carriage return, cursor up and erase); what leaves that window is final.

use std::collections::VecDeque;

use alacritty_terminal::vte::{Params, Perform};
use memchr::{memchr, memchr_iter, memrchr, memrchr_iter};

use super::line::Line;
use super::stream::Stream;
use super::tokens::{ESC, Sequence, Token, first_number, token};

/// Lines that cursor movements can still reach.
const WINDOW: usize = 200;
/// A line of more bytes than this is final too: a carriage return begins a new one after it.
const LINE_LIMIT: usize = 64 * 1024;

/// `bytes` as plain text.
pub fn plain(bytes: &[u8]) -> String {
    let mut plain = Plain::default();
    plain.push(bytes);
    plain.finish()
}

/// Makes plain text of a stream that comes in chunks, cut anywhere.
#[derive(Default)]
pub struct Plain {
    stream: Stream,
    page: Page,
}

impl Plain {
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.stream.is_clean() {
                let quick = self.page.push_simple_lines(rest);
                rest = &rest[quick..];
            }
            // The line that was not simple, or what is left of a sequence.
            let len = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            self.stream.advance(&mut self.page, &rest[..len]);
            rest = &rest[len..];
        }
    }

    /// What was pushed so far, all of it.
    pub fn finish(mut self) -> String {
        if self.stream.in_character() {
            // A character that was cut off for good.
            self.page.print(char::REPLACEMENT_CHARACTER);
        }
        self.page.finish()
    }

    /// Takes the text that is final, for a reader who follows along. Lines above the last `changeable` ones are made
    /// final for it, although the program could still have moved the cursor up to them.
    pub fn take_settled(&mut self, changeable: usize) -> String {
        while self.page.row > changeable {
            self.page.retire();
        }
        std::mem::take(&mut self.page.done)
    }
}

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plain").field("page", &self.page).finish_non_exhaustive()
    }
}

/// The final text and the lines that can still change.
#[derive(Debug)]
struct Page {
    done: String,
    lines: VecDeque<Line>,
    /// The cursor, as an index into `lines`.
    row: usize,
    /// How many lines are in `done`, to keep a saved cursor on its line.
    gone: u64,
    saved: Option<(u64, usize)>,
    /// The cursor was saved and neither restored nor moved on since.
    saving: bool,
    /// A carriage return came on a line that is too long to be changed.
    folding: bool,
    hidden: Hidden,
    last: Option<char>,
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
            saving: false,
            folding: false,
            hidden: Hidden::No,
            last: None,
        }
    }
}

impl Page {
    /// Takes whole lines that are only appended, at the speed of copying; returns how many bytes that was.
    fn push_simple_lines(&mut self, bytes: &[u8]) -> usize {
        if self.hidden != Hidden::No || self.row + 1 != self.lines.len() || !self.lines[self.row].at_end() {
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

    fn finish(mut self) -> String {
        let last = self.lines.len() - 1;
        for (index, line) in self.lines.iter_mut().enumerate() {
            self.done.push_str(line.text());
            if index < last {
                self.done.push('\n');
            }
        }
        self.done
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
        let target = self.row.saturating_add_signed(rows);
        while target >= self.lines.len() && self.lines.len() < WINDOW {
            self.lines.push_back(Line::default());
        }
        self.row = target.min(self.lines.len() - 1);
        self.line().go_to(col);
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
        self.saved = Some((self.gone + self.row as u64, col));
        self.saving = true;
    }

    fn restore(&mut self) {
        if self.hidden == Hidden::Aside {
            self.hidden = Hidden::No;
        }
        self.saving = false;
        let Some((line, col)) = self.saved else { return };
        self.line().leave();
        self.row = usize::try_from(line.saturating_sub(self.gone)).unwrap_or(0).min(self.lines.len() - 1);
        self.line().go_to(col);
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
            self.execute(0);
        } else if self.visible() && c != '\u{7f}' {
            self.unfold();
            self.line().print(c);
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
            b'\r' => self.line().go_to(0),
            b'\t' => {
                self.unfold();
                self.line().tab();
            }
            0x08 => {
                let col = self.line().column();
                self.line().go_to(col.saturating_sub(1));
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        if ignore || action == 'm' {
            return;
        }
        let mut values = params.iter().map(|param| param.first().copied().unwrap_or(0));
        let first = values.next().unwrap_or(0);
        let second = values.next().unwrap_or(0);
        if let ('h' | 'l', [b'?']) = (action, intermediates) {
            self.set_modes(params, action == 'h');
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
                self.line().go_to(0);
            }
            'C' | 'a' => self.line().go_to(col + count),
            'D' => self.line().go_to(col.saturating_sub(count)),
            'G' | '`' => self.line().go_to(count - 1),
            'H' | 'f' | 'd' if self.saving => self.hidden = Hidden::Aside,
            'H' | 'f' => self.go_below(usize::from(second.max(1)) - 1),
            'd' => self.go_below(col),
            'J' => self.erase_display(first),
            'K' => match first {
                0 => self.line().erase_right(),
                1 => self.line().blank(0, col + 1),
                2 => self.line().clear_text(),
                _ => {}
            },
            'X' => self.line().blank(col, count),
            'P' => self.line().delete(count),
            '@' => self.line().insert(count),
            'b' => {
                if let Some(c) = self.last {
                    (0..count.min(LINE_LIMIT)).for_each(|_| self.line().print(c));
                }
            }
            's' => self.save(),
            'u' => self.restore(),
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        match (byte, intermediates) {
            (b'8', []) if self.hidden != Hidden::Alternate => self.restore(),
            (b'c', []) => self.hidden = Hidden::No,
            _ if !self.visible() => {}
            (b'7', []) => self.save(),
            (b'D' | b'E', []) => self.new_line(),
            (b'M', []) => self.move_rows(-1),
            _ => {}
        }
    }
}

/// Appends a line with nothing in it that moves or erases, without its colours; `false` if it is not one.
fn append_simple(line: &mut Line, text: &[u8]) -> bool {
    if is_simple(text) {
        return std::str::from_utf8(text).map(|text| line.append(text)).is_ok();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let end = memchr(ESC, rest).unwrap_or(rest.len());
        // Each piece for itself: a character cut by a sequence is two broken ones.
        match std::str::from_utf8(&rest[..end]) {
            Ok(piece) if is_simple(piece.as_bytes()) => plain.push_str(piece),
            _ => return false,
        }
        rest = &rest[end..];
        if rest.is_empty() {
            line.append(&plain);
            return true;
        }
        match token(rest) {
            Token::Whole(sequence, len) if is_silent(sequence) => rest = &rest[len..],
            _ => return false,
        }
    }
}

/// Does nothing to text that is being appended: there is nothing right of it to erase.
fn is_silent(sequence: Sequence<'_>) -> bool {
    match sequence {
        Sequence::Csi { marker: 0, params, intermediates: [], end: b'K' } => first_number(params) == 0,
        Sequence::Csi { intermediates: [], end: b'm', .. }
        | Sequence::Esc { intermediates: [b'(' | b')'], .. }
        | Sequence::Osc { .. } => true,
        _ => false,
    }
}

/// Text with nothing in it that moves or erases.
fn is_simple(text: &[u8]) -> bool {
    // Counting all of them is faster than stopping at the first: it runs in vectors.
    let controls = text.iter().filter(|&&byte| (byte < 0x20 && byte != b'\t') || byte == 0x7f).count();
    controls == 0 && !has_c1(text)
}

/// The lines that `bytes` begin with, as long as they are simple; cut after a line's end.
fn simple_lines(bytes: &[u8]) -> &[u8] {
    let is_plain = |byte: u8| (byte >= 0x20 && byte != 0x7f) || matches!(byte, b'\t' | b'\r' | b'\n');
    let mut len = 0;
    for block in bytes.chunks(256) {
        if block.iter().filter(|byte| !is_plain(**byte)).count() > 0 {
            break;
        }
        len += block.len();
    }
    let bytes = &bytes[..len];
    let cut = memchr_iter(b'\r', bytes).find(|&at| bytes.get(at + 1) != Some(&b'\n')).unwrap_or(len);
    let lines = &bytes[..memrchr(b'\n', &bytes[..cut]).map_or(0, |end| end + 1)];
    if has_c1(lines) { &[] } else { lines }
}

/// C1 controls in UTF-8.
fn has_c1(text: &[u8]) -> bool {
    memchr_iter(0xc2, text).any(|at| matches!(text.get(at + 1), Some(0x80..=0x9f)))
}
