//! What xterm does and the engine by itself would not, sequence by sequence.

use super::{fed, size, styled_rows};
use crate::{Color, Mouse, Screen};

#[track_caller]
fn shows(cases: &[(&str, &str, &str)]) {
    for (name, input, expected) in cases {
        assert_eq!(fed(4, 10, input.as_bytes()).text(), *expected, "{name}");
    }
}

#[test]
fn editing_a_row_forgets_a_pending_wrap() {
    shows(&[
        ("insert", "abcdefghij\x1b[@z", "abcdefghiz"),
        ("delete", "abcdefghij\x1b[Pz", "abcdefghiz"),
        ("erase characters", "abcdefghij\x1b[Xz", "abcdefghiz"),
        ("erase to the right", "abcdefghij\x1b[K", "abcdefghi"),
        ("erase to the right, then print", "abcdefghij\x1b[Kz", "abcdefghiz"),
        ("erase to the left", "abcdefghij\x1b[1Kz", "         z"),
        ("erase the row", "abcdefghij\x1b[2Kz", "         z"),
        ("erase below", "abcdefghij\x1b[Jz", "abcdefghiz"),
        ("erase above", "abcdefghij\x1b[1Jz", "         z"),
        ("what is not known does nothing", "abcdefghij\x1b[3K\x1b[3Jz", "abcdefghij\nz"),
    ]);
}

#[test]
fn alignment_test_homes_and_resets_margins() {
    let rows = ["XEEEEEEEEE", "EEEEEEEEEE", "EEEEEEEEEE", "YEEEEEEEEE"].join("\n");
    shows(&[("alignment", "\x1b[2;3r\x1b[?6h\x1b[2;5H\x1b[1m\x1b#8X\x1b[4;1HY", &rows)]);
    let screen = fed(4, 10, b"\x1b[2;3r\x1b[?6h\x1b[1m\x1b#8X");
    assert!(!screen.modes().origin && screen.styled_row(0).runs[0].flags.is_empty());
    assert_eq!(fed(1, 4, b"ab\x1b#8X").text(), "XEEE");
}

#[test]
fn repeats_any_number_of_times() {
    let (full, wide) = ("a".repeat(10), "漢".repeat(5));
    shows(&[
        ("more than a screen", "a\x1b[105bX", &format!("{full}\n{full}\n{full}\naaaaaaX")),
        ("wide", "漢\x1b[103bX", &format!("{wide}\n{wide}\n{wide}\n漢漢漢漢X")),
        ("within margins", "\x1b[2;3r\x1b[2;1Ha\x1b[65535bX", &format!("\n{full}\naaaaaaX")),
        ("below margins", "\x1b[1;3r\x1b[4;1Ha\x1b[65535bX", "\n\n\naaaaaaXaaa"),
        ("inserted", "abc\x1b[1G\x1b[4hx\x1b[103bY", "xxxxxxxxxx\nxxxxxxxxxx\nxxxxxxxxxx\nxxxxY"),
        ("without wrap", "\x1b[?7la\x1b[65535bX", "aaaaaaaaaX"),
        ("once", "-\x1b[2b\x1b[2b", "---"),
        ("through the character set in use", "q\x1b[2b\x1b(0q\x1b[2b", "qqq───"),
    ]);
}

#[test]
fn margins_stop_only_what_stays_inside() {
    shows(&[
        ("line position relative", "\x1b[1;2r\x1b[3eX", "\n\n\nX"),
        ("line position relative in origin mode", "\x1b[1;2r\x1b[?6h\x1b[9eX", "\nX"),
        ("cursor down", "\x1b[1;2r\x1b[9BX", "\nX"),
    ]);
}

#[test]
fn tabs_back_without_a_stop() {
    shows(&[
        ("to the first column", "\x1b[3g\x1b[5G\x1b[ZX", "X"),
        ("one after the other", "\x1b[3g\x1b[3G\x1bH\x1b[9G\x1b[ZX\x1b[9G\x1b[2ZY", "Y X"),
        ("forward to the last column", "\x1b[3g\tX", "         X"),
    ]);
}

