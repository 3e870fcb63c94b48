//! Where tabs run: in windows of tmux or on PTYs of the keeper, as the user has set it and the machine allows.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::hub::TabsStatus;
use flightdeck_term::tmux::{self, Place, Tmux, TmuxError, TmuxSetup};
use parking_lot::{Mutex, MutexGuard};
use serde::Deserialize;

use crate::convert;
use crate::settings::TabSettings;
use crate::terminals::meta::Attached;
use crate::terminals::servers::{Seen, Servers};
use flightdeck_contract::workspace::Workspace;

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
    /// The user's session that tabs are opened in instead, and its server's socket.
    attach: Option<(PathBuf, String)>,
    /// The sessions of the user's that were needed.
    users: Mutex<Vec<Arc<Tmux>>>,
    /// Held while the user's windows are looked through, so that none is joined twice.
    meeting: Mutex<()>,
    /// The processes behind the sockets.
    pub(crate) known: Servers,
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
    /// What follows from the settings on this machine, as it is now.
    pub fn of(settings: &TabSettings) -> Self {
        let Some(session) = &settings.tmux_attach else {
            return Self::from(settings.backend, || tmux::look().map(|found| found.name));
        };
        let socket = tmux::users_socket(settings.tmux_socket.as_deref());
        let place = Place::Users(session.clone());
        let setup = TmuxSetup { socket, holder: PathBuf::new(), root: PathBuf::new(), place };
        let found = || {
            let tmux = Tmux::new(setup, tmux::look()?);
            tmux.reach()?;
            Ok(in_session(&tmux))
        };
        Self::from(TabBackend::Tmux, found)
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
            Choice::Nowhere(why) => write!(f, "none can be opened without tmux, as it is set: {why}"),
        }
    }
}

impl Grounds {
    pub(crate) fn new(workspace: &Workspace, settings: &TabSettings) -> Self {
        let setup = TmuxSetup {
            socket: workspace.tmux_socket(),
            holder: own_program(),
            root: workspace.root().to_owned(),
            place: Place::Own,
        };
        let socket = || tmux::users_socket(settings.tmux_socket.as_deref());
        Grounds {
            wanted: settings.backend,
            setup,
            tmux: Mutex::new(None),
            attach: settings.tmux_attach.clone().map(|session| (socket(), session)),
            users: Mutex::new(Vec::new()),
            meeting: Mutex::new(()),
            known: Servers::default(),
        }
    }

    /// The tmux that the next tab runs in; `None` for a PTY.
    pub(crate) fn next(&self) -> Result<Option<Arc<Tmux>>, Error> {
        if let Some(tmux) = self.attached()? {
            return Ok(Some(tmux));
        }
        match (self.wanted, self.tmux()) {
            (TabBackend::Pty, _) | (TabBackend::Auto, Err(_)) => Ok(None),
            (_, Ok(tmux)) => Ok(Some(tmux)),
            (TabBackend::Tmux, Err(error)) => Err(convert::tmux_error(&error)),
        }
    }

    /// The tmux of tabs that are there already, whatever is set now.
    pub(crate) fn tmux(&self) -> Result<Arc<Tmux>, TmuxError> {
        let mut known = self.tmux.lock();
        if let Some(tmux) = &*known {
            return Ok(Arc::clone(tmux));
        }
        let tmux = Arc::new(Tmux::new(self.setup.clone(), tmux::look()?));
        Ok(Arc::clone(known.insert(tmux)))
    }

    /// The servers whose windows agents can use: ours, and those of the user's that were attached to.
    pub(crate) fn servers(&self) -> Seen {
        let mut users: Vec<_> = self.attach.iter().map(|(socket, _)| socket.clone()).collect();
        let known = self.users.lock();
        users.extend(known.iter().map(|tmux| tmux.setup().socket.clone()));
        drop(known);
        users.sort_unstable();
        users.dedup();
        self.known.look(&self.setup.socket, users)
    }

    /// The user's session that tabs are opened in, when it is set so.
    pub(crate) fn attached(&self) -> Result<Option<Arc<Tmux>>, Error> {
        let Some((socket, session)) = &self.attach else { return Ok(None) };
        self.users(socket, session).map(Some).map_err(|error| convert::tmux_error(&error))
    }

    /// Whether this is the session that tabs are opened in now.
    pub(crate) fn is_attached_to(&self, attached: &Attached) -> bool {
        self.attach.as_ref().is_some_and(|(socket, session)| *socket == attached.socket && *session == attached.session)
    }

    /// The tmux of a tab that is there already.
    pub(crate) fn of(&self, attached: Option<&Attached>) -> Result<Arc<Tmux>, TmuxError> {
        attached.map_or_else(|| self.tmux(), |attached| self.users(&attached.socket, &attached.session))
    }

    /// The servers that tabs of this workspace may be on, as far as they can be used now.
    pub(crate) fn all(&self) -> Vec<Arc<Tmux>> {
        let own = self.setup.socket.exists().then(|| self.tmux().ok()).flatten();
        // Known from now on, if it is set.
        let _ = self.attached();
        own.into_iter().chain(self.users.lock().iter().cloned()).collect()
    }

    /// For whoever looks through the user's windows.
    pub(crate) fn meeting(&self) -> MutexGuard<'_, ()> {
        self.meeting.lock()
    }

    fn users(&self, socket: &Path, session: &str) -> Result<Arc<Tmux>, TmuxError> {
        let place = Place::Users(session.to_owned());
        let mut known = self.users.lock();
        let found = known.iter().find(|tmux| tmux.setup().socket == socket && tmux.setup().place == place);
        if let Some(tmux) = found {
            return Ok(Arc::clone(tmux));
        }
        let setup = TmuxSetup { socket: socket.to_owned(), place, ..self.setup.clone() };
        let tmux = Arc::new(Tmux::new(setup, tmux::look()?));
        known.push(Arc::clone(&tmux));
        Ok(tmux)
    }

    /// Ends our tmux server, if it was ever started.
    pub(crate) fn end(&self) -> Result<(), TmuxError> {
        let socket = &self.setup.socket;
        if !socket.exists() {
            return Ok(());
        }
        self.tmux().map_or_else(|_| tmux::end_by_force(socket), |tmux| tmux.end())
    }

    pub(crate) fn status(&self) -> TabsStatus {
        let choice = match &self.attach {
            Some((socket, session)) => {
                Choice::from(TabBackend::Tmux, || Ok(in_session(&*self.users(socket, session)?)))
            }
            None => Choice::from(self.wanted, || self.tmux().map(|tmux| tmux.found().name.clone())),
        };
        let backend = match choice {
            Choice::Tmux(_) => "tmux",
            Choice::Pty | Choice::Instead(_) => "pty",
            Choice::Nowhere(_) => "none",
        };
        TabsStatus { backend: backend.to_owned(), why: choice.to_string() }
    }
}

/// A tmux and the session of the user's that is used in it.
fn in_session(tmux: &Tmux) -> String {
    let TmuxSetup { socket, place, .. } = tmux.setup();
    let session = match place {
        Place::Own => String::new(),
        Place::Users(session) => format!(", in your session {session:?} of {}", socket.display()),
    };
    format!("{}{session}", tmux.found().name)
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
            (TabBackend::Tmux, "in tmux 3.3a", "none can be opened without tmux, as it is set: tmux is not"),
            (TabBackend::Pty, "without tmux, as set", "without tmux, as set"),
        ] {
            for (found, words) in [(Choice::from(wanted, there), with), (Choice::from(wanted, missing), without)] {
                assert!(found.to_string().starts_with(words), "{wanted:?}: {found}");
            }
        }
    }
}
