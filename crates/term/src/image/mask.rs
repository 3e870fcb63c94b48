//! Coverage: how much of each pixel a shape takes, whatever colour it gets later.

use std::ops::Range;

use zeno::{Command, Style};

/// How many shades an edge has. Sixteen cannot be told from 256, and most images then have few enough colours for a
/// palette.
const SHADES: u32 = 16;

/// A small image of coverage.
#[derive(Clone, Debug, Default)]
pub(super) struct Mask {
    /// Where its top left is, from the top left of the cell.
    pub left: i32,
    pub top: i32,
    pub width: usize,
    pub height: usize,
    pub coverage: Vec<u8>,
}

impl Mask {
    /// Nothing of a rectangle.
    pub fn empty(width: usize, height: usize) -> Self {
        Self { left: 0, top: 0, width, height, coverage: vec![0; width * height] }
    }

    /// A shape, as large as it is.
    pub fn of(path: &[Command], style: Style<'_>) -> Self {
        let (coverage, at) = zeno::Mask::new(path).style(style).render();
        let mut mask =
            Self { left: at.left, top: at.top, width: at.width as usize, height: at.height as usize, coverage };
        for part in &mut mask.coverage {
            *part = shade(*part);
        }
        mask
    }

    /// Adds a rectangle. What lies outside is left out.
    pub fn fill(&mut self, columns: Range<i32>, rows: Range<i32>, part: u8) {
        let columns = within(&columns, self.width);
        for row in within(&rows, self.height) {
            self.coverage[row * self.width..][columns.clone()].fill(shade(part));
        }
    }

    /// Adds a shape. What lies outside is left out.
    pub fn draw(&mut self, path: &[Command], style: Style<'_>) {
        let mut drawn = vec![0; self.coverage.len()];
        zeno::Mask::new(path).style(style).size(self.width as u32, self.height as u32).render_into(&mut drawn, None);
        for (part, drawn) in self.coverage.iter_mut().zip(drawn) {
            *part = shade(drawn).max(*part);
        }
    }

    /// Makes all of it paler.
    pub fn fade(&mut self) {
        for part in &mut self.coverage {
            *part = shade(*part / 2);
        }
    }

    /// The row below the last one.
    pub fn bottom(&self) -> i32 {
        self.top + self.height as i32
    }
}

fn shade(part: u8) -> u8 {
    let steps = SHADES - 1;
    ((u32::from(part) * steps + 127) / 255 * 255 / steps) as u8
}

fn within(range: &Range<i32>, end: usize) -> Range<usize> {
    let clamp = |at: i32| at.clamp(0, end as i32) as usize;
    clamp(range.start)..clamp(range.end)
}
