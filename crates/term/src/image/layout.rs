//! Which character is in which column. Runs say how many columns they take, but not which of their characters is wide.

use unicode_width::UnicodeWidthChar;

use crate::screen::{Run, StyledRow};

/// A character and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed<'a> {
    pub col: i32,
    /// One, or two for wide characters.
    pub cells: u8,
    pub c: char,
    /// What is drawn over it.
    pub marks: &'a str,
    pub run: &'a Run,
}

pub(super) fn place(row: &StyledRow) -> Vec<Placed<'_>> {
    let mut placed: Vec<Placed<'_>> = Vec::new();
    let mut start = 0;
    let mut next = 0;
    for run in &row.runs {
        let end = start + i32::from(run.columns);
        // A wide character may reach into a run of another look: its second half was coloured by itself.
        next = next.max(start);
        let mut chars = run.text.char_indices().peekable();
        while let Some((_, c)) = chars.next() {
            let from = chars.peek().map_or(run.text.len(), |(at, _)| *at);
            while chars.next_if(|(_, c)| c.width() == Some(0)).is_some() {}
            let to = chars.peek().map_or(run.text.len(), |(at, _)| *at);
            // A tab is a character of its own for the engine, which it shows as a blank.
            let cells = c.width().unwrap_or(1).clamp(1, 2) as u8;
            // Halves of wide characters that were overwritten can leave more characters than columns.
            if next < end {
                placed.push(Placed { col: next, cells, c, marks: &run.text[from..to], run });
            }
            next += i32::from(cells);
        }
        next = next.min(end + 1);
        start = end;
    }
    placed
}