#[test]
fn each_screen_has_its_saved_cursor() {
    shows(&[
        ("that of the alternate screen", "\x1b[?1049h\x1b[3;3H\x1b7\x1b[?1049l\x1b[?47h\x1b8X", "\n\n  X"),
        ("that of the primary screen", "ab\x1b7\x1b[?47h\x1b[3;3H\x1b7\x1b[?47l\x1b8X", "abX"),
        ("left without having entered", "ab\x1b7cd\x1b[?1049lX", "abXd"),
        ("not with margins at the sides", "ab\x1b[scd\x1b[2;5s\x1b[uX", "abXd"),
        ("shift state", "\x1b)0\x0e\x1b7\x0f\x1b8q", "─"),
        ("no shift state", "\x1b)0\x1b7\x0e\x1b8q", "q"),
        ("origin mode", "\x1b[2;4r\x1b[?6h\x1b7\x1b[?6l\x1b8\x1b[1;1HX", "\nX"),
        ("no origin mode", "\x1b7\x1b[2;4r\x1b[?6h\x1b8\x1b[1;1HX", "X"),
        ("into the margins", "\x1b[?6h\x1b7\x1b[?6l\x1b[2;4r\x1b8X", "\nX"),
        ("in the alternate screen too", "\x1b[?1049h\x1b)0\x0e\x1b7\x0f\x1b8q", "─"),
    ]);
    let mut screen = fed(4, 10, b"\x1b[?1049h\x1b[4;9H\x1b7\x1b[?1049l");
    screen.resize(size(2, 5));
    screen.feed(b"\x1b[?47h\x1b8X");
    assert_eq!(screen.text(), "\n    X");
}

#[test]
fn alternate_screens_of_all_ages() {
    shows(&[
        ("47 leaves the cursor", "one\x1b[?47htwo\x1b[?47lX", "one   X"),
        ("1047 leaves the cursor", "one\x1b[?1047htwo\x1b[?1047lX", "one   X"),
        ("1047 with 1048", "one\x1b[?1048h\x1b[?1047htwo\x1b[?1047l\x1b[?1048lX", "oneX"),
        ("1049 restores it", "one\x1b[?1049htwo\x1b[?1049lX", "oneX"),
        ("47 leaves the attributes", "\x1b[?47h\x1b(0\x1b[?47lq", "─"),
        ("1049 restores them", "\x1b[?1049h\x1b(0\x1b[?1049lq", "q"),
        ("entered twice", "\x1b[?1049hone\x1b[?1049hX", "   X"),
        ("entered twice, left once", "a\x1b[?1049hone\x1b[?1049h\x1b[?1049lX", "aX"),
        ("forgets a pending wrap", "abcdefghij\x1b[?1049hX", "         X"),
        ("and finds it again", "abcdefghij\x1b[?1049h\x1b[?1049lX", "abcdefghij\nX"),
    ]);
}

#[test]
fn character_sets() {
    shows(&[
        ("British", "\x1b(A#a\x1b(B#", "£a#"),
        ("locking shift 2", "\x1b*0\x1bnq\x0fq", "─q"),
        ("locking shift 3", "\x1b+0\x1boq\x0fq", "─q"),
        ("unknown", "\x1b(0\x1b(9q", "─"),
        ("soft reset", "\x1b*0\x1bn\x1b[!pq\x1bnq", "qq"),
    ]);
}

#[test]
fn selective_erase() {
    shows(&[
        ("of the row", "abc\x1b[2G\x1b[?K", "a"),
        ("of its beginning", "abc\x1b[2G\x1b[?1K", "  c"),
        ("of the screen", "abc\r\ndef\x1b[?2J", ""),
    ]);
}

#[test]
fn one_mouse() {
    for (input, mouse) in [
        ("\x1b[?1002h\x1b[?1000l", Mouse::Off),
        ("\x1b[?1003h\x1b[?1002l", Mouse::Off),
        ("\x1b[?1000h\x1b[?9l", Mouse::Off),
        ("\x1b[?1003h\x1b[?1000h", Mouse::Clicks),
        ("\x1b[?1002h\x1b[?1006l", Mouse::Drags),
    ] {
        assert_eq!(fed(4, 10, input.as_bytes()).modes().mouse, mouse, "{input:?}");
    }
}

fn is_blank(screen: &Screen) -> bool {
    styled_rows(screen)
        .iter()
        .flat_map(|row| &row.runs)
        .all(|run| run.bg == Color::Default && run.text.trim().is_empty())
}

/// What a row was cleared with last must go as well after columns were added to it.
#[test]
fn clears_rows_that_grew() {
    let mut screen = fed(2, 4, b"\x1b[41m\x1b[2J\x1b[m");
    screen.resize(size(2, 6));
    screen.feed(b"\x1b[2J");
    assert!(is_blank(&screen), "{:?}", styled_rows(&screen));

    let mut screen = fed(7, 15, b"\x1b[48:2:::mqrstuvwxyzabcd\x1b[4Tklmnopqrstuvwx\x1b[mb");
    screen.resize(size(5, 29));
    screen.feed("\n".repeat(10).as_bytes());
    assert!(is_blank(&screen), "{:?}", styled_rows(&screen));

    let mut screen = fed(2, 4, b"\x1b[41m\x1b[2J\x1b[?1049h\x1b[m");
    screen.resize(size(2, 6));
    screen.feed(b"\x1b[?1049l\x1b[m\x1b[2J");
    assert!(is_blank(&screen), "{:?}", styled_rows(&screen));
}
