//! Letters in their cells: wide ones, marks, unknown ones.

use super::{HEIGHT, WIDTH, image, theme};
use crate::image::glyphs::{Glyphs, Shape};
use crate::image::metrics::Metrics;
use crate::image::{CellSize, stand_in};

#[test]
fn wide_characters_take_two_cells() {
    for wide in ["漢", "😀", "🚀"] {
        let pixels = image(&format!("{wide}█"));
        assert!(pixels.ink(0, 0) > 0 && pixels.ink(0, 1) > 0, "{wide} is in both cells");
        assert!(pixels.is_plain(0, 2, theme().foreground), "what follows {wide} is in the third");
    }
    let pixels = image("漢漢");
    assert!(pixels.part(0, 0, 2 * WIDTH, HEIGHT) == pixels.part(2 * WIDTH, 0, 2 * WIDTH, HEIGHT));
}

#[test]
fn a_wide_ground_covers_two_cells() {
    let pixels = image("\x1b[41m漢\x1b[m█");
    assert_eq!(pixels.at(0, 0), theme().ansi[1]);
    assert_eq!(pixels.at(2 * WIDTH - 1, HEIGHT - 1), theme().ansi[1]);
}

#[test]
fn columns_hold_after_changes_of_look() {
    let pixels = image("漢\x1b[31m字\x1b[32m█a\u{301}\x1b[m\t█");
    assert!(pixels.is_plain(0, 4, theme().ansi[2]));
    assert!(pixels.is_plain(0, 8, theme().foreground));
}

#[test]
fn an_overwritten_half_moves_nothing() {
    let pixels = image("漢字█\x1b[1;2Hx");
    assert_eq!(pixels.ink(0, 0), 0);
    assert!(pixels.ink(0, 2) > 0 && pixels.ink(0, 3) > 0);
    assert!(pixels.is_plain(0, 4, theme().foreground));
}

#[test]
fn unknown_characters_are_boxes() {
    let pixels = image("\u{e700}漢");
    let (narrow, wide) = (pixels.part(0, 0, WIDTH, HEIGHT), pixels.part(WIDTH, 0, 2 * WIDTH, HEIGHT));
    let ground = theme().background;
    assert!(narrow.iter().any(|pixel| *pixel != ground));
    for (cell, width) in [(&narrow, WIDTH), (&wide, 2 * WIDTH)] {
        let row = |y: u32| &cell[(y * width) as usize..((y + 1) * width) as usize];
        let inked = |y: u32| row(y).iter().filter(|pixel| **pixel != ground).count() as u32;
        assert_eq!((0..HEIGHT).filter(|y| inked(*y) >= width - 3).count(), 2, "a lid and a floor");
        assert_eq!(inked(10), 2, "two walls");
    }
    assert_eq!(image("\u{e700}").cell(0, 0), image("\u{e701}").cell(0, 0));
}

#[test]
fn blanks_show_nothing() {
    let pixels = image(" \u{a0}\u{2003}\u{3000}\u{2800}\tx");
    assert!((0..6).all(|col| pixels.ink(0, col) == 0));
}

#[test]
fn marks_join_their_letter() {
    let (plain, marked) = (image("ex"), image("e\u{301}x"));
    assert!(marked.ink(0, 0) > plain.ink(0, 0));
    assert_eq!(marked.cell(0, 1), plain.cell(0, 1), "the next letter stays where it is");
    assert!(marked.part(0, 0, WIDTH, 7).iter().any(|pixel| *pixel != theme().background), "above the letter");
    // Over a capital the mark moves up instead of into it.
    let (plain, marked) = (image("H"), image("H\u{301}"));
    assert_eq!(plain.part(0, 5, WIDTH, 15), marked.part(0, 5, WIDTH, 15));
    assert!(marked.ink(0, 0) > plain.ink(0, 0));
}

#[test]
fn unknown_and_invisible_marks_leave_no_box() {
    assert!(image("x\u{fe0f}y\u{200d}") == image("xy"));
    assert!(image("x\u{1abe}y") == image("xy"));
}

#[test]
fn stand_ins_are_needed_and_known() {
    let mut glyphs = Glyphs::new(Metrics::of(CellSize { width: 10, height: 20 }));
    let shape = |c| Shape { c, cells: 2, bold: false, italic: false };
    let unknown = glyphs.get(shape('漢')).coverage.clone();
    let mut found = 0;
    for c in '\0'..=char::MAX {
        let Some(stand_in) = stand_in::of(c) else { continue };
        found += 1;
        assert_eq!(glyphs.get(shape(c)).coverage, unknown, "{c} needs none");
        assert_ne!(glyphs.get(shape(stand_in.c)).coverage, unknown, "{} for {c} is unknown too", stand_in.c);
    }
    assert!(found > 20);
    assert!(image("✅").cell(0, 0).contains(&theme().ansi[10]), "the colour of a tick is its meaning");
}
