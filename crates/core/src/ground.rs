//! Where tabs run: in windows of tmux or on PTYs of the keeper, as the user has set it and the machine allows.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use flightdeck_contract::Error;
use flightdeck_contract::hub::TabsStatus;
use flightdeck_term::tmux::{self, Tmux, TmuxError, TmuxSetup};
use serde::Deserialize;

use crate::convert;
use crate::workspace::Workspace;

/// `tabs.backend`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabBackend {
    /// tmux where it is there and new enough, otherwise PTYs.
    #[default]
    Auto,
    /// tmux, or no tab at all.
    Tmux,
    /// PTYs, whether there is a tmux or not.
    Pty,
}

/// What is known of the grounds of tabs.
#[derive(Debug)]
pub(crate) struct Grounds {
    wanted: TabBackend,
    setup: TmuxSetup,
    tmux: Mutex<Option<Arc<Tmux>>>,
}

/// Where the next tab runs, and why there.
#[derive(Clone, Debug)]
pub enum Choice {
    /// In tmux, of this version.
    Tmux(String),
    /// On a PTY, because the user wants it so.
    Pty,
    /// On a PTY, because tmux can't be used.
    Instead(String),
    /// Nowhere: the user wants tmux, and it can't be used.
    Nowhere(String),
}

impl Choice {
    /// What follows from the setting on this machine.
    pub fn of(wanted: TabBackend) -> Self {
        Self::from(wanted, || tmux::look().map(|found| found.name))
    }

    fn from(wanted: TabBackend, look: impl FnOnce() -> Result<String, TmuxError>) -> Self {
        if wanted == TabBackend::Pty {
            return Choice::Pty;
        }
        match (look(), wanted) {
            (Ok(name), _) => Choice::Tmux(name),
            (Err(error), TabBackend::Tmux) => Choice::Nowhere(error.to_string()),
            (Err(error), _) => Choice::Instead(error.to_string()),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Tmux(name) => write!(f, "in {name}"),
            Choice::Pty => f.write_str("without tmux, as set by tabs.backend"),
            Choice::Instead(why) => write!(f, "without tmux: {why}"),
            Choice::Nowhere(why) => write!(f, "none can be opened, since tabs.backend is tmux: {why}"),
        }
    }
}

impl Grounds {
    pub(crate) fn new(workspace: &Workspace, wanted: TabBackend) -> Self {
        let setup =
            TmuxSetup { socket: workspace.tmux_socket(), holder: own_program(), root: workspace.root().to_owned() };
        Grounds { wanted, setup, tmux: Mutex::new(None) }
    }

    /// The tmux that the next tab runs in; `None` for a PTY.
    pub(crate) fn next(&self) -> Result<Option<Arc<Tmux>>, Error> {
        match (self.wanted, self.tmux()) {
            (TabBackend::Pty, _) | (TabBackend::Auto, Err(_)) => Ok(None),
            (_, Ok(tmux)) => Ok(Some(tmux)),
            (TabBackend::Tmux, Err(error)) => Err(convert::tmux_error(&error)),
        }
    }

    /// The tmux of tabs that are there already, whatever is set now.
    pub(crate) fn tmux(&self) -> Result<Arc<Tmux>, TmuxError> {
        let mut known = self.tmux.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tmux) = &*known {
            return Ok(Arc::clone(tmux));
        }
        let tmux = Arc::new(Tmux::new(self.setup.clone(), tmux::look()?));
        Ok(Arc::clone(known.insert(tmux)))
    }

    /// The process of our tmux server, if one runs.
    pub(crate) fn tmux_pid(&self) -> Option<u32> {
        if self.setup.socket.exists() { self.tmux().ok()?.pid() } else { None }
    }

    /// Ends our tmux server, if it was ever started.
    pub(crate) fn end(&self) -> Result<(), TmuxError> {
        if self.setup.socket.exists() { self.tmux()?.end() } else { Ok(()) }
    }

    pub(crate) fn status(&self) -> TabsStatus {
        let choice = Choice::from(self.wanted, || self.tmux().map(|tmux| tmux.found().name.clone()));
        let backend = match choice {
            Choice::Tmux(_) => "tmux",
            Choice::Pty | Choice::Instead(_) => "pty",
            Choice::Nowhere(_) => "none",
        };
        TabsStatus { backend: backend.to_owned(), why: choice.to_string() }
    }
}

/// This very program, even when its file was replaced since it was started.
fn own_program() -> PathBuf {
    let path = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("flightdeck"));
    let replaced = path.to_str().and_then(|path| path.strip_suffix(" (deleted)")).map(PathBuf::from);
    replaced.unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_follows_from_the_setting_and_the_machine() {
        let there = || Ok("tmux 3.3a".to_owned());
        let missing = || Err(TmuxError::Missing);
        for (wanted, with, without) in [
            (TabBackend::Auto, "in tmux 3.3a", "without tmux: tmux is not installed"),
            (TabBackend::Tmux, "in tmux 3.3a", "none can be opened"),
            (TabBackend::Pty, "without tmux, as set", "without tmux, as set"),
        ] {
            for (found, words) in [(Choice::from(wanted, there), with), (Choice::from(wanted, missing), without)] {
                assert!(found.to_string().starts_with(words), "{wanted:?}: {found}");
            }
        }
    }
}
