//! Requests and results of the `openspace.editor.*` commands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Shown;
use crate::workbench::Range;

/// `openspace.editor.open`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenEditor {
    /// The file.
    pub path: String,
    /// Go to this line, from 1 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// And to this column, from 1 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Highlight the line.
    #[serde(default)]
    pub highlight: bool,
}

/// An editor that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditorOpened {
    /// The editor. An external IDE has names of its own, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editor_id: Option<String>,
    /// The pane that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane_id: Option<String>,
    /// The highlight of the line, when one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight_id: Option<String>,
    /// The line that is shown in place of one behind the end of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
    /// Who sees it.
    #[serde(flatten)]
    pub seen: Shown,
}

/// `openspace.editor.close`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CloseEditor {
    /// The file.
    pub path: String,
}

/// `openspace.editor.scroll_to`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrollTo {
    /// A file that is open.
    pub path: String,
    /// The line that comes to the middle, from 1 on.
    pub line: u32,
}

/// An editor that was scrolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scrolled {
    /// The line that is shown in place of one behind the end of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
    /// Who sees it.
    #[serde(flatten)]
    pub seen: Shown,
}

/// `openspace.editor.highlight`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HighlightRanges {
    /// The file. It is opened when it is not open yet.
    pub path: String,
    /// What to highlight.
    pub ranges: Vec<Range>,
    /// A name for it; the same name again replaces it. One is made when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight_id: Option<String>,
    /// `yellow`, `green`, `red`, `blue`, `purple`, `orange` or `#rrggbb`; yellow when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// A highlight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Highlighted {
    /// Its name, for `openspace.editor.clear_highlight`.
    pub highlight_id: String,
    /// The last line of the file, when a range was to reach behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
    /// Who sees it.
    #[serde(flatten)]
    pub seen: Shown,
}

/// `openspace.editor.clear_highlight`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClearHighlight {
    /// Its name.
    pub highlight_id: String,
}
