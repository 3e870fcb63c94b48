//! Front ends look where they want, and nobody else is moved by it.

use flightdeck_contract::terminal::ViewerId;
use flightdeck_contract::workbench::{Change, EditorView, Leader, Position, SetView, Viewer, Window};

use super::{anna, change, edit, invariants, open, with_text};
use crate::limits::MAX_VIEWERS;
use crate::{Actor, Unsaved, Workbench, WorkbenchError};

fn ben() -> Actor {
    Actor::Person("web:ben".to_owned())
}

fn viewer(workbench: &Workbench, id: ViewerId) -> Viewer {
    workbench.snapshot().viewers.into_iter().find(|viewer| viewer.id == id).unwrap()
}

/// Nothing said yet.
pub(super) fn says_nothing(viewer: ViewerId) -> SetView {
    SetView { viewer, focus: None, editor: None, window: None, follow: None }
}

#[test]
fn each_has_a_focus_a_window_and_a_leader_of_its_own() {
    let mut workbench = with_text("a", "one\ntwo\nthree\n");
    let first = open(&mut workbench, &anna(), "a");
    let second = open(&mut workbench, &anna(), "b");
    let hers = workbench.arrive(&anna()).unwrap().value;
    let his = workbench.arrive(&ben()).unwrap().value;
    assert_ne!(hers, his);
    let window = Some(Window { width: 1280, height: 720 });
    let look = SetView { focus: Some(first.tab), window, ..says_nothing(hers) };
    workbench.set_view(&anna(), look).unwrap();
    workbench.set_view(&ben(), SetView { focus: Some(second.tab), ..says_nothing(his) }).unwrap();
    let follow = Some(Leader::Viewer { id: hers });
    let done = workbench.set_view(&ben(), SetView { follow, ..says_nothing(his) }).unwrap();
    assert!(
        matches!(&done.changes[..], [told] if matches!(&told.change, Change::Viewer { viewer } if viewer.id == his))
    );
    let (anna_sees, ben_sees) = (viewer(&workbench, hers), viewer(&workbench, his));
    assert_eq!((anna_sees.focus, anna_sees.window, anna_sees.follow), (Some(first.tab), window, Leader::Nobody));
    assert_eq!(
        (ben_sees.focus, ben_sees.window, ben_sees.follow),
        (Some(second.tab), None, Leader::Viewer { id: hers })
    );
    assert_eq!((anna_sees.name.as_str(), ben_sees.name.as_str()), ("web:anna", "web:ben"));

    workbench.depart(hers);
    assert_eq!(workbench.snapshot().viewers.len(), 1);
    assert_eq!(viewer(&workbench, his).follow, Leader::Nobody, "whom he followed is gone");
    invariants::check(&workbench);
}

#[test]
fn cursors_move_with_the_text_and_go_with_the_editor() {
    let mut workbench = with_text("a", "one\ntwo\nthree\n");
    let opened = open(&mut workbench, &anna(), "a");
    let id = workbench.arrive(&ben()).unwrap().value;
    let view = EditorView {
        editor_id: opened.editor.unwrap(),
        cursor: Position { line: 2, column: 2 },
        selection: None,
        first_line: 99,
    };
    workbench.set_view(&ben(), SetView { editor: Some(view), ..says_nothing(id) }).unwrap();
    let seen = viewer(&workbench, id).editor.unwrap();
    assert_eq!(
        (seen.cursor, seen.first_line),
        (Position { line: 2, column: 2 }, 4),
        "a line behind the end is the last"
    );
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "zero\n")]);
    assert_eq!(viewer(&workbench, id).editor.unwrap().cursor, Position { line: 3, column: 2 });
    workbench.close_tab(&anna(), opened.tab, Unsaved::Discard).unwrap();
    assert_eq!((viewer(&workbench, id).editor, viewer(&workbench, id).focus), (None, None));
}

#[test]
fn nobody_looks_for_somebody_else_and_there_are_not_too_many() {
    let mut workbench = Workbench::new(1);
    let hers = workbench.arrive(&anna()).unwrap().value;
    let not_found = WorkbenchError::ViewerNotFound(hers);
    assert_eq!(workbench.set_view(&ben(), says_nothing(hers)), Err(not_found));
    let gone = ViewerId(999);
    let follow = Some(Leader::Viewer { id: gone });
    let refused = workbench.set_view(&anna(), SetView { follow, ..says_nothing(hers) });
    assert_eq!(refused, Err(WorkbenchError::ViewerNotFound(gone)));
    let follow = Some(Leader::Viewer { id: hers });
    let refused = workbench.set_view(&anna(), SetView { follow, ..says_nothing(hers) }).unwrap_err();
    assert_eq!(refused.code(), "bad_argument");
    for _ in 1..MAX_VIEWERS {
        workbench.arrive(&anna()).unwrap();
    }
    assert_eq!(workbench.arrive(&anna()).unwrap_err().code(), "workbench_full");
    workbench.depart(hers);
    assert!(workbench.arrive(&anna()).unwrap().value > hers, "a number was used again");
}
