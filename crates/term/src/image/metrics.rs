//! Where things are in a cell of a given size.

use super::extent::CellSize;

/// Of DejaVu Sans Mono, in its units.
const ADVANCE: f32 = 1233.0;
const X_HEIGHT: f32 = 1120.0;
const DESCENT: f32 = 440.0;
/// How far down brackets and bars go; they may lose a part of a pixel, letters may not.
const DEEPEST: f32 = 483.0;

/// Heights at which letters begin or end, and how far round ones go beyond.
const LEVELS: [(f32, f32, f32); 5] = [
    (-DESCENT, -445.0, -420.0),
    (0.0, -30.0, 0.0),
    (X_HEIGHT, X_HEIGHT, 1150.0),
    (1493.0, 1493.0, 1525.0),
    (1556.0, 1540.0, 1570.0),
];

#[derive(Clone, Copy, Debug)]
pub(super) struct Metrics {
    pub width: i32,
    pub height: i32,
    /// Rows above which letters stand.
    pub baseline: i32,
    pub x_height: i32,
    /// How thick a thin line is.
    pub stroke: i32,
    /// Pixels per unit of the fonts.
    pub scale_x: f32,
    pub scale_y: f32,
}

impl Metrics {
    pub fn of(cell: CellSize) -> Self {
        let (width, height) = (i32::from(cell.width), i32::from(cell.height));
        let scale_x = width as f32 / ADVANCE;
        // Letters are crisp when the lower case ends between two pixels, so their height bends to that.
        let x_height = (X_HEIGHT * scale_x).round();
        let scale_y = x_height / X_HEIGHT;
        let below = (DESCENT * scale_y).ceil().max((DEEPEST * scale_y).round());
        Self {
            width,
            height,
            baseline: height - below as i32,
            x_height: x_height as i32,
            stroke: ((width + 5) / 10).max(1),
            scale_x,
            scale_y,
        }
    }

    /// How many pixels a height in a letter is above the baseline. Stands in for hinting: what all letters share falls
    /// between two pixels.
    pub fn level(&self, y: f32) -> f32 {
        let level = LEVELS.iter().find(|(_, low, high)| (*low..=*high).contains(&y));
        level.map_or(y * self.scale_y, |(level, ..)| (level * self.scale_y).round())
    }
}
