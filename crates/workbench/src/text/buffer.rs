//! The text itself: a rope with positions in UTF-16 units, and lines and columns from 1. A line ends at `\n`; a `\r`
//! before it is a character of the line, so that nothing is lost in files with mixed line ends.

use flightdeck_contract::workbench::{Position, TextChange};
use ropey::Rope;

use super::{Delta, difference};

/// The text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Buffer {
    rope: Rope,
}

impl Buffer {
    pub(crate) fn new(text: &str) -> Self {
        Buffer { rope: Rope::from_str(text) }
    }

    pub(crate) fn text(&self) -> String {
        self.rope.to_string()
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.rope.len_bytes() == text.len() && self.rope == text
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Its length in UTF-16 units.
    pub(crate) fn length(&self) -> usize {
        self.rope.len_utf16_cu()
    }

    pub(crate) fn lines(&self) -> u32 {
        u32::try_from(self.rope.len_lines()).unwrap_or(u32::MAX)
    }

    /// Whether a position is between two characters, and not inside of one.
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        at <= self.length() && self.rope.char_to_utf16_cu(self.rope.utf16_cu_to_char(at)) == at
    }

    /// Applies changes that are sorted, do not overlap and have valid positions.
    pub(crate) fn apply(&mut self, changes: &[TextChange]) {
        // From the end, so that the positions of those before stay right.
        for change in changes.iter().rev() {
            let from = self.rope.utf16_cu_to_char(change.from);
            let to = self.rope.utf16_cu_to_char(change.to);
            self.rope.remove(from..to);
            self.rope.insert(from, &change.insert);
        }
    }

    /// The edit that turns it into another text.
    pub(crate) fn towards(&self, text: &str) -> Delta {
        Delta::new(&difference(&self.text(), text), self.length()).expect("a difference is in order and in the text")
    }

    /// The bytes that changes would remove.
    pub(crate) fn removed_bytes(&self, changes: &[TextChange]) -> usize {
        let byte = |at: usize| self.rope.char_to_byte(self.rope.utf16_cu_to_char(at));
        changes.iter().map(|change| byte(change.to) - byte(change.from)).sum()
    }

    /// Where a line begins; the last line when there are not so many.
    pub(crate) fn line_start(&self, line: u32) -> usize {
        let index = (line.max(1) as usize - 1).min(self.rope.len_lines() - 1);
        self.rope.char_to_utf16_cu(self.rope.line_to_char(index))
    }

    /// Where a line ends, before its line break.
    pub(crate) fn line_end(&self, line: u32) -> usize {
        let index = (line.max(1) as usize - 1).min(self.rope.len_lines() - 1);
        let text = self.rope.line(index);
        let length = text.len_chars() - usize::from(text.chars_at(text.len_chars()).prev() == Some('\n'));
        self.rope.char_to_utf16_cu(self.rope.line_to_char(index) + length)
    }

    /// The offset of a place, moved to the nearest one that is in the text.
    pub(crate) fn offset(&self, place: Position) -> usize {
        let (start, end) = (self.line_start(place.line), self.line_end(place.line));
        if place.line > self.lines() {
            return end;
        }
        let at = (start + place.column.max(1) as usize - 1).min(end);
        self.rope.char_to_utf16_cu(self.rope.utf16_cu_to_char(at))
    }

    /// The place of an offset.
    pub(crate) fn place(&self, at: usize) -> Position {
        let char = self.rope.utf16_cu_to_char(at.min(self.length()));
        let line = self.rope.char_to_line(char);
        let start = self.rope.char_to_utf16_cu(self.rope.line_to_char(line));
        let column = self.rope.char_to_utf16_cu(char) - start + 1;
        Position { line: line as u32 + 1, column: column as u32 }
    }
}
