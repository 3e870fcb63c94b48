//! Lines of text in several looks, and how they are wrapped at words.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::style::Style;

/// How wide a tab is shown at most.
const TAB_COLUMNS: usize = 4;

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    strike: bool,
    colour: Option<Colour>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    Red,
    Green,
    Yellow,
    Cyan,
}

impl Look {
    pub const PLAIN: Look =
        Look { bold: false, dim: false, italic: false, underline: false, strike: false, colour: None };
    pub const BOLD: Look = Look { bold: true, ..Look::PLAIN };
    pub const DIM: Look = Look { dim: true, ..Look::PLAIN };
    pub const RED: Look = Look { colour: Some(Colour::Red), ..Look::PLAIN };
    pub const GREEN: Look = Look { colour: Some(Colour::Green), ..Look::PLAIN };
    pub const YELLOW: Look = Look { colour: Some(Colour::Yellow), ..Look::PLAIN };
    pub const CYAN: Look = Look { colour: Some(Colour::Cyan), ..Look::PLAIN };

    pub fn bold(self) -> Self {
        Look { bold: true, ..self }
    }

    pub fn italic(self) -> Self {
        Look { italic: true, ..self }
    }

    pub fn underline(self) -> Self {
        Look { underline: true, ..self }
    }

    pub fn strike(self) -> Self {
        Look { strike: true, ..self }
    }

    pub fn cyan(self) -> Self {
        Look { colour: Some(Colour::Cyan), ..self }
    }

    /// The parameters of the sequence that begins it.
    fn codes(self) -> String {
        let colour = self.colour.map(|colour| match colour {
            Colour::Red => "31",
            Colour::Green => "32",
            Colour::Yellow => "33",
            Colour::Cyan => "36",
        });
        let on = [(self.bold, "1"), (self.dim, "2"), (self.italic, "3"), (self.underline, "4"), (self.strike, "9")];
        let codes: Vec<&str> = on.iter().filter(|(on, _)| *on).map(|(_, code)| *code).chain(colour).collect();
        codes.join(";")
    }
}

/// A line of text in several looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledLine {
    pieces: Vec<(Look, String)>,
}

/// A character as a reader sees one, with its look and its columns.
#[derive(Clone)]
struct Cell<'a> {
    look: Look,
    text: &'a str,
    columns: usize,
}

impl StyledLine {
    pub fn of(look: Look, text: impl Into<String>) -> Self {
        StyledLine { pieces: vec![(look, text.into())] }
    }

    pub fn plain(text: impl Into<String>) -> Self {
        StyledLine::of(Look::PLAIN, text)
    }

    /// With more behind it.
    #[must_use]
    pub fn and(mut self, look: Look, text: &str) -> Self {
        self.push(look, text);
        self
    }

