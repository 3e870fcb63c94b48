//! The commands that ran in a shell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TerminalId;

/// Lists the commands that ran in a terminal, or reads what one of them printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct History {
    /// In which one.
    pub id: TerminalId,
    /// The newest so many; 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Only commands before this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// One command, with its output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// With `number`: what changed since the run before of the same command line, as a unified diff.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub diff: bool,
    /// With `number`: how much output to return at most; 16 KiB when absent (64 for people).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
}

/// Commands, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CommandRecords")]
pub struct Commands {
    /// The last one may still run.
    pub commands: Vec<CommandRecord>,
    /// Whether there are older ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// What the one that was asked for printed, or how that differs from the run before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// How many bytes of output were left out in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omitted_bytes: Option<u64>,
    /// The number of the run before that `output` compares with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared_with: Option<u64>,
}

/// A command that ran in a shell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRecord {
    /// Counts from 1 in each terminal.
    pub number: u64,
    /// The command line, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Who ran it, where it is known; a person at the keyboard otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Where it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Where its output begins.
    pub start: u64,
    /// Where its output ends; absent while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u64>,
    /// Its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The exit code of each stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<i32>,
    /// When it began, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<f64>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}
