//! Documents and the files below them: taking over, conflicts, saving, and writes of agents.

use flightdeck_contract::workbench::{BufferVersion, Change, Color, Range};
use proptest::prelude::*;

use super::{agent, anna, change, code, edit, text, with_text};
use crate::text::difference;
use crate::{Expected, Resolution, SetHighlight, Workbench, WriteTo, Written};

fn state(workbench: &Workbench) -> (String, bool, Option<String>, bool) {
    let document = workbench.document("a").unwrap();
    (text(workbench, "a"), document.dirty, document.conflict, document.deleted)
}

fn version(workbench: &Workbench) -> BufferVersion {
    workbench.document("a").unwrap().version
}

#[test]
fn a_clean_buffer_takes_over_and_highlights_move() {
    let mut workbench = with_text("a", "one\ntwo\nthree\n");
    let mark = SetHighlight { path: "a".into(), ranges: vec![Range::lines(3, 3)], id: None, color: Color::default() };
    workbench.highlight(&agent(), mark).unwrap();
    let done = workbench.disk_changed("a", "zero\none\ntwo\nthree\n", "v2").unwrap();
    assert_eq!(state(&workbench), ("zero\none\ntwo\nthree\n".into(), false, None, false));
    assert_eq!(workbench.highlights_of("a")[0].ranges, [Range::lines(4, 4)]);
    let Change::Edited { edit, .. } = &done.changes[0].change else { panic!("{done:?}") };
    assert_eq!((edit.changes.as_slice(), edit.by.as_str()), ([change(0, 0, "zero\n")].as_slice(), "disk"));
    assert!(workbench.disk_changed("a", "ignored", "v2").unwrap().changes.is_empty(), "this version is known");
}

#[test]
fn a_dirty_buffer_keeps_both() {
    let mut workbench = with_text("a", "one\n");
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "my ")]);
    workbench.disk_changed("a", "their one\n", "v2").unwrap();
    assert_eq!(state(&workbench), ("my one\n".into(), true, Some("v2".into()), false));
    assert_eq!(workbench.conflict("a"), Some(("their one\n", "v2")));

    let mut restored = Workbench::restore(workbench.stored(), 2).workbench;
    for (resolution, expected) in [
        (Resolution::KeepMine, ("my one\n".to_owned(), true, None, false)),
        (Resolution::TakeTheirs, ("their one\n".to_owned(), false, None, false)),
    ] {
        let mut workbench = Workbench::restore(restored.stored(), 3).workbench;
        workbench.resolve(&anna(), "a", resolution).unwrap();
        assert_eq!(state(&workbench), expected, "{resolution:?}");
        assert_eq!(workbench.document("a").unwrap().disk_version.as_deref(), Some("v2"));
        assert_eq!(code(workbench.resolve(&anna(), "a", resolution)), "no_conflict");
    }
    restored.disk_changed("a", "my one\n", "v3").unwrap();
    assert_eq!(state(&restored), ("my one\n".into(), false, None, false), "the same text is no conflict");
}

#[test]
fn whoever_takes_back_all_that_they_typed_has_nothing_to_save() {
    let mut workbench = with_text("a", "one");
    let told_dirty = |changes: Vec<flightdeck_contract::workbench::Numbered>| {
        let last = changes.into_iter().rev().find_map(|numbered| match numbered.change {
            Change::Document { document } => Some(document.dirty),
            _ => None,
        });
        last.unwrap_or(true)
    };
    assert!(told_dirty(edit(&mut workbench, &anna(), "a", vec![change(3, 3, "!")]).changes));
    assert!(!told_dirty(edit(&mut workbench, &anna(), "a", vec![change(3, 4, "")]).changes));
    assert_eq!(state(&workbench), ("one".into(), false, None, false));
    // Another text of the same length is another text.
    edit(&mut workbench, &anna(), "a", vec![change(0, 3, "two")]);
    assert_eq!(state(&workbench), ("two".into(), true, None, false));
    // What is saved in the middle is what counts from there on.
    let saving = version(&workbench);
    workbench.saved("a", saving, "v2", None).unwrap();
    edit(&mut workbench, &anna(), "a", vec![change(0, 3, "one")]);
    assert_eq!(state(&workbench), ("one".into(), true, None, false));
    edit(&mut workbench, &anna(), "a", vec![change(0, 3, "two")]);
    assert_eq!(state(&workbench), ("two".into(), false, None, false));
    // While there is a conflict there is something to decide.
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "x")]);
    workbench.disk_changed("a", "theirs", "v3").unwrap();
    edit(&mut workbench, &anna(), "a", vec![change(0, 1, "")]);
    assert_eq!(state(&workbench), ("two".into(), true, Some("v3".into()), false));
    workbench.resolve(&anna(), "a", Resolution::KeepMine).unwrap();
    assert_eq!(state(&workbench), ("two".into(), true, None, false));
    edit(&mut workbench, &anna(), "a", vec![change(0, 3, "theirs")]);
    assert_eq!(state(&workbench), ("theirs".into(), false, None, false));
}

