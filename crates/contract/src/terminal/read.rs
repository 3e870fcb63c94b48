//! Output by lines or by cursor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::run::is_zero;
use crate::TerminalId;

/// Reads output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Read {
    /// Of which terminal.
    pub id: TerminalId,
    /// The last so many lines; 100 when neither this nor `from` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Bytes from this cursor on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Bytes up to this cursor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// How much at most; 16 KiB when absent (64 for people).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
    /// The bytes as they came, with escape sequences.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raw: bool,
}

/// Output that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The text. Bytes that are no UTF-8 are shown as U+FFFD.
    pub text: String,
    /// Where it begins.
    pub from: u64,
    /// Where to go on.
    pub next: u64,
    /// The end of the log when it was read.
    pub end: u64,
    /// Bytes that come after `text`: go on from `next`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
    /// Older output exists, or existed, that is not in `text`.
    pub truncated: bool,
    /// Whether the first process still runs.
    pub running: bool,
}
