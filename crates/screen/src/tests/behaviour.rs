//! What single sequences do, where the engine alone would do something else than xterm or where others depend on it.

use super::{fed, size};
use crate::{Color, CursorShape, Flags, Mouse, MouseEncoding};

#[test]
fn text_of_the_screen() {
    for (name, input, expected) in [
        ("lines", "a\r\nb  \r\n\r\n", "a\nb"),
        ("wrap", "0123456789ab", "0123456789\nab"),
        ("wide at the margin", "012345678漢", "012345678\n漢"),
        ("combining", "e\u{301}x", "e\u{301}x"),
        ("tab", "a\tb", "a       b"),
        ("tab at a pending wrap does not wrap", "0123456789\tx", "0123456789\nx"),
        ("line feed forgets a pending wrap", "0123456789\nx", "0123456789\n         x"),
        ("delete more than there is", "0123456789\x1b[8G\x1b[99P", "0123456"),
        ("erase above from the second row", "aaa\r\nbbb\x1b[1J", ""),
        ("half a wide character is none", "漢字\x1b[1G\x1b[X", "  字"),
        ("the other half", "漢字\x1b[2G\x1b[X", "  字"),
        ("insert mode", "abc\x1b[1G\x1b[4hX", "Xabc"),
        ("cursor up stops at the margin", "\x1b[2;4r\x1b[3;1H\x1b[9AX", "\nX"),
        ("column in origin mode stays in its row", "\x1b[2;4r\x1b[?6h\x1b[2;3HX\x1b[1GY", "\n\nY X"),
        ("repeat", "-\x1b[3b", "----"),
        ("repeat only right after a character", "-\x1b[m\x1b[3b", "-"),
        ("soft reset", "\x1b[2;3r\x1b[?6h\x1b[!pX", "\nX"),
        ("line drawing", "\x1b(0qx\x1b(Bq", "─│q"),
        ("shift out", "\x1b)0\x0eq\x0fq", "─q"),
        ("alternate screen", "one\x1b[?1049htwo\x1b[?1049l", "one"),
        ("older alternate screen", "one\x1b[?47htwo\x1b[?47l", "one"),
        ("newline mode", "ab\x1b[20h\nc", "ab\nc"),
        ("full alignment test", "\x1b#8\x1b[2;1H\x1b[J", "EEEEEEEEEE"),
    ] {
        assert_eq!(fed(4, 10, input.as_bytes()).text(), expected, "{name}");
    }
    assert_eq!(fed(2, 10, b"ab").row_text(7), "");
}

#[test]
fn answers_questions() {
    for (question, answer) in [
        ("\x1b[c", "\x1b[?62;22c"),
        ("\x1bZ", "\x1b[?62;22c"),
        ("\x1b[>c", "\x1b[>0;276;0c"),
        ("\x1b[=c", "\x1bP!|00000000\x1b\\"),
        ("\x1b[5n", "\x1b[0n"),
        ("\r\n ab\x1b[6n", "\x1b[2;4R"),
        ("\x1b[?6n", "\x1b[?1;1R"),
        ("\x1b[2;4r\x1b[?6h\x1b[2;2H\x1b[6n", "\x1b[2;2R"),
        ("\x1b[?25$p\x1b[?2004$p\x1b[?9999$p", "\x1b[?25;1$y\x1b[?2004;2$y\x1b[?9999;0$y"),
        ("\x1b[4h\x1b[4$p", "\x1b[4;1$y"),
        ("\x1b[?2026h\x1b[?2026$p", "\x1b[?2026;1$y"),
        ("\x1b[18t\x1b[14t\x1b[16t", "\x1b[8;24;80t\x1b[4;384;640t\x1b[6;16;8t"),
        ("\x1b]2;rm -rf /\x07\x1b[21t", "\x1b]l\x1b\\"),
        ("\x1b[>5u\x1b[?u\x1b[<u\x1b[?u", "\x1b[?5u\x1b[?0u"),
        ("\x1b]11;?\x07", "\x1b]11;rgb:1818/1818/1818\x07"),
        ("\x1b]11;#ff8000\x07\x1b]11;?\x1b\\", "\x1b]11;rgb:ffff/8080/0000\x1b\\"),
        ("\x1b]4;196;?\x07", "\x1b]4;196;rgb:ffff/0000/0000\x07"),
        ("\x1b]10;?;?\x07", "\x1b]10;rgb:d8d8/d8d8/d8d8\x07\x1b]11;rgb:1818/1818/1818\x07"),
        ("\x1b[1;31m\x1bP$qm\x1b\\", "\x1bP1$r0;1;31m\x1b\\"),
        ("\x1bP$qr\x1b\\\x1bP$qz\x1b\\", "\x1bP1$r1;24r\x1b\\\x1bP0$r\x1b\\"),
        ("\x1bP+q544E;4142\x1b\\", "\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\\x1bP0+r\x1b\\"),
    ] {
        let mut screen = fed(24, 80, question.as_bytes());
        assert_eq!(screen.take_replies().escape_ascii().to_string(), answer.as_bytes().escape_ascii().to_string());
        assert!(screen.take_replies().is_empty());
    }
    assert!(fed(24, 80, b"\x1b[>q").take_replies().starts_with(b"\x1bP>|flightdeck("));
}

