//! Sizes, and what happens to screens that are too large.

use flightdeck_keeper::Size;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::{Pixels, fed};
use crate::image::extent::{Area, Extent, Shown, fit};
use crate::image::{CellSize, Options, Theme, draw, png};
use crate::screen::Cursor;

fn extent(rows: u16, cols: u16, cursor: Option<(u16, u16)>, scale: u8) -> Extent {
    let (row, col) = cursor.unwrap_or_default();
    let cursor = Cursor { row, col, visible: cursor.is_some(), ..Cursor::default() };
    fit(Size::new(rows, cols).expect("a size"), cursor, scale)
}

#[test]
fn as_large_as_its_cells() {
    let picture = draw(&fed(24, 80, ""), &Options::default());
    assert_eq!((picture.width, picture.height), (800, 480));
    assert_eq!(picture.cell, CellSize { width: 10, height: 20 });
    assert_eq!(picture.shown, Shown::Whole);
    let pixels = Pixels::decode(&png(&fed(24, 80, "")));
    assert_eq!((pixels.width, pixels.height), (800, 480));
}

#[test]
fn a_scale_makes_it_larger() {
    let picture = draw(&fed(5, 7, "x"), &Options { scale: 3, theme: Theme::dark() });
    assert_eq!((picture.width, picture.height), (210, 300));
    for (scale, width) in [(0, 10), (1, 10), (2, 20), (4, 40), (200, 40)] {
        assert_eq!(extent(24, 80, None, scale).cell.width, width, "scale {scale}");
    }
}

#[test]
fn cells_shrink_before_anything_is_cut() {
    for (rows, cols, width) in [(100, 400, 10), (101, 400, 8), (200, 400, 6), (400, 400, 5), (100, 1600, 5)] {
        let extent = extent(rows, cols, None, 1);
        assert_eq!((extent.cell.width, extent.shown), (width, Shown::Whole), "{rows} by {cols}");
    }
}

#[test]
fn a_cut_keeps_the_cursor() {
    let area = |row, col| Shown::Part(Area { row, col, rows: 100, cols: 1600 });
    assert_eq!(extent(2000, 2000, None, 1).shown, area(0, 0));
    assert_eq!(extent(2000, 2000, Some((0, 0)), 1).shown, area(0, 0));
    assert_eq!(extent(2000, 2000, Some((99, 1599)), 1).shown, area(0, 0));
    assert_eq!(extent(2000, 2000, Some((100, 1600)), 1).shown, area(1, 1));
    assert_eq!(extent(2000, 2000, Some((1999, 1999)), 1).shown, area(1900, 400));
}

#[test]
fn a_tall_screen_is_cut_to_where_the_cursor_is() {
    let picture = draw(&fed(2000, 4, "\x1b[1500;1H\x1b[41m  \x1b[1501;1Hab"), &Options::default());
    assert_eq!(picture.shown, Shown::Part(Area { row: 701, col: 0, rows: 800, cols: 4 }));
    let pixels = Pixels::decode(&picture.png);
    assert_eq!((pixels.width, pixels.height), (20, 8000));
    // The row above the cursor's, which is the last one.
    assert_eq!(pixels.at(0, 7980), Theme::dark().ansi[1]);
    assert_eq!(pixels.at(0, 7970), Theme::dark().background);
}

#[test]
fn no_size_takes_more_than_there_is() {
    for rows in (1..=2000).step_by(37).chain([2000]) {
        for cols in (1..=2000).step_by(41).chain([2000]) {
            let Extent { cell, area, shown } = extent(rows, cols, Some((rows - 1, cols - 1)), 4);
            let (width, height) =
                (u32::from(area.cols) * u32::from(cell.width), u32::from(area.rows) * u32::from(cell.height));
            assert!(width * height <= 8_000_000 && width.max(height) <= 8000, "{rows} by {cols}: {width} by {height}");
            assert!(area.rows > 0 && area.cols > 0);
            assert_eq!((area.row + area.rows, area.col + area.cols), (rows, cols));
            assert_eq!(shown == Shown::Whole, (area.rows, area.cols) == (rows, cols));
        }
    }
}

/// Pieces of what programs print, and noise.
fn output() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        vec(any::<u8>(), 0..20),
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
        "[ -~─-╿▀-▟⠀-⣿漢字😀\u{300}-\u{36f}\u{e0a0}-\u{e0bf}\t\r\n]{1,8}".prop_map(String::into_bytes),
        (0..110_u8, any::<u8>()).prop_map(|(a, b)| format!("\x1b[{a};38;5;{b};58;5;{b}m").into_bytes()),
        (1..9_u8, 0..6_u8).prop_map(|(cursor, line)| format!("\x1b[{cursor} q\x1b[4:{line}m").into_bytes()),
        (1..70_u8, 1..70_u8).prop_map(|(row, col)| format!("\x1b[{row};{col}H").into_bytes()),
        (1..5_u8, prop::sample::select(vec!['P', '@', 'X', 'K', 'J', 'L']))
            .prop_map(|(count, end)| format!("\x1b[{count}{end}").into_bytes()),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(Config { cases: 200, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_output_on_any_screen(rows in 1..=60_u16, cols in 1..=60_u16, scale in 1..=2_u8, bytes in output()) {
        let options = Options { scale, theme: Theme::dark() };
        let pixels = Pixels::decode(&draw(&fed(rows, cols, &bytes), &options).png);
        let scale = u32::from(scale);
        prop_assert_eq!((pixels.width, pixels.height), (u32::from(cols) * 10 * scale, u32::from(rows) * 20 * scale));
    }
}
