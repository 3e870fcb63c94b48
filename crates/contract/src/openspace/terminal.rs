//! Requests and results of the `openspace.terminal.*` commands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TerminalId;
use crate::terminal::is_default;

/// `openspace.terminal.create`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CreateTerminal {
    /// A name for people, which other calls may use as the terminal's id while it is unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The folder to start in; the workspace when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The shell; when absent the user's own, or bash where that has a syntax of its own, as fish has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell_path: Option<String>,
}

/// A terminal that was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalCreated {
    /// Its id in all other calls.
    pub terminal_id: TerminalId,
}

/// `openspace.terminal.send`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendText {
    /// A terminal's id, or its title.
    pub terminal_id: String,
    /// Text as it is; end it with a newline to run it as a command.
    pub text: String,
}

/// `openspace.terminal.read_output`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadOutput {
    /// A terminal's id, or its title.
    pub terminal_id: String,
    /// The last so many lines; 100 when absent, 10000 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}

/// Lines of output, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputLines {
    /// What the terminal printed, as plain text.
    pub output: Vec<String>,
    /// There was more output than fits.
    pub truncated: bool,
    /// The resource that has all of it, in pieces of 64 KiB, when something was left out.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "wholeOutput")]
    pub whole_output: Option<String>,
}

/// `openspace.terminal.list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ListTerminals {
    /// So many at most; 50 when absent, 500 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Those after a page that was given: its `next`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The terminals that run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Terminals {
    /// The newest first.
    pub terminals: Vec<TerminalSummary>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub more: usize,
    /// The next ones are listed with this as `after`; absent when there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A terminal in few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalSummary {
    /// Its id.
    pub id: TerminalId,
    /// Its name for people.
    pub title: String,
    /// Where it is.
    pub cwd: String,
    /// Whether its shell still runs.
    pub running: bool,
    /// The exit code of its shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Who holds the controls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<String>,
    /// Who started it.
    pub created_by: String,
}

/// `openspace.terminal.close`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CloseTerminal {
    /// A terminal's id, or its title.
    pub terminal_id: String,
}
