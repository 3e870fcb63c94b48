//! What each operation refuses, with which code, and that nothing has changed then.

use flightdeck_contract::terminal::ViewerId;
use flightdeck_contract::workbench::{
    BufferVersion, Color, EditorView, Percent, Position, Range, SetView, SplitDirection,
};
use flightdeck_contract::{EditorId, PaneId, PaneTabId};

use super::viewers::says_nothing;
use super::{agent, anna, change, edit, editor};
use crate::{
    Destination, Edit, MoveTab, Open, OpenEditor, Outcome, Pin, Resize, Resolution, SetHighlight, Unsaved, Workbench,
};

const P1: fn() -> PaneId = || PaneId::new(1);
const P9: fn() -> PaneId = || PaneId::new(9);

/// `a` is dirty in p1, `b` is in p2 beside it and not loaded; p2 is pinned. One front end, Anna's, watches.
fn prepared() -> Workbench {
    let mut workbench = Workbench::new(1);
    super::open(&mut workbench, &anna(), "a");
    workbench.load("a", "😀 text\n", "v1").unwrap();
    edit(&mut workbench, &anna(), "a", vec![change(2, 2, "!")]);
    let split = Open { split: Some(SplitDirection::Vertical), ..Open::new(editor("b")) };
    workbench.open(&agent(), split).unwrap();
    workbench.pin(&anna(), PaneId::new(2), Pin::Pinned).unwrap();
    workbench.arrive(&anna()).unwrap();
    workbench
}

fn resize(width: Option<u32>, height: Option<u32>) -> Resize {
    let percent = |size: u32| Percent::from_hundredths(size * 100);
    Resize { pane: P1(), width: width.map(percent), height: height.map(percent) }
}

fn at(path: &str, line: Option<u32>, column: Option<u32>) -> OpenEditor {
    OpenEditor { path: path.to_owned(), line, column, highlight: true }
}

fn edited(workbench: &mut Workbench, path: &str, behind: i64, changes: &[(usize, usize)]) -> Outcome<()> {
    let version = workbench.document(path).map_or(1, |document| document.version.0);
    let base = BufferVersion(version.checked_add_signed(-behind).unwrap());
    let changes = changes.iter().map(|(from, to)| change(*from, *to, "x")).collect();
    let request = Edit { path: path.to_owned(), base, changes, client: "c".into(), client_seq: 1 };
    quiet(workbench.edit(&anna(), &request))
}

fn marked(workbench: &mut Workbench, ranges: Vec<Range>) -> Outcome<()> {
    let request = SetHighlight { path: "a".into(), ranges, id: None, color: Color::Red };
    quiet(workbench.highlight(&agent(), request))
}

fn quiet<T>(outcome: Outcome<T>) -> Outcome<()> {
    outcome.map(|done| crate::Done { value: (), changes: done.changes })
}

