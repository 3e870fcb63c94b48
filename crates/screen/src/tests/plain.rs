//! What an agent reads.

use proptest::collection::vec;
use proptest::prelude::*;

use super::grammar::{chunks, flood, raw, stream};
use super::{cases, numbered};
use crate::{Plain, plain};

#[test]
fn a_line_editor_takes_no_output_away() {
    let (prompt, input, runs) = ("\x1b]7733;n;A\x07", "\x1b]7733;n;B\x07", "\x1b]7733;n;C;n=1\x07");
    // As readline draws a line anew that had three rows in a narrow window, and then takes it back.
    let redrawn =
        format!("out 1\r\nout 2\r\n{prompt}$ {input}long\r\x1b[A\x1b[A\x1b[K\x1b[J{prompt}$ {input}long line");
    for (bytes, expected) in [
        (redrawn.clone(), "out 1\nout 2\n$ long line"),
        (format!("{redrawn}\r\n{runs}more\r\n"), "out 1\nout 2\n$ long line\nmore\n"),
        (format!("{redrawn}\r\n{runs}more\r\n\x1b[3A\x1b[2Kover"), "out 1\nout 2\n$ long line\nover\n"),
        // Output without a newline stands before the prompt.
        (format!("half{prompt}$ {input}x\r\x1b[2K{prompt}$ {input}y"), "half$ y"),
        (format!("half{prompt}$ {input}x\x1b[1K\x1b[99D$ {input}z"), "half$ z"),
        ("\x1b7out\r\n\x1b]133;A\x07$ \x1b8\x1b[Jx".to_owned(), "out\nx"),
    ] {
        assert_eq!(plain(bytes.as_bytes()), expected, "{bytes:?}");
    }
}

