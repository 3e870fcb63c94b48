//! Signals, ending, and what comes after.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TerminalId;

/// Ends a terminal and everything that was started in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Kill {
    /// Which terminal.
    pub id: TerminalId,
    /// The first signal: `HUP` when absent. What is left after a grace period gets `KILL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// How long programs may take to end by themselves; 1500 ms when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_ms: Option<u64>,
}

/// A terminal that was ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Killed {
    /// How many processes were there.
    pub processes: usize,
    /// How it ended; 128 + N for signal N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// Sends one signal and changes nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendSignal {
    /// To which terminal.
    pub id: TerminalId,
    /// `INT`, `TERM`, `SIGHUP`, `9`.
    pub signal: String,
}

/// Removes a terminal that has ended, with its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remove {
    /// Which one.
    pub id: TerminalId,
}

/// Done, and there is nothing more to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Done {}
