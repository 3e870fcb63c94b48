//! Tables for people.

use super::visible::visible;
use crate::style::Style;

/// How much of a cell is shown.
const WIDEST: usize = 60;

/// Text and how it is shown; the decoration takes no room.
pub struct Cell {
    text: String,
    pub shown: String,
}

impl Cell {
    /// Any program's words: nothing in them may move the cursor or show itself as something else.
    pub fn plain(text: &str) -> Self {
        let whole = visible(text);
        let text = match whole.char_indices().nth(WIDEST) {
            Some(_) => whole.chars().take(WIDEST - 1).chain(['…']).collect(),
            None => whole,
        };
        Cell { shown: text.clone(), text }
    }

    /// Text of our own with its decoration.
    pub fn new(text: &str, shown: String) -> Self {
        Cell { text: text.to_owned(), shown }
    }
}

/// Prints rows below their names.
pub fn print_table(head: &[&str], rows: &[Vec<Cell>], style: Style) -> std::io::Result<()> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.chars().count());
        cells.chain([head[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..head.len()).map(width).collect();
    let line: Vec<_> = head.iter().zip(&widths).map(|(name, width)| format!("{name:<width$}")).collect();
    outln!("{}", style.dim(line.join("  ").trim_end()))?;
    for row in rows {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            line.push_str(&cell.shown);
            if i + 1 < row.len() {
                line.push_str(&" ".repeat(width - cell.text.chars().count() + 2));
            }
        }
        outln!("{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_says_so() {
        let (fits, long) = ("x".repeat(WIDEST), "é".repeat(WIDEST + 1));
        assert_eq!(Cell::plain(&fits).shown, fits);
        let cut = Cell::plain(&long).shown;
        assert_eq!((cut.chars().count(), cut.chars().last()), (WIDEST, Some('…')));
        assert_eq!(Cell::plain("a\x1b[2J\nb").shown, "a\\x1b[2J\\nb");
    }
}