#[test]
fn reads_as_a_person_would() {
    let docker = "a: waiting\r\nb: waiting\r\n\x1b[2A\x1b[2K\ra: done\r\x1b[2B\x1b[1A\x1b[2K\rb: done\r\x1b[1B";
    for (input, expected) in [
        ("abc\r\ndef\r\n", "abc\ndef\n"),
        ("abc\ndef", "abc\ndef"),
        ("abc\rX", "Xbc"),
        ("10%\r20%\r100%\r\nok\r\n", "100%\nok\n"),
        ("working...\r\x1b[Kdone\n", "done\n"),
        ("working...\x1b[2K\rdone\n", "done\n"),
        ("abc\x08\x08X\n", "aXc\n"),
        ("abc\x1b[2DX\n", "aXc\n"),
        ("abc\x1b[1GX\x1b[5GY\n", "Xbc Y\n"),
        ("a\x1b[3Cb\n", "a   b\n"),
        ("abcdef\x1b[3G\x1b[2P\n", "abef\n"),
        ("abc\x1b[1G\x1b[2@\n", "  abc\n"),
        ("abcdef\x1b[2G\x1b[3X\n", "a   ef\n"),
        ("-\x1b[4b\n", "-----\n"),
        ("\x1b(0lqqqk\x1b(B\n", "┌───┐\n"),
        ("\x1b(0lq\r\nx\x1b(B x\n", "┌─\n│ x\n"),
        ("\x1b)0a\x0eq\nq\x0fq\n", "a─\n─q\n"),
        ("\x1b*0\x1bnq\x0f#\x1b(A#\n", "─#£\n"),
        ("\x1b(0q\x1b[2b\x1b[!pq\n", "───q\n"),
        ("\x1b7\x1b(0\x1b8q\x1b(0\x1bcq\n", "qq\n"),
        ("a\x1b[?1049h\x1b(0q\x1b[?1049lq\n", "aq\n"),
        ("abc\x1b[1G\x1b[4hXY\x1b[4lZ\n", "XYZbc\n"),
        ("abc\r\x1b[4h漢\x1b[2b\n", "漢漢漢abc\n"),
        ("abc\r\x1b[4he\u{301}\x1b[!pX\n", "e\u{301}Xbc\n"),
        ("ab\x1b[4hc\rX\n", "Xabc\n"),
        ("\x1b[1;31merror\x1b[0m: no\n", "error: no\n"),
        ("\x1b]2;title\x07text\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "textlink\n"),
        ("one\ntwo\n\x1b[1A\x1b[2Kthree\n", "one\nthree\n"),
        ("one\ntwo\n\x1b[2A\x1b[J", ""),
        (docker, "a: done\nb: done\n"),
        ("a\tb\n", "a\tb\n"),
        ("a\tb\rX\n", "X\tb\n"),
        ("a\tbc\r\x1b[3CX\n", "a  X    bc\n"),
        ("before\x1b[?1049h\x1b[Hvim\r\n~\x1b[?1049lafter\n", "beforeafter\n"),
        ("\x1b7\x1b[24;1Hprogress\x1b8text\n", "text\n"),
        ("漢字\rab\n", "ab字\n"),
        ("漢字\ra\n", "a 字\n"),
        ("e\u{301}x\rX\n", "Xx\n"),
        ("a\u{301}b\r\x1b[2GX\n", "a\u{301}X\n"),
        ("text\x1b[H\x1b[2Jnew\n", "text\nnew\n"),
        ("\x1b", ""),
        ("a\x1b[", "a"),
    ] {
        assert_eq!(plain(input.as_bytes()), expected, "{}", input.escape_debug());
    }
    assert_eq!(plain(b"a\xffb\n"), "a\u{fffd}b\n");
    assert_eq!(plain(b"a\xe2\x82"), "a\u{fffd}");
    assert_eq!(plain(b"\xe2\x82\n\xe2\x82\xac\n"), "\u{fffd}\n\u{20ac}\n");
}

#[test]
fn reaches_back_only_so_far() {
    let lines = numbered(1000, |number| format!("{number}\r\n"));
    let text = plain(format!("{lines}\x1b[500AX").as_bytes());
    assert_eq!(text.lines().count(), 1000);
    assert!(text.starts_with("0\n1\n2\n"));
    assert!(text.contains("\nX01\n"), "the oldest line that can be reached");
}

#[test]
fn does_not_hold_a_huge_line_as_cells() {
    let line = "x".repeat(300_000);
    assert_eq!(plain(format!("{line}\r\n").as_bytes()), format!("{line}\n"));
    assert_eq!(plain(format!("{line}\rnext\n").as_bytes()), format!("{line}\nnext\n"));
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn chunks_do_not_matter(bytes in prop_oneof![stream(), flood()], cuts in vec(any::<prop::sample::Index>(), 0..12)) {
        let mut parts = Plain::default();
        for chunk in chunks(&bytes, &cuts) {
            parts.push(&chunk);
        }
        prop_assert_eq!(parts.finish(), plain(&bytes));
    }

    #[test]
    fn plain_text_is_itself(lines in vec("[ -~äöü漢字\t]{0,40}", 0..300), crlf in any::<bool>()) {
        let end = if crlf { "\r\n" } else { "\n" };
        let text: String = lines.iter().flat_map(|line| [line.as_str(), end]).collect();
        prop_assert_eq!(plain(text.as_bytes()), text.replace("\r\n", "\n"));
    }

    #[test]
    fn no_controls_are_left(bytes in prop_oneof![stream(), raw()]) {
        let text = plain(&bytes);
        prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{:?}", text);
    }
}

/// Taken in pieces, the text is the same as long as nothing reaches back further than was said.
#[test]
fn settles_in_pieces() {
    let text = numbered(1000, |number| format!("{number} working\r{number} done\x1b[K\r\n"));
    let mut parts = Plain::default();
    let mut taken = String::new();
    for chunk in text.as_bytes().chunks(77) {
        parts.push(chunk);
        taken.push_str(&parts.take_settled(5));
    }
    assert!(taken.lines().count() >= 990, "{}", taken.lines().count());
    taken.push_str(&parts.finish());
    assert_eq!(taken, plain(text.as_bytes()));
}
