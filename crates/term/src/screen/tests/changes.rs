//! Whoever applies the changes to an old copy gets the new rows.

use proptest::collection::vec;
use proptest::prelude::*;

use super::grammar::{Bytes, any_size, flood, stream};
use super::{cases, fed, screen, size};

#[derive(Clone, Debug)]
enum Step {
    Feed(Bytes),
    Resize(u16, u16),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => stream().prop_map(Step::Feed),
        2 => flood().prop_map(Step::Feed),
        1 => any_size().prop_map(|(rows, cols)| Step::Resize(rows, cols)),
    ];
    vec(step, 1..12)
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn lead_to_the_new_rows((rows, cols) in any_size(), steps in steps(), looks in vec(any::<bool>(), 12)) {
        let mut screen = screen(rows, cols);
        let mut copy = screen.styled_rows();
        let mut cursor = screen.cursor();
        let mut title = screen.title().map(str::to_owned);
        let mut known = screen.version();
        for (step, look) in steps.into_iter().zip(looks) {
            let (before, version) = (screen.styled_rows(), screen.version());
            let seen = (screen.cursor(), screen.title().map(str::to_owned));
            match step {
                Step::Feed(bytes) => {
                    screen.feed(&bytes);
                    let same = before == screen.styled_rows() && seen == (screen.cursor(), screen.title().map(str::to_owned));
                    let colored = screen.changes_since(version).full;
                    prop_assert_eq!(screen.version() == version, same && !colored);
                }
                Step::Resize(rows, cols) => screen.resize(size(rows, cols)),
            }
            if !look {
                continue;
            }
            let changes = screen.changes_since(known);
            let new = screen.styled_rows();
            if changes.full {
                prop_assert_eq!(changes.rows.len(), new.len());
                copy.resize(new.len(), crate::screen::StyledRow::default());
            }
            for row in changes.rows {
                copy[usize::from(row)] = screen.styled_row(row);
            }
            if changes.cursor {
                cursor = screen.cursor();
            }
            if changes.title {
                title = screen.title().map(str::to_owned);
            }
            known = changes.version;
            prop_assert_eq!(&copy, &new);
            prop_assert_eq!(cursor, screen.cursor());
            prop_assert_eq!(title.as_deref(), screen.title());
            prop_assert!(screen.changes_since(known).is_empty());
        }
    }
}

#[test]
fn name_just_the_rows_that_changed() {
    let mut screen = fed(24, 80, b"one\r\ntwo\r\nthree");
    let known = screen.version();
    screen.feed(b"\x1b[2;1Htw\x1b[m");
    let changes = screen.changes_since(known);
    assert_eq!((changes.rows, changes.cursor, changes.full), (vec![], true, false), "the same text again is no change");
    screen.feed(b"\x1b[2;1HTW");
    assert_eq!(screen.changes_since(known).rows, [1]);
    let known = screen.version();
    screen.feed(b"\x1b[m\x1b]133;A\x07\x07\x1b[?2004h");
    assert_eq!(screen.version(), known, "nothing of this can be seen");
    assert!(screen.changes_since(999.into()).full, "a version of the future is not of this screen");
}
