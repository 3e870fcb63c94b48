//! Where tabs run: in windows of tmux or on PTYs of the keeper, as the user has set it and the machine allows.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flightdeck_contract::hub::TabsStatus;
use flightdeck_contract::tabs::TabNumber;
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_keeper::{ClientError, LogLimits, SessionId};
use flightdeck_term::tmux::{self, Join, NewTab, OldTab, Place, Servers, Tmux, TmuxError, TmuxSetup, has_window};
pub(crate) use flightdeck_term::tmux::{GuestWindow, Guests, Seen};
use flightdeck_term::{Finder, OnKeeper, Starter, Tag};
use parking_lot::{Mutex, MutexGuard};
use serde::Deserialize;

use crate::approvals::intent::quoted;
use crate::convert;
use crate::hub::Hub;
use crate::settings::TabSettings;
use crate::terminals::meta::{Attached, Meta};
use crate::terminals::tabs::{self, Tab};
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

/// The user's session that tabs are opened in.
#[derive(Debug)]
pub(crate) struct UsersSession(Arc<Tmux>);

impl UsersSession {
    /// What there is in it.
    pub(crate) fn guests(&self) -> Result<Guests, Error> {
        self.0.guest_windows().map_err(|failed| error(&failed))
    }

    /// What the next hub needs to find it.
    pub(crate) fn attached(&self) -> Option<Attached> {
        attached_to(&self.0)
    }

    /// Whether a tab is a window of the user's in just this session.
    pub(crate) fn holds(&self, tab: &Tab) -> bool {
        tab.meta.attached.as_ref().is_some_and(|attached| attached.theirs && attached.socket == self.0.setup().socket)
    }

    /// Takes off what an earlier terminal has left at a window.
    pub(crate) fn clear(&self, window: &GuestWindow, terminals: &Path) -> Result<(), Error> {
        self.0.take_off_old(window, terminals).map_err(|failed| error(&failed))
    }

    /// How a window of it is joined.
    pub(crate) fn join(&self, id: SessionId, dir: PathBuf, tag: Tag, limits: LogLimits, window: GuestWindow) -> Join {
        Join { id, dir, tag, limits, tmux: Arc::clone(&self.0), window }
    }
}

/// Where a new terminal runs.
#[derive(Debug)]
pub(crate) struct Ground {
    pub starter: Arc<dyn Starter>,
    /// Its number among the tabs, where that is ours to choose.
    pub tab: Option<TabNumber>,
    /// What the next hub needs to find a tab in the user's tmux.
    pub attached: Option<Attached>,
}

impl Ground {
    pub(crate) fn keeper(tab: Option<TabNumber>) -> Self {
        Ground { starter: Arc::new(OnKeeper), tab, attached: None }
    }
}

/// Where a new tab runs. Its number is the terminal's own, which is never used twice, unless a window of tmux had it.
pub(crate) fn of_tab(hub: &Hub, id: TerminalId, name: Option<&str>) -> Result<Ground, Error> {
    let above = hub.tabs().last();
    Ok(match hub.tabs().grounds.next()? {
        Some(tmux) => {
            let taken = tabs::open_tabs(hub).iter().map(|tab| tab.number.number()).collect();
            let attached = attached_to(&tmux);
            let new = NewTab { tmux, name: name.unwrap_or("shell").to_owned(), above, taken };
            Ground { starter: Arc::new(new), tab: None, attached }
        }
        None => Ground::keeper(Some(TabNumber::new(id.number().max(above + 1)))),
    })
}

