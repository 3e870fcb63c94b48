//! Requests and results of the tab tools, in the words of their document: `create_tab`, `execute_command` and the rest.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::ErrorCode;
use crate::terminal::InputState;

/// The name of a tab: `@` and a number that is never used twice in a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TabNumber(u32);

/// Text that is no [`TabNumber`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no window id: they look like @3, and list_tabs lists them")]
pub struct InvalidTabNumber(String);

impl TabNumber {
    /// The one with this number.
    pub fn new(number: u32) -> Self {
        TabNumber(number)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TabNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

impl FromStr for TabNumber {
    type Err = InvalidTabNumber;

    fn from_str(text: &str) -> Result<Self, InvalidTabNumber> {
        let invalid = || InvalidTabNumber(text.chars().take(40).collect());
        let digits = text.strip_prefix('@').ok_or_else(invalid)?;
        let canonical = digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        if canonical { digits.parse().map(TabNumber).map_err(|_| invalid()) } else { Err(invalid()) }
    }
}

impl TryFrom<String> for TabNumber {
    type Error = InvalidTabNumber;

    fn try_from(text: String) -> Result<Self, InvalidTabNumber> {
        text.parse()
    }
}

impl From<TabNumber> for String {
    fn from(number: TabNumber) -> String {
        number.to_string()
    }
}

impl JsonSchema for TabNumber {
    fn schema_name() -> Cow<'static, str> {
        "TabNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A whole number. The document calls it a number, so `500.0` is taken as well as `500`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Whole(pub u64);

/// Beyond it a JSON number may not be what was written.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if number.fract() == 0.0 && (0.0..=LARGEST_WHOLE).contains(&number) {
            Ok(Whole(number as u64))
        } else {
            Err(serde::de::Error::custom(format!("{number} is no whole number from 0 on")))
        }
    }
}

impl JsonSchema for Whole {
    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

/// `create_tab`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CreateTab {
    /// A name for people; the shell's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The folder to start in, absolute or relative to the workspace; the workspace when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Environment variables to set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Use a login shell (as `zsh -l` is), which loads the user's profile.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub login: bool,
}

/// A tab that was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TabCreated {
    /// Its id in all other calls, such as `@3`.
    pub window_id: TabNumber,
    /// Its name.
    pub name: String,
}

/// `list_tabs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListTabs {}

/// The tabs that are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TabList {
    /// Oldest first.
    pub tabs: Vec<TabSummary>,
}

/// One tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TabSummary {
    /// Its id.
    pub window_id: TabNumber,
    /// Its name.
    pub name: String,
    /// It was used last. Exactly one tab is active while there are any.
    pub active: bool,
}

/// `read_logs_from_tab`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadLogs {
    /// The tab.
    pub window_id: TabNumber,
    /// So many lines from the end; 500 when absent, or as many as 32 KiB hold; 100000 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Whole>,
    /// Remove ANSI sequences; false when absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strip_ansi: bool,
}

/// The last lines of a tab's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TabLogs {
    /// The lines. The last one may be unfinished, as a prompt is.
    pub content: String,
    /// How many lines these are.
    #[schemars(with = "Whole")]
    pub returned_lines: usize,
    /// More lines existed than are returned.
    pub truncated: bool,
    /// The resource that has all of it, in pieces of 64 KiB, when something was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_output: Option<String>,
}

/// `execute_command`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecuteCommand {
    /// The tab.
    pub window_id: TabNumber,
    /// The command, as it would be typed, with any number of lines, 1 MiB at most.
    pub command: String,
    /// How long to wait for its end; 10000 when absent, 300000 at most. The command goes on after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Whole>,
    /// Remove ANSI sequences; false when absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strip_ansi: bool,
}