    pub fn push(&mut self, look: Look, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some((last, before)) if *last == look => before.push_str(text),
            _ => self.pieces.push((look, text.to_owned())),
        }
    }

    pub fn append(&mut self, other: &StyledLine) {
        for (look, text) in &other.pieces {
            self.push(*look, text);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(|(_, text)| text.is_empty())
    }

    pub fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.width()).sum()
    }

    /// The text alone.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// As it is written to a terminal.
    pub fn paint(&self, style: Style) -> String {
        self.pieces.iter().map(|(look, text)| style.paint(&look.codes(), text)).collect()
    }

    /// Tabs become spaces: a terminal's own would be as wide as where they happen to stand.
    fn without_tabs(&self) -> Self {
        let mut line = StyledLine::default();
        for (look, text) in &self.pieces {
            for (at, part) in text.split('\t').enumerate() {
                if at > 0 {
                    line.push(*look, &" ".repeat(TAB_COLUMNS - line.width() % TAB_COLUMNS));
                }
                line.push(*look, part);
            }
        }
        line
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let cells = |(look, text): &'_ (Look, String)| -> Vec<(Look, std::ops::Range<usize>)> {
            text.grapheme_indices(true).map(|(at, cluster)| (*look, at..at + cluster.len())).collect()
        };
        self.pieces
            .iter()
            .flat_map(|piece| cells(piece).into_iter().map(|(look, range)| (look, &piece.1[range])))
            .map(|(look, text)| Cell { look, text, columns: text.width() })
            .collect()
    }

    /// In rows of so many columns, broken at words. Rows after the first begin with `hang` spaces.
    pub fn wrap(&self, columns: usize, hang: usize) -> Vec<StyledLine> {
        self.rows(columns, hang, true)
    }

    /// In rows of so many columns, broken anywhere, as code is.
    pub fn wrap_anywhere(&self, columns: usize, hang: usize) -> Vec<StyledLine> {
        self.rows(columns, hang, false)
    }

    fn rows(&self, columns: usize, hang: usize, at_words: bool) -> Vec<StyledLine> {
        let line = self.without_tabs();
        let columns = columns.max(2);
        // A narrow window has no room for indents.
        let hang = if hang * 2 > columns { 0 } else { hang };
        let cells = line.cells();
        let mut rows = Vec::new();
        let mut start = 0;
        while start < cells.len() || rows.is_empty() {
            let room = if rows.is_empty() { columns } else { columns - hang };
            let (mut end, mut used) = (start, 0);
            while end < cells.len() && (used + cells[end].columns <= room || end == start) {
                used += cells[end].columns;
                end += 1;
            }
            let mut next = end;
            if at_words && end < cells.len() {
                // A space at the edge is the break itself.
                let space = (start + 1..=end).rev().find(|at| cells[*at].text == " ");
                let is_indent = |at: usize| cells[start..at].iter().all(|cell| cell.text == " ");
                if let Some(space) = space.filter(|at| !is_indent(*at)) {
                    (end, next) = (space, space + 1);
                }
            }
            let mut row = StyledLine::default();
            if !rows.is_empty() {
                row.push(Look::PLAIN, &" ".repeat(hang));
            }
            for cell in &cells[start..end] {
                row.push(cell.look, cell.text);
            }
            rows.push(row);
            start = next;
        }
        rows
    }

    /// In one row of so many columns; what does not fit is left out.
    pub fn fit(&self, columns: usize) -> StyledLine {
        let line = self.without_tabs();
        if line.width() <= columns {
            return line;
        }
        let mut row = StyledLine::default();
        let mut used = 0;
        for cell in line.cells() {
            if used + cell.columns >= columns {
                break;
            }
            used += cell.columns;
            row.push(cell.look, cell.text);
        }
        row.push(Look::DIM, "…");
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rows: &[StyledLine]) -> Vec<String> {
        rows.iter().map(StyledLine::text).collect()
    }

    #[test]
    fn lines_are_broken_at_words() {
        for (text, columns, hang, expected) in [
            ("", 10, 0, &[""][..]),
            ("one two three", 7, 0, &["one two", "three"]),
            ("one two three", 8, 2, &["one two", "  three"]),
            ("  indented text here", 12, 2, &["  indented", "  text here"]),
            ("abcdefghij", 4, 0, &["abcd", "efgh", "ij"]),
            ("a abcdefghij", 4, 2, &["a", "  ab", "  cd", "  ef", "  gh", "  ij"]),
            ("日本語のテキスト", 6, 0, &["日本語", "のテキ", "スト"]),
            ("日本", 3, 0, &["日", "本"]),
            ("a 👩‍💻👩‍💻 b", 6, 0, &["a 👩‍💻👩‍💻", "b"]),
            ("a\tb", 10, 0, &["a   b"]),
            ("exactly ten", 11, 0, &["exactly ten"]),
        ] {
            assert_eq!(texts(&StyledLine::plain(text).wrap(columns, hang)), expected, "{text:?}");
        }
        assert_eq!(texts(&StyledLine::plain("ab cd ef").wrap_anywhere(4, 0)), ["ab c", "d ef"]);
        for columns in 0..20 {
            for row in StyledLine::plain("日本 and a few words of text").wrap(columns, 3) {
                assert!(row.width() <= columns.max(2), "{row:?} in {columns}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_in_one_row_is_left_out() {
        let line = StyledLine::of(Look::BOLD, "日本").and(Look::DIM, " and more");
        assert_eq!(line.fit(20).text(), "日本 and more");
        assert_eq!(line.fit(4).text(), "日…");
        assert_eq!(line.fit(6).text(), "日本 …");
    }

    #[test]
    fn looks_are_painted_where_colours_are_wanted() {
        let line = StyledLine::of(Look::BOLD.cyan(), "a").and(Look::PLAIN, "b");
        assert_eq!(line.paint(crate::style::coloured()), "\x1b[1;36ma\x1b[0mb");
        assert_eq!(line.paint(crate::style::plain()), "ab");
    }
}
