//! Columns of text that line up, and figures that are short.

use std::fmt::Write as _;

/// Lines up everything but the last cell of each row, which may be as long as it likes.
pub fn lined_up(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(|row| row.len().saturating_sub(1)).max().unwrap_or_default();
    let mut widths = vec![0; columns];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(&row[..row.len().saturating_sub(1)]) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let width = if at + 1 == row.len() { 0 } else { widths[at] };
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Three digits that mean something, and no more.
pub fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 || value == 0.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
