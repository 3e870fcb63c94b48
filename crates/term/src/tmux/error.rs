//! What can go wrong with tmux, each with the words that help.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use flightdeck_keeper::{ClientError, Refusal};

/// Why tmux did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum TmuxError {
    /// There is none.
    #[error("tmux is not installed: there is no such program on the PATH")]
    Missing,
    /// It can't do what is needed.
    #[error("{found:?} is too old: tabs need tmux 3.0a or newer")]
    TooOld {
        /// As it calls itself.
        found: String,
    },
    /// It said no.
    #[error("tmux did not {doing}: {said}")]
    Failed {
        /// What was asked.
        doing: &'static str,
        /// What it said.
        said: String,
    },
    /// The user's server that tabs are to be opened in does not run.
    #[error("no tmux server listens on {}", socket.display())]
    NoServer {
        /// The session that it should have.
        session: String,
        /// Where it was looked for.
        socket: PathBuf,
    },
    /// It runs, and has no such session.
    #[error("the tmux server on {} has no session {session:?}; its sessions are {others}", socket.display())]
    NoSession {
        /// As it was set.
        session: String,
        /// Where it was looked for.
        socket: PathBuf,
        /// Those that there are.
        others: String,
    },
    /// Somebody else listens there.
    #[error("{} belongs to another user, so it is not used", socket.display())]
    Foreign {
        /// The socket.
        socket: PathBuf,
    },
    /// The number of a new window is that of a tab that is open elsewhere.
    #[error("the new window got the number @{0}, which an open tab has that runs elsewhere")]
    NumberTaken(u32),
    /// It hangs.
    #[error("tmux did not answer within {} s", .0.as_secs())]
    NoAnswer(Duration),
    /// The shell in the window did not come up.
    #[error("the shell in the new tmux window did not start within {} s", .0.as_secs())]
    NotReady(Duration),
    /// Files or processes.
    #[error("{doing}: {source}")]
    Io {
        /// What was done.
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The holder of the pane could not start the shell.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The keeper could not follow the window.
    #[error(transparent)]
    Keeper(#[from] ClientError),
}

impl TmuxError {
    /// For `map_err`: names what was being done.
    pub(super) fn io<E: Into<io::Error>>(doing: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::Io { doing, source: source.into() }
    }

    /// Whether it said that there is no such window, pane or session.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Failed { said, .. } if said.contains("can't find"))
    }
}
