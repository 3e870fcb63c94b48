//! Commands that are awaited.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InputState, New, TerminalEvent};
use crate::TerminalId;

/// Runs a command and waits for its end: in a shell terminal, or as a process of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Run {
    /// In the shell of this terminal; in a fresh terminal of its own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<TerminalId>,
    /// The command, as it would be typed: any number of lines, 1 MiB at most.
    pub command: String,
    /// The folder to start in, without `id`; the workspace when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Environment variables to set, without `id`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// How long to wait for its end; 30 s when absent, 300 s at most. The command goes on after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// How much output to return at most, head and tail; 16 KiB when absent (64 for people).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
    /// Return the bytes as they came, with escape sequences, instead of plain text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raw: bool,
}

/// Starts one command as a process of its own and waits for its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Exec {
    /// What to start and how; `command` is required.
    pub terminal: New,
    /// How long to wait for its end; 30 s when absent. It goes on after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// End the command, and everything it started, when the time is up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub kill_on_timeout: bool,
    /// How much output to return at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
    /// Return the bytes as they came.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub raw: bool,
    /// Send the output as events while it comes instead of in the result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
}

streams!(Exec: "flightdeck.terminal.exec", TerminalEvent, Ran);

/// A process that a command left in the background.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Background {
    /// Its process id.
    pub pid: u32,
    /// What it is.
    pub command: String,
    /// Whether it goes on. When false it was ended with the command.
    pub running: bool,
}

/// A bounded run, when the waiting is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ran {
    /// Where it ran.
    pub id: TerminalId,
    /// Its output, exactly what it printed; plain text unless `raw` was asked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// What it printed on stderr, when it ran on pipes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The exit code; absent while it runs. 128 + N when signal N ended it, or when the command said so itself (`exit 139`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended the process, where the kernel told: not of a command in a shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// The exit code of each stage, when the last pipeline had several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<i32>,
    /// What the command left in the background, when it ran in a terminal of its own. That ended with the command,
    /// and hung these up; in a shell terminal (`id`) they go on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub background: Vec<Background>,
    /// The time was up before the command ended.
    pub timed_out: bool,
    /// Whether it still runs.
    pub running: bool,
    /// What the program asks for, which is why it was not waited for any longer or did not end in time: a line, a password,
    /// or single keys (`raw`), as an editor, a pager or a REPL does. Answer with flightdeck.terminal.keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<InputState>,
    /// What to do next, when it has not ended as commands do, or part of its output is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The disk is full, and the command stands still until there is room for what it prints: it was not waited for any
    /// longer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stalled: bool,
    /// Whether it has ended without its exit code being told: the shell is at its prompt, but something has taken our part out
    /// of its prompt (`PROMPT_COMMAND`, `PS1`, `precmd_functions`). The next command puts that back where it can.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untold: bool,
    /// Whether the shell itself ended (`exit`, `exec`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shell_ended: bool,
    /// How long it took, or has taken so far.
    pub duration_ms: u64,
    /// Where its output begins in the terminal's log.
    pub start: u64,
    /// Where its output ends, so far.
    pub end: u64,
    /// How many bytes of output were left out in the middle; read them with `start` and `end`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_bytes: u64,
    /// The resource that has all of the output, when some of it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_output: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(super) fn is_zero(number: &u64) -> bool {
    *number == 0
}
