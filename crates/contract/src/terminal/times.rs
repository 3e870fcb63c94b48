//! When a terminal printed what: for a replay.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WindowSize;
use crate::TerminalId;

/// Tells when output came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Times {
    /// Of which terminal.
    pub id: TerminalId,
}

/// When the output came that is still there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputTimes {
    /// The first byte that is there.
    pub start: u64,
    /// The end of the output.
    pub end: u64,
    /// In order of place and time.
    pub marks: Vec<OutputTime>,
    /// The sizes that the window had, in order; the first is the one at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<OutputSize>,
}

/// What came from here on was printed to a window of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputSize {
    /// The place in the output.
    pub at: u64,
    /// The size.
    pub size: WindowSize,
}

/// What is here came then. What follows came later, but not after the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputTime {
    /// The place in the output.
    pub at: u64,
    /// The time, in milliseconds since 1970.
    pub time_ms: u64,
}
