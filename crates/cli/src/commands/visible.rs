//! Other people's text as a block of lines, with what is dangerous marked below it.

use std::ops::Range;

use flightdeck_view::shown::{escape, is_plain};
pub use flightdeck_view::shown::{hidden, visible};
use unicode_width::UnicodeWidthStr;

use crate::style::Style;

/// Before each line of a command, so that no line of it can be taken for one of ours.
const GUTTER: &str = "│ ";
/// Before the rest of a line that did not fit.
const WRAPPED: &str = "┆ ";

/// A command as a block of lines, with a line of carets below each line that has one of the marked ranges (in bytes).
pub fn block(command: &str, marked: &[Range<usize>], width: Option<usize>, style: Style) -> Vec<Line> {
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(GUTTER.width()).max(10));
    let mut lines = Vec::new();
    let mut start = 0;
    for text in command.split('\n') {
        let mut gutter = GUTTER;
        let mut row: Vec<Shown> = Vec::new();
        for (at, c) in text.char_indices() {
            let shown = Shown::new(c, start + at, marked);
            if columns(&row) + shown.columns > room {
                lines.push(Line::new(gutter, &row, style));
                row.clear();
                gutter = WRAPPED;
            }
            row.push(shown);
        }
        lines.push(Line::new(gutter, &row, style));
        start += text.len() + 1;
    }
    lines
}

/// A line of a block.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// As it is shown.
    pub text: String,
    /// The carets below it.
    pub carets: Option<String>,
}

/// One character as it is shown.
struct Shown {
    text: String,
    columns: usize,
    marked: bool,
    escaped: bool,
}

impl Shown {
    fn new(c: char, at: usize, marked: &[Range<usize>]) -> Self {
        let escaped = !is_plain(c);
        let text = if escaped { escape(c) } else { c.to_string() };
        Shown { columns: text.width(), text, marked: marked.iter().any(|range| range.contains(&at)), escaped }
    }
}

impl Line {
    fn new(gutter: &str, row: &[Shown], style: Style) -> Self {
        let mut text = style.dim(gutter);
        // Neighbours of the same kind are coloured together: fewer sequences, and they can be searched for.
        for run in row.chunk_by(|a, b| (a.marked, a.escaped) == (b.marked, b.escaped)) {
            let joined: String = run.iter().map(|shown| shown.text.as_str()).collect();
            text += &match (run[0].marked, run[0].escaped) {
                (_, true) => style.yellow(&joined),
                (true, false) => style.red(&joined),
                (false, false) => joined,
            };
        }
        let carets = row.iter().any(|shown| shown.marked).then(|| {
            let below = |shown: &Shown| if shown.marked { "^" } else { " " }.repeat(shown.columns);
            let carets: String = row.iter().map(below).collect();
            format!("{}{}", style.dim(gutter), style.red(carets.trim_end()))
        });
        Line { text, carets }
    }
}

fn columns(row: &[Shown]) -> usize {
    row.iter().map(|shown| shown.columns).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_below_what_is_marked() {
        let plain = crate::style::plain();
        for (command, marked, width, expected) in [
            ("cd x && rm -rf y", 8..16, None, &["│ cd x && rm -rf y", "│         ^^^^^^^^"][..]),
            ("日本 rm", 7..9, None, &["│ 日本 rm", "│      ^^"]),
            ("a\x1bb", 1..3, None, &["│ a\\x1bb", "│  ^^^^^"]),
            ("one\nrm two\nthree", 4..10, None, &["│ one", "│ rm two", "│ ^^^^^^", "│ three"]),
            ("0123456789abcdef", 8..12, Some(12), &["│ 0123456789", "│         ^^", "┆ abcdef", "┆ ^^"]),
            ("ls", 5..99, None, &["│ ls"]),
        ] {
            let lines = block(command, &[marked], width, plain);
            let shown: Vec<_> = lines.into_iter().flat_map(|line| [Some(line.text), line.carets]).flatten().collect();
            assert_eq!(shown, expected, "{command:?}");
        }
    }
}
