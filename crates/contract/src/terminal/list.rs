//! Terminals as they stand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Holder, WindowSize};
use crate::TerminalId;

/// Lists terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct List {
    /// Those that have ended as well.
    pub all: bool,
    /// So many at most; 50 when absent, 500 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Those after a page that was given: its `next`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The terminals of the workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// Those that run first, the newest first.
    pub terminals: Vec<TerminalInfo>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub more: usize,
    /// The next ones are listed with this as `after`; absent when there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What a terminal is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerminalKind {
    /// A shell to run commands in.
    Shell,
    /// One command on a terminal.
    Command,
    /// One command on pipes.
    Pipes,
}

/// What the program in the foreground waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InputState {
    /// A line with echo off.
    Password,
    /// A line.
    Line,
    /// Keys.
    Raw,
    /// Nothing: it is at work.
    Busy,
    /// There is nothing to type into.
    None,
}

/// What a program asks somebody to type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A line with echo off.
    Password,
    /// A line.
    Line,
}

impl InputKind {
    /// In words, after "asks for".
    pub fn name(self) -> &'static str {
        match self {
            InputKind::Password => "a password",
            InputKind::Line => "a line",
        }
    }
}

/// A terminal as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalInfo {
    /// Its name.
    pub id: TerminalId,
    /// A name for people: given, set by the program, or the command.
    pub title: String,
    /// What it is for.
    pub kind: TerminalKind,
    /// What was started in it.
    pub command: String,
    /// Where it is now, or was started.
    pub cwd: String,
    /// Whether its first process still runs.
    pub running: bool,
    /// The exit code of that process; 128 + N when signal N ended it, as a shell reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// Whether the keeper was lost before the exit code was known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// Why its output can't be read, or why it could not be taken up after a restart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// The disk takes no more output; its programs wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stalled: bool,
    /// The program in the foreground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreground: Option<String>,
    /// What it waits for.
    pub input: InputState,
    /// Whether a full-screen program is shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alt_screen: bool,
    /// The first process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The window.
    pub size: WindowSize,
    /// Who started it.
    pub created_by: String,
    /// When, in seconds since 1970.
    pub created_at: f64,
    /// The oldest byte of output that is still there; 0 when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub log_start: u64,
    /// How many bytes of output there were so far.
    pub log_end: u64,
    /// Who holds the controls, when somebody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Holder>,
    /// Whether it stays when the agent that started it leaves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
