//! Requests and results of the `openspace.file.*` commands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nothing worth a word.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// `openspace.file.read`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadFile {
    /// The file, from the workspace on or as an absolute path in it.
    pub path: String,
    /// The first line, from 1 on; the beginning when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_line: Option<usize>,
    /// Bytes of the first line to leave out, to go on inside of a long line: `nextOffset` of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_offset: Option<u64>,
    /// The last line, included; the end when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<usize>,
    /// How many bytes of text at most; 32768 when absent, 4 at least, 1048576 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
}

/// Text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileContent {
    /// The text, decoded, with its line endings as they are.
    pub content: String,
    /// The path from the workspace on.
    pub path: String,
    /// The first line that is here; 0 when there is none.
    pub start_line: usize,
    /// The last line that is here; 0 when there is none.
    pub end_line: usize,
    /// How many lines the file has.
    pub total_lines: usize,
    /// How many bytes it has on disk, or its unsaved text has.
    pub size: u64,
    /// What it holds, as a hash: give it to `openspace.file.write` as `expectedVersion`.
    pub version: String,
    /// How its text is encoded: `utf-8`, `utf-8-bom`, `utf-16le` or `utf-16be`.
    pub encoding: String,
    /// There is more in the range that was asked for; go on from `nextLine`.
    pub truncated: bool,
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_line: Option<usize>,
    /// A single line did not fit: where to go on in it, as `startOffset`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// It is what a person has in the editor and not saved yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsaved: bool,
}

/// `openspace.file.write`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteFile {
    /// The file, from the workspace on or as an absolute path in it. Folders that are missing are made.
    pub path: String,
    /// All of its new content. Line endings and encoding stay those of the file.
    pub content: String,
    /// Write only if the file still has this version, or only if there is none when it is `absent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_version: Option<String>,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileWritten {
    /// The path from the workspace on.
    pub path: String,
    /// What it holds now.
    pub version: String,
    /// How many bytes it has on disk.
    pub size: u64,
    /// It was not there before.
    pub created: bool,
    /// What was kept of the old file although the content said otherwise: its line endings, its encoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The entry that `openspace.file.undo` takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo_id: Option<u64>,
}

/// `openspace.file.undo`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct UndoWrite {
    /// Take back the last write to this file; the last write of all when neither this nor `undoId` is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Take back just this write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo_id: Option<u64>,
}

/// A write that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteUndone {
    /// Which file.
    pub path: String,
    /// What it holds now; absent when the write had made it, so that it is gone again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Whose write it was.
    pub actor: String,
    /// When that was, in milliseconds since 1970.
    pub written_at_ms: i64,
    /// The entry by which this can be taken back in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo_id: Option<u64>,
}

/// `openspace.file.list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListFiles {
    /// The folder; the workspace when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Also what is in its folders, but for what `.gitignore` leaves out.
    pub recursive: bool,
    /// How many entries at most; 1000 when absent, 10000 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<usize>,
}

/// What is in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileList {
    /// Folders first, then by name.
    pub files: Vec<FileInfo>,
    /// There are more entries than are here.
    pub truncated: bool,
    /// So many folders could not be looked into.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: usize,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileInfo {
    /// Its name.
    pub name: String,
    /// Its path from the workspace on.
    pub path: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: FileType,
    /// How many bytes it has.
    pub size: u64,
    /// When it was changed last, in milliseconds since 1970.
    pub modified: i64,
    /// It holds secrets: it can't be read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// Git leaves it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignored: bool,
}

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileType {
    /// A file.
    File,
    /// A folder.
    Directory,
    /// A link, which is not followed.
    Symlink,
    /// A device, a pipe or a socket.
    Other,
}

/// `openspace.file.search`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchFiles {
    /// What to find in the files of the workspace; what `.gitignore` leaves out is not looked at.
    pub query: String,
    /// Only in this folder or file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Only files like these: `*.rs,src/**`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_pattern: Option<String>,
    /// No files like these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclude_pattern: Option<String>,
    /// The query is a regular expression; otherwise it is text as it is.
    #[serde(default)]
    pub regex: bool,
    /// Upper and lower case are different.
    #[serde(default)]
    pub case_sensitive: bool,
    /// How many matches at most; 200 when absent, 5000 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_results: Option<usize>,
}

streams!(SearchFiles: "openspace.file.search", SearchFound, SearchResult);

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// By path and line.
    pub matches: Vec<SearchMatch>,
    /// There may be more.
    pub truncated: bool,
    /// Why it ended early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many files were looked at.
    pub searched_files: u64,
    /// How many were left out: not text, with secrets, or not readable.
    pub skipped_files: u64,
}

/// What a search has found since it told last. All of it is in the result once more, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchFound {
    /// In the order in which it was found.
    pub matches: Vec<SearchMatch>,
}

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchMatch {
    /// The path from the workspace on.
    pub path: String,
    /// The line, from 1 on.
    pub line: u64,
    /// The first column that matches, from 1 on, in characters.
    pub column: u64,
    /// The line, cut around the match when it is long.
    pub text: String,
}

/// `flightdeck.file.writes`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListWrites {
    /// Only those of this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How many at most; 20 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// What was written through the hub and can be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Writes {
    /// The latest first.
    pub writes: Vec<Write>,
}

/// A write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Write {
    /// Its entry, for `openspace.file.undo`.
    pub undo_id: u64,
    /// Which file.
    pub path: String,
    /// Who.
    pub actor: String,
    /// When, in milliseconds since 1970.
    pub written_at_ms: i64,
    /// What the file held before; absent when it was made by this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What it held after; absent when it was removed by this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// It took another write back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undo: bool,
}

/// `flightdeck.file.write_texts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowWrite {
    /// Its entry, as `flightdeck.file.writes` has it.
    pub undo_id: u64,
}

/// A write as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WriteTexts {
    /// Which file.
    pub path: String,
    /// The text before; empty when the write made the file. Absent when it was no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The text after; empty when the write removed the file. Absent when it was no text, or is not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}
