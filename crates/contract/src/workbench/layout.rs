//! Where things are: areas, the splits in them, panes and their tabs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Percent;
use crate::{EditorId, PaneId, PaneTabId};

/// A part of the workbench. Main and right stand side by side, bottom is below both; an empty one takes no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// Editors.
    Main,
    /// Beside the editors.
    Right,
    /// Terminals.
    Bottom,
}

impl Area {
    /// All of them, in reading order.
    pub const ALL: [Area; 3] = [Area::Main, Area::Right, Area::Bottom];
}

/// What a tab shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContentKind {
    /// A document.
    Editor,
    /// A terminal.
    Terminal,
}

/// How the children of a split stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Side by side.
    Row,
    /// One below the other.
    Column,
}

/// Where a new pane goes, in the words of `openspace.pane.open`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SplitDirection {
    /// Below the active pane.
    Horizontal,
    /// To the right of the active pane.
    Vertical,
}

/// A pane, or a split into several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LayoutNode {
    /// A pane.
    Pane {
        /// Which.
        id: PaneId,
    },
    /// At least two nodes; none of them is a split in the same direction.
    Split {
        /// How they stand.
        direction: Direction,
        /// From left to right or from top to bottom; their shares sum up to 100.
        children: Vec<Child>,
    },
}

/// A node with its share of the split that it is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Child {
    /// Its share of the split.
    pub share: Percent,
    /// What is there.
    pub node: LayoutNode,
}

/// An area that holds something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AreaLayout {
    /// Which.
    pub area: Area,
    /// Its room in the whole.
    pub geometry: Geometry,
    /// Its panes.
    pub root: LayoutNode,
}

/// A rectangle in percent of the whole workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Geometry {
    /// From the left.
    pub x: Percent,
    /// From the top.
    pub y: Percent,
    /// How wide.
    pub width: Percent,
    /// How high.
    pub height: Percent,
}

/// A pane: a stack of tabs of which one is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneInfo {
    /// Its id in other calls.
    pub id: PaneId,
    /// Where it is.
    pub area: Area,
    /// The title of the tab that is shown.
    pub title: String,
    /// From left to right; never empty.
    pub tabs: Vec<TabInfo>,
    /// The tab that is shown.
    pub active_tab: PaneTabId,
    /// Its room in the whole.
    pub geometry: Geometry,
    /// A person wants it to stay.
    pub pinned: bool,
    /// It is the one that has the focus.
    pub active: bool,
    /// Who opened it.
    pub created_by: String,
}

/// A tab of a pane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TabInfo {
    /// Its id.
    pub id: PaneTabId,
    /// The path of a document, or the id of a terminal.
    pub content_id: String,
    /// What it shows.
    #[serde(rename = "type")]
    pub kind: ContentKind,
    /// Its name for people.
    pub title: String,
    /// It holds changes that are not on disk.
    pub is_dirty: bool,
    /// It is the one that its pane shows.
    pub is_active: bool,
    /// The editor in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editor: Option<EditorId>,
    /// Who opened it.
    pub created_by: String,
}

/// All panes at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneStateSnapshot {
    /// In reading order of the areas.
    pub panes: Vec<PaneInfo>,
    /// The one that has the focus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_pane: Option<PaneId>,
    /// When, as RFC 3339.
    pub timestamp: String,
}
