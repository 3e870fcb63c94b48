//! The workbench in the hub: the state that all front ends show and agents arrange, kept over restarts.
//!
//! What can be done and what it changes is in the crate of the same name, which knows no disk. Here it meets the files
//! (`disk.rs`), the store and the clock (`keep.rs`).

pub(crate) mod background;
pub(crate) mod disk;
pub(crate) mod files;
pub(crate) mod follow;
pub(crate) mod keep;

pub(crate) use disk::{NewText, Over, author, excerpt, file_meant, load_document, text_to_show};

use std::collections::BTreeSet;
use std::sync::Arc;

use flightdeck_contract::openspace::Panes;
use flightdeck_contract::terminal::ViewerId;
use flightdeck_contract::workbench::{ContentKind, Numbered, PaneStateSnapshot, Snapshot};
use flightdeck_contract::{Error, TerminalId};
use flightdeck_workbench::{Content, Outcome, Restored, Since, Workbench as State};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{broadcast, watch};

use crate::actor::Actor;
use crate::audit::now_ms;
use crate::convert;
use crate::hub::Hub;
use crate::store::{Change, Store, StoreError};

/// The fact in the store that it is kept as.
const FACT: &str = "workbench";
/// How many changes a slow watcher may be behind before it gets a snapshot instead.
const BEHIND: usize = 1024;

/// The workbench of a workspace.
#[derive(Debug)]
pub(crate) struct Workbench {
    state: Mutex<State>,
    changes: broadcast::Sender<Numbered>,
    /// Grows with every change.
    moved: watch::Sender<u64>,
    /// The panes as they were told last; once a second at most.
    published: watch::Sender<Option<PaneStateSnapshot>>,
    store: Arc<Store>,
    keeping: Mutex<()>,
    disk: Mutex<()>,
}

impl Workbench {
    /// As the last hub has left it.
    pub(crate) fn open(store: Arc<Store>) -> Result<Self, StoreError> {
        let epoch = epoch();
        let stored = store.fact(FACT)?.map(|text| serde_json::from_str(&text));
        let state = match stored {
            Some(Ok(stored)) => {
                let Restored { workbench, dropped } = State::restore(stored, epoch);
                if !dropped.is_empty() {
                    set_aside(&store)?;
                }
                for problem in dropped {
                    tracing::warn!(problem, "something of the workbench could not be restored");
                }
                workbench
            }
            Some(Err(error)) => {
                set_aside(&store)?;
                tracing::error!(%error, "the workbench could not be restored: it begins empty, and the old one is kept");
                State::new(epoch)
            }
            None => State::new(epoch),
        };
        Ok(Workbench {
            state: Mutex::new(state),
            changes: broadcast::Sender::new(BEHIND),
            moved: watch::Sender::new(0),
            published: watch::Sender::new(None),
            store,
            keeping: Mutex::default(),
            disk: Mutex::default(),
        })
    }

    /// Does something, and tells everybody who watches.
    pub(crate) fn change<T>(&self, operation: impl FnOnce(&mut State) -> Outcome<T>) -> Result<T, Error> {
        let mut state = self.lock();
        let done = operation(&mut state).map_err(|error| convert::workbench_error(&error))?;
        let moved = !done.changes.is_empty();
        for change in done.changes {
            // Nobody may be watching. It is sent under the lock, so that the order is that of the numbers.
            let _ = self.changes.send(change);
        }
        drop(state);
        if moved {
            self.moved.send_modify(|moved| *moved += 1);
        }
        Ok(done.value)
    }

    /// Tells this life of the hub from others.
    pub(crate) fn epoch(&self) -> u32 {
        self.look(|state| state.snapshot().epoch)
    }

