//! Starting a terminal.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TerminalId;

/// Starts a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct New {
    /// One command with its arguments instead of a shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Run the command on pipes, with stdout and stderr apart, instead of a terminal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pipes: bool,
    /// With `pipes`: hold stdin open. Text is written to it with flightdeck.terminal.keys; the key C-d ends it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stdin: bool,
    /// The shell; `$SHELL` when absent, or for an agent bash where that is fish or another one of its own syntax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// Start the shell as a login shell.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub login: bool,
    /// The folder to start in, absolute or relative to the workspace; the workspace when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Environment variables to set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Start from an empty environment instead of the hub's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clear_env: bool,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The size of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<WindowSize>,
    /// How many bytes of output are kept on disk; 256 MiB when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_bytes: Option<u64>,
    /// Keep it when the agent that started it leaves; otherwise it is ended some minutes later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
}

/// A terminal that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// Its name in all other calls.
    pub id: TerminalId,
    /// Where its output begins, to read or wait from.
    #[serde(default)]
    pub cursor: u64,
}

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindowSize {
    /// Rows, 1 to 2000.
    pub rows: u16,
    /// Columns, 1 to 2000.
    pub cols: u16,
}
