//! From a character to its coverage, made once per image: drawn, from a font, or an empty box.

use std::collections::HashMap;

use zeno::{Command, Fill, Stroke, Style, Vector};

use super::mask::Mask;
use super::metrics::Metrics;
use super::truetype::{Contour, Face, Glyph};
use super::{blocks, box_drawing};

/// How far slanted letters lean, per unit of height.
const SLANT: f32 = 0.2;

/// The height that stays in place when letters are slanted or shrunk: the middle of capitals.
const MIDDLE: f32 = 746.0;

/// What makes a difference to the shape of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub c: char,
    /// One, or two for wide characters.
    pub cells: u8,
    pub bold: bool,
    pub italic: bool,
}

pub(super) struct Glyphs {
    metrics: Metrics,
    mono: Face,
    bold: Face,
    symbols: Face,
    made: HashMap<Shape, Mask>,
}

impl Glyphs {
    pub fn new(metrics: Metrics) -> Self {
        let face = |file| Face::read(file).expect("a bundled font is whole, which a test makes sure of");
        Self {
            metrics,
            mono: face(include_bytes!("fonts/mono.ttf")),
            bold: face(include_bytes!("fonts/mono-bold.ttf")),
            symbols: face(include_bytes!("fonts/symbols.ttf")),
            made: HashMap::new(),
        }
    }

    /// Empty for what shows nothing.
    pub fn get(&mut self, shape: Shape) -> &Mask {
        if !self.made.contains_key(&shape) {
            let mask = self.make(shape);
            self.made.insert(shape, mask);
        }
        &self.made[&shape]
    }

    /// A mark over, under or across another character; empty if it is invisible or not known, because a box would hide
    /// what it belongs to.
    pub fn mark(&mut self, shape: Shape) -> &Mask {
        let known = self.find(shape).is_some();
        if known { self.get(shape) } else { self.made.entry(shape).or_default() }
    }

    fn make(&self, shape: Shape) -> Mask {
        let c = shape.c;
        if c.is_whitespace() || c.is_control() {
            return Mask::default();
        }
        if let Some(mask) = box_drawing::draw(c, &self.metrics).or_else(|| blocks::draw(c, &self.metrics)) {
            return mask;
        }
        match self.find(shape) {
            Some((face, glyph)) => self.letter(face, glyph, shape),
            None => self.unknown(shape.cells),
        }
    }

    fn find(&self, shape: Shape) -> Option<(&Face, Glyph)> {
        let first = if shape.bold { &self.bold } else { &self.mono };
        [first, &self.mono, &self.symbols].into_iter().find_map(|face| Some((face, face.glyph(shape.c)?)))
    }

    fn letter(&self, face: &Face, glyph: Glyph, shape: Shape) -> Mask {
        let metrics = &self.metrics;
        let room = (metrics.width * i32::from(shape.cells)) as f32;
        let natural = face.advance(glyph) * metrics.scale_x;
        // Symbols come from a font with its own widths. A hair more than there is room is rounding, not width.
        let shrink = if natural > room + 0.01 { room / natural } else { 1.0 };
        let left = (room - natural * shrink) / 2.0;
        let lean = if shape.italic { SLANT } else { 0.0 };
        let place = |x: f32, y: f32| {
            let above =
                if shrink < 1.0 { (MIDDLE + (y - MIDDLE) * shrink) * metrics.scale_y } else { metrics.level(y) };
            // What is higher or deeper than the cell, such as two marks over each other, is pressed together, not cut.
            let above = above.clamp((metrics.baseline - metrics.height) as f32, metrics.baseline as f32);
            let x = (x * shrink + (y - MIDDLE) * lean) * metrics.scale_x;
            Vector::new(left + x, metrics.baseline as f32 - above)
        };
        let path: Vec<Command> = face.outline(glyph).iter().flat_map(|contour| closed(contour, &place)).collect();
        if path.is_empty() { Mask::default() } else { Mask::of(&path, Fill::NonZero.into()) }
    }

    /// An empty box, thin and pale so that a screen full of them stays calm.
    fn unknown(&self, cells: u8) -> Mask {
        let Metrics { width, height, stroke, baseline, x_height, .. } = self.metrics;
        let mut mask = Mask::empty((width * i32::from(cells)) as usize, height as usize);
        let inset = stroke as f32 * 1.5;
        let (left, right) = (inset, mask.width as f32 - inset);
        let (top, bottom) =
            ((baseline - x_height * 4 / 3) as f32 + inset - stroke as f32, baseline as f32 + stroke as f32 / 2.0);
        let path = [
            Command::MoveTo(Vector::new(left, top)),
            Command::LineTo(Vector::new(right, top)),
            Command::LineTo(Vector::new(right, bottom)),
            Command::LineTo(Vector::new(left, bottom)),
            Command::Close,
        ];
        mask.draw(&path, Style::Stroke(Stroke::new(stroke as f32)));
        mask.fade();
        mask
    }
}

/// A contour of a font as a path: between two points that pull, the curve passes through their middle.
fn closed(contour: &Contour, place: &impl Fn(f32, f32) -> Vector) -> Vec<Command> {
    let mut path = Vec::with_capacity(contour.len() + 2);
    let (Some(first), Some(last)) = (contour.first(), contour.last()) else { return path };
    let at = |point: &super::truetype::Point| place(point.x, point.y);
    let middle = |a: Vector, b: Vector| Vector::new(f32::midpoint(a.x, b.x), f32::midpoint(a.y, b.y));
    let start = match (first.corner, last.corner) {
        (true, _) => at(first),
        (false, true) => at(last),
        (false, false) => middle(at(first), at(last)),
    };
    path.push(Command::MoveTo(start));
    let mut pull: Option<Vector> = None;
    for point in contour.iter().skip(usize::from(first.corner)) {
        let to = at(point);
        match (pull, point.corner) {
            (None, true) => path.push(Command::LineTo(to)),
            (Some(by), true) => path.push(Command::QuadTo(by, to)),
            (None, false) => {}
            (Some(by), false) => path.push(Command::QuadTo(by, middle(by, to))),
        }
        pull = (!point.corner).then_some(to);
    }
    if let Some(by) = pull {
        path.push(Command::QuadTo(by, start));
    }
    path.push(Command::Close);
    path
}