type Case = (&'static str, fn(&mut Workbench) -> Outcome<()>);

fn check(cases: &[Case]) {
    for (index, (code, act)) in cases.iter().enumerate() {
        let mut workbench = prepared();
        let before = (workbench.looked_at(1), workbench.stored(), workbench.snapshot().seq);
        let error = act(&mut workbench).expect_err(&format!("case {index} should be {code}"));
        assert_eq!(error.code(), *code, "case {index}: {error}");
        assert!(!error.to_string().is_empty() && !error.hint().is_empty());
        assert_eq!((workbench.looked_at(1), workbench.stored(), workbench.snapshot().seq), before, "case {index}");
    }
}

#[test]
fn of_panes_and_tabs() {
    check(&[
        ("bad_argument", |w| quiet(w.open(&agent(), Open::new(editor(""))))),
        ("bad_argument", |w| quiet(w.open(&agent(), Open::new(editor("a\0b"))))),
        ("bad_argument", |w| quiet(w.open(&agent(), Open::new(editor(&"x".repeat(5000)))))),
        ("pane_not_found", |w| w.close_pane(&agent(), P9(), Unsaved::Keep)),
        ("unsaved_changes", |w| w.close_pane(&agent(), P1(), Unsaved::Keep)),
        ("pinned", |w| w.close_pane(&agent(), PaneId::new(2), Unsaved::Keep)),
        ("tab_not_found", |w| w.close_tab(&agent(), PaneTabId::new(9), Unsaved::Keep)),
        ("unsaved_changes", |w| w.close_tab(&anna(), PaneTabId::new(1), Unsaved::Keep)),
        ("pinned", |w| w.close_tab(&agent(), PaneTabId::new(2), Unsaved::Discard)),
        ("pane_not_found", |w| w.focus_pane(&agent(), P9())),
        ("tab_not_found", |w| w.focus_tab(&agent(), PaneTabId::new(9))),
        ("people_only", |w| w.pin(&agent(), P1(), Pin::Pinned)),
        ("pane_not_found", |w| w.pin(&anna(), P9(), Pin::Pinned)),
        ("pane_not_found", |w| w.resize(&agent(), Resize { pane: P9(), ..resize(Some(5), None) })),
        ("size_impossible", |w| w.resize(&agent(), resize(Some(99), None))),
        ("size_impossible", |w| w.resize(&agent(), resize(Some(1), None))),
        ("nothing_beside", |w| w.resize(&agent(), resize(None, Some(50)))),
        ("nothing_beside", |w| w.resize(&agent(), resize(Some(30), Some(50)))),
        ("tab_not_found", |w| {
            let to = Destination::Into { pane: P1(), index: 0 };
            quiet(w.move_tab(&agent(), MoveTab { tab: PaneTabId::new(9), to }))
        }),
        ("pane_not_found", |w| {
            let to = Destination::Into { pane: P9(), index: 0 };
            quiet(w.move_tab(&agent(), MoveTab { tab: PaneTabId::new(1), to }))
        }),
    ]);
}

#[test]
fn of_editors_and_highlights() {
    check(&[
        ("bad_argument", |w| quiet(w.open_editor(&agent(), &at("c", Some(0), None)))),
        ("bad_argument", |w| quiet(w.open_editor(&agent(), &at("c", Some(1), Some(0))))),
        ("bad_argument", |w| quiet(w.open_editor(&agent(), &at("c", None, Some(3))))),
        ("bad_argument", |w| quiet(w.open_editor(&agent(), &at("", Some(1), None)))),
        ("bad_argument", |w| w.scroll_to("a", 0)),
        ("not_open", |w| w.scroll_to("c", 1)),
        ("not_open", |w| w.close_editor(&agent(), "c", Unsaved::Keep)),
        ("unsaved_changes", |w| w.close_editor(&agent(), "a", Unsaved::Keep)),
        ("not_open", |w| {
            let editor =
                EditorView { editor_id: EditorId::new(9), cursor: Position::START, selection: None, first_line: 1 };
            w.set_view(&anna(), SetView { editor: Some(editor), ..says_nothing(ViewerId(1)) })
        }),
        ("highlight_not_found", |w| w.clear_highlight(&agent(), &"h9".parse().unwrap())),
        ("bad_argument", |w| marked(w, vec![])),
        ("bad_argument", |w| marked(w, vec![Range::lines(1, 1); 101])),
        ("bad_range", |w| marked(w, vec![Range::lines(0, 1)])),
        ("bad_range", |w| marked(w, vec![Range::lines(1, 1), Range::lines(3, 2)])),
        ("bad_range", |w| marked(w, vec![Range { start_column: Some(0), ..Range::lines(1, 1) }])),
        ("bad_range", |w| marked(w, vec![Range { start_column: Some(4), end_column: Some(4), ..Range::lines(1, 1) }])),
    ]);
}

#[test]
fn of_texts() {
    check(&[
        ("not_open", |w| w.load("c", "", "v1")),
        ("not_open", |w| w.disk_changed("c", "", "v1")),
        ("not_open", |w| w.disk_gone("c")),
        ("not_open", |w| w.saved("c", BufferVersion(1), "v1", None)),
        ("version_unknown", |w| w.saved("a", BufferVersion(999), "v1", None)),
        ("no_conflict", |w| w.resolve(&anna(), "a", Resolution::KeepMine)),
        ("too_large", |w| w.disk_changed("a", &"x".repeat(crate::limits::MAX_TEXT + 1), "v2")),
        ("not_open", |w| edited(w, "c", 0, &[(0, 0)])),
        ("not_loaded", |w| edited(w, "b", 0, &[(0, 0)])),
        ("version_unknown", |w| edited(w, "a", -1, &[(0, 0)])),
        ("version_too_old", |w| edited(w, "a", 2, &[(0, 0)])),
        ("bad_position", |w| edited(w, "a", 0, &[(1, 1)])),
        ("bad_position", |w| edited(w, "a", 1, &[(0, 1)])),
        ("bad_position", |w| edited(w, "a", 0, &[(10, 10)])),
        ("bad_position", |w| edited(w, "a", 1, &[(9, 9)])),
        ("bad_position", |w| edited(w, "a", 0, &[(3, 2)])),
        ("bad_position", |w| edited(w, "a", 0, &[(2, 4), (3, 5)])),
        ("bad_position", |w| edited(w, "a", 0, &[(4, 4), (2, 2)])),
        ("edit_out_of_order", |w| {
            let base = w.document("a").unwrap().version;
            let client = w.documents["a"].clients[0].client.clone();
            let request = Edit { path: "a".into(), base, changes: vec![], client, client_seq: 0 };
            quiet(w.edit(&anna(), &request))
        }),
        ("bad_argument", |w| {
            let base = w.document("a").unwrap().version;
            let request = Edit { path: "a".into(), base, changes: vec![], client: String::new(), client_seq: 1 };
            quiet(w.edit(&anna(), &request))
        }),
    ]);
}

#[test]
fn discarding_closes_what_is_unsaved() {
    let mut workbench = prepared();
    workbench.close_pane(&anna(), P1(), Unsaved::Discard).unwrap();
    assert_eq!(workbench.document("a"), None);
    workbench.close_pane(&anna(), PaneId::new(2), Unsaved::Keep).unwrap();
    assert!(workbench.panes().is_empty(), "a person closes what is pinned");
}

#[test]
fn a_second_view_lets_the_first_go() {
    let mut workbench = prepared();
    let split = Open { split: Some(SplitDirection::Horizontal), ..Open::new(editor("a")) };
    let second = workbench.open(&anna(), split).unwrap().value;
    workbench.close_pane(&agent(), P1(), Unsaved::Keep).unwrap();
    let error = workbench.close_tab(&anna(), second.tab, Unsaved::Keep).unwrap_err();
    assert_eq!(error.code(), "unsaved_changes");
}

#[test]
fn only_a_person_closes_the_last_copy_of_a_deleted_file() {
    let mut workbench = super::with_text("a", "the last copy");
    workbench.disk_gone("a").unwrap();
    let error = workbench.close_editor(&agent(), "a", Unsaved::Keep).unwrap_err();
    assert_eq!(error.to_string(), "a was deleted on disk: its editor holds the only copy");
    workbench.close_editor(&anna(), "a", Unsaved::Keep).unwrap();
    assert_eq!(workbench.document("a"), None);
}
