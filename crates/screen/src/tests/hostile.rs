//! Nothing that a program writes may panic, take long or take memory.

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;

use super::grammar::{any_size, flood, raw};
use super::state::{Breaks, difference, state};
use super::{cases, fed, screen, size};
use crate::{QueryFilter, plain};

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn resize_storms(start in any_size(), steps in vec((any_size(), flood()), 1..8)) {
        let mut screen = screen(start.0, start.1);
        for ((rows, cols), bytes) in steps {
            screen.feed(&bytes);
            screen.resize(size(rows, cols));
            let restored = fed(rows, cols, &screen.snapshot_ansi());
            let difference = difference(&state(&restored, Breaks::Ignored), &state(&screen, Breaks::Ignored));
            prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
        }
    }

    #[test]
    fn any_bytes(bytes in raw()) {
        let mut screen = fed(1, 1, &bytes);
        screen.resize(size(3, 2));
        screen.feed(&bytes);
        plain(&bytes);
        QueryFilter::default().strip(&bytes, &mut Vec::new());
    }
}

/// Amplifiers: few bytes that make much work or much state.
#[test]
fn stays_bounded() {
    let repeated = |text: &str, count: usize| text.repeat(count).into_bytes();
    let start = Instant::now();
    for (name, bytes) in [
        ("repeat", repeated("x\x1b[65535b", 2_000)),
        ("back tabs", repeated("\x1b[3g\x1b[99C\x1b[65535Z", 5_000)),
        ("keyboard stack", repeated("\x1b[>1u", 10_000)),
        ("title stack", repeated("\x1b]2;title\x07\x1b[22t", 10_000)),
        ("marks", ["e".as_bytes(), &repeated("\u{301}", 200_000)].concat()),
        ("title without end", ["\x1b]2;".as_bytes(), &repeated("x", 5_000_000)].concat()),
        ("dcs without end", ["\x1bP$q".as_bytes(), &repeated("x", 5_000_000)].concat()),
        ("questions", repeated("\x1b[c\x1b[6n", 50_000)),
        ("barriers in lines", repeated("\x1b7\r\n", 50_000)),
        ("alternate screens", repeated("\x1b[?1049h\x1b[?1049l", 5_000)),
        (
            "parameters",
            repeated(
                "\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34m",
                5_000,
            ),
        ),
        ("odd sequences", repeated("\x1b[3\n1m", 50_000)),
        ("wide text", repeated("漢字", 100_000)),
    ] {
        let mut screen = fed(24, 80, &bytes);
        let snapshot = screen.snapshot_ansi();
        assert!(snapshot.len() < 200_000, "{name}: a snapshot of {} bytes", snapshot.len());
        assert!(screen.take_replies().len() <= 64 * 1024, "{name}");
        assert!(screen.title().unwrap_or_default().len() <= 1024, "{name}");
    }
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
