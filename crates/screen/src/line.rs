//! One line of plain text that can be overwritten, as a terminal of endless width would do it.
//!
//! Most lines are only ever appended to and stay a string. A line becomes cells when something moves back into it.

use super::width::width;

/// Tab stops are where every terminal has them at first.
const TAB: usize = 8;
/// Columns that a cursor movement can reach beyond the text; more is not a line that anyone writes.
const FAR: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    /// Set while the line is being edited; `text` is out of date then.
    cells: Option<Vec<Cell>>,
    /// The cursor's column, known while there are cells.
    col: usize,
}

/// What stands in one column.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    Char(char),
    /// A character with combining marks.
    Cluster(String),
    /// The second column of a wide character, and all but the first of a tab.
    Rest,
}

impl Line {
    /// Whether what comes next is simply appended.
    pub(super) fn at_end(&self) -> bool {
        self.cells.is_none()
    }

    /// Bytes, roughly while it is edited.
    pub(super) fn len(&self) -> usize {
        self.cells.as_ref().map_or(self.text.len(), Vec::len)
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.cells = None;
        self.col = 0;
    }

    /// Only at the end of the line.
    pub(super) fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn text(&mut self) -> &str {
        self.write_back();
        &self.text
    }

    /// The cursor goes to another line.
    pub(super) fn leave(&mut self) {
        self.write_back();
        self.cells = None;
    }

    pub(super) fn column(&mut self) -> usize {
        self.open();
        self.col
    }

    pub(super) fn go_to(&mut self, col: usize) {
        if col == 0 && self.cells.is_none() && self.text.is_empty() {
            return;
        }
        let cells = self.open();
        let far = cells.len() + FAR;
        self.col = col.min(far);
        self.close_at_end();
    }

    pub(super) fn print(&mut self, c: char) {
        if self.cells.is_none() {
            self.text.push(c);
            return;
        }
        let columns = width(c);
        let col = self.col;
        let cells = self.open();
        if columns == 0 {
            let before = (0..col.min(cells.len())).rev().find(|at| cells[*at] != Cell::Rest);
            match before.map(|at| &mut cells[at]) {
                Some(Cell::Cluster(cluster)) => cluster.push(c),
                Some(cell @ Cell::Char(_)) => {
                    if let Cell::Char(base) = *cell {
                        *cell = Cell::Cluster([base, c].iter().collect());
                    }
                }
                _ => {}
            }
            return;
        }
        pad(cells, col + columns);
        unpick(cells, col);
        unpick(cells, col + columns - 1);
        cells[col] = Cell::Char(c);
        if columns == 2 {
            cells[col + 1] = Cell::Rest;
        }
        self.col += columns;
        self.close_at_end();
    }

    /// Kept as a tab at the end of the line; inside it is only a movement.
    pub(super) fn tab(&mut self) {
        if self.cells.is_none() {
            self.text.push('\t');
            return;
        }
        let target = (self.col / TAB + 1) * TAB;
        let col = self.col;
        let cells = self.open();
        if col == cells.len() {
            cells.push(Cell::Char('\t'));
            cells.resize(target, Cell::Rest);
        }
        self.col = target;
        self.close_at_end();
    }

    pub(super) fn erase_right(&mut self) {
        if self.cells.is_none() {
            return;
        }
        let col = self.col;
        let cells = self.open();
        unpick(cells, col);
        cells.truncate(col);
        self.close_at_end();
    }

    /// Erases the text and leaves the cursor in its column.
    pub(super) fn clear_text(&mut self) {
        self.open().clear();
        self.close_at_end();
    }

    /// Makes `count` columns from `start` on blank.
    pub(super) fn blank(&mut self, start: usize, count: usize) {
        let cells = self.open();
        let end = start.saturating_add(count).min(cells.len());
        if start < end {
            unpick(cells, start);
            unpick(cells, end - 1);
            cells[start..end].fill(Cell::Char(' '));
        }
        self.close_at_end();
    }

    pub(super) fn delete(&mut self, count: usize) {
        let col = self.col_now();
        let cells = self.open();
        let end = col.saturating_add(count).min(cells.len());
        if col < end {
            unpick(cells, col);
            unpick(cells, end - 1);
            cells.drain(col..end);
        }
        self.close_at_end();
    }

    pub(super) fn insert(&mut self, count: usize) {
        let col = self.col_now();
        let cells = self.open();
        if col < cells.len() {
            unpick(cells, col);
            cells.splice(col..col, std::iter::repeat_n(Cell::Char(' '), count.min(FAR)));
        }
        self.close_at_end();
    }

    /// Moves what is right of the cursor to where it will be when `c` is inserted.
    pub(super) fn make_room(&mut self, c: char) {
        if !self.at_end() {
            self.insert(width(c));
        }
    }

    fn col_now(&mut self) -> usize {
        self.open();
        self.col
    }

    /// The cells, made from the text with the cursor at its end when there are none.
    fn open(&mut self) -> &mut Vec<Cell> {
        if self.cells.is_none() {
            let mut line = Self { cells: Some(Vec::new()), ..Self::default() };
            for c in self.text.chars() {
                line.lay(c);
            }
            self.col = line.col;
            self.cells = line.cells;
        }
        self.cells.get_or_insert_default()
    }

    fn lay(&mut self, c: char) {
        let Some(cells) = &mut self.cells else { return };
        match (c, width(c)) {
            ('\t', _) => {
                let target = (cells.len() / TAB + 1) * TAB;
                cells.push(Cell::Char('\t'));
                cells.resize(target, Cell::Rest);
            }
            (_, 0) => {
                let before = cells.iter_mut().rev().find(|cell| **cell != Cell::Rest);
                match before {
                    Some(Cell::Cluster(cluster)) => cluster.push(c),
                    Some(cell) => {
                        let base = if let Cell::Char(base) = cell { *base } else { ' ' };
                        *cell = Cell::Cluster([base, c].iter().collect());
                    }
                    None => cells.push(Cell::Cluster(c.into())),
                }
            }
            (_, columns) => {
                cells.push(Cell::Char(c));
                if columns == 2 {
                    cells.push(Cell::Rest);
                }
            }
        }
        self.col = cells.len();
    }

    /// Back to a string, when the cursor is where the next character is simply appended.
    fn close_at_end(&mut self) {
        if self.cells.as_ref().is_some_and(|cells| cells.len() == self.col) {
            self.leave();
        }
    }

    fn write_back(&mut self) {
        let Some(cells) = &self.cells else { return };
        self.text.clear();
        for cell in cells {
            match cell {
                Cell::Char(c) => self.text.push(*c),
                Cell::Cluster(cluster) => self.text.push_str(cluster),
                Cell::Rest => {}
            }
        }
    }
}

fn pad(cells: &mut Vec<Cell>, len: usize) {
    if cells.len() < len {
        cells.resize(len, Cell::Char(' '));
    }
}

/// Breaks up what covers more columns than this one, so that the column can be changed alone: a tab becomes blanks,
/// half a wide character is none.
fn unpick(cells: &mut [Cell], col: usize) {
    if col >= cells.len() {
        return;
    }
    let start = (0..=col).rev().find(|at| cells[*at] != Cell::Rest).unwrap_or(0);
    let end = (start + 1..cells.len()).find(|at| cells[*at] != Cell::Rest).unwrap_or(cells.len());
    if end - start > 1 {
        cells[start..end].fill(Cell::Char(' '));
    }
}
