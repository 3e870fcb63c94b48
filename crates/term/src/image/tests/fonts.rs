//! The bundled fonts are whole, and their letters fit into cells of every size.

use super::all_metrics;
use crate::image::glyphs::{Glyphs, Shape};
use crate::image::truetype::Face;

const FILES: [(&str, &[u8], usize); 3] = [
    ("mono", include_bytes!("../fonts/mono.ttf"), 2533),
    ("mono-bold", include_bytes!("../fonts/mono-bold.ttf"), 1888),
    ("symbols", include_bytes!("../fonts/symbols.ttf"), 489),
];

fn face(file: &'static [u8]) -> Face {
    Face::read(file).expect("a font")
}

#[test]
fn every_glyph_can_be_read() {
    for (name, file, count) in FILES {
        let face = face(file);
        let mut found = 0;
        for c in '\0'..=char::MAX {
            let Some(glyph) = face.glyph(c) else { continue };
            found += 1;
            let contours = face.outline(glyph);
            let blank = c.is_whitespace() || matches!(c, '\u{ad}' | '\u{2000}'..='\u{206f}');
            assert!(blank || contours.iter().any(|contour| contour.len() > 2), "{name}: {c:?} has no outline");
            for point in contours.iter().flatten() {
                let sane = (-2048.0..6144.0).contains(&point.x) && (-2048.0..4096.0).contains(&point.y);
                assert!(sane, "{name}: {c:?} has a point at {point:?}");
            }
            assert!(
                name == "symbols" || (face.advance(glyph) - 1233.0).abs() < 0.5,
                "{name}: {c:?} is as wide as a cell"
            );
        }
        assert_eq!(found, count, "{name}");
    }
}

/// What fonttools says of some glyphs: one plain, one round, one composite.
#[test]
fn outlines_are_as_others_read_them() {
    let face = face(FILES[0].1);
    for (c, left, bottom, right, top) in
        [('x', 76.0, 0.0, 1157.0, 1120.0), ('g', 123.0, -440.0, 1042.0, 1147.0), ('é', 123.0, -29.0, 1112.0, 1638.0)]
    {
        let outline = face.outline(face.glyph(c).expect("a letter"));
        let points: Vec<_> = outline.iter().flatten().collect();
        let least = |of: &dyn Fn(usize) -> f32| (0..points.len()).map(of).fold(f32::MAX, f32::min);
        let bounds = (
            least(&|at| points[at].x),
            least(&|at| points[at].y),
            -least(&|at| -points[at].x),
            -least(&|at| -points[at].y),
        );
        assert_eq!(bounds, (left, bottom, right, top), "{c}");
    }
    assert_eq!(face.glyph('漢'), None);
}

#[test]
fn letters_fit_and_none_vanishes() {
    for metrics in all_metrics() {
        let mut glyphs = Glyphs::new(metrics);
        for bold in [false, true] {
            for c in ('!'..='~').chain('À'..='ž').chain('Α'..='Ω').chain('Ϊ'..='ώ').chain('А'..='я') {
                let mask = glyphs.get(Shape { c, cells: 1, bold, italic: false });
                let darkest = mask.coverage.iter().max().copied().unwrap_or_default();
                assert!(darkest >= 60, "{c} of {metrics:?} is hardly there: {darkest}");
                let cut = mask.top < 0 || mask.bottom() > metrics.height;
                assert!(!cut, "{c} of {metrics:?} is cut: {} to {}", mask.top, mask.bottom());
                // The háček of ď hangs over in the font itself.
                let beside = mask.left < -1 || mask.left + mask.width as i32 > metrics.width + 1;
                assert!(!beside || !c.is_ascii(), "{c} of {metrics:?} is in the next cell");
            }
        }
    }
}

#[test]
fn letters_stand_on_one_line() {
    for metrics in all_metrics() {
        let mut glyphs = Glyphs::new(metrics);
        for c in "abcdehiklmnorstuvwxzABCDEHIMOSXZ0123456789".chars() {
            let bottom = glyphs.get(Shape { c, cells: 1, bold: false, italic: false }).bottom();
            assert_eq!(bottom, metrics.baseline, "{c} of {metrics:?}");
        }
        for c in "acemnorsuvwxz".chars() {
            let top = glyphs.get(Shape { c, cells: 1, bold: false, italic: false }).top;
            assert_eq!(top, metrics.baseline - metrics.x_height, "{c} of {metrics:?}");
        }
    }
}
