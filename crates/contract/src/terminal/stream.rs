//! Output while it comes, for front ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WindowSize;
use crate::TerminalId;

/// Streams output in data frames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Follow {
    /// Of which terminal.
    pub id: TerminalId,
    /// From this cursor on; the whole log when neither this nor `lines` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// From the last so many lines on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Go on until the terminal ends; otherwise stop at the present end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow: bool,
    /// Plain text instead of the bytes as they came.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
}

/// A stream that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Followed {
    /// Where it began.
    pub from: u64,
    /// Where it ended.
    pub next: u64,
    /// Older output was asked for that is no longer there.
    pub truncated: bool,
    /// The exit code, when the terminal has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// Shows a terminal live: its screen first, then what comes; data frames from the caller are input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// Which one.
    pub id: TerminalId,
    /// The caller's window, which the terminal takes over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<WindowSize>,
}

/// Tells, in data frames, whenever there is something new to see in a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchTerminal {
    /// Which one.
    pub id: TerminalId,
}

/// How far a terminal has come: one data frame of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    /// The end of its log.
    pub cursor: u64,
    /// Whether its first process still runs.
    pub running: bool,
}
