//! From a screen to pixels: grounds first, then letters, then lines, then the cursor.

use super::canvas::{Canvas, Rect};
use super::extent::Extent;
use super::glyphs::{Glyphs, Shape};
use super::layout::{self, Placed};
use super::metrics::Metrics;
use super::theme::{Rgb, Theme};
use super::{decoration, stand_in};
use crate::screen::{CursorShape, Flags, Screen, StyledRow};

pub(super) fn paint(screen: &Screen, extent: &Extent, theme: &Theme) -> Canvas {
    let (area, metrics) = (extent.area, Metrics::of(extent.cell));
    let size = |cells: u16, pixels: i32| usize::from(cells) * pixels as usize;
    let canvas = Canvas::new(size(area.cols, metrics.width), size(area.rows, metrics.height), theme.background);
    let mut painter = Painter { canvas, glyphs: Glyphs::new(metrics), metrics, theme, first_col: i32::from(area.col) };
    let cursor = Some(screen.cursor()).filter(|cursor| cursor.visible);
    for (line, row) in (area.row..area.row + area.rows).enumerate() {
        // One row at a time: all rows of a huge screen together would take more memory than the image.
        let styled = screen.styled_row(row);
        let placed = layout::place(&styled);
        let top = line as i32 * metrics.height;
        painter.row(&styled, &placed, top);
        if let Some(cursor) = cursor.filter(|cursor| cursor.row == row) {
            painter.cursor(&placed, i32::from(cursor.col), cursor.shape, top);
        }
    }
    painter.canvas
}

struct Painter<'a> {
    canvas: Canvas,
    glyphs: Glyphs,
    metrics: Metrics,
    theme: &'a Theme,
    first_col: i32,
}

impl Painter<'_> {
    fn row(&mut self, row: &StyledRow, placed: &[Placed<'_>], top: i32) {
        let runs = row.runs.iter().scan(0, |col, run| {
            let start = *col;
            *col += i32::from(run.columns);
            Some((start, run))
        });
        for (col, run) in runs.clone() {
            let rect = self.cells(col, i32::from(run.columns), top);
            self.canvas.fill(rect, self.theme.inks(run).ground);
        }
        // Letters may reach over their cell, as slanted ones do, but not into other rows.
        let within = Rect { left: 0, top, right: i32::MAX, bottom: top + self.metrics.height };
        for letter in placed {
            let inks = self.theme.inks(letter.run);
            let hidden = inks.text == inks.ground;
            if !hidden {
                self.letter(letter, top, within, inks.text);
            }
        }
        for (col, run) in runs.filter(|(_, run)| !run.flags.is_empty()) {
            let at = (self.left(col), top);
            let inks = self.theme.inks(run);
            decoration::draw(&mut self.canvas, &self.metrics, run.flags, inks, at, i32::from(run.columns));
        }
    }

    fn letter(&mut self, letter: &Placed<'_>, top: i32, within: Rect, color: Rgb) {
        let stand_in = stand_in::of(letter.c);
        let shape = Shape {
            c: stand_in.map_or(letter.c, |stand_in| stand_in.c),
            cells: letter.cells,
            bold: letter.run.flags.contains(Flags::BOLD),
            italic: letter.run.flags.contains(Flags::ITALIC),
        };
        let own = stand_in.and_then(|stand_in| stand_in.color).map(|index| self.theme.color(index));
        let left = self.left(letter.col);
        let mask = self.glyphs.get(shape);
        self.canvas.blend(mask, (left, top), within, own.unwrap_or(color));

        // Marks of the font fit lower case; over taller letters they move up, as far as the cell goes.
        let lower = self.metrics.baseline - self.metrics.x_height;
        let mut highest = if mask.height == 0 { lower } else { mask.top };
        let middle = (i32::from(letter.cells) - 1) * self.metrics.width / 2;
        for c in letter.marks.chars() {
            let mark = self.glyphs.mark(Shape { c, cells: 1, ..shape });
            let above = mark.height > 0 && mark.bottom() <= lower;
            let raise = if above { (lower - highest).clamp(0, mark.top.max(0)) } else { 0 };
            if above {
                highest = mark.top - raise;
            }
            self.canvas.blend(mark, (left + middle, top - raise), within, color);
        }
    }

    fn cursor(&mut self, placed: &[Placed<'_>], col: i32, shape: CursorShape, top: i32) {
        let under = placed.iter().find(|letter| (letter.col..letter.col + i32::from(letter.cells)).contains(&col));
        let (col, cells) = under.map_or((col, 1), |letter| (letter.col, i32::from(letter.cells)));
        let cell = self.cells(col, cells, top);
        let thick = self.metrics.stroke * 2;
        match shape {
            CursorShape::Beam => self.canvas.fill(Rect { right: cell.left + thick, ..cell }, self.theme.cursor),
            CursorShape::Underline => self.canvas.fill(Rect { top: cell.bottom - thick, ..cell }, self.theme.cursor),
            CursorShape::Block => {
                self.canvas.fill(cell, self.theme.cursor);
                if let Some(letter) = under.filter(|letter| !letter.run.flags.contains(Flags::HIDDEN)) {
                    self.letter(letter, top, cell, self.theme.background);
                }
            }
        }
    }

    fn left(&self, col: i32) -> i32 {
        (col - self.first_col) * self.metrics.width
    }

    fn cells(&self, col: i32, count: i32, top: i32) -> Rect {
        Rect::of_size(self.left(col), top, count * self.metrics.width, self.metrics.height)
    }
}
