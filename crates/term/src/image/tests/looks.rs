//! Colours, attributes and the cursor.

use super::{HEIGHT, Pixels, WIDTH, fed, image, theme};
use crate::image::Rgb;

#[test]
fn grounds() {
    let pixels = image("\x1b[41m \x1b[102m \x1b[48;5;196m \x1b[48;5;244m \x1b[48;2;1;2;3m \x1b[m ");
    let expected =
        [theme().ansi[1], theme().ansi[10], Rgb(255, 0, 0), Rgb(128, 128, 128), Rgb(1, 2, 3), theme().background];
    for (col, color) in expected.into_iter().enumerate() {
        assert!(pixels.is_plain(0, col as u32, color), "column {col}");
    }
}

#[test]
fn text_has_its_color() {
    let pixels = image("\x1b[32m█\x1b[38;2;9;8;7m█\x1b[m█");
    assert!(pixels.is_plain(0, 0, theme().ansi[2]));
    assert!(pixels.is_plain(0, 1, Rgb(9, 8, 7)));
    assert!(pixels.is_plain(0, 2, theme().foreground));
}

#[test]
fn inverse_swaps() {
    let pixels = image("\x1b[31;44;7m █\x1b[m\x1b[7m █");
    assert!(pixels.is_plain(0, 0, theme().ansi[1]));
    assert!(pixels.is_plain(0, 1, theme().ansi[4]));
    assert!(pixels.is_plain(0, 2, theme().foreground));
    assert!(pixels.is_plain(0, 3, theme().background));
}

#[test]
fn hidden_text_leaves_no_trace() {
    assert!(image("\x1b[8;4;9mxyz") == image(""));
    assert!(image("\x1b[8;42mx").is_plain(0, 0, theme().ansi[2]));
}

#[test]
fn dim_is_between_text_and_ground() {
    let Rgb(dim, ..) = image("\x1b[2m█").at(0, 0);
    assert!(dim > theme().background.0 + 40 && dim < theme().foreground.0 - 40, "{dim}");
}

#[test]
fn default_text_stays_legible_on_a_light_ground() {
    let pixels = image("\x1b[47m█\x1b[41m█\x1b[37;47m█");
    assert!(pixels.is_plain(0, 0, theme().background));
    assert!(pixels.is_plain(0, 1, theme().foreground), "the theme's where it can be read");
    assert!(pixels.is_plain(0, 2, theme().ansi[7]), "what the program chose is never changed");
}

#[test]
fn bold_has_more_ink_and_italic_leans() {
    let weight = |pixels: &Pixels| pixels.cell(0, 0).iter().map(|pixel| u32::from(pixel.0)).sum::<u32>();
    assert!(weight(&image("\x1b[1mH")) > weight(&image("H")) * 11 / 10);
    let middle = |pixels: &Pixels, rows: std::ops::Range<u32>| {
        let ink: Vec<u32> = rows.flat_map(|y| (0..WIDTH).filter(move |x| pixels.at(*x, y).0 > 100)).collect();
        f64::from(ink.iter().sum::<u32>()) / ink.len() as f64
    };
    let (plain, italic) = (image("|"), image("\x1b[3m|"));
    assert!((middle(&plain, 4..8) - middle(&plain, 13..17)).abs() < 0.1);
    assert!(middle(&italic, 4..8) > middle(&italic, 13..17) + 1.0);
}

#[test]
fn underlines_differ() {
    let kinds = ["", "\x1b[4m", "\x1b[4:2m", "\x1b[4:3m", "\x1b[4:4m", "\x1b[4:5m", "\x1b[9m"];
    let images: Vec<Pixels> = kinds.iter().map(|kind| image(&format!("{kind}    "))).collect();
    for (at, pixels) in images.iter().enumerate() {
        assert_eq!(pixels.ink(0, 3) > 0, at > 0, "{:?}", kinds[at]);
        assert_eq!(pixels.ink(0, 4), 0, "{:?} ends with its run", kinds[at]);
        assert!(images[..at].iter().all(|other| other != pixels), "{:?} looks like another", kinds[at]);
    }
    // Without a gap, under blanks as well.
    let row = |pixels: &Pixels, y| pixels.part(0, y, 4 * WIDTH, 1).iter().all(|pixel| *pixel == theme().foreground);
    assert_eq!((0..HEIGHT).filter(|y| row(&images[1], *y)).collect::<Vec<_>>(), [17]);
    assert_eq!((0..HEIGHT).filter(|y| row(&images[2], *y)).collect::<Vec<_>>(), [17, 19]);
    assert_eq!((0..HEIGHT).filter(|y| row(&images[6], *y)).collect::<Vec<_>>(), [11]);
}

#[test]
fn underlines_have_their_own_color() {
    let pixels = image("\x1b[4;32;58:5:9m ");
    assert_eq!(pixels.at(0, 17), theme().ansi[9]);
    assert_eq!(image("\x1b[4;32m ").at(0, 17), theme().ansi[2]);
}

#[test]
fn cursors() {
    let cursor = theme().cursor;
    let shown = |style: &str| Pixels::of(&fed(2, 6, format!("{style}\x1b[2;3H")));
    let part = |pixels: &Pixels, left, top, width, height| {
        let inside = pixels.part(2 * WIDTH + left, HEIGHT + top, width, height).iter().all(|pixel| *pixel == cursor);
        let all = (0..pixels.height).flat_map(|y| (0..pixels.width).map(move |x| (x, y)));
        inside && all.filter(|(x, y)| pixels.at(*x, *y) == cursor).count() == (width * height) as usize
    };
    assert!(part(&shown(""), 0, 0, WIDTH, HEIGHT));
    assert!(part(&shown("\x1b[2 q"), 0, 0, WIDTH, HEIGHT));
    assert!(part(&shown("\x1b[4 q"), 0, HEIGHT - 2, WIDTH, 2));
    assert!(part(&shown("\x1b[6 q"), 0, 0, 2, HEIGHT));
    let hidden = shown("\x1b[?25l");
    assert!(hidden.part(0, 0, hidden.width, hidden.height).iter().all(|pixel| *pixel == theme().background));
}

#[test]
fn a_block_cursor_shows_the_letter_in_it() {
    let pixels = Pixels::of(&fed(1, 4, "a\x1b[31mH\x1b[1;2H"));
    let cell = pixels.cell(0, 1);
    assert_eq!(cell[0], theme().cursor);
    assert!(cell.contains(&theme().background), "the letter is dark now");
    assert!(!cell.contains(&theme().ansi[1]));
}

#[test]
fn a_cursor_is_as_wide_as_what_it_is_on() {
    let pixels = Pixels::of(&fed(1, 6, "a漢b\x1b[1;2H"));
    for col in [1, 2] {
        assert_eq!(pixels.at(col * WIDTH + 5, 0), theme().cursor, "column {col}");
    }
    assert_eq!(pixels.at(3 * WIDTH + 5, 0), theme().background);
}