#[test]
fn styles() {
    let screen =
        fed(2, 20, "a\x1b[1;31mb\x1b[38;5;9;48;2;1;2;3mc\x1b[m\x1b]8;;http://x\x07d\x1b]8;;\x07 漢".as_bytes());
    let row = screen.styled_row(0);
    let runs: Vec<_> = row.runs.iter().map(|run| (run.text.as_str(), run.fg, run.bg, run.columns)).collect();
    assert_eq!(
        runs,
        [
            ("a", Color::Default, Color::Default, 1),
            ("b", Color::Indexed(1), Color::Default, 1),
            ("c", Color::Indexed(9), Color::Rgb(1, 2, 3), 1),
            ("d", Color::Default, Color::Default, 1),
            (" 漢", Color::Default, Color::Default, 3),
        ]
    );
    assert!(row.runs[1].flags.contains(Flags::BOLD) && row.runs[0].flags.is_empty());
    assert_eq!(row.runs[3].link.as_deref(), Some("http://x"));
    assert!(fed(2, 3, b"abcd").styled_row(0).wrapped);
}

#[test]
fn titles() {
    let mut screen = fed(2, 10, b"\x1b]0;one\x07\x1b[22;0t\x1b]2;t\x01wo; three\x1b\\");
    assert_eq!(screen.title(), Some("two; three"));
    screen.feed(b"\x1b[23;0t");
    assert_eq!(screen.title(), Some("one"));
    screen.feed(format!("\x1b]2;{}\x07", "ä".repeat(5000)).as_bytes());
    assert_eq!(screen.title().map(str::len), Some(1024));
    assert_eq!(fed(2, 10, b"x").title(), None);
}

#[test]
fn modes_and_cursor() {
    let mut screen = fed(5, 10, b"\x1b[?1;1002;1006;2004;1004;1049;2026h\x1b=\x1b[5 q\x1b[?25l\x1b[3;4H\x07\x07");
    let modes = screen.modes();
    assert!(modes.alt_screen && modes.bracketed_paste && modes.application_cursor && modes.application_keypad);
    assert!(modes.focus_events && modes.sync && modes.autowrap);
    assert_eq!((modes.mouse, modes.mouse_encoding), (Mouse::Drags, MouseEncoding::Sgr));
    let cursor = screen.cursor();
    assert_eq!((cursor.row, cursor.col, cursor.visible, cursor.shape), (2, 3, false, CursorShape::Beam));
    assert_eq!(screen.bells(), 2);
    screen.feed(b"\x1bc");
    assert!(!screen.modes().alt_screen && screen.cursor().visible);
}

#[test]
fn resizes() {
    let mut screen = fed(3, 10, b"0123456789abc\r\n$ ");
    screen.resize(size(3, 20));
    assert_eq!(screen.text(), "0123456789abc\n$");
    screen.resize(size(2, 5));
    assert_eq!(screen.size(), size(2, 5));
    screen.feed(b"\x1b[?1049hvim");
    screen.resize(size(6, 30));
    screen.feed(b"\x1b[?1049l");
    assert!(screen.text().ends_with('$'), "{:?}", screen.text());
}

/// Grids are the bulk of it. Two of 24 by 80 are shown at most, and the engine's own spare ones must be gone.
#[test]
fn costs_little_memory() {
    let cell = size_of::<alacritty_terminal::term::cell::Cell>();
    assert!(2 * 24 * 80 * cell + size_of::<crate::Screen>() < 100 * 1024);
}
