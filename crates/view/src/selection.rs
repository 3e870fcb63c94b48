//! What a person has marked with the mouse. Lines count from the top of the screen, upwards below zero, and move along when
//! the screen scrolls.

use flightdeck_screen::Screen;

use crate::frame::clusters;

/// From where to where, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    anchor: (i32, u16),
    head: (i32, u16),
    /// Whole words or lines.
    unit: Unit,
}

/// What a selection grows by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    #[default]
    Characters,
    Lines,
}

impl Selection {
    pub fn new(line: i32, column: u16) -> Self {
        Selection { anchor: (line, column), head: (line, column), unit: Unit::Characters }
    }

    /// The whole line.
    pub fn line(line: i32) -> Self {
        Selection { unit: Unit::Lines, ..Selection::new(line, 0) }
    }

    /// The word at this place; one character where there is none.
    pub fn word(screen: &Screen, line: i32, column: u16) -> Self {
        let cells = cells(screen, line);
        let at = usize::from(column);
        let is_word = |at: usize| cells.get(at).is_some_and(|cell| cell.as_ref().is_none_or(|text| in_word(text)));
        if !is_word(at) {
            return Selection::new(line, column);
        }
        let from = (0..=at).rev().take_while(|at| is_word(*at)).last().unwrap_or(at);
        let to = (at..cells.len()).take_while(|at| is_word(*at)).last().unwrap_or(at);
        Selection { anchor: (line, from as u16), head: (line, to as u16), unit: Unit::Characters }
    }

    pub fn drag_to(&mut self, line: i32, column: u16) {
        self.head = (line, column);
    }

    /// Nothing but the place where it began.
    pub fn is_empty(&self) -> bool {
        self.unit == Unit::Characters && self.anchor == self.head
    }

    /// The screen has scrolled by so many lines.
    pub fn scroll(&mut self, lines: i32) {
        self.anchor.0 -= lines;
        self.head.0 -= lines;
    }

    fn ends(&self) -> ((i32, u16), (i32, u16)) {
        (self.anchor.min(self.head), self.anchor.max(self.head))
    }

    /// The columns of a line that are marked, from and without the last.
    pub fn columns_of(&self, line: i32, columns: u16) -> Option<(u16, u16)> {
        if self.is_empty() {
            return None;
        }
        let (start, end) = self.ends();
        if !(start.0..=end.0).contains(&line) {
            return None;
        }
        if self.unit == Unit::Lines {
            return Some((0, columns));
        }
        let from = if line == start.0 { start.1 } else { 0 };
        let to = if line == end.0 { end.1 + 1 } else { columns };
        Some((from, to.min(columns)))
    }

    /// What is marked, with lines that the terminal broke put together again.
    pub fn text(&self, screen: &Screen) -> String {
        let (start, end) = self.ends();
        let oldest = -(screen.history() as i32);
        let newest = i32::from(screen.size().rows()) - 1;
        let mut text = String::new();
        for line in start.0.max(oldest)..=end.0.min(newest) {
            let Some((from, to)) = self.columns_of(line, screen.size().cols()) else { continue };
            let cells = cells(screen, line);
            let shown: String =
                (usize::from(from)..usize::from(to)).filter_map(|at| cells.get(at)?.as_deref()).collect();
            let wrapped = screen.styled_line(line).wrapped && to == screen.size().cols();
            text.push_str(if wrapped { &shown } else { shown.trim_end() });
            if !wrapped && line < end.0 {
                text.push('\n');
            }
        }
        text
    }
}

fn in_word(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphanumeric() || "_-./~:@%+#=&?".contains(c))
}

/// A line cell by cell; `None` is the second half of a wide character.
fn cells(screen: &Screen, line: i32) -> Vec<Option<String>> {
    let mut cells = Vec::new();
    for run in screen.styled_line(line).runs {
        let start = cells.len();
        cells.resize(start + usize::from(run.columns), None);
        for (at, cluster) in clusters(&run.text) {
            if let Some(cell) = cells.get_mut(start + usize::from(at)) {
                *cell = Some(cluster.to_owned());
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use flightdeck_keeper::Size;

    fn screen(bytes: &str) -> Screen {
        let mut screen = Screen::with_history(Size::new(3, 10).unwrap(), 100);
        screen.feed(bytes.as_bytes());
        screen
    }

    fn selected(screen: &Screen, from: (i32, u16), to: (i32, u16)) -> String {
        let mut selection = Selection::new(from.0, from.1);
        selection.drag_to(to.0, to.1);
        selection.text(screen)
    }

    #[test]
    fn text_of_lines() {
        let screen = screen("one\r\ntwo  x\r\nthree");
        assert_eq!(selected(&screen, (0, 1), (1, 1)), "ne\ntw");
        assert_eq!(selected(&screen, (2, 4), (0, 0)), "one\ntwo  x\nthree", "backwards is the same");
        assert_eq!(selected(&screen, (1, 1), (1, 1)), "", "a click marks nothing");
        assert_eq!(Selection::line(1).text(&screen), "two  x");
    }

    #[test]
    fn a_line_that_was_broken_is_whole_again() {
        let screen = screen("0123456789abc\r\nx");
        assert_eq!(selected(&screen, (0, 0), (2, 0)), "0123456789abc\nx");
    }

    #[test]
    fn lines_that_scrolled_off_can_be_copied_and_move_along() {
        let mut screen = screen("1\r\n2\r\n3\r\n4\r\n5");
        let mut selection = Selection::new(-2, 0);
        selection.drag_to(-1, 5);
        assert_eq!(selection.text(&screen), "1\n2");
        screen.feed(b"\r\n6");
        selection.scroll(1);
        assert_eq!(selection.text(&screen), "1\n2");
    }

    #[test]
    fn words_and_wide_characters() {
        let screen = screen("cd ~/a-b 漢字");
        let word = |column| Selection::word(&screen, 0, column).text(&screen);
        assert_eq!([word(0), word(5), word(2)], ["cd", "~/a-b", ""]);
        assert_eq!(Selection::word(&screen, 1, 1).text(&screen), "漢字");
    }
}
