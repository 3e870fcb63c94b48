//! How much room an image takes: memory and what models accept are bounded, screens of 2000 by 2000 cells are not small.

use flightdeck_keeper::Size;

use crate::screen::Cursor;

/// Three bytes each while painting, so 24 MB; the compressed image comes on top.
const PIXELS: u32 = 8_000_000;

/// Vision models refuse larger images.
const SIDE: u32 = 8000;

/// Widths of a cell. A height is twice the width: what terminals usually have, and what the fonts fit into. Below the
/// last one letters cannot be told apart.
const WIDTHS: [u16; 7] = [40, 30, 20, 10, 8, 6, 5];

/// Of a cell, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellSize {
    pub width: u16,
    pub height: u16,
}

/// Which part of a screen an image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Whole,
    /// The rest did not fit.
    Part(Area),
}

/// Cells of a screen, counted from its top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub row: u16,
    pub col: u16,
    pub rows: u16,
    pub cols: u16,
}

pub(super) struct Extent {
    pub cell: CellSize,
    pub area: Area,
    pub shown: Shown,
}

pub(super) fn fit(size: Size, cursor: Cursor, scale: u8) -> Extent {
    let wanted = u16::from(scale.clamp(1, 4)) * 10;
    let mut cells = WIDTHS.into_iter().filter(|width| *width <= wanted).map(CellSize::of_width);
    let smallest = CellSize::of_width(WIDTHS[WIDTHS.len() - 1]);
    let cell = cells.find(|cell| cell.fits(size.rows(), size.cols())).unwrap_or(smallest);
    let (rows, cols) = cell.most(size);
    let held = |wanted: u16, shown: u16, all: u16| wanted.saturating_sub(shown - 1).min(all - shown);
    let (row, col) = if cursor.visible {
        (held(cursor.row, rows, size.rows()), held(cursor.col, cols, size.cols()))
    } else {
        (0, 0)
    };
    let area = Area { row, col, rows, cols };
    let whole = (rows, cols) == (size.rows(), size.cols());
    Extent { cell, area, shown: if whole { Shown::Whole } else { Shown::Part(area) } }
}

impl CellSize {
    fn of_width(width: u16) -> Self {
        Self { width, height: width * 2 }
    }

    fn fits(self, rows: u16, cols: u16) -> bool {
        let (width, height) = (u32::from(cols) * u32::from(self.width), u32::from(rows) * u32::from(self.height));
        width <= SIDE && height <= SIDE && width * height <= PIXELS
    }

    /// The most rows and columns of a screen that fit: all columns that a side allows, then as many rows as there are
    /// pixels left, because lines that are cut are worth less than lines that are missing.
    fn most(self, size: Size) -> (u16, u16) {
        let cols = u32::from(size.cols()).min(SIDE / u32::from(self.width));
        let left = PIXELS / (cols * u32::from(self.width));
        let rows = u32::from(size.rows()).min(left.min(SIDE) / u32::from(self.height));
        (rows as u16, cols as u16)
    }
}
