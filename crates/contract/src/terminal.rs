//! Requests and results about terminals.
//!
//! Optional fields are absent rather than null, and numbers are plain: every client's schema checker takes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::TerminalId;

/// Starts a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct New {
    /// One command with its arguments instead of a shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Run the command on pipes, with stdout and stderr apart, instead of a terminal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pipes: bool,
    /// The shell; `$SHELL` when absent.
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
}

/// A terminal that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Created {
    /// Its name in all other calls.
    pub id: TerminalId,
}

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowSize {
    /// Rows, 1 to 2000.
    pub rows: u16,
    /// Columns, 1 to 2000.
    pub cols: u16,
}

/// Lists terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct List {
    /// Those that have ended as well.
    pub all: bool,
}

/// The terminals of the workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// Oldest first.
    pub terminals: Vec<TerminalInfo>,
}

/// What a terminal is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A terminal as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The disk takes no more output; its programs wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stalled: bool,
    /// The program in the foreground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreground: Option<String>,
    /// What it waits for.
    pub input: InputState,
    /// Whether a full-screen program is shown.
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
    /// The oldest byte of output that is still there.
    pub log_start: u64,
    /// How many bytes of output there were so far.
    pub log_end: u64,
}

/// Runs a command in a shell terminal and waits for its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Run {
    /// In which terminal.
    pub id: TerminalId,
    /// The command, as it would be typed. Any length, any number of lines.
    pub command: String,
    /// How long to wait for its end; 30 s when absent. It goes on after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// How much output to return at most, head and tail; 64 KiB when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
    /// Return the bytes as they came, with escape sequences, instead of plain text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raw: bool,
}

/// Starts one command as a process of its own and waits for its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Send the output in data frames while it comes instead of in the result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
}

/// A bounded run, when the waiting is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The exit code; absent while it runs. 128 + N when signal N ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// The exit code of each stage, when the last pipeline had several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<i32>,
    /// The time was up before the command ended.
    pub timed_out: bool,
    /// Whether it still runs.
    pub running: bool,
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
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Types into a terminal. The parts are sent in this order: text, paste, keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Send {
    /// Into which terminal.
    pub id: TerminalId,
    /// Text as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Text as a paste, which the program may tell from typing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paste: Option<String>,
    /// Named keys: `Enter`, `C-c`, `Up`, `F5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

/// Reads output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Read {
    /// Of which terminal.
    pub id: TerminalId,
    /// The last so many lines; 100 when neither this nor `from` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Bytes from this cursor on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Bytes up to this cursor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// How much at most; 64 KiB when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
    /// The bytes as they came, with escape sequences.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raw: bool,
}

/// Output that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The text. Bytes that are no UTF-8 are shown as U+FFFD.
    pub text: String,
    /// Where it begins.
    pub from: u64,
    /// Where to go on.
    pub next: u64,
    /// The end of the log when it was read.
    pub end: u64,
    /// Older output exists, or existed, that is not in `text`.
    pub truncated: bool,
    /// Whether the first process still runs.
    pub running: bool,
}

/// Looks at the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LookAtScreen {
    /// Of which terminal.
    pub id: TerminalId,
    /// As ANSI, with colours and cursor, instead of text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ansi: bool,
}

/// The screen as a person would see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenShown {
    /// Its text, or ANSI.
    pub text: String,
    /// The row of the cursor, from 0.
    pub cursor_row: u16,
    /// The column of the cursor, from 0.
    pub cursor_col: u16,
    /// Whether the cursor is shown.
    pub cursor_visible: bool,
    /// The window.
    pub size: WindowSize,
    /// Whether a full-screen program is shown.
    pub alt_screen: bool,
    /// The title that the program set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the program waits for.
    pub input: InputState,
    /// The output that the screen stands for.
    pub cursor: u64,
}

/// Waits for the first of some conditions; the exit when none is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Ends a terminal and everything that was started in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Killed {
    /// How many processes were there.
    pub processes: usize,
    /// How it ended; 128 + N for signal N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// Sends one signal and changes nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendSignal {
    /// To which terminal.
    pub id: TerminalId,
    /// `INT`, `TERM`, `SIGHUP`, `9`.
    pub signal: String,
}

/// Changes the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Resize {
    /// Of which terminal.
    pub id: TerminalId,
    /// To this size.
    pub size: WindowSize,
}

/// Removes a terminal that has ended, with its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remove {
    /// Which one.
    pub id: TerminalId,
}

/// Lists the commands that ran in a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// In which one.
    pub id: TerminalId,
}

/// Commands, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commands {
    /// The last one may still run.
    pub commands: Vec<CommandRecord>,
}

/// A command that ran in a shell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// Streams output in data frames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Follow {
    /// Of which terminal.
    pub id: TerminalId,
    /// From this cursor on; the whole log when neither this nor `lines` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// From the last so many lines on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Go on until the terminal ends; otherwise stop at the present end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow: bool,
    /// Plain text instead of the bytes as they came.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
}

/// A stream that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Followed {
    /// Where it began.
    pub from: u64,
    /// Where it ended.
    pub next: u64,
    /// Older output was asked for that is no longer there.
    pub truncated: bool,
    /// The exit code, when the terminal has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// Shows a terminal live: its screen first, then what comes; data frames from the caller are input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// Which one.
    pub id: TerminalId,
    /// The caller's window, which the terminal takes over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<WindowSize>,
}
