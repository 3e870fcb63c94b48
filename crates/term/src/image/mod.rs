//! Screens as PNG images, for models and people who look at a program instead of reading it.
//!
//! ```text
//!   extent    how large a cell is, and which part of a huge screen fits
//!   paint     rows, decorations and the cursor, onto the canvas
//!     ├ theme      what the program's colours look like
//!     └ glyphs     a character's coverage, made once per image
//!         ├ truetype       outlines from the bundled fonts
//!         ├ box_drawing    lines that meet in the next cell, so not from a font
//!         ├ blocks         blocks, braille and prompt arrows, for the same reason
//!         └ stand_in       emoji and symbols that the fonts lack, by ones that they have
//!   encode    the canvas as PNG
//! ```
//!
//! What a program did to the palette (OSC 4, 10, 11) is not kept by the screen, so it does not show here. Blinking
//! text and cursors are drawn steadily. Characters that the fonts lack, Chinese for example, are empty boxes of the
//! right width: the text itself is what [`Screen::text`] is for.

mod blocks;
mod box_drawing;
mod canvas;
mod decoration;
mod encode;
mod extent;
mod glyphs;
mod layout;
mod mask;
mod metrics;
mod paint;
mod stand_in;
#[cfg(test)]
mod tests;
mod theme;
mod truetype;

pub use extent::{Area, CellSize, Shown};
pub use theme::{Rgb, Theme};

use crate::screen::Screen;

/// How to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Cells are 10 pixels wide and 20 high, times this; from 1 to 4.
    pub scale: u8,
    pub theme: Theme,
}

impl Default for Options {
    fn default() -> Self {
        Self { scale: 1, theme: Theme::dark() }
    }
}

/// A screen as an image.
#[derive(Clone, Debug)]
pub struct Picture {
    pub png: Vec<u8>,
    /// In pixels: the cells that are shown times their size.
    pub width: u32,
    pub height: u32,
    /// From a place in the image to a cell of the screen. Smaller than asked for when the screen is large.
    pub cell: CellSize,
    /// What of the screen is in the image.
    pub shown: Shown,
}

/// The screen in the usual look. What does not fit is cut as [`draw`] says.
pub fn png(screen: &Screen) -> Vec<u8> {
    draw(screen, &Options::default()).png
}

/// The screen as an image of at most 8 million pixels and 8000 on a side. A screen that needs more gets smaller cells,
/// down to 5 by 10 pixels. If that is not enough it is cut to the part at the top left, moved down and to the right
/// just so far that a visible cursor is in it.
pub fn draw(screen: &Screen, options: &Options) -> Picture {
    let extent = extent::fit(screen.size(), screen.cursor(), options.scale);
    let canvas = paint::paint(screen, &extent, &options.theme);
    Picture {
        png: encode::png(&canvas),
        width: canvas.width(),
        height: canvas.height(),
        cell: extent.cell,
        shown: extent.shown,
    }
}
