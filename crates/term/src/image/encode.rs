//! The canvas as PNG, with a palette when there are few enough colours: a third of the bytes, and less time.

use std::io::Write as _;

use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};

use super::canvas::Canvas;

/// What a palette can have.
const COLORS: usize = 256;

/// A part of the file; many would cost time, one as large as the image memory.
const CHUNK: usize = 64 * 1024;

pub(super) fn png(canvas: &Canvas) -> Vec<u8> {
    let mut png = Vec::new();
    write(canvas, &mut png).expect("memory takes everything, and the data is as long as the header says");
    png
}

fn write(canvas: &Canvas, png: &mut Vec<u8>) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(png, canvas.width(), canvas.height());
    encoder.set_depth(BitDepth::Eight);
    // Screens are made of repeating glyphs: that is what deflate finds by itself. Filters are for photographs.
    encoder.set_filter(Filter::NoFilter);
    let indexed = indexed(canvas.pixels());
    let data = if let Some(Indexed { palette, pixels }) = &indexed {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(palette.as_flattened());
        encoder.set_deflate_compression(DeflateCompression::Level(4));
        pixels
    } else {
        encoder.set_color(ColorType::Rgb);
        // Three times the bytes; more effort would take longer than all the rest and save a third.
        encoder.set_deflate_compression(DeflateCompression::Level(1));
        canvas.pixels().as_flattened()
    };
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer_with_size(CHUNK)?;
    stream.write_all(data)?;
    stream.finish()?;
    writer.finish()
}

struct Indexed {
    palette: Vec<[u8; 3]>,
    pixels: Vec<u8>,
}

/// `None` if there are more colours than a palette can have.
fn indexed(pixels: &[[u8; 3]]) -> Option<Indexed> {
    let mut places = Places::new();
    let mut indexes = Vec::with_capacity(pixels.len());
    // Neighbours mostly are the same.
    let mut last = (*pixels.first()?, places.of(*pixels.first()?)?);
    for pixel in pixels {
        if *pixel != last.0 {
            last = (*pixel, places.of(*pixel)?);
        }
        indexes.push(last.1);
    }
    Some(Indexed { palette: places.palette, pixels: indexes })
}

/// Where colours are in the palette: a hash table with four slots for each that fits.
struct Places {
    palette: Vec<[u8; 3]>,
    /// One more than the place; 0 is free.
    slots: [u16; COLORS * 4],
}

impl Places {
    fn new() -> Self {
        Self { palette: Vec::new(), slots: [0; COLORS * 4] }
    }

    fn of(&mut self, color: [u8; 3]) -> Option<u8> {
        let [r, g, b] = color.map(u32::from);
        let hash = ((r << 16 | g << 8 | b).wrapping_mul(0x9e37_79b1) >> 22) as usize;
        // Always ends: three of four slots are free.
        for slot in (hash..).map(|slot| slot % self.slots.len()) {
            match self.slots[slot] {
                0 if self.palette.len() == COLORS => return None,
                0 => {
                    self.palette.push(color);
                    self.slots[slot] = self.palette.len() as u16;
                    return Some((self.palette.len() - 1) as u8);
                }
                place if self.palette[usize::from(place) - 1] == color => return Some((place - 1) as u8),
                _ => {}
            }
        }
        None
    }
}
