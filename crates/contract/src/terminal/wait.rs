//! Waiting for the first of some conditions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::InputState;
use crate::TerminalId;

/// Waits for the first of some conditions. When none is given: for the end of the command that runs in its shell, or of the last
/// one that has ended there; else for the end of its process. A process that ends before
/// anything that was asked for makes the wait fail with `terminal_ended`.
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
    /// A program asks for a line, a password or, in a line editor of its own, a key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub input: bool,
    /// The shell is back at its prompt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompt: bool,
    /// No output for so many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_ms: Option<u64>,
    /// A process of this terminal listens on this local port. When another program has it, the wait fails with
    /// `port_taken`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Look for `pattern` from this cursor on. When absent: from the start of the last command, or from where you last read,
    /// waited or typed there; 1 MiB back at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// How long at most; 30 s when absent. A wait that ends by it fails with `timed_out`.
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
    /// A process of the terminal listens on the port.
    Port,
    /// The command has ended.
    Command,
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
    /// The exit code, when the command or the process ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What kind of input is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<InputState>,
}
