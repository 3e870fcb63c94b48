//! The whole workbench at one moment, and the changes that lead from one moment to the next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AppliedEdit, AreaLayout, BufferVersion, DocumentInfo, EditorInfo, Highlight, PaneInfo, Viewer};
use crate::terminal::ViewerId;
use crate::{EditorId, PaneId};

/// The whole state, for a front end that begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Which life of the hub; numbers of changes count from 0 in each.
    pub epoch: u32,
    /// The number of the last change that is in it.
    pub seq: u64,
    /// The areas that hold something.
    pub areas: Vec<AreaLayout>,
    /// All panes, by id.
    pub panes: Vec<PaneInfo>,
    /// The one that somebody focused last, a person or an agent. Each front end has a focus of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_pane: Option<PaneId>,
    /// All editors, by id.
    pub editors: Vec<EditorInfo>,
    /// All documents, by path. Their texts are asked for one by one.
    pub documents: Vec<DocumentInfo>,
    /// All highlights, by document and then by id.
    pub highlights: Vec<Highlight>,
    /// The front ends that watch, by number.
    #[serde(default)]
    pub viewers: Vec<Viewer>,
}

/// A change with its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Numbered {
    /// One above the number of the change before.
    pub seq: u64,
    /// What changed.
    pub change: Change,
}

/// One change. Each carries the new state of what it is about, so that a front end has nothing to work out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Change {
    /// The areas are divided like this now.
    Areas {
        /// Those that hold something.
        areas: Vec<AreaLayout>,
    },
    /// A pane is new or another.
    Pane {
        /// As it is now.
        pane: PaneInfo,
    },
    /// A pane is gone.
    PaneGone {
        /// Which.
        id: PaneId,
    },
    /// Somebody has focused another pane; a front end's own focus stays where it is unless it follows them.
    ActivePane {
        /// Which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<PaneId>,
    },
    /// An editor is new or another.
    Editor {
        /// As it is now.
        editor: EditorInfo,
    },
    /// An editor is gone.
    EditorGone {
        /// Which.
        id: EditorId,
    },
    /// A document is new or another.
    Document {
        /// As it is now.
        document: DocumentInfo,
    },
    /// A document is gone.
    DocumentGone {
        /// Which.
        path: String,
    },
    /// A text was read from disk, with no edits that lead to it: take it anew.
    Loaded {
        /// Of which document.
        path: String,
        /// Its version.
        version: BufferVersion,
    },
    /// A text was edited. The document has unsaved changes from here on, unless a `document` follows that says otherwise.
    Edited {
        /// Of which document.
        path: String,
        /// How.
        edit: AppliedEdit,
    },
    /// All highlights of a document, in place of those that it had.
    Highlights {
        /// Which document.
        path: String,
        /// By id.
        highlights: Vec<Highlight>,
    },
    /// A front end begins to watch, or looks elsewhere.
    Viewer {
        /// As it is now.
        viewer: Viewer,
    },
    /// A front end does not watch any more.
    ViewerGone {
        /// Which.
        id: ViewerId,
    },
}
