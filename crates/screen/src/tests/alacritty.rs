//! A snapshot is for other terminals too. Alacritty itself is the one at hand: its parser with its engine.

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::{Processor, StdSyncHandler};
use proptest::prelude::*;

use super::grammar::{any_size, flood};
use super::{cases, fed, screen, size};

type Alacritty = Term<VoidListener>;

fn attached(rows: u16, cols: u16, snapshot: &[u8]) -> Alacritty {
    // Like the screen, it gets no fewer than two columns.
    let size = TermSize::new(usize::from(cols).max(2), usize::from(rows));
    let mut term = Term::new(Config::default(), &size, VoidListener);
    Processor::<StdSyncHandler>::new().advance(&mut term, snapshot);
    term
}

fn text(term: &Alacritty) -> String {
    let row = |line: usize| {
        let row = &term.grid()[Line(line as i32)];
        let mut text = String::new();
        for cell in (0..term.columns()).map(|col| &row[Column(col)]) {
            if !cell.flags.contains(Flags::WIDE_CHAR_SPACER) {
                text.push(cell.c);
                text.extend(cell.zerowidth().into_iter().flatten());
            }
        }
        text.trim_end_matches(' ').to_owned()
    };
    let rows: Vec<String> = (0..term.screen_lines()).map(row).collect();
    rows.join("\n").trim_end_matches('\n').to_owned()
}

fn place(term: &Alacritty) -> (u16, u16) {
    let point = term.grid().cursor.point;
    (point.line.0 as u16, point.column.0 as u16)
}

#[test]
fn origin_mode_with_margins() {
    let original = fed(6, 10, b"\x1b[3;5r\x1b[?6ho");
    let term = attached(6, 10, &original.snapshot_ansi());
    assert_eq!((text(&term).as_str(), place(&term)), ("\n\no", (2, 1)));
}

#[test]
fn a_mark_in_the_column_that_a_wide_character_left_free() {
    let piece = "a漢üかäcüüö👍o` x=ln$t\x1b[m\u{8c}>\x1b[T\u{301}漢\u{301}e\u{301}\r\n";
    let original = fed(6, 12, piece.repeat(3).as_bytes());
    let term = attached(6, 12, &original.snapshot_ansi());
    assert_eq!(text(&term), original.text());
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn shows_the_same(start in any_size(), before in flood(), (rows, cols) in any_size(), after in flood()) {
        let mut original = screen(start.0, start.1);
        original.feed(&before);
        original.resize(size(rows, cols));
        original.feed(&after);
        if original.modes().sync {
            // It would hold back a frame that is being drawn.
            original.feed(b"\x18\x1b[?2026l");
        }
        let term = attached(rows, cols, &original.snapshot_ansi());
        prop_assert_eq!(text(&term), original.text());
        let cursor = original.cursor();
        prop_assert_eq!(place(&term), (cursor.row, cursor.col));
    }
}
