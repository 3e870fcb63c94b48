//! The pixels of an image under construction. Everything that is painted is clipped here, and nowhere else.

use std::ops::Range;

use super::mask::Mask;
use super::theme::Rgb;

pub(super) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

/// Left and top belong to it, right and bottom do not; it may reach over the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    pub fn of_size(left: i32, top: i32, width: i32, height: i32) -> Self {
        Self { left, top, right: left + width, bottom: top + height }
    }
}

impl Canvas {
    pub fn new(width: usize, height: usize, ground: Rgb) -> Self {
        Self { width, height, pixels: vec![bytes(ground); width * height] }
    }

    pub fn width(&self) -> u32 {
        self.width as u32
    }

    pub fn height(&self) -> u32 {
        self.height as u32
    }

    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    pub fn fill(&mut self, rect: Rect, color: Rgb) {
        let (columns, rows) = self.clip(rect);
        for row in rows {
            self.pixels[row * self.width..][columns.clone()].fill(bytes(color));
        }
    }

    /// Paints through a mask that is placed at a point, within a rectangle.
    pub fn blend(&mut self, mask: &Mask, (x, y): (i32, i32), within: Rect, color: Rgb) {
        let (left, top) = (x + mask.left, y + mask.top);
        let placed = Rect {
            left: left.max(within.left),
            top: top.max(within.top),
            right: (left + mask.width as i32).min(within.right),
            bottom: (top + mask.height as i32).min(within.bottom),
        };
        let (columns, rows) = self.clip(placed);
        if columns.is_empty() {
            return;
        }
        for row in rows {
            let skipped = (row as i32 - top) as usize * mask.width + (columns.start as i32 - left) as usize;
            let coverage = &mask.coverage[skipped..];
            for (pixel, part) in self.pixels[row * self.width..][columns.clone()].iter_mut().zip(coverage) {
                match part {
                    0 => {}
                    255 => *pixel = bytes(color),
                    part => *pixel = bytes(Rgb(pixel[0], pixel[1], pixel[2]).towards(color, *part)),
                }
            }
        }
    }

    fn clip(&self, rect: Rect) -> (Range<usize>, Range<usize>) {
        let within = |from: i32, to: i32, end: usize| {
            let from = from.clamp(0, end as i32);
            from as usize..to.clamp(from, end as i32) as usize
        };
        (within(rect.left, rect.right, self.width), within(rect.top, rect.bottom, self.height))
    }
}

fn bytes(Rgb(r, g, b): Rgb) -> [u8; 3] {
    [r, g, b]
}
