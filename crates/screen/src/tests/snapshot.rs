//! A snapshot fed to a new screen gives the same screen, and both go on the same way.

use proptest::prelude::*;

use super::grammar::{any_size, flood, stream};
use super::state::{Breaks, difference, state};
use super::{cases, fed, screen};
use crate::Screen;

fn compare(restored: &Screen, original: &Screen) -> Result<(), TestCaseError> {
    let difference = difference(&state(restored, Breaks::Ignored), &state(original, Breaks::Ignored));
    prop_assert!(
        difference.is_none(),
        "{}\n{}",
        difference.unwrap_or_default(),
        original.snapshot_ansi().escape_ascii()
    );
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn restores_everything((rows, cols) in any_size(), before in flood(), after in stream()) {
        let mut original = fed(rows, cols, &before);
        let mut restored = fed(rows, cols, &original.snapshot_ansi());
        compare(&restored, &original)?;
        original.take_replies();
        prop_assert!(restored.take_replies().is_empty());
        original.feed(&after);
        restored.feed(&after);
        compare(&restored, &original)?;
        prop_assert_eq!(restored.take_replies().escape_ascii().to_string(), original.take_replies().escape_ascii().to_string());
    }

    /// A person's terminal is not new when they attach.
    #[test]
    fn text_survives_a_used_terminal((rows, cols) in any_size(), used in stream(), bytes in stream()) {
        let original = fed(rows, cols, &bytes);
        let mut terminal = fed(rows, cols, &used);
        // What is pending would swallow the beginning of anything.
        terminal.feed(b"\x18");
        terminal.feed(&original.snapshot_ansi());
        prop_assert_eq!(terminal.text(), original.text());
    }
}

#[test]
fn is_small_for_an_empty_screen() {
    assert!(screen(24, 80).snapshot_ansi().len() < 120);
}

/// A wide character leaves the last column free. What is added to that cell afterwards is a part of the screen.
#[test]
fn keeps_an_accent_where_a_wide_character_did_not_fit() {
    let original = fed(3, 5, "abcd漢\x1b[2;1Hvwxyz\x1b[T\u{301}漢".as_bytes());
    assert_eq!(original.text(), "\nabcd \u{301}\n漢xyz");
    let restored = fed(3, 5, &original.snapshot_ansi());
    assert_eq!(state(&restored, Breaks::Ignored), state(&original, Breaks::Ignored));
}

/// Lines that were broken at the margin come back as one line, so that a resize after an attach reflows them.
#[test]
fn keeps_wrapped_lines() {
    let original = fed(5, 10, "abcdefghijklmnop\r\n漢字漢字漢字漢字\r\nend".as_bytes());
    let mut restored = fed(5, 10, &original.snapshot_ansi());
    assert_eq!(state(&restored, Breaks::Compared), state(&original, Breaks::Compared));
    restored.resize(super::size(5, 20));
    assert_eq!(restored.text(), "abcdefghijklmnop\n漢字漢字漢字漢字\nend");
}

/// A checkpoint may fall into the middle of a sequence or a character.
#[test]
fn carries_what_is_unfinished() {
    let whole = "a\x1b[31mb\x1b]2;title\x07c漢\x1bP$qm\x1b\\d\x1b(0q".as_bytes();
    for cut in 0..whole.len() {
        let original = fed(3, 20, &whole[..cut]);
        let mut restored = fed(3, 20, &original.snapshot_ansi());
        restored.feed(&whole[cut..]);
        let straight = fed(3, 20, whole);
        assert_eq!(state(&restored, Breaks::Compared), state(&straight, Breaks::Compared), "cut at {cut}");
    }
}
