//! Who looks at each terminal, and whose window its size follows.
//!
//! The rule: the size is that of the viewer who typed last; while nobody has, the smallest, so that all see everything. A
//! window that only looks on never changes what another one is typed into.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::{ViewerId, WindowSize};
use flightdeck_term::session::Session;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::actor::Actor;
use crate::convert;

/// The viewers of all terminals.
#[derive(Debug)]
pub(crate) struct Viewers {
    inner: Mutex<Inner>,
    /// Grows when a size changes hands.
    news: Arc<watch::Sender<u64>>,
}

#[derive(Debug, Default)]
struct Inner {
    last: u32,
    terminals: HashMap<TerminalId, Watched>,
}

#[derive(Debug)]
struct Watched {
    viewers: BTreeMap<ViewerId, Viewer>,
    /// Who typed last.
    typist: Option<ViewerId>,
    shown: watch::Sender<Option<Shown>>,
}

#[derive(Debug)]
struct Viewer {
    name: String,
    size: Option<WindowSize>,
}

/// The size that a terminal has, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub size: WindowSize,
    pub by: Option<String>,
}

impl Watched {
    /// The size that the rule gives, and whose window it is. `None`: no viewer has a window.
    fn rule(&self) -> Option<Shown> {
        let sized = |viewer: &Viewer| Some((viewer.size?, viewer.name.clone()));
        if let Some((size, name)) = self.typist.and_then(|typist| sized(self.viewers.get(&typist)?)) {
            return Some(Shown { size, by: Some(name) });
        }
        let all: Vec<_> = self.viewers.values().filter_map(sized).collect();
        let rows = all.iter().map(|(size, _)| size.rows).min()?;
        let cols = all.iter().map(|(size, _)| size.cols).min()?;
        let smallest = all.into_iter().min_by_key(|(size, _)| u32::from(size.rows) * u32::from(size.cols));
        Some(Shown { size: WindowSize { rows, cols }, by: smallest.map(|(_, name)| name) })
    }
}

/// A viewer, for as long as it looks.
#[derive(Debug)]
pub(crate) struct Looking {
    pub id: ViewerId,
    /// The size whenever it changes.
    pub shown: watch::Receiver<Option<Shown>>,
    viewers: Arc<Viewers>,
    session: Arc<Session>,
    terminal: TerminalId,
}

impl Drop for Looking {
    fn drop(&mut self) {
        self.viewers.change(self.terminal, &self.session, |watched| {
            watched.viewers.remove(&self.id);
            watched.typist = watched.typist.filter(|typist| *typist != self.id);
        });
    }
}

impl Looking {
    /// This viewer types: the terminal takes its size.
    pub(crate) fn types(&self) {
        self.viewers.change(self.terminal, &self.session, |watched| watched.typist = Some(self.id));
    }
}

impl Viewers {
    pub(crate) fn new(news: Arc<watch::Sender<u64>>) -> Self {
        Viewers { inner: Mutex::default(), news }
    }

    /// Somebody begins to look.
    pub(crate) fn look(
        self: &Arc<Self>,
        terminal: TerminalId,
        session: &Arc<Session>,
        actor: &Actor,
        size: Option<WindowSize>,
    ) -> Looking {
        let id = {
            let mut inner = self.inner.lock();
            inner.last += 1;
            ViewerId(inner.last)
        };
        let name = actor.to_string();
        let shown = self.change(terminal, session, |watched| {
            watched.viewers.insert(id, Viewer { name, size });
            watched.shown.subscribe()
        });
        Looking { id, shown, viewers: Arc::clone(self), session: Arc::clone(session), terminal }
    }

    /// A viewer's own window has another size. `false`: the actor has no such viewer.
    pub(crate) fn resized(
        &self,
        terminal: TerminalId,
        session: &Arc<Session>,
        viewer: ViewerId,
        actor: &Actor,
        size: WindowSize,
    ) -> bool {
        self.change(terminal, session, |watched| {
            let viewer = watched.viewers.get_mut(&viewer).filter(|viewer| viewer.name == actor.to_string());
            viewer.map(|viewer| viewer.size = Some(size)).is_some()
        })
    }

    /// The terminal was given a size by a call.
    pub(crate) fn set(&self, terminal: TerminalId, size: WindowSize) {
        if let Some(watched) = self.inner.lock().terminals.get(&terminal) {
            watched.shown.send_replace(Some(Shown { size, by: None }));
        }
        self.tell();
    }

    /// Whether somebody looks.
    pub(crate) fn is_watched(&self, terminal: TerminalId) -> bool {
        self.inner.lock().terminals.contains_key(&terminal)
    }

    /// Whose window the size follows.
    pub(crate) fn size_by(&self, terminal: TerminalId) -> Option<String> {
        self.inner.lock().terminals.get(&terminal)?.shown.borrow().as_ref()?.by.clone()
    }

    fn tell(&self) {
        self.news.send_modify(|news| *news += 1);
    }

    /// Changes who looks, and lets the size follow. Under one lock, so that the last one to act is the last one applied.
    fn change<T>(&self, terminal: TerminalId, session: &Session, change: impl FnOnce(&mut Watched) -> T) -> T {
        let mut inner = self.inner.lock();
        let watched = inner.terminals.entry(terminal).or_insert_with(|| Watched {
            viewers: BTreeMap::new(),
            typist: None,
            shown: watch::Sender::new(None),
        });
        let result = change(watched);
        let now = watched.rule();
        if now != *watched.shown.borrow()
            && let Some(shown) = now
            // A terminal that has ended keeps its size.
            && convert::size(shown.size).is_ok_and(|size| session.resize(size).is_ok())
        {
            // A window of the user's own keeps the size that they give it.
            let size = convert::window_size(session.size());
            watched.shown.send_replace(Some(Shown { size, ..shown }));
            self.tell();
        }
        if watched.viewers.is_empty() {
            inner.terminals.remove(&terminal);
        }
        result
    }
}