#[test]
fn what_is_typed_while_a_save_runs_stays_unsaved() {
    let mut workbench = with_text("a", "one");
    edit(&mut workbench, &anna(), "a", vec![change(3, 3, "!")]);
    let saving = version(&workbench);
    edit(&mut workbench, &anna(), "a", vec![change(4, 4, "?")]);
    workbench.saved("a", saving, "v2", None).unwrap();
    assert_eq!(state(&workbench), ("one!?".into(), true, None, false));
    workbench.saved("a", version(&workbench), "v3", None).unwrap();
    assert_eq!(state(&workbench), ("one!?".into(), false, None, false));
}

#[test]
fn a_file_that_goes_and_comes_back() {
    let mut workbench = with_text("a", "one");
    workbench.disk_gone("a").unwrap();
    assert_eq!(state(&workbench), ("one".into(), false, None, true));
    workbench.disk_changed("a", "two", "v2").unwrap();
    assert_eq!(state(&workbench), ("two".into(), false, None, false));
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "my ")]);
    workbench.disk_changed("a", "theirs", "v3").unwrap();
    workbench.disk_gone("a").unwrap();
    assert_eq!(state(&workbench), ("my two".into(), true, None, true), "nobody's text is left to be in conflict with");
}

fn buffer(workbench: &Workbench, known_unsaved: Option<&str>) -> WriteTo {
    let known_unsaved = known_unsaved.map(ToOwned::to_owned);
    WriteTo::Buffer { version: version(workbench), known_unsaved, disk: Some("v1".to_owned()), deleted: false }
}

#[test]
fn a_write_is_told_of_a_deleted_file_in_the_same_look() {
    let mut workbench = with_text("a", "one");
    workbench.disk_gone("a").unwrap();
    let to = workbench.may_write("a", &Expected::Any).unwrap();
    assert!(matches!(&to, WriteTo::Buffer { deleted: true, known_unsaved: None, .. }), "{to:?}");
}

#[test]
fn a_refused_write_says_how_to_go_on_and_not_which_version_to_name() {
    let mut workbench = with_text("a", "one");
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "my ")]);
    let read = version(&workbench);
    let error = workbench.may_write("a", &Expected::Any).unwrap_err();
    assert_eq!(error.to_string(), "a has unsaved changes");
    assert!(error.hint().contains("openspace.editor.read_file") && error.hint().contains("expectedVersion"));
    workbench.disk_changed("a", "their one", "v2").unwrap();
    for expected in [Expected::Any, Expected::Buffer(read)] {
        let error = workbench.may_write("a", &expected).unwrap_err();
        assert!(error.hint().starts_with("a person has to resolve the conflict first"), "{expected:?}: {error}");
        assert!(!format!("{error} {}", error.hint()).contains("buffer:"), "{error}");
    }
}

/// The version of the conflict when a save ends that wrote `v2`, and the state then.
#[test]
fn a_save_ends_only_the_conflict_with_itself() {
    for (theirs, conflict) in [("v2", None), ("v3", Some("v3".to_owned()))] {
        let mut workbench = with_text("a", "one");
        edit(&mut workbench, &anna(), "a", vec![change(3, 3, "!")]);
        let saving = version(&workbench);
        workbench.disk_changed("a", "theirs", theirs).unwrap();
        workbench.saved("a", saving, "v2", None).unwrap();
        assert_eq!(state(&workbench), ("one!".into(), conflict.is_some(), conflict.clone(), false), "{theirs}");
        let Some(theirs) = conflict else { continue };
        let mut replaced = Workbench::restore(workbench.stored(), 2).workbench;
        replaced.saved("a", version(&replaced), "v4", Some(&theirs)).unwrap();
        assert_eq!(state(&replaced), ("one!".into(), false, None, false), "it was overwritten on purpose");

        let again = |workbench: &Workbench| Workbench::restore(workbench.stored(), 2).workbench;
        let mut kept = again(&workbench);
        kept.resolve(&anna(), "a", Resolution::KeepMine).unwrap();
        assert_eq!(state(&kept), ("one!".into(), true, None, false), "it is not on disk any more");
        let mut taken = again(&workbench);
        taken.resolve(&anna(), "a", Resolution::TakeTheirs).unwrap();
        assert_eq!(state(&taken), ("theirs".into(), false, None, false));
        workbench.disk_changed("a", "theirs", &theirs).unwrap();
        assert_eq!(state(&workbench).2, Some(theirs), "told again");
        workbench.disk_changed("a", "one!", "v2").unwrap();
        assert_eq!(state(&workbench), ("one!".into(), false, None, false), "what was saved is on disk after all");
    }
}

