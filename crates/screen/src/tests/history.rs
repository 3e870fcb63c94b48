//! Lines that scrolled off, for front ends that scroll back.

use proptest::prelude::*;

use super::grammar::{any_size, stream};
use super::{cases, fed, numbered, size, styled_rows};
use crate::Screen;

fn scrolled(lines: u32, history: usize) -> Screen {
    let mut screen = Screen::with_history(size(5, 20), history);
    screen.feed(numbered(lines, |n| format!("line {n}\r\n")).as_bytes());
    screen
}

fn line(screen: &Screen, line: i32) -> String {
    screen.styled_line(line).runs.iter().map(|run| run.text.as_str()).collect()
}

#[test]
fn what_scrolls_off_is_above_the_screen_up_to_the_limit() {
    let screen = scrolled(100, 1000);
    assert_eq!(screen.history(), 96);
    assert_eq!([line(&screen, -1), line(&screen, 0), line(&screen, -96)], ["line 95", "line 96", "line 0"]);
    assert_eq!([line(&screen, -97), line(&screen, 5)], ["", ""], "there are no such lines");

    let short = scrolled(100, 10);
    assert_eq!((short.history(), line(&short, -10)), (10, "line 86".to_owned()));
    assert_eq!(fed(5, 20, numbered(100, |n| format!("{n}\r\n")).as_bytes()).history(), 0);
}

#[test]
fn a_snapshot_leaves_what_is_above_as_it_is() {
    let mut screen = scrolled(100, 1000);
    let snapshot = screen.snapshot_ansi();
    screen.feed(&snapshot);
    assert_eq!(
        (screen.history(), line(&screen, -1), line(&screen, 0)),
        (96, "line 95".to_owned(), "line 96".to_owned())
    );
}

#[test]
fn a_program_can_clear_it() {
    let mut screen = scrolled(100, 1000);
    screen.feed(b"\x1b[H\x1b[2J\x1b[3J");
    assert_eq!((screen.history(), screen.text()), (0, String::new()));
}

#[test]
fn a_full_screen_program_has_none_and_gives_it_back() {
    let mut screen = scrolled(100, 1000);
    screen.feed(b"\x1b[?1049h\x1b[3J");
    screen.feed(numbered(50, |n| format!("other {n}\r\n")).as_bytes());
    assert_eq!(screen.history(), 0);
    screen.feed(b"\x1b[?1049l");
    assert_eq!((screen.history(), line(&screen, -1)), (96, "line 95".to_owned()));
}

#[test]
fn a_wider_window_joins_what_was_broken() {
    let mut screen = Screen::with_history(size(3, 10), 100);
    screen.feed(format!("{}\r\n{}", "x".repeat(15), numbered(5, |n| format!("{n}\r\n"))).as_bytes());
    assert_eq!(line(&screen, -(screen.history() as i32)), "x".repeat(10));
    screen.resize(size(3, 20));
    assert_eq!(line(&screen, -(screen.history() as i32)), "x".repeat(15));
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_screen_itself_is_the_same((rows, cols) in any_size(), bytes in stream()) {
        let size = size(rows, cols);
        let mut plain = Screen::new(size);
        let mut keeping = Screen::with_history(size, 50);
        plain.feed_plainly(&bytes);
        keeping.feed(&bytes);
        prop_assert_eq!(styled_rows(&plain), styled_rows(&keeping));
        prop_assert_eq!(plain.cursor(), keeping.cursor());
    }

    #[test]
    fn any_size_after_any_stream_can_be_read(sizes in proptest::collection::vec(any_size(), 1..6), bytes in stream()) {
        let mut screen = Screen::with_history(size(sizes[0].0, sizes[0].1), 50);
        for (rows, cols) in sizes {
            screen.feed(&bytes);
            screen.resize(size(rows, cols));
            for line in -(screen.history() as i32)..i32::from(rows) {
                let row = screen.styled_line(line);
                let columns: u32 = row.runs.iter().map(|run| u32::from(run.columns)).sum();
                prop_assert!(columns <= u32::from(cols).max(2));
            }
        }
    }
}
