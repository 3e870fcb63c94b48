//! Tests of the whole workbench: tables for each operation, and properties over random ones.

mod background;
mod bounds;
mod converge;
mod disk;
mod errors;
mod highlights;
mod invariants;
mod layout;
mod leave;
mod random;
mod restore;
mod stories;
mod viewers;

use flightdeck_contract::PaneTabId;
use flightdeck_contract::workbench::{BufferVersion, Numbered, TextChange};

use crate::publish::Touched;
use crate::{Actor, Content, Done, Edit, Open, Opened, Outcome, Workbench, WorkbenchError};

impl WorkbenchError {
    /// Its name in the tables of the tests.
    fn code(&self) -> &'static str {
        match self {
            WorkbenchError::PaneNotFound(_) => "pane_not_found",
            WorkbenchError::TabNotFound(_) => "tab_not_found",
            WorkbenchError::NotOpen(_) => "not_open",
            WorkbenchError::NotLoaded(_) => "not_loaded",
            WorkbenchError::HighlightNotFound(_) => "highlight_not_found",
            WorkbenchError::HighlightTaken { .. } => "highlight_taken",
            WorkbenchError::BadRange { .. } => "bad_range",
            WorkbenchError::BadArgument { .. } => "bad_argument",
            WorkbenchError::UnsavedChanges { .. } => "unsaved_changes",
            WorkbenchError::Pinned(_) => "pinned",
            WorkbenchError::ViewerNotFound(_) => "viewer_not_found",
            WorkbenchError::PeopleOnly(_) => "people_only",
            WorkbenchError::Full { .. } => "workbench_full",
            WorkbenchError::NoRoom { .. } => "no_room",
            WorkbenchError::SizeImpossible { .. } => "size_impossible",
            WorkbenchError::NothingBeside { .. } => "nothing_beside",
            WorkbenchError::VersionTooOld { .. } => "version_too_old",
            WorkbenchError::VersionUnknown { .. } => "version_unknown",
            WorkbenchError::EditOutOfOrder { .. } => "edit_out_of_order",
            WorkbenchError::BadPosition { .. } => "bad_position",
            WorkbenchError::TooLarge { .. } => "too_large",
            WorkbenchError::NoConflict(_) => "no_conflict",
        }
    }
}

impl Workbench {
    /// Shows a tab and gives its pane the focus, as all operations do that bring one to the front.
    fn focus_tab(&mut self, actor: &Actor, tab: PaneTabId) -> Outcome<()> {
        let pane = self.find_tab(tab)?.0;
        self.activate(actor, pane, tab);
        Ok(self.publish((), Touched::layout()))
    }
}

fn anna() -> Actor {
    Actor::Person("web:anna".to_owned())
}

fn agent() -> Actor {
    Actor::Agent("claude".to_owned())
}

fn other_agent() -> Actor {
    Actor::Agent("codex".to_owned())
}

fn editor(path: &str) -> Content {
    Content::Editor(path.to_owned())
}

fn open(workbench: &mut Workbench, actor: &Actor, path: &str) -> Opened {
    workbench.open(actor, Open::new(editor(path))).unwrap().value
}

/// A workbench with one document that is open and loaded.
fn with_text(path: &str, text: &str) -> Workbench {
    let mut workbench = Workbench::new(1);
    open(&mut workbench, &anna(), path);
    workbench.load(path, text, "v1").unwrap();
    workbench
}

fn change(from: usize, to: usize, insert: &str) -> TextChange {
    TextChange { from, to, insert: insert.to_owned() }
}

/// Edits the present text, each time as another client.
fn edit(workbench: &mut Workbench, actor: &Actor, path: &str, changes: Vec<TextChange>) -> Done<BufferVersion> {
    let base = workbench.document(path).unwrap().version;
    let request = Edit { path: path.to_owned(), base, changes, client: format!("at {base}"), client_seq: 1 };
    let done = workbench.edit(actor, &request).unwrap();
    Done { value: done.value.version, changes: done.changes }
}

fn text(workbench: &Workbench, path: &str) -> String {
    workbench.text(path).unwrap().text
}

fn code<T: std::fmt::Debug>(outcome: Outcome<T>) -> &'static str {
    outcome.map_or_else(|error| error.code(), |done| panic!("it was done: {done:?}"))
}

fn numbers(changes: &[Numbered]) -> Vec<u64> {
    changes.iter().map(|numbered| numbered.seq).collect()
}

#[test]
fn every_error_says_what_to_do() {
    let error = WorkbenchError::NotOpen("a.rs".to_owned());
    assert_eq!((error.code(), error.to_string().as_str()), ("not_open", "a.rs is not open in an editor"));
    assert_eq!(error.hint(), "open it with openspace.editor.open");
}