    /// Looks at it.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.lock())
    }

    /// Whether a file is open and its text is here.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.look(|state| state.document(path).is_some_and(|document| document.loaded))
    }

    /// Somebody typed into a terminal. What a person uses stays when the agent that opened it leaves.
    pub(crate) fn typed(&self, actor: &Actor, terminal: TerminalId) {
        if actor.is_human() {
            self.lock().used(&convert::guest(actor), &Content::Terminal(terminal));
        }
    }

    /// A terminal is no more.
    pub(crate) fn terminal_gone(&self, terminal: TerminalId) {
        // It is refused by nobody.
        let _ = self.change(|state| state.terminal_gone(terminal));
    }

    /// Those who opened something or marked it, by name.
    pub(crate) fn owners(&self) -> BTreeSet<String> {
        let Snapshot { panes, highlights, .. } = self.look(State::snapshot);
        let tabs = panes.into_iter().flat_map(|pane| pane.tabs).map(|tab| tab.created_by);
        tabs.chain(highlights.into_iter().map(|highlight| highlight.created_by)).collect()
    }

    /// The terminals that it shows.
    pub(crate) fn terminals(&self) -> BTreeSet<TerminalId> {
        let panes = self.look(State::panes);
        let tabs = panes.iter().flat_map(|pane| &pane.tabs).filter(|tab| tab.kind == ContentKind::Terminal);
        tabs.filter_map(|tab| tab.content_id.parse().ok()).collect()
    }

    /// The terminals that an agent of this name has opened tabs for.
    pub(crate) fn terminals_of(&self, agent: &str) -> Vec<TerminalId> {
        let panes = self.look(State::panes);
        let tabs = panes.iter().flat_map(|pane| &pane.tabs).filter(|tab| tab.kind == ContentKind::Terminal);
        tabs.filter(|tab| tab.created_by == agent).filter_map(|tab| tab.content_id.parse().ok()).collect()
    }

    /// Whether a front end watches it.
    pub(crate) fn is_watched(&self) -> bool {
        self.look(State::is_watched)
    }

    /// The panes as they stand, without tabs of terminals that are hidden from whoever asks.
    pub(crate) fn panes(&self, hidden: impl Fn(TerminalId) -> bool) -> Panes {
        self.look(|state| {
            let panes = state.filtered_panes(hidden);
            let active = state.active_pane().filter(|id| panes.iter().any(|pane| pane.id == *id));
            Panes { panes: panes.into_iter().map(Into::into).collect(), active_pane: active.map(|id| id.to_string()) }
        })
    }

    /// What a front end missed since it has seen this, and what comes from now on.
    pub(crate) fn watch(&self, seen: Option<(u32, u64)>) -> (Missed, broadcast::Receiver<Numbered>) {
        let state = self.lock();
        let missed = match seen.map(|(epoch, seq)| state.since(epoch, seq)) {
            Some(Since::Changes(changes)) => Missed::Changes(changes),
            Some(Since::TakeSnapshot) | None => Missed::All(Box::new(state.snapshot())),
        };
        (missed, self.changes.subscribe())
    }

    /// The panes as they were told last, and a way to learn when they are told anew.
    pub(crate) fn published(&self) -> watch::Receiver<Option<PaneStateSnapshot>> {
        self.published.subscribe()
    }

    /// Grows with every change.
    pub(crate) fn moved(&self) -> watch::Receiver<u64> {
        self.moved.subscribe()
    }

    /// Writes it down. Blocks until it is on disk.
    pub(crate) fn keep(&self) -> Result<(), StoreError> {
        // In turn, so that what is older is never written over what is newer.
        let _turn = self.keeping.lock();
        let keepable = self.look(State::keepable);
        match serde_json::to_string(&keepable.stored()) {
            Ok(text) => self.store.write(Change::PutFact(FACT.to_owned(), text)),
            Err(error) => {
                tracing::error!(%error, "the workbench has no form to be written down in");
                Ok(())
            }
        }
    }

    /// The turn to bring a document and its file together: what is read first is applied first.
    pub(crate) fn disk_turn(&self) -> MutexGuard<'_, ()> {
        self.disk.lock()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Operations check everything before they change anything, so a panic leaves no half of one.
        self.state.lock()
    }
}

/// A front end that watches the workbench, for as long as it does.
#[derive(Debug)]
pub(crate) struct Viewing {
    hub: Arc<Hub>,
    id: ViewerId,
}

impl Viewing {
    pub(crate) fn begin(hub: &Arc<Hub>, actor: &Actor) -> Result<Self, Error> {
        let id = hub.workbench().change(|state| state.arrive(&convert::guest(actor)))?;
        Ok(Viewing { hub: Arc::clone(hub), id })
    }

    pub(crate) fn id(&self) -> ViewerId {
        self.id
    }
}

impl Drop for Viewing {
    fn drop(&mut self) {
        // It is refused by nobody.
        let _ = self.hub.workbench().change(|state| Ok(state.depart(self.id)));
    }
}

/// Keeps what could not be read whole: unsaved text may be in it that is nowhere else.
fn set_aside(store: &Store) -> Result<(), StoreError> {
    let Some(text) = store.fact(FACT)? else { return Ok(()) };
    store.write(Change::PutFact(format!("{FACT}.aside.{}", now_ms()), text))
}

/// What a front end has to take to be up to date.
#[derive(Debug)]
pub(crate) enum Missed {
    /// Everything.
    All(Box<Snapshot>),
    /// Only these.
    Changes(Vec<Numbered>),
}

/// Tells this life of the hub from others.
fn epoch() -> u32 {
    let mut bytes = [0; 4];
    // Without randomness the process id will do: two lives in a row have different ones.
    getrandom::fill(&mut bytes).map_or_else(|_| std::process::id(), |()| u32::from_ne_bytes(bytes))
}
