//! Blocks, braille and the arrows of prompts: shapes that must fill their part of the cell to its very edge. And the
//! underscore, which is too thin in the font to survive in small cells.

use std::ops::Range;

use zeno::{Cap, Command, Fill, Stroke, Vector};

use super::mask::Mask;
use super::metrics::Metrics;

pub(super) fn draw(c: char, metrics: &Metrics) -> Option<Mask> {
    let mut mask = Mask::empty(metrics.width as usize, metrics.height as usize);
    let code = u32::from(c);
    match code {
        0x5f => {
            let top = (metrics.baseline + 2 * metrics.stroke).min(metrics.height - metrics.stroke);
            mask.fill(0..metrics.width, top..top + metrics.stroke, 255);
        }
        0x2580..=0x259f => block(code, metrics, &mut mask),
        0x2800..=0x28ff => braille(code - 0x2800, metrics, &mut mask),
        0xe0b0..=0xe0bf => prompt(code, metrics, &mut mask),
        0x1fb00..=0x1fb3b => {
            // The halves of a cell are missing from the row: they are older characters.
            let at = code - 0x1fb00;
            grid(at + 1 + u32::from(at >= 20) + u32::from(at >= 40), 3, metrics, &mut mask);
        }
        _ => return None,
    }
    Some(mask)
}

fn block(code: u32, metrics: &Metrics, mask: &mut Mask) {
    let (width, height) = (metrics.width, metrics.height);
    let part = |length: i32, eighths: i32| (length * eighths + 4) / 8;
    let (across, along) = (0..width, 0..height);
    match code {
        0x5f => {
            let top = (metrics.baseline + 2 * metrics.stroke).min(metrics.height - metrics.stroke);
            mask.fill(0..metrics.width, top..top + metrics.stroke, 255);
        }
        0x2580 => mask.fill(across, 0..part(height, 4), 255),
        0x2581..=0x2588 => mask.fill(across, height - part(height, (code - 0x2580) as i32)..height, 255),
        0x2589..=0x258f => mask.fill(0..part(width, (0x2590 - code) as i32), along, 255),
        0x2590 => mask.fill(part(width, 4)..width, along, 255),
        0x2591..=0x2593 => mask.fill(across, along, ((code - 0x2590) * 64) as u8),
        0x2594 => mask.fill(across, 0..part(height, 1), 255),
        0x2595 => mask.fill(width - part(width, 1)..width, along, 255),
        _ => {
            // Upper left, upper right, lower left, lower right, from the lowest bit on.
            const QUADRANTS: [u32; 10] = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14];
            grid(QUADRANTS[(code - 0x2596) as usize % 10], 2, metrics, mask);
        }
    }
}

/// Two columns of equal parts; which are filled is in the bits, row by row.
fn grid(bits: u32, rows: i32, metrics: &Metrics, mask: &mut Mask) {
    let cut = |length: i32, parts: i32, at: i32| -> Range<i32> { length * at / parts..length * (at + 1) / parts };
    for at in (0..rows * 2).filter(|at| bits >> at & 1 == 1) {
        mask.fill(cut(metrics.width, 2, at % 2), cut(metrics.height, rows, at / 2), 255);
    }
}

fn braille(bits: u32, metrics: &Metrics, mask: &mut Mask) {
    /// Column and row of each bit's dot.
    const DOTS: [(i32, i32); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let size = (metrics.width * 3 / 10).max(1);
    for (bit, (column, row)) in DOTS.into_iter().enumerate() {
        if bits >> bit & 1 == 1 {
            let place = |length: i32, parts: i32, at: i32| {
                let start = (length * (at * 2 + 1) / parts - size) / 2;
                start..start + size
            };
            mask.fill(place(metrics.width, 2, column), place(metrics.height, 4, row), 255);
        }
    }
}

/// The separators that prompts and status lines are made of, in the private use area by common consent.
fn prompt(code: u32, metrics: &Metrics, mask: &mut Mask) {
    let (width, height) = (metrics.width as f32, metrics.height as f32);
    let at = |x: f32, y: f32| Vector::new(x * width, y * height);
    let line = |to: Vector| Command::LineTo(to);
    // Drawn as for the one that points right; its twin is the mirror image.
    let kind = code - 0xe0b0;
    let mirrored = matches!(kind, 2 | 3 | 6 | 7 | 10 | 11 | 14 | 15);
    let flip = |x: f32| if mirrored { 1.0 - x } else { x };
    let point = |x: f32, y: f32| at(flip(x), y);
    let path = match kind {
        0..4 => vec![Command::MoveTo(point(0.0, 0.0)), line(point(1.0, 0.5)), line(point(0.0, 1.0))],
        4..8 => vec![
            Command::MoveTo(point(0.0, 0.0)),
            Command::CurveTo(point(0.55, 0.0), point(1.0, 0.22), point(1.0, 0.5)),
            Command::CurveTo(point(1.0, 0.78), point(0.55, 1.0), point(0.0, 1.0)),
        ],
        8..12 => vec![Command::MoveTo(point(0.0, 0.0)), line(point(1.0, 1.0)), line(point(0.0, 1.0))],
        _ => vec![Command::MoveTo(point(1.0, 0.0)), line(point(0.0, 1.0)), line(point(0.0, 0.0))],
    };
    if kind.is_multiple_of(2) {
        mask.draw(&path, Fill::NonZero.into());
    } else {
        let open = if kind < 8 { &path[..] } else { &path[..2] };
        mask.draw(open, Stroke::new(metrics.stroke as f32 * 1.2).cap(Cap::Butt).into());
    }
}
