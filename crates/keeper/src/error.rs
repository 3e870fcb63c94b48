//! What can go wrong on either side, each with the words that help.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Exit, SessionId};

/// Why the keeper did not do what was asked. It travels as `code` and its fields.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Refusal {
    #[error("the working folder {path} does not exist: create it or choose another")]
    CwdMissing { path: String },
    #[error("the working folder {path} is not a folder")]
    CwdNotDirectory { path: String },
    #[error("there is no program {program:?}: check its spelling and the PATH in the environment")]
    ProgramNotFound { program: String },
    #[error("{program} can't be executed: {reason}")]
    ProgramNotExecutable { program: String, reason: String },
    #[error("there is a session {id} already: forget it first, or choose another id")]
    DuplicateId { id: SessionId },
    #[error("the keeper has no free file descriptors: end some sessions, or raise the limit of open files (ulimit -n)")]
    TooManyFiles,
    #[error("there is no session {id}")]
    UnknownSession { id: String },
    #[error("session {id} still runs (process {pid}): end it first")]
    StillRunning { id: SessionId, pid: u32 },
    #[error("there is no process to signal in session {id}")]
    NoProcess { id: SessionId },
    #[error("session {id} has no terminal")]
    NoTerminal { id: SessionId },
    #[error(
        "keeper speaks protocol {keeper}, this hub needs {min} to {max}: run `flightdeck stop --all` with the version that started it (this ends its terminals), or go on with that version"
    )]
    Protocol { keeper: u32, min: u32, max: u32 },
    #[error(
        "this keeper does not know {kind:?}: it is older than the hub; `flightdeck stop --all` and a new start replace it"
    )]
    Unsupported { kind: String },
    /// Asked by a program that has dialled the keeper's socket.
    #[error(
        "this keeper serves only the hub that it has started itself, and {kind:?} is the hub's alone: ask the hub, or run \
         `flightdeck stop --all` with the installed version to replace the keeper (this ends its terminals)"
    )]
    NotTheHub { kind: String },
    /// `leaving`: it holds nothing, and ends to make way.
    #[error(
        "the keeper of this workspace (process {pid}) was started by {program}, and starts hubs from there only: use that \
         program, or run `flightdeck stop --all` to replace the keeper (this ends its terminals)"
    )]
    OtherProgram { program: String, pid: u32, leaving: bool },
    /// It holds nothing, and the next hub is to have the environment of now.
    #[error("this keeper ends to make way for another one")]
    MakesWay,
    #[error("the hub ended before it served ({exit})")]
    HubFailed { exit: Exit },
    /// `pid`: the keeper's.
    #[error("the hub can't be started: {reason}")]
    HubNotStarted { reason: String, pid: u32 },
    /// Whoever asked does not wait any more.
    #[error("it was asked for too long ago, and was not done")]
    Expired,
    #[error("the program was not started, because it can't be confined: {reason}")]
    NoSandbox { reason: String },
    #[error("{reason}")]
    Invalid { reason: String },
    #[error("{text}")]
    Other { text: String },
}

/// Why a call to the keeper failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("no keeper answers at {}: {source}", socket.display())]
    Connect { socket: PathBuf, source: io::Error },
    #[error("the keeper went away")]
    Closed,
    #[error("the keeper has ended")]
    Ended,
    #[error("{}", no_answer(*keeper, *within))]
    NoAnswer { keeper: Option<u32>, within: Duration },
    #[error("the keeper sent what this version does not understand: {0}")]
    Garbled(String),
    #[error("the request is {len} bytes long, and {max} is the limit: shorten the environment or the arguments")]
    TooLong { len: usize, max: usize },
    #[error("the connection to the keeper failed: {0}")]
    Io(#[from] io::Error),
    #[error("the keeper {} did not start: {reason}", program.display())]
    Launch { program: PathBuf, reason: String },
}

fn no_answer(keeper: Option<u32>, within: Duration) -> String {
    let (who, goes_on) = match keeper {
        Some(pid) => (format!("the keeper (process {pid})"), format!("`kill -CONT {pid}` lets it go on")),
        None => ("the keeper".to_owned(), "SIGCONT lets it go on".to_owned()),
    };
    format!(
        "{who} has not answered within {:.1} s, and what it was asked for is not done any more: it was stopped (SIGSTOP), and \
         {goes_on}, or the machine is overloaded",
        within.as_secs_f64()
    )
}

impl ClientError {
    /// What the keeper said, if it was the keeper that refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

/// Why a keeper could not start or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeeperError {
    #[error("a keeper is already running at {}", .0.display())]
    AlreadyRunning(PathBuf),
    #[error("another keeper holds {} but does not answer: end that process, then start again", .0.display())]
    Locked(PathBuf),
    #[error("the folder {} can be written by others (mode {mode:03o}): run `chmod 700` on it, or choose another", path.display())]
    FolderOpen { path: PathBuf, mode: u32 },
    #[error("the socket path {} has {len} bytes, and the system allows {max}: choose a shorter folder", path.display())]
    PathTooLong { path: PathBuf, len: usize, max: usize },
    #[error("{} can't be used: {source}", path.display())]
    Path { path: PathBuf, source: io::Error },
    #[error("the keeper must start in a process with one thread, and this one has {0}")]
    Threads(usize),
    #[error("the keeper could not {doing}: {source}")]
    System { doing: &'static str, source: io::Error },
    #[error("the keeper stopped before it was ready: {0}")]
    NotReady(String),
}

impl KeeperError {
    /// For `map_err`: names what was being done.
    pub(crate) fn system<E: Into<io::Error>>(doing: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::System { doing, source: source.into() }
    }
}
