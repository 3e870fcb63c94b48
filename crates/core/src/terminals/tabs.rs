//! Tabs: terminals that the tab tools know by number, with the one that was used last and how much an agent may have.
//!
//! A tab is a terminal like any other: people attach to it, its log and its lease are the terminal's. What takes its
//! input is the terminal's backend, so the tools need not know which one that is.

use std::sync::Arc;

use flightdeck_contract::tabs::TabNumber;
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_term::session::Session;
use parking_lot::{Mutex, MutexGuard};
use serde_json::json;

use crate::actor::Actor;
use crate::aside::aside;
use crate::hub::Hub;
use crate::store::{Change, Store, StoreError};
use crate::terminals::ground::Grounds;
use crate::terminals::known;
use crate::terminals::meta::Meta;
use crate::terminals::servers::SERVERS;

/// What is kept in the store: the tab that was used last, and how much output new tabs keep.
const ACTIVE: &str = "tabs.active";
const HISTORY: &str = "tabs.history";
/// The highest number that a tab ever had.
const LAST: &str = "tabs.last";

/// What is known of the tabs beside their terminals.
#[derive(Debug)]
pub(crate) struct Tabs {
    state: Mutex<State>,
    /// Where they run.
    pub(crate) grounds: Grounds,
    /// Held while one is opened, so that two at once are counted one after the other.
    pub(crate) opening: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    /// The tabs that were used, the last one at the end.
    used: Vec<TabNumber>,
    /// How many bytes of output a new tab keeps, when somebody has set it.
    history: Option<u64>,
    /// The highest number so far.
    last: u32,
}

/// A tab with its terminal.
#[derive(Clone, Debug)]
pub(crate) struct Tab {
    pub number: TabNumber,
    pub terminal: TerminalId,
    pub session: Arc<Session>,
    pub meta: Arc<Meta>,
}

impl Tab {
    /// Its name for people.
    pub(crate) fn name(&self) -> String {
        self.meta.title.clone().unwrap_or_default()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.session.progress().running()
    }

    /// What its log takes at most.
    fn log_bytes(&self) -> u64 {
        self.session.progress().seen.0.min(self.meta.log_bytes)
    }

    /// Whether an agent of this name made it. No name of an agent holds a `#`.
    fn is_of(&self, agent: &str) -> bool {
        self.meta.created_by.split_once('#').is_some_and(|(name, _)| name == agent)
    }
}

impl Tabs {
    /// As the last hub has left them.
    pub(crate) fn open(store: &Store, grounds: Grounds) -> Result<Self, StoreError> {
        let used = store.fact(ACTIVE)?.and_then(|text| text.parse().ok());
        let history = store.fact(HISTORY)?.and_then(|text| text.parse().ok());
        let last = store.fact(LAST)?.and_then(|text| text.parse().ok()).unwrap_or(0);
        grounds.known.remember(&store.fact(SERVERS)?.unwrap_or_default());
        let state = State { used: used.into_iter().collect(), history, last };
        Ok(Tabs { state: Mutex::new(state), grounds, opening: tokio::sync::Mutex::default() })
    }

    /// How many bytes of output a new tab keeps, when somebody has set it.
    pub(crate) fn history(&self) -> Option<u64> {
        self.lock().history
    }

    /// The highest number that a tab has had.
    pub(crate) fn last(&self) -> u32 {
        self.lock().last
    }

