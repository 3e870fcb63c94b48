//! Lines under and through text.

use zeno::{Cap, Command, Stroke, Vector};

use super::canvas::{Canvas, Rect};
use super::mask::Mask;
use super::metrics::Metrics;
use super::theme::Inks;
use crate::screen::Flags;

/// Draws what the flags ask for over a number of cells, from the top left of the first.
pub(super) fn draw(canvas: &mut Canvas, metrics: &Metrics, flags: Flags, inks: Inks, (x, y): (i32, i32), cells: i32) {
    let Metrics { width, height, stroke, baseline, x_height, .. } = *metrics;
    let mut line = |left: i32, top: i32, length: i32, color| {
        canvas.fill(Rect::of_size(x + left, y + top, length, stroke), color);
    };
    let all = cells * width;
    // As far below the letters as there is room, so that descenders stay legible.
    let under = (baseline + stroke).min(height - stroke);
    if flags.contains(Flags::UNDERLINE) {
        line(0, under, all, inks.line);
    }
    if flags.contains(Flags::DOUBLE_UNDERLINE) {
        line(0, height - 3 * stroke, all, inks.line);
        line(0, height - stroke, all, inks.line);
    }
    // Patterns repeat with the cells, so they go on without a seam where the look of the text changes.
    let (dash, dot) = (width * 3 / 5, stroke.max(width / 5));
    if flags.contains(Flags::DASHED_UNDERLINE) {
        (0..cells).for_each(|cell| line(cell * width + (width - dash) / 2, under, dash, inks.line));
    }
    if flags.contains(Flags::DOTTED_UNDERLINE) {
        let step = dot * 2;
        (0..all).step_by(step as usize).for_each(|left| line(left, under, dot.min(all - left), inks.line));
    }
    if flags.contains(Flags::STRIKEOUT) {
        line(0, baseline - i32::midpoint(x_height, stroke), all, inks.text);
    }
    if flags.contains(Flags::UNDERCURL) {
        let curl = curl(metrics);
        let within = Rect::of_size(x, y, all, height);
        (0..cells).for_each(|cell| canvas.blend(&curl, (x + cell * width, y), within, inks.line));
    }
}

/// One wave, as wide as a cell.
fn curl(metrics: &Metrics) -> Mask {
    let Metrics { width, height, stroke, .. } = *metrics;
    let mut mask = Mask::empty(width as usize, height as usize);
    let rise = stroke as f32 * 1.5;
    let middle = height as f32 - rise - stroke as f32 / 2.0;
    let quarter = width as f32 / 4.0;
    // From one cell before to one behind, so that the ends of the line are not in sight.
    let mut path = vec![Command::MoveTo(Vector::new(-4.0 * quarter, middle))];
    for half in -2..4_i16 {
        let (left, up) = (f32::from(half) * 2.0 * quarter, if half % 2 == 0 { -rise } else { rise });
        // A curve gets halfway to its handle.
        path.push(Command::QuadTo(
            Vector::new(left + quarter, middle + up * 2.0),
            Vector::new(left + 2.0 * quarter, middle),
        ));
    }
    mask.draw(&path, Stroke::new(stroke as f32 * 1.2).cap(Cap::Butt).into());
    mask
}
