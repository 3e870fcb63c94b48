//! Tests of the images: what is in them is read back from the PNG, pixel by pixel.

mod bounds;
mod fonts;
mod lines;
mod looks;
mod programs;
mod text;

use std::io::Cursor;

use flightdeck_keeper::Size;
use png::{Decoder, Transformations};

use super::metrics::Metrics;
use super::{CellSize, Options, Rgb, Theme, draw};
use crate::screen::Screen;

const WIDTH: u32 = 10;
const HEIGHT: u32 = 20;

fn fed(rows: u16, cols: u16, bytes: impl AsRef<[u8]>) -> Screen {
    let mut screen = Screen::new(Size::new(rows, cols).expect("a size"));
    screen.feed(bytes.as_ref());
    screen
}

/// The image of a small screen without a cursor, which would only be in the way.
fn image(bytes: &str) -> Pixels {
    Pixels::of(&fed(3, 20, format!("\x1b[?25l{bytes}")))
}

fn theme() -> Theme {
    Theme::dark()
}

/// Of all sizes that cells can get.
fn all_metrics() -> impl Iterator<Item = Metrics> {
    [40, 30, 20, 10, 8, 6, 5].into_iter().map(|width| Metrics::of(CellSize { width, height: width * 2 }))
}

/// A decoded image.
#[derive(PartialEq, Eq)]
struct Pixels {
    width: u32,
    height: u32,
    data: Vec<u8>,
}

impl Pixels {
    fn of(screen: &Screen) -> Self {
        Self::decode(&draw(screen, &Options::default()).png)
    }

    fn decode(png: &[u8]) -> Self {
        let mut decoder = Decoder::new(Cursor::new(png));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a header");
        let mut data = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut data).expect("an image");
        assert_eq!(info.line_size, info.width as usize * 3, "three bytes per pixel");
        Self { width: info.width, height: info.height, data }
    }

    fn at(&self, x: u32, y: u32) -> Rgb {
        let at = (y * self.width + x) as usize * 3;
        Rgb(self.data[at], self.data[at + 1], self.data[at + 2])
    }

    /// The pixels of a part of the image, row by row.
    fn part(&self, left: u32, top: u32, width: u32, height: u32) -> Vec<Rgb> {
        (top..top + height).flat_map(|y| (left..left + width).map(move |x| self.at(x, y))).collect()
    }

    fn cell(&self, row: u32, col: u32) -> Vec<Rgb> {
        self.part(col * WIDTH, row * HEIGHT, WIDTH, HEIGHT)
    }

    /// How many pixels of a cell are not of the background.
    fn ink(&self, row: u32, col: u32) -> usize {
        self.cell(row, col).iter().filter(|pixel| **pixel != theme().background).count()
    }

    /// Whether a cell is of one colour.
    fn is_plain(&self, row: u32, col: u32, color: Rgb) -> bool {
        self.cell(row, col).iter().all(|pixel| *pixel == color)
    }
}
