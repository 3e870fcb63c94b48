//! Fast-forward and chunking must not show: `feed` in any chunks is `feed_plainly` in one.

use proptest::collection::vec;
use proptest::prelude::*;

use super::grammar::{any_size, chunks, flood, raw, stream};
use super::state::{Breaks, difference, state};
use super::{cases, fed, numbered, screen, size};
use crate::Screen;

fn compare(mut fast: Screen, mut plain: Screen) -> Result<(), TestCaseError> {
    prop_assert_eq!(fast.take_replies().escape_ascii().to_string(), plain.take_replies().escape_ascii().to_string());
    prop_assert_eq!(fast.bells(), plain.bells());
    let difference = difference(&state(&fast, Breaks::Compared), &state(&plain, Breaks::Compared));
    prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    prop_assert_eq!(super::styled_rows(&fast), super::styled_rows(&plain));
    prop_assert_eq!(fast.snapshot_ansi().escape_ascii().to_string(), plain.snapshot_ansi().escape_ascii().to_string());
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn feed_is_feed_plainly((rows, cols) in any_size(), before in stream(), bytes in flood()) {
        let mut fast = screen(rows, cols);
        let mut plain = screen(rows, cols);
        for part in [&before, &bytes] {
            fast.feed(part);
            plain.feed_plainly(part);
        }
        compare(fast, plain)?;
    }

    #[test]
    fn chunks_do_not_matter((rows, cols) in any_size(), bytes in flood(), cuts in vec(any::<prop::sample::Index>(), 0..12)) {
        let mut fast = screen(rows, cols);
        let mut plain = screen(rows, cols);
        plain.feed_plainly(&bytes);
        for chunk in chunks(&bytes, &cuts) {
            fast.feed(&chunk);
        }
        compare(fast, plain)?;
    }

    #[test]
    fn single_bytes_do_not_matter((rows, cols) in any_size(), bytes in stream()) {
        let mut single = screen(rows, cols);
        let mut plain = screen(rows, cols);
        plain.feed_plainly(&bytes);
        for byte in bytes.iter() {
            single.feed(&[*byte]);
        }
        compare(single, plain)?;
    }

    /// Sizes change between chunks.
    #[test]
    fn resizes_do_not_matter(start in any_size(), steps in vec((flood(), any_size()), 1..4), last in flood()) {
        let mut fast = screen(start.0, start.1);
        let mut plain = screen(start.0, start.1);
        for (bytes, (rows, cols)) in steps {
            fast.feed(&bytes);
            plain.feed_plainly(&bytes);
            fast.resize(size(rows, cols));
            plain.resize(size(rows, cols));
        }
        fast.feed(&last);
        plain.feed_plainly(&last);
        compare(fast, plain)?;
    }

    #[test]
    fn raw_bytes((rows, cols) in any_size(), bytes in raw()) {
        let mut plain = screen(rows, cols);
        plain.feed_plainly(&bytes);
        compare(fed(rows, cols, &bytes), plain)?;
    }
}

/// Without this the properties above could pass because nothing is ever skipped.
#[test]
fn skips() {
    let line = |number: u32| format!("\x1b[32m{number}\x1b[m some text that fills a line\x1b[K\r\n");
    for (name, text, least) in [
        ("plain", numbered(10_000, |number| format!("{number}\r\n")), 0.98),
        ("styled", numbered(10_000, line), 0.98),
        ("long line", "x".repeat(500_000), 0.98),
        ("long styled line", format!("\x1b[31m{}", "x".repeat(500_000)), 0.98),
        ("titles", numbered(10_000, |number| format!("\x1b]2;{number}\x07{number}\r\n")), 0.98),
        ("sgr0 of terminfo", numbered(10_000, |number| format!("\x1b[1m{number}\x1b(B\x1b[m\r\n")), 0.98),
        (
            "redrawn progress",
            numbered(10_000, |number| format!("{number}\r\n{number}\r\n\x1b[A\x1b[2K{number}\r\nx\r\n")),
            0.0,
        ),
        ("sync marks", numbered(10_000, |number| format!("\x1b[?2026h{number}\x1b[?2026l\r\n")), 0.98),
        (
            "barrier in the middle",
            {
                let half = numbered(5_000, line);
                format!("{half}\x1b7{half}\x1b8")
            },
            0.98,
        ),
    ] {
        let screen = fed(24, 80, text.as_bytes());
        let share = screen.engine.skipped as f64 / text.len() as f64;
        assert!(share >= least, "{name}: only {share:.3} of the bytes were skipped");
        let mut plain = super::screen(24, 80);
        plain.feed_plainly(text.as_bytes());
        compare(screen, plain).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