    /// This tab is known: its number is taken for ever.
    pub(crate) fn know(&self, number: TabNumber) {
        let mut state = self.lock();
        state.last = state.last.max(number.number());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// The tab of this number, open or closed.
pub(crate) fn tab(hub: &Hub, number: TabNumber) -> Result<Tab, Error> {
    let mut found: Vec<_> = all_tabs(hub).into_iter().filter(|tab| tab.number == number).collect();
    // The user's tmux may begin its numbers anew; then the newest is meant.
    let open = found.iter().rposition(Tab::is_open);
    let newest = open.or_else(|| found.len().checked_sub(1));
    newest.map(|at| found.swap_remove(at)).ok_or_else(|| {
        Error::new(ErrorCode::TerminalNotFound, format!("there is no tab {number}"))
            .hint("list_tabs lists the tabs, and create_tab makes one")
    })
}

/// The tabs that are open, oldest first.
pub(crate) fn open_tabs(hub: &Hub) -> Vec<Tab> {
    all_tabs(hub).into_iter().filter(Tab::is_open).collect()
}

/// What the logs of all tabs take at most.
pub(crate) fn log_bytes(hub: &Hub) -> u64 {
    all_tabs(hub).iter().map(Tab::log_bytes).sum()
}

/// The open tab that was used last; the newest one when none of them was.
pub(crate) fn active(hub: &Hub, open: &[Tab]) -> Option<TabNumber> {
    let is_open = |number: &&TabNumber| open.iter().any(|tab| tab.number == **number);
    let used = hub.tabs().lock().used.iter().rev().find(is_open).copied();
    used.or_else(|| open.last().map(|tab| tab.number))
}

/// Notes that a tab is used now.
pub(crate) fn touch(hub: &Hub, number: TabNumber) {
    let known: Vec<_> = all_tabs(hub).iter().map(|tab| tab.number).collect();
    let mut state = hub.tabs().lock();
    if state.used.last() == Some(&number) {
        return;
    }
    state.used.retain(|used| *used != number && known.contains(used));
    state.used.push(number);
    drop(state);
    // It is written although nobody waits for it; what is lost with a crash is a mark in a list.
    drop(hub.store().send(Change::PutFact(ACTIVE.to_owned(), number.to_string())));
}

/// Notes the number of a new tab.
pub(crate) fn note(hub: &Hub, number: TabNumber) {
    hub.tabs().know(number);
    // Nobody waits for it: while the tab itself is known, its number is.
    drop(hub.store().send(Change::PutFact(LAST.to_owned(), hub.tabs().last().to_string())));
}

/// Sets how much output new tabs keep.
pub(crate) async fn set_history(hub: &Hub, bytes: u64) -> Result<(), StoreError> {
    hub.store().send(Change::PutFact(HISTORY.to_owned(), bytes.to_string())).await?;
    hub.tabs().lock().history = Some(bytes);
    Ok(())
}

/// Whether this caller may open one more tab.
pub(crate) fn check_count(hub: &Hub, actor: &Actor) -> Result<(), Error> {
    let Some(agent) = actor.agent_name() else { return Ok(()) };
    let limit = hub.settings().tabs.per_agent;
    let used = open_tabs(hub).iter().filter(|tab| tab.is_of(agent)).count();
    if used < limit {
        return Ok(());
    }
    let text = format!("{agent} has {used} tabs open, and {limit} is the most that an agent may have");
    Err(Error::new(ErrorCode::ResourceLimit, text)
        .hint("close_tab closes one that you no longer need; the user can raise tabs.per_agent in settings.toml")
        .details(json!({ "quota": "tabs", "used": used, "limit": limit })))
}

/// Whether the tabs of this caller may print more. The logs of its closed tabs make room, the oldest first.
pub(crate) async fn check_logs(hub: &Arc<Hub>, actor: &Actor) -> Result<(), Error> {
    let Some(agent) = actor.agent_name() else { return Ok(()) };
    let limit = hub.settings().tabs.log_bytes;
    let own: Vec<_> = all_tabs(hub).into_iter().filter(|tab| tab.is_of(agent)).collect();
    let mut used: u64 = own.iter().map(Tab::log_bytes).sum();
    if used < limit {
        return Ok(());
    }
    let mut removed = Vec::new();
    for tab in own.iter().filter(|tab| !tab.is_open()) {
        if used < limit {
            break;
        }
        used -= tab.log_bytes();
        removed.push(tab.terminal);
    }
    let own = Arc::clone(hub);
    aside(move || {
        for terminal in removed {
            if let Err(error) = known::discard(&own, terminal) {
                tracing::warn!(%terminal, %error, "the log of a closed tab could not be removed");
            }
        }
    })
    .await?;
    if used < limit {
        return Ok(());
    }
    let text = format!("the logs of {agent}'s open tabs take {used} bytes, and {limit} is the most that they may");
    Err(Error::new(ErrorCode::ResourceLimit, text)
        .hint(
            "close_tab closes a tab that has printed a lot, and its log makes room; set_history_limit lets new \
             tabs keep less; the user can raise tabs.log_bytes in settings.toml",
        )
        .details(json!({ "quota": "log_bytes", "used": used, "limit": limit })))
}

pub(crate) fn all_tabs(hub: &Hub) -> Vec<Tab> {
    hub.known().all().into_iter().filter_map(|meta| tab_of(hub, meta)).collect()
}

fn tab_of(hub: &Hub, meta: Arc<Meta>) -> Option<Tab> {
    Some(Tab { number: meta.tab?, terminal: meta.id, session: hub.session(meta.id).ok()?, meta })
}
