//! What can go wrong: each error says what happened, and what to do next. The hub gives each its stable code.

use flightdeck_contract::terminal::ViewerId;
use flightdeck_contract::workbench::{BufferVersion, HighlightId, Percent};
use flightdeck_contract::{PaneId, PaneTabId};
use thiserror::Error;

/// Why an operation was refused. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WorkbenchError {
    /// There is no pane of that name.
    #[error("there is no pane {0}")]
    PaneNotFound(PaneId),
    /// There is no tab of that name.
    #[error("there is no tab {0} in any pane")]
    TabNotFound(PaneTabId),
    /// No editor shows the document.
    #[error("{0} is not open in an editor")]
    NotOpen(String),
    /// The document's text is not there.
    #[error("the text of {0} has not been read yet")]
    NotLoaded(String),
    /// There is no highlight of that name.
    #[error("there is no highlight {0}")]
    HighlightNotFound(HighlightId),
    /// The highlight belongs to somebody else.
    #[error("highlight {id} belongs to {owner}")]
    HighlightTaken {
        /// Which.
        id: HighlightId,
        /// Whose.
        owner: String,
    },
    /// A region that can't be.
    #[error("range {number}: {problem}")]
    BadRange {
        /// Which of the given ones, from 1.
        number: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// An argument that can't be.
    #[error("{field}: {problem}")]
    BadArgument {
        /// Which.
        field: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// There is text that would be lost. The error does not say which state the buffer is in: only who has read that
    /// state may name it.
    #[error("{path} {risk}")]
    UnsavedChanges {
        /// Which document.
        path: String,
        /// How it would be lost.
        risk: Risk,
    },
    /// An agent wanted to close what a person has pinned.
    #[error("{0} is pinned by a person")]
    Pinned(PaneId),
    /// There is no front end of that number, or it is somebody else's.
    #[error("there is no front end {} of yours that watches", .0.0)]
    ViewerNotFound(ViewerId),
    /// Only a person can do this.
    #[error("only a person can {0}")]
    PeopleOnly(&'static str),
    /// Something is there as often as it can be.
    #[error("there can't be more than {limit} {what}")]
    Full {
        /// What.
        what: &'static str,
        /// How many there can be.
        limit: usize,
    },
    /// A pane is too small to be split.
    #[error("{pane} is only {side}% of the whole, too small to split")]
    NoRoom {
        /// Which.
        pane: PaneId,
        /// Its side in the direction of the split.
        side: Percent,
    },
    /// A pane can't get this size.
    #[error("{pane} can't be {wanted}% {side}: {least}% to {most}% is possible")]
    SizeImpossible {
        /// Which.
        pane: PaneId,
        /// `wide` or `high`.
        side: &'static str,
        /// What was asked for.
        wanted: Percent,
        /// The least that it can have.
        least: Percent,
        /// The most that it can have.
        most: Percent,
    },
    /// Nothing stands beside the pane that could give or take room.
    #[error("{pane} has nothing beside it, so it stays 100% {side}")]
    NothingBeside {
        /// Which.
        pane: PaneId,
        /// `wide` or `high`.
        side: &'static str,
    },
    /// An edit of a state that is too long ago.
    #[error("{base} of {path} is too old to edit: the oldest that can be is {oldest}")]
    VersionTooOld {
        /// Which document.
        path: String,
        /// What the edit is based on.
        base: BufferVersion,
        /// What it could be based on.
        oldest: BufferVersion,
    },
    /// An edit of a state that has not been.
    #[error("{path} has no {base}: it is at {current}")]
    VersionUnknown {
        /// Which document.
        path: String,
        /// What the edit is based on.
        base: BufferVersion,
        /// Where it is.
        current: BufferVersion,
    },
    /// An edit that the client sent before others which are applied already.
    #[error("edit {seq} of client {client} is older than its edit {last}, which is applied")]
    EditOutOfOrder {
        /// Which client.
        client: String,
        /// The edit's number.
        seq: u64,
        /// The last that was applied.
        last: u64,
    },
    /// A position that is not in the text.
    #[error("change {number}: {problem}")]
    BadPosition {
        /// Which of the edit's changes, from 1.
        number: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// A text that is too long.
    #[error("{path} would have {bytes} bytes, more than {limit}")]
    TooLarge {
        /// Which document.
        path: String,
        /// How long it would be.
        bytes: usize,
        /// How long it can be.
        limit: usize,
    },
    /// There is no conflict to resolve.
    #[error("{0} has no conflict with the file on disk")]
    NoConflict(String),
}

/// How text that is on no disk would be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Risk {
    /// By a write of somebody who has not read it.
    #[error("has unsaved changes")]
    Replaced,
    /// By a write while there is a conflict, which only a person can end.
    #[error("has unsaved changes, and the file has changed on disk meanwhile")]
    InConflict,
    /// By closing its last editor.
    #[error("has unsaved changes")]
    Closed,
    /// By closing the last editor of a file that is gone.
    #[error("was deleted on disk: its editor holds the only copy")]
    OnlyCopy,
}

impl Risk {
    fn hint(self) -> &'static str {
        match self {
            Risk::Replaced => {
                "read it with openspace.editor.read_file and give the version of that answer as expectedVersion"
            }
            Risk::InConflict => "a person has to resolve the conflict first: ask them, and read it again then",
            Risk::Closed => "leave it open until it is saved",
            Risk::OnlyCopy => "leave it open, or ask a person to save or close it",
        }
    }
}

impl WorkbenchError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            WorkbenchError::PaneNotFound(_) | WorkbenchError::TabNotFound(_) => {
                "openspace.pane.list lists what is there"
            }
            WorkbenchError::NotOpen(_) => "open it with openspace.editor.open",
            WorkbenchError::NotLoaded(_) => "read the document first, then edit",
            WorkbenchError::HighlightNotFound(_) => "it may have been cleared by a person; highlight again if needed",
            WorkbenchError::HighlightTaken { .. } => "use another highlightId",
            WorkbenchError::BadRange { .. } => "lines and columns count from 1, and the end is not before the start",
            WorkbenchError::BadArgument { .. } => "correct the argument",
            WorkbenchError::UnsavedChanges { risk, .. } => risk.hint(),
            WorkbenchError::Pinned(_) => "leave it open, or ask the person",
            WorkbenchError::ViewerNotFound(_) => "use the number from the first event of flightdeck.workbench.watch",
            WorkbenchError::PeopleOnly(_) => "ask the person to do it",
            WorkbenchError::Full { .. } => "close or clear what is not needed any more",
            WorkbenchError::NoRoom { .. } => "open it without a split, or close or resize panes first",
            WorkbenchError::SizeImpossible { .. } => "ask for a size within these bounds, or close other panes first",
            WorkbenchError::NothingBeside { .. } => "open something beside it first",
            WorkbenchError::VersionTooOld { .. } | WorkbenchError::VersionUnknown { .. } => {
                "read the document again and make the edit anew"
            }
            WorkbenchError::EditOutOfOrder { .. } => "send edits in order, one at a time, with numbers that go up",
            WorkbenchError::BadPosition { .. } => {
                "positions are UTF-16 units in the text of the base version, sorted and not overlapping"
            }
            WorkbenchError::TooLarge { .. } => "split the file; texts of this size can't be edited here",
            WorkbenchError::NoConflict(_) => "there is nothing to do",
        }
    }
}
