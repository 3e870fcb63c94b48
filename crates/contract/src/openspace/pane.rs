//! Requests and results of the `openspace.pane.*` commands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Shown;
use crate::workbench::{Area, ContentKind, Geometry, PaneInfo, PaneStateSnapshot, SplitDirection, TabInfo};

/// `openspace.pane.open`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenPane {
    /// What to show.
    #[serde(rename = "type")]
    pub kind: PaneType,
    /// The path of a file, or the id or title of a terminal.
    pub content_id: String,
    /// A name for people; the file's or terminal's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A new pane beside the active one, to the right (`vertical`) or below (`horizontal`); a tab of it when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_direction: Option<SplitDirection>,
}

/// What a pane can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaneType {
    /// A file.
    Editor,
    /// A terminal.
    Terminal,
    /// Not there yet.
    Presentation,
    /// Not there yet.
    Whiteboard,
}

/// Where it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneOpened {
    /// The pane. An external IDE has names of its own.
    pub pane_id: String,
    /// Who sees it.
    #[serde(flatten)]
    pub seen: Shown,
}

/// `openspace.pane.close`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClosePane {
    /// The pane, with all its tabs. Terminals in it go on.
    pub pane_id: String,
}

/// `openspace.pane.focus`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FocusPane {
    /// The pane.
    pub pane_id: String,
}

/// `openspace.pane.list`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPanes {}

/// The layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Panes {
    /// All panes.
    pub panes: Vec<PaneSummary>,
    /// The one with the keyboard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_pane: Option<String>,
}

/// `GET /openspace/state`: the panes at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneState {
    /// All panes.
    pub panes: Vec<PaneSummary>,
    /// The one with the keyboard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_pane: Option<String>,
    /// When, as RFC 3339. An external IDE that has told nothing yet has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// The external IDE whose panes they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ide: Option<String>,
}

impl From<PaneStateSnapshot> for PaneState {
    fn from(state: PaneStateSnapshot) -> Self {
        PaneState {
            panes: state.panes.into_iter().map(PaneSummary::from).collect(),
            active_pane: state.active_pane.map(|pane| pane.to_string()),
            timestamp: Some(state.timestamp),
            ide: None,
        }
    }
}

/// A pane of the workbench or of an external IDE, which has names of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneSummary {
    /// Its id in other calls.
    pub id: String,
    /// Where it is.
    pub area: Area,
    /// The title of the tab that is shown.
    pub title: String,
    /// From left to right.
    pub tabs: Vec<PaneTab>,
    /// The tab that is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_tab: Option<String>,
    /// Its room in percent of the whole.
    pub geometry: Geometry,
    /// A person wants it to stay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// Who opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
}

/// A tab of a pane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneTab {
    /// Its id.
    pub id: String,
    /// The path of a file, or the id of a terminal.
    pub content_id: String,
    /// `editor`, `terminal`, or what else an external IDE has.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its name for people.
    pub title: String,
    /// It holds changes that are not on disk.
    #[serde(default)]
    pub is_dirty: bool,
    /// It is the one that its pane shows.
    #[serde(default)]
    pub is_active: bool,
}

impl From<PaneInfo> for PaneSummary {
    fn from(pane: PaneInfo) -> Self {
        PaneSummary {
            id: pane.id.to_string(),
            area: pane.area,
            title: pane.title,
            tabs: pane.tabs.into_iter().map(PaneTab::from).collect(),
            active_tab: Some(pane.active_tab.to_string()),
            geometry: pane.geometry,
            pinned: pane.pinned,
            created_by: Some(pane.created_by),
        }
    }
}

impl From<TabInfo> for PaneTab {
    fn from(tab: TabInfo) -> Self {
        let kind = match tab.kind {
            ContentKind::Editor => "editor",
            ContentKind::Terminal => "terminal",
        };
        PaneTab {
            id: tab.id.to_string(),
            content_id: tab.content_id,
            kind: kind.to_owned(),
            title: tab.title,
            is_dirty: tab.is_dirty,
            is_active: tab.is_active,
        }
    }
}

/// `openspace.pane.resize`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResizePane {
    /// The pane.
    pub pane_id: String,
    /// Its width in percent of the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Its height in percent of the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
}
