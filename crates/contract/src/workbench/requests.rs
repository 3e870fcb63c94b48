//! What front ends ask of the workbench: its state, the texts of documents, and what people do beside the commands that
//! agents have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BufferVersion, EditorView, Leader, Numbered, Snapshot, TextChange, Window};
use crate::Resumes;
use crate::terminal::{Done, ViewerId};

/// `flightdeck.workbench.watch`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WatchWorkbench {
    /// The epoch of the snapshot that the front end has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u32>,
    /// The last change that it has seen. With both, only what it missed is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
}

streams!(WatchWorkbench: "flightdeck.workbench.watch", WorkbenchEvent, Done);

impl Resumes for WatchWorkbench {
    fn seen(&mut self, event: &WorkbenchEvent) {
        match event {
            WorkbenchEvent::Snapshot { snapshot } => {
                (self.epoch, self.seq) = (Some(snapshot.epoch), Some(snapshot.seq));
            }
            WorkbenchEvent::Changes { changes } => self.seq = changes.last().map(|change| change.seq).or(self.seq),
            WorkbenchEvent::Watching { .. } => {}
        }
    }
}

/// A frame of `flightdeck.workbench.watch`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum WorkbenchEvent {
    /// The first event: who this front end is, for `flightdeck.workbench.view`.
    Watching {
        /// Its number.
        viewer: ViewerId,
    },
    /// Everything; what the front end has is to be replaced.
    Snapshot {
        /// The state.
        snapshot: Box<Snapshot>,
    },
    /// Changes, in order.
    Changes {
        /// One after the other.
        changes: Vec<Numbered>,
    },
}

/// `flightdeck.workbench.document`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetDocument {
    /// A file that is open.
    pub path: String,
}

/// The text of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Which.
    pub path: String,
    /// The state that the text is of: the base of edits.
    pub version: BufferVersion,
    /// The text.
    pub text: String,
    /// It holds changes that are not on disk.
    pub dirty: bool,
    /// What is on disk, when that has changed below unsaved changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theirs: Option<String>,
}

/// `flightdeck.workbench.edit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditDocument {
    /// A file that is open.
    pub path: String,
    /// The version that the positions belong to.
    pub base: BufferVersion,
    /// Sorted and not overlapping.
    pub changes: Vec<TextChange>,
    /// A name that the client keeps over reconnects and that nobody else has.
    pub client: String,
    /// The client's number of the edit; one that is sent again is not applied again.
    pub client_seq: u64,
}

/// What became of an edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentEdited {
    /// The version that it made.
    pub version: BufferVersion,
    /// As it was applied, in positions of the version before.
    pub changes: Vec<TextChange>,
    /// It had been applied before.
    pub repeated: bool,
}

/// `flightdeck.workbench.save`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveDocument {
    /// A file that is open.
    pub path: String,
    /// Also over what somebody else has written meanwhile.
    #[serde(default)]
    pub overwrite: bool,
}

/// `flightdeck.workbench.resolve`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveConflict {
    /// A file with unsaved changes that has changed on disk.
    pub path: String,
    /// Which text stays.
    pub keep: Keep,
}

/// Which text stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The one in the editor.
    Mine,
    /// The one on disk.
    Theirs,
}

/// `flightdeck.workbench.view`. What is absent stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetView {
    /// The front end's own number, from the first event of `flightdeck.workbench.watch`.
    pub viewer: ViewerId,
    /// The tab that has its keyboard now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<crate::PaneTabId>,
    /// Its place in an editor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editor: Option<EditorView>,
    /// The room that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// Whom it lets lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<Leader>,
}

/// `flightdeck.workbench.pin`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PinPane {
    /// Which pane.
    pub pane_id: crate::PaneId,
    /// Whether it stays when the agent that opened it leaves.
    pub pinned: bool,
}

/// `flightdeck.workbench.close_tab`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ClosePaneTab")]
pub struct CloseTab {
    /// Which tab.
    pub tab_id: crate::PaneTabId,
    /// Also when it holds unsaved changes, which are lost then.
    #[serde(default)]
    pub discard: bool,
}

/// `flightdeck.workbench.move_tab`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MovePaneTab {
    /// Which tab.
    pub tab_id: crate::PaneTabId,
    /// Into this pane, or beside it when `splitDirection` is given.
    pub pane_id: crate::PaneId,
    /// Before the tab with this index; at the end when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Into a new pane beside the given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_direction: Option<super::SplitDirection>,
    /// With `splitDirection`: at its left or above it, not at its right or below.
    #[serde(default)]
    pub before: bool,
}

/// Where a tab is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneMoved {
    /// The pane.
    pub pane_id: crate::PaneId,
}

/// `flightdeck.workbench.clear_highlights`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClearHighlights {
    /// Of this file: what a person wants when they press Escape.
    pub path: String,
}