#[test]
fn unsaved_changes_are_only_overwritten_by_who_has_read_them() {
    let mut workbench = with_text("a", "one");
    assert_eq!(workbench.may_write("b", &Expected::Any), Ok(WriteTo::File));
    assert_eq!(workbench.may_write("a", &Expected::Any), Ok(buffer(&workbench, None)));
    let old = version(&workbench);
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "my ")]);
    let read = version(&workbench);
    for expected in [Expected::Any, Expected::Disk("v1".into()), Expected::Buffer(old), Expected::Buffer(read.next())] {
        assert_eq!(workbench.may_write("a", &expected).unwrap_err().code(), "unsaved_changes", "{expected:?}");
    }
    let to = workbench.may_write("a", &Expected::Buffer(read)).unwrap();
    assert_eq!(to, buffer(&workbench, Some("my one")));
    let write = Written { path: "a", text: "my own one", disk: "v2", to: &to };
    workbench.written(&agent(), write).unwrap();
    assert_eq!(state(&workbench), ("my own one".into(), false, None, false));
    assert_eq!(workbench.may_write("a", &Expected::Buffer(read)).unwrap_err().code(), "version_unknown");
}

#[test]
fn typing_during_an_agents_write_is_not_lost() {
    let mut workbench = with_text("a", "one");
    let to = workbench.may_write("a", &Expected::Disk("v1".into())).unwrap();
    edit(&mut workbench, &anna(), "a", vec![change(3, 3, "!")]);
    workbench.written(&agent(), Written { path: "a", text: "two", disk: "v2", to: &to }).unwrap();
    assert_eq!(state(&workbench), ("one!".into(), true, Some("v2".into()), false));
}

#[test]
fn a_document_that_is_opened_again_has_new_versions() {
    let mut workbench = with_text("a", "one");
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "x")]);
    let old = version(&workbench);
    workbench.close_editor(&anna(), "a", crate::Unsaved::Discard).unwrap();
    super::open(&mut workbench, &anna(), "a");
    assert!(version(&workbench) > old);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_difference_leads_from_one_text_to_the_other(old in "[ab😀\n\r]{0,40}", new in "[ab😀\n\r]{0,40}") {
        let mut buffer = crate::text::Buffer::new(&old);
        let changes = difference(&old, &new);
        prop_assert!(crate::Delta::new(&changes, buffer.length()).is_ok(), "{changes:?}");
        buffer.apply(&changes);
        prop_assert_eq!(buffer.text(), new);
    }
}

#[test]
fn a_huge_difference_is_one_change() {
    let old: String = (0..30_000).map(|line| format!("old {line}\n")).collect();
    let new: String = (0..30_000).map(|line| format!("new {line}\n")).collect();
    assert_eq!(difference(&old, &new).len(), 1);
}

/// Texts that are too long to be compared to the end.
#[test]
fn a_long_file_that_was_rewritten_is_taken_over_whole() {
    let lines = |step: usize, kinds: usize| -> String {
        (0..60_000).map(|n| format!("line {}\n", n * step % 60_013 % kinds)).collect()
    };
    for (what, old, new) in [
        ("in another order", lines(1, usize::MAX), lines(7919, usize::MAX)),
        ("few kinds of lines", lines(1, 40), lines(7919, 40)),
        ("nothing alike", lines(1, usize::MAX), lines(1, usize::MAX).replace("line", "row")),
        ("much shorter", lines(1, usize::MAX), lines(3, 50)[..1000].to_owned()),
    ] {
        let mut workbench = with_text("a", &old);
        workbench.disk_changed("a", &new, "v2").unwrap();
        assert!(state(&workbench) == (new, false, None, false), "{what}: another text");
    }
}
