//! Waiting for the first of some conditions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::InputState;
use crate::TerminalId;

/// Waits for the first of some conditions; the exit when none is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wait {
    /// On which terminal.
    pub id: TerminalId,
    /// Its process ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exit: bool,
    /// A line of output matches this regular expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// A program asks for a line or a password.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub input: bool,
    /// The shell is back at its prompt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompt: bool,
    /// No output for so many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_ms: Option<u64>,
    /// Something listens on this local port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Look at output from this cursor on; from now on when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// How long at most; 30 s when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// What ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// The process ended.
    Exit,
    /// A line matched.
    Pattern,
    /// A program asks for input.
    Input,
    /// The shell is at its prompt.
    Prompt,
    /// Nothing was printed.
    Quiet,
    /// The port is open.
    Port,
    /// The time was up.
    Timeout,
    /// The keeper is gone.
    Lost,
}

/// The end of a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waited {
    /// What ended it.
    pub reason: WaitReason,
    /// Where to go on.
    pub cursor: u64,
    /// The line that matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The exit code, when the process ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What kind of input is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<InputState>,
}
