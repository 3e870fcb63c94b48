//! A frame on a painter: grounds, then glyphs in runs, then lines; only the rows that Qt asks for.

use core::pin::Pin;
use std::collections::HashMap;

use cxx::UniquePtr;
use flightdeck_view::frame::{Cursor, Frame, Line, Stretch, clusters};
use flightdeck_view::tokens::{Palette, Rgb};

use crate::bridge::terminal::qobject::{Fonts, QPainter, make_fonts};

/// The faces of one size, and which glyph of them a character is.
pub struct Canvas {
    pub pixels: i32,
    fonts: UniquePtr<Fonts>,
    known: HashMap<(u8, char), u32>,
    ids: Vec<u32>,
    places: Vec<f64>,
}

impl Canvas {
    pub fn new(pixels: i32) -> Self {
        Canvas { pixels, fonts: make_fonts(pixels), known: HashMap::new(), ids: Vec::new(), places: Vec::new() }
    }

    /// The width and height of a cell.
    pub fn cell(&self) -> (i32, i32) {
        (self.fonts.width(), self.fonts.height())
    }

    pub fn paint(
        &mut self,
        mut painter: Pin<&mut QPainter>,
        (width, height): (f64, f64),
        frame: Option<&Frame>,
        palette: &Palette,
        focused: bool,
        preedit: &str,
    ) {
        let (top, bottom) = (self.fonts.clip_top(&painter), self.fonts.clip_bottom(&painter, height));
        self.fonts.fill(painter.as_mut(), 0.0, top, width, bottom - top, opaque(palette.ground));
        let Some(frame) = frame else { return };
        let cell = f64::from(self.fonts.height());
        for (row, stretches) in frame.rows.iter().enumerate() {
            let y = row as f64 * cell;
            if y + cell <= top || y >= bottom {
                continue;
            }
            for stretch in stretches {
                self.ground(painter.as_mut(), stretch, y);
            }
            for stretch in stretches {
                self.stretch(painter.as_mut(), stretch, y);
            }
        }
        if let Some(cursor) = frame.cursor {
            self.cursor(painter.as_mut(), frame, cursor, palette, focused);
            if !preedit.is_empty() {
                self.preedit(painter, cursor, preedit, palette);
            }
        }
    }

    fn ground(&self, painter: Pin<&mut QPainter>, stretch: &Stretch, y: f64) {
        if let Some(bg) = stretch.bg {
            let (w, h) = (f64::from(self.fonts.width()), f64::from(self.fonts.height()));
            self.fonts.fill(painter, f64::from(stretch.column) * w, y, f64::from(stretch.columns) * w, h, opaque(bg));
        }
    }

    fn stretch(&mut self, mut painter: Pin<&mut QPainter>, stretch: &Stretch, y: f64) {
        let (w, ascent) = (f64::from(self.fonts.width()), f64::from(self.fonts.ascent()));
        let (x, fg) = (f64::from(stretch.column) * w, opaque(stretch.fg));
        let face = u8::from(stretch.bold) | u8::from(stretch.italic) << 1;
        self.ids.clear();
        self.places.clear();
        for (column, cluster) in clusters(&stretch.text) {
            let at = x + f64::from(column) * w;
            let mut chars = cluster.chars();
            let glyph = match (chars.next(), chars.next()) {
                (Some(' '), None) => continue,
                (Some(c), None) => self.glyph(face, c),
                _ => 0,
            };
            if glyph == 0 {
                // Marks, and characters that another font has.
                self.fonts.text(painter.as_mut(), face, fg, at, y + ascent, cluster);
            } else {
                self.ids.push(glyph);
                self.places.extend([at, 0.0]);
            }
        }
        if !self.ids.is_empty() {
            self.fonts.glyphs(painter.as_mut(), face, fg, y + ascent, &self.ids, &self.places);
        }
        let across = f64::from(stretch.columns) * w;
        if let Some(underline) = stretch.underline {
            let line = match underline.line {
                Line::Single => 0,
                Line::Double => 1,
                Line::Curly => 2,
                Line::Dotted => 3,
                Line::Dashed => 4,
            };
            self.fonts.underline(painter.as_mut(), line, x, y + ascent + 2.0, across, opaque(underline.colour));
        }
        if stretch.strikeout {
            self.fonts.fill(painter, x, y + (ascent * 0.7).round(), across, 1.0, fg);
        }
    }

    fn glyph(&mut self, face: u8, c: char) -> u32 {
        let fonts = &self.fonts;
        *self.known.entry((face, c)).or_insert_with(|| fonts.glyph(face, c as u32))
    }

    fn cursor(
        &mut self,
        mut painter: Pin<&mut QPainter>,
        frame: &Frame,
        cursor: Cursor,
        palette: &Palette,
        focused: bool,
    ) {
        use flightdeck_view::frame::Shape;
        let (w, h) = (f64::from(self.fonts.width()), f64::from(self.fonts.height()));
        let (x, y) = (f64::from(cursor.column) * w, f64::from(cursor.row) * h);
        let (across, ink) = (f64::from(cursor.columns) * w, opaque(palette.text));
        if !focused {
            // An outline: keys go elsewhere.
            for (x, y, w, h) in
                [(x, y, across, 1.0), (x, y + h - 1.0, across, 1.0), (x, y, 1.0, h), (x + across - 1.0, y, 1.0, h)]
            {
                self.fonts.fill(painter.as_mut(), x, y, w, h, ink);
            }
            return;
        }
        match cursor.shape {
            Shape::Beam => self.fonts.fill(painter, x, y, 2.0, h, ink),
            Shape::Underline => self.fonts.fill(painter, x, y + h - 2.0, across, 2.0, ink),
            Shape::Block => {
                self.fonts.fill(painter.as_mut(), x, y, across, h, ink);
                let below = frame.rows.get(usize::from(cursor.row)).and_then(|row| under(row, cursor.column));
                if let Some(character) = below {
                    self.fonts.text(
                        painter,
                        0,
                        opaque(palette.ground),
                        x,
                        y + f64::from(self.fonts.ascent()),
                        character,
                    );
                }
            }
        }
    }

    /// What an input method is about to make, at the cursor.
    fn preedit(&mut self, mut painter: Pin<&mut QPainter>, cursor: Cursor, text: &str, palette: &Palette) {
        let (w, h) = (f64::from(self.fonts.width()), f64::from(self.fonts.height()));
        let (x, y) = (f64::from(cursor.column) * w, f64::from(cursor.row) * h);
        let across = clusters(text).last().map_or(0.0, |(column, _)| f64::from(column + 1) * w);
        self.fonts.fill(painter.as_mut(), x, y, across, h, opaque(palette.selection));
        self.fonts.text(painter, 0, opaque(palette.text), x, y + f64::from(self.fonts.ascent()), text);
    }
}

/// The character in a column.
fn under(row: &[Stretch], column: u16) -> Option<&str> {
    let stretch = row.iter().find(|one| (one.column..one.column + one.columns).contains(&column))?;
    clusters(&stretch.text).find(|(at, _)| stretch.column + at == column).map(|(_, cluster)| cluster)
}

fn opaque(colour: Rgb) -> u32 {
    0xff00_0000 | colour.0
}
