//! Front ends that look at the workbench. They share its panes; where each of them looks is its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Position, Selection};
use crate::terminal::ViewerId;
use crate::{EditorId, PaneTabId};

/// A front end that watches the workbench, and where it looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WorkbenchViewer")]
pub struct Viewer {
    /// Its number.
    pub id: ViewerId,
    /// Whose it is: `web:2`.
    pub name: String,
    /// The tab that has its keyboard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<PaneTabId>,
    /// Its place in the editor that it was last in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editor: Option<EditorView>,
    /// The room that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// Whom it lets lead.
    pub follow: Leader,
}

/// A place in an editor: moves with the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditorView {
    /// Which editor.
    pub editor_id: EditorId,
    /// The cursor.
    pub cursor: Position,
    /// What is selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
    /// The first line that is seen.
    pub first_line: u32,
}

/// The room of a front end, in its own pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// Whom a front end lets lead: it shows what they show. Nobody, unless its person chose otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "who", rename_all = "snake_case", deny_unknown_fields)]
pub enum Leader {
    /// Nobody.
    #[default]
    Nobody,
    /// Agents: what they open, focus and scroll to.
    Agents,
    /// Another front end.
    Viewer {
        /// Its number.
        id: ViewerId,
    },
}
