//! The words both sides use: ids, sizes, what to spawn, and what is told about it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{OsBytes, Sandbox};

/// The name of a session, chosen by the hub. It is safe as a file name.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct SessionId(String);

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a session id: use 1 to 64 of the characters A-Z a-z 0-9 _ -")]
pub struct InvalidId(String);

impl SessionId {
    const MAX_LEN: usize = 64;

    pub fn new(id: impl Into<String>) -> Result<Self, InvalidId> {
        let id = id.into();
        let plain = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if plain && !id.is_empty() && id.len() <= Self::MAX_LEN {
            return Ok(Self(id));
        }
        // A hostile id may be megabytes long; the message needs only its beginning.
        Err(InvalidId(id.chars().take(Self::MAX_LEN + 1).collect()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SessionId {
    type Error = InvalidId;

    fn try_from(id: String) -> Result<Self, InvalidId> {
        Self::new(id)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The size of a terminal in character cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawSize")]
pub struct Size {
    rows: u16,
    cols: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a terminal of {rows} rows and {cols} columns is not possible: both must be from 1 to {max}", max = Size::MAX)]
pub struct InvalidSize {
    rows: u16,
    cols: u16,
}

#[derive(Deserialize)]
struct RawSize {
    rows: u16,
    cols: u16,
}

impl Size {
    /// Far above any screen, and small enough that an emulator can always hold the grid.
    pub const MAX: u16 = 2000;

    pub fn new(rows: u16, cols: u16) -> Result<Self, InvalidSize> {
        let allowed = 1..=Self::MAX;
        if allowed.contains(&rows) && allowed.contains(&cols) {
            Ok(Self { rows, cols })
        } else {
            Err(InvalidSize { rows, cols })
        }
    }

    pub fn rows(self) -> u16 {
        self.rows
    }

    pub fn cols(self) -> u16 {
        self.cols
    }
}

impl Default for Size {
    fn default() -> Self {
        Self { rows: 24, cols: 80 }
    }
}

impl TryFrom<RawSize> for Size {
    type Error = InvalidSize;

    fn try_from(raw: RawSize) -> Result<Self, InvalidSize> {
        Self::new(raw.rows, raw.cols)
    }
}

/// Where the child's output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// A terminal of this size: one stream, and the child's controlling terminal.
    Pty(Size),
    /// Standard input is empty; standard output and error are separate pipes, marked in the `.streams` sidecars.
    Pipes,
    /// The same, with a pipe as standard input that is held open until `close_input` or the child's end. A form of its
    /// own, so that a keeper from before there was one refuses it: in a field it would overlook it.
    PipesHeld,
}

/// How much of a log stays on disk. The oldest segments go first; the active one always stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LogLimits {
    pub total_bytes: u64,
    pub segment_bytes: u64,
    /// Checked when a new segment begins, by the modification time of the old ones.
    pub max_age_secs: Option<u64>,
}

impl Default for LogLimits {
    fn default() -> Self {
        Self { total_bytes: 256 << 20, segment_bytes: 4 << 20, max_age_secs: Some(30 * 24 * 3600) }
    }
}

/// All there is to know to start a child.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpawnSpec {
    pub id: SessionId,
    /// The program and its arguments. A program without a `/` is looked up in the `PATH` of `env`.
    pub argv: Vec<OsBytes>,
    /// What the program sees as its own name, if not `argv[0]`: a login shell is `-bash`.
    #[serde(default)]
    pub arg0: Option<OsBytes>,
    /// The complete environment: nothing is inherited from the keeper.
    pub env: Vec<(OsBytes, OsBytes)>,
    pub cwd: OsBytes,
    pub output: Output,
    /// An absolute path; made with mode 0700 if it is missing. If it holds a log already, this one continues it.
    pub log_dir: OsBytes,
    #[serde(default)]
    pub limits: LogLimits,
    /// What the child is confined to. Without one it may do all that the user may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
}

/// A terminal that somebody else runs (tmux), whose output comes through the FIFO `output` in its folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FollowSpec {
    pub id: SessionId,
    /// An absolute path. If it holds a log already, this one continues it.
    pub log_dir: OsBytes,
    #[serde(default)]
    pub limits: LogLimits,
}

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => write!(f, "killed by signal {signal}"),
        }
    }
}

impl Exit {
    /// One number for both, as shells report it: 128 + N for signal N.
    pub fn shell_code(self) -> i32 {
        match self {
            Exit::Code(code) => code,
            Exit::Signal(signal) => 128 + signal,
        }
    }
}

/// Which pipe bytes came from. A terminal has only `Stdout`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    Stdout,
    Stderr,
}

/// What the keeper knows of a session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionInfo {
    pub id: SessionId,
    pub pid: u32,
    /// `None` while the child runs.
    pub exit: Option<Exit>,
    /// Nobody can write to the terminal or the pipes any more, and all they held is in the log.
    pub eof: bool,
    pub log_end: u64,
    /// Why the log can't be written now. The child waits; nothing is lost.
    pub stalled: Option<String>,
    /// A followed terminal is gone, and nobody knows how it ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
}

/// Whom a signal is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The child itself.
    Leader,
    /// The child's process group.
    Group,
    /// The group in the foreground of the terminal: what Ctrl-C would reach.
    Foreground,
}

/// What the keeper tells without being asked again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The answer to one `watch`: the log now ends here.
    Grew {
        id: SessionId,
        end: u64,
    },
    /// The child ended, and what it printed is in the log up to `log_end`. Others may go on printing until `Eof`.
    Exited {
        id: SessionId,
        exit: Exit,
        log_end: u64,
    },
    Eof {
        id: SessionId,
        end: u64,
    },
    /// A followed terminal is gone, and nobody knows how it ended.
    Lost {
        id: SessionId,
        end: u64,
    },
    /// The log can't be written (`None`: it can again).
    Stalled {
        id: SessionId,
        reason: Option<String>,
    },
}

/// What becomes of a followed terminal while its log can't be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenStalled {
    /// It is halted, so that its programs wait.
    Halt,
    /// It goes on, and what it prints meanwhile is missing: nobody has to keep it.
    #[default]
    Leave,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_checked_on_both_ways_in() {
        let long = "x".repeat(65);
        for (id, valid) in [
            ("a", true),
            ("A-b_9", true),
            (&long[..64], true),
            ("", false),
            ("a/b", false),
            ("ä", false),
            (&long, false),
        ] {
            assert_eq!(SessionId::new(id).is_ok(), valid, "{id:?}");
            let json = serde_json::to_string(id).expect("a string");
            assert_eq!(serde_json::from_str::<SessionId>(&json).is_ok(), valid, "{id:?} in JSON");
        }
    }

    #[test]
    fn sizes_are_checked_on_both_ways_in() {
        for (rows, cols, valid) in [(1, 1, true), (2000, 2000, true), (0, 80, false), (24, 0, false), (24, 2001, false)]
        {
            assert_eq!(Size::new(rows, cols).is_ok(), valid, "{rows}x{cols}");
            let json = format!(r#"{{"rows":{rows},"cols":{cols}}}"#);
            assert_eq!(serde_json::from_str::<Size>(&json).is_ok(), valid, "{json}");
        }
        let text = Size::new(0, 9).expect_err("no rows").to_string();
        assert!(text.contains("1 to 2000"), "{text}");
    }
}