fn attached_to(tmux: &Tmux) -> Option<Attached> {
    let setup = tmux.setup();
    match &setup.place {
        Place::Own => None,
        Place::Users(session) => {
            Some(Attached { socket: setup.socket.clone(), session: session.clone(), theirs: false, handed_over: false })
        }
    }
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
    fn next(&self) -> Result<Option<Arc<Tmux>>, Error> {
        if let Some(UsersSession(tmux)) = self.attached()? {
            return Ok(Some(tmux));
        }
        match (self.wanted, self.tmux()) {
            (TabBackend::Pty, _) | (TabBackend::Auto, Err(_)) => Ok(None),
            (_, Ok(tmux)) => Ok(Some(tmux)),
            (TabBackend::Tmux, Err(failed)) => Err(error(&failed)),
        }
    }

    /// The tmux of tabs that are there already, whatever is set now.
    fn tmux(&self) -> Result<Arc<Tmux>, TmuxError> {
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
    pub(crate) fn attached(&self) -> Result<Option<UsersSession>, Error> {
        let Some((socket, session)) = &self.attach else { return Ok(None) };
        self.users(socket, session).map(|tmux| Some(UsersSession(tmux))).map_err(|failed| error(&failed))
    }

    /// Whether this is the session that tabs are opened in now.
    pub(crate) fn is_attached_to(&self, attached: &Attached) -> bool {
        self.attach.as_ref().is_some_and(|(socket, session)| *socket == attached.socket && *session == attached.session)
    }

    /// The tmux of a tab that is there already.
    fn of(&self, attached: Option<&Attached>) -> Result<Arc<Tmux>, TmuxError> {
        attached.map_or_else(|| self.tmux(), |attached| self.users(&attached.socket, &attached.session))
    }

    /// The servers that tabs of this workspace may be on, as far as they can be used now.
    fn all(&self) -> Vec<Arc<Tmux>> {
        let own = self.setup.socket.exists().then(|| self.tmux().ok()).flatten();
        // Known from now on, if it is set.
        let _ = self.attached();
        own.into_iter().chain(self.users.lock().iter().cloned()).collect()
    }

    /// What finds a terminal again that an earlier hub has left.
    pub(crate) fn finder(&self, meta: &Meta, dir: &Path) -> Box<dyn Finder> {
        if !has_window(dir) {
            return Box::new(OnKeeper);
        }
        // Of a stranger it is not known, and another's window may have the same number.
        let tmux = self.of(meta.attached.as_ref()).ok();
        Box::new(OldTab { tmux: tmux.filter(|tmux| !meta.is_stranger() || tmux.has_window_of(dir)) })
    }

    /// Leaves a window of the user's in a session that this hub is not attached to: they have taken it away from agents.
    pub(crate) fn part_from_unwanted(&self, meta: &Meta, dir: &Path) {
        let attached = meta.attached.as_ref().filter(|attached| attached.theirs && has_window(dir));
        let Some(attached) = attached.filter(|attached| !self.is_attached_to(attached)) else { return };
        tracing::info!(id = %meta.id, session = attached.session, "no longer attached to this session: a window is left");
        if let Err(error) = self.of(Some(attached)).and_then(|tmux| tmux.part_from(dir)) {
            tracing::warn!(id = %meta.id, %error, "the pipe of a window can't be taken off");
        }
    }

    /// Closes windows that a hub opened and died before it could note them: nobody would ever see them.
    pub(crate) fn close_strays(&self, terminals: &Path, is_known: impl Fn(u32) -> bool) {
        for tmux in self.all() {
            match tmux.close_strays(terminals, &is_known) {
                Ok(0) => {}
                Ok(closed) => tracing::warn!(closed, "windows of tmux that no tab has were closed"),
                Err(error) => tracing::warn!(%error, "tmux can't be asked for windows that no tab has"),
            }
        }
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

/// What went wrong there, in the words of the contract.
pub(crate) fn error(error: &TmuxError) -> Error {
    let (code, hint) = match error {
        // The shell itself could not be started: the same as without tmux.
        TmuxError::Refused(refusal) => return convert::keeper_error(&ClientError::Refused(refusal.clone())),
        TmuxError::Keeper(error) => return convert::keeper_error(error),
        TmuxError::Missing => (ErrorCode::TmuxMissing, "install tmux"),
        TmuxError::TooOld { .. } => (ErrorCode::TmuxTooOld, "install a newer one"),
        TmuxError::NoServer { session, socket } | TmuxError::NoSession { session, socket, .. } => {
            let (socket, session) = (quoted(&socket.to_string_lossy()), quoted(session));
            return Error::new(ErrorCode::TmuxFailed, error.to_string()).hint(format!(
                "the user can make it with `tmux -S {socket} new-session -d -s {session}`, or give it back that name, \
                 name another with tabs.tmux_attach and tabs.tmux_socket, or start the hub without --tmux-attach"
            ));
        }
        TmuxError::Foreign { .. } => {
            return Error::new(ErrorCode::TmuxFailed, error.to_string())
                .hint("the user can name the socket of their own tmux with tabs.tmux_socket in settings.toml");
        }
        TmuxError::NumberTaken(_) => {
            return Error::new(ErrorCode::TmuxFailed, error.to_string()).hint("try again: the next number is another");
        }
        TmuxError::Failed { .. } | TmuxError::NoAnswer(_) | TmuxError::NotReady(_) | TmuxError::Io { .. } => {
            (ErrorCode::TmuxFailed, "try again; `flightdeck doctor` looks for what is wrong")
        }
    };
    Error::new(code, error.to_string())
        .hint(format!("{hint}, or let tabs run without it: tabs.backend = \"pty\" in settings.toml"))
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
