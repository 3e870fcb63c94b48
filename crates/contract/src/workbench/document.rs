//! Documents, edits of their text, and the editors that show them.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EditorId, PaneTabId};

/// Which state of a document's buffer: goes up by one with every edit and is never used twice for one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct BufferVersion(pub u64);

/// Text that is no version of a buffer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a buffer's version: they look like buffer:12")]
pub struct InvalidBufferVersion(String);

impl BufferVersion {
    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        BufferVersion(self.0 + 1)
    }
}

/// As callers give it where a version of a file may stand too.
impl fmt::Display for BufferVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "buffer:{}", self.0)
    }
}

impl FromStr for BufferVersion {
    type Err = InvalidBufferVersion;

    fn from_str(text: &str) -> Result<Self, InvalidBufferVersion> {
        let number = text.strip_prefix("buffer:").and_then(|digits| digits.parse().ok());
        number.map(BufferVersion).ok_or_else(|| InvalidBufferVersion(text.chars().take(40).collect()))
    }
}

/// One replaced piece of text. Positions count UTF-16 units from the beginning, as browsers do; a line break is one
/// unit when it is `\n` and two when it is `\r\n`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextChange {
    /// Where the replaced text begins.
    pub from: usize,
    /// Where it ends; the same as `from` when nothing is removed.
    pub to: usize,
    /// What stands there instead.
    #[serde(default)]
    pub insert: String,
}

/// An edit as the hub applied it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedEdit {
    /// The version that it made, one above the version that its positions belong to.
    pub version: BufferVersion,
    /// Sorted and not overlapping; all positions are those before the edit.
    pub changes: Vec<TextChange>,
    /// Who.
    pub by: String,
    /// The client that sent it; absent for what came from the disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The client's own number of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_seq: Option<u64>,
}

/// A place in a text: lines from 1, columns from 1 in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Position {
    /// Where every text begins.
    pub const START: Position = Position { line: 1, column: 1 };
}

/// Selected text, from where the selection began to where the cursor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Where it began.
    pub anchor: Position,
    /// Where the cursor is.
    pub head: Position,
}

/// An editor: one view of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditorInfo {
    /// Its id.
    pub id: EditorId,
    /// The tab that it is in.
    pub tab: PaneTabId,
    /// The document.
    pub path: String,
    /// Where its cursor was put last, by anybody: a front end that opens it begins there.
    pub cursor: Position,
    /// What was selected there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
    /// The first line that was seen.
    pub first_line: u32,
    /// A line to bring into the centre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reveal: Option<u32>,
    /// Goes up each time that a line is to be brought into the centre, also when it is the same line again.
    pub reveals: u64,
}

/// A document without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentInfo {
    /// Relative to the workspace.
    pub path: String,
    /// The state of its buffer.
    pub version: BufferVersion,
    /// Its text is there; otherwise it is read from disk when somebody needs it.
    pub loaded: bool,
    /// The version of the file that the buffer comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_version: Option<String>,
    /// It holds changes that are not on disk.
    pub dirty: bool,
    /// The version that the file got on disk while the buffer held unsaved changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
    /// The file is gone.
    pub deleted: bool,
}