/// A command that was executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Executed {
    /// Exactly what the command printed.
    pub output: String,
    /// Its exit code; absent while it runs, and where the shell has not told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub exit_code: Option<i32>,
    /// The disk is full: it stands still until there is room for what it prints, and was not waited for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stalled: bool,
    /// The time was up before its end. It goes on, and stop_process ends it.
    pub timed_out: bool,
    /// What it asks for, which is why it was not waited for any longer or did not end in time: a line, a password, or single
    /// keys (`raw`), as a REPL, an editor or a pager does. start_process types the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<InputState>,
    /// What to do next, when it has not ended as commands do, or part of its output is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// So many bytes in the middle of a long output were left out; a line in `output` says how to read them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omitted_bytes: Option<Whole>,
    /// The resource that has all of it, in pieces of 64 KiB, when something was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_output: Option<String>,
}

/// `start_process`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartProcess {
    /// The tab.
    pub window_id: TabNumber,
    /// The command, which is typed into the tab; 1 MiB at most.
    pub command: String,
    /// Press Enter after it; true when absent. With false it is only typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub append_newline: Option<bool>,
}

/// A process was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessStarted {
    /// The shell has got the command. False when it was only typed, as `append_newline: false` asks for, and when a program waited
    /// for input, which has got it as its answer.
    pub started: bool,
    /// What was done instead, when it was not started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `stop_process`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopProcess {
    /// The tab.
    pub window_id: TabNumber,
    /// How to stop it; SIGINT when absent.
    #[serde(default)]
    pub signal: StopSignal,
}

/// How a process is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum StopSignal {
    /// As Ctrl-C does it.
    #[default]
    #[serde(rename = "SIGINT")]
    Interrupt,
    /// The signal to the process group in the foreground.
    #[serde(rename = "SIGTERM")]
    Terminate,
}

/// How stopping a process went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessStopped {
    /// Nothing runs in the foreground of the tab any more.
    pub success: bool,
    /// What still runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The same for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub code: Option<ErrorCode>,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// `stream_logs_from_tab`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StreamLogs {
    /// The tab.
    pub window_id: TabNumber,
    /// Where to begin, in bytes since the tab began; 0 when absent.
    #[serde(default)]
    pub from_byte: Whole,
    /// How many bytes to read at most; 32768 when absent, 1048576 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<Whole>,
    /// Remove ANSI sequences; false when absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strip_ansi: bool,
}

/// A part of a tab's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogChunk {
    /// The text.
    pub chunk: String,
    /// Where to go on: the next `from_byte`.
    pub next_byte: Whole,
    /// There is no more for now. A tab that is open may print on.
    pub eof: bool,
    /// So many bytes after `from_byte` are gone: only the newest output is kept, and this begins at the oldest of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_bytes: Option<Whole>,
}

/// `close_tab`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CloseTab {
    /// The tab.
    pub window_id: TabNumber,
}

/// A tab was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TabClosed {
    /// Nothing of it runs any more.
    pub closed: bool,
}

/// `set_history_limit`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SetHistoryLimit {
    /// How many lines of output a new tab keeps at least, at 256 bytes a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Whole>,
    /// The same in bytes. Give one of the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Whole>,
}

/// How much output a new tab keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryLimit {
    /// In lines of 256 bytes.
    pub lines: Whole,
    /// In bytes.
    pub bytes: Whole,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form() {
        for text in ["@0", "@3", "@4294967295"] {
            assert_eq!(text.parse::<TabNumber>().map(|number| number.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "@", "3", "@03", "@-1", "@+1", "@3 ", "t3", "@4294967296", "%3"] {
            assert!(text.parse::<TabNumber>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_number_is_whole_however_it_is_written() {
        for (text, number) in [("500", Some(500)), ("500.0", Some(500)), ("0", Some(0)), ("5e2", Some(500))] {
            assert_eq!(serde_json::from_str(text).ok(), number.map(Whole), "{text}");
        }
        for text in ["-1", "0.5", "1e300", "\"5\"", "null"] {
            assert!(serde_json::from_str::<Whole>(text).is_err(), "{text}");
        }
    }
}
