//! The agents that are here, and what each of them started.
//!
//! ```text
//!   arrive ──► here ──(connection ends)──► gone ──(grace period)──► what it started is ended
//!                                            │
//!                                            └──(an agent of the same name is here)──► that one's
//! ```
//!
//! A terminal that is kept belongs to nobody and stays.

pub(crate) mod doings;
pub(crate) mod kept;
pub(crate) mod leases;
mod limits;
pub(crate) mod one;
pub(crate) mod results;
mod states;
pub(crate) mod visible;

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use flightdeck_contract::TerminalId;
use flightdeck_contract::agents::{AgentState, Standing as State};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use doings::Doings;
pub use limits::Limits;

use crate::actor::{Actor, Caller, Surface};
use crate::audit::now_ms;
use crate::settings::Settings;

/// The longest name of an agent that is kept.
const LONGEST_NAME: usize = 60;

/// An agent that comes.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// What it calls itself.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Through which door.
    pub surface: Surface,
}

/// All agents.
#[derive(Debug)]
pub struct Agents {
    settings: Settings,
    inner: Mutex<Inner>,
    /// Grows when an agent comes or goes.
    changes: watch::Sender<u64>,
    doings: Arc<Doings>,
}

#[derive(Debug, Default)]
struct Inner {
    last: u32,
    here: HashMap<u32, String>,
    presences: HashMap<u32, Weak<Presence>>,
    visitors: HashMap<String, Visitor>,
    owned: HashMap<TerminalId, Owner>,
    /// Since when agents of a name are gone, until their time is over.
    gone: HashMap<String, Gone>,
}

/// An agent that has left, or one that an earlier hub knew.
#[derive(Clone, Copy, Debug)]
struct Gone {
    at: Instant,
    at_ms: i64,
    number: Option<u32>,
}

impl Gone {
    fn now(number: Option<u32>) -> Self {
        Gone { at: Instant::now(), at_ms: now_ms(), number }
    }
}

/// What is over.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Swept {
    /// Terminals whose agent did not come back.
    pub terminals: Vec<TerminalId>,
    /// Agents that did not come back.
    pub agents: Vec<String>,
    /// When to look again.
    pub next: Option<Instant>,
}

/// An agent without a connection: it is here as long as it calls now and then.
#[derive(Debug)]
struct Visitor {
    presence: Arc<Presence>,
    last_call: Instant,
}

/// Whose terminal it is.
#[derive(Debug)]
struct Owner {
    name: String,
    /// The agent's number, or since when it is gone.
    standing: Standing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Here(u32),
    Gone(Instant),
}

/// An agent that is here. When the last copy goes, the agent has left.
#[derive(Clone, Debug)]
pub struct Agent {
    presence: Arc<Presence>,
    /// The door that it uses.
    surface: Surface,
}

#[derive(Debug)]
struct Presence {
    number: u32,
    name: String,
    limits: Arc<Limits>,
    agents: Arc<Agents>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.agents.left(self.number);
    }
}

impl Agent {
    /// Its part in a call.
    pub fn caller(&self) -> Caller {
        Caller {
            actor: Actor::Agent { number: self.presence.number, name: self.presence.name.clone() },
            surface: self.surface,
            entry: self.surface.usual_entry(),
            session: None,
            peer: None,
            turn: None,
            trace: None,
            asks: None,
            origin: None,
            link: None,
            ticket: None,
            limits: Some(Arc::clone(&self.presence.limits)),
        }
    }

    /// Its number among those that are here.
    pub fn number(&self) -> u32 {
        self.presence.number
    }

    /// Its id: `a3`.
    pub fn id(&self) -> String {
        format!("a{}", self.presence.number)
    }
}

impl Agents {
    pub(crate) fn new(settings: &Settings) -> Arc<Self> {
        Arc::new(Agents {
            settings: settings.clone(),
            inner: Mutex::default(),
            changes: watch::Sender::new(0),
            doings: Arc::default(),
        })
    }

    /// An agent on a connection of its own. What an agent of this name left behind is its own again.
    pub fn arrive(self: &Arc<Self>, arrival: &Arrival) -> Agent {
        let name = clean(&arrival.name);
        let number = {
            let mut inner = self.lock();
            inner.last += 1;
            let number = inner.last;
            inner.here.insert(number, name.clone());
            inner.gone.remove(&name);
            for owner in inner.owned.values_mut() {
                if owner.name == name && matches!(owner.standing, Standing::Gone(_)) {
                    owner.standing = Standing::Here(number);
                }
            }
            number
        };
        self.doings.arrived(number);
        tracing::info!(agent = name, number, version = arrival.version, surface = arrival.surface.name(), "arrived");
        self.changes.send_modify(|changes| *changes += 1);
        let presence = Arc::new(Presence {
            number,
            name,
            limits: Arc::new(Limits::new(self.settings.limits.clone())),
            agents: Arc::clone(self),
        });
        self.lock().presences.insert(number, Arc::downgrade(&presence));
        Agent { presence, surface: arrival.surface }
    }

    /// An agent that is here, at another door as well.
    pub(crate) fn again(&self, number: u32, surface: Surface) -> Option<Agent> {
        let presence = self.lock().presences.get(&number)?.upgrade()?;
        Some(Agent { presence, surface })
    }

    /// An agent whose calls come one by one, without a connection: the same one for the same name.
    pub fn visit(self: &Arc<Self>, arrival: &Arrival) -> Agent {
        let name = clean(&arrival.name);
        if let Some(visitor) = self.lock().visitors.get_mut(&name) {
            visitor.last_call = Instant::now();
            return Agent { presence: Arc::clone(&visitor.presence), surface: arrival.surface };
        }
        let agent = self.arrive(arrival);
        let visitor = Visitor { presence: Arc::clone(&agent.presence), last_call: Instant::now() };
        // Two first calls at once make two presences; the one that is replaced leaves when its call ends.
        let _replaced = self.lock().visitors.insert(name, visitor);
        agent
    }

    /// How many are here.
    pub fn count(&self) -> usize {
        self.lock().here.len()
    }

    /// Their names, in the order of arrival.
    pub fn names(&self) -> Vec<String> {
        self.here().into_iter().map(|(number, name)| format!("{name}#{number}")).collect()
    }

    /// Their numbers and names, in the order of arrival.
    pub(crate) fn here(&self) -> Vec<(u32, String)> {
        let mut here: Vec<_> = self.lock().here.iter().map(|(number, name)| (*number, name.clone())).collect();
        here.sort_unstable();
        here
    }

    /// What they do.
    pub(crate) fn doings(&self) -> &Arc<Doings> {
        &self.doings
    }

    /// Those that have left and may come back.
    pub(crate) fn departed(&self) -> Vec<AgentState> {
        let mut gone: Vec<_> = self.lock().gone.iter().map(|(name, gone)| (gone.at, name.clone(), *gone)).collect();
        gone.sort_unstable_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        let state = |(_, name, Gone { at_ms, number, .. })| AgentState {
            name,
            number,
            state: State::Gone,
            reason: "its connection has ended; what it started stays for a while".to_owned(),
            since_ms: at_ms,
            command: None,
            approval: None,
            terminal: None,
            asks: None,
        };
        gone.into_iter().map(state).collect()
    }

    /// Whether this agent is still here.
    pub(crate) fn is_here(&self, number: u32) -> bool {
        self.lock().here.contains_key(&number)
    }

    /// Grows when an agent comes or goes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Notes who started a terminal.
    pub(crate) fn own(&self, terminal: TerminalId, actor: &Actor) {
        if let Actor::Agent { number, name } = actor {
            let mut inner = self.lock();
            let standing =
                if inner.here.contains_key(number) { Standing::Here(*number) } else { Standing::Gone(Instant::now()) };
            inner.owned.insert(terminal, Owner { name: name.clone(), standing });
        }
    }

    /// Notes who started a terminal that another hub left behind: the agent has as long to come back as any.
    pub(crate) fn own_again(&self, terminal: TerminalId, name: &str) {
        let owner = Owner { name: name.to_owned(), standing: Standing::Gone(Instant::now()) };
        self.lock().owned.insert(terminal, owner);
    }

    /// An agent of this name has left something behind that another hub has found: it has as long to come back as any.
    pub(crate) fn expect_again(&self, name: &str) {
        let mut inner = self.lock();
        if !inner.here.values().any(|here| here == name) {
            inner.gone.insert(name.to_owned(), Gone::now(None));
        }
    }

    /// The terminal is kept, or gone.
    pub(crate) fn disown(&self, terminal: TerminalId) {
        self.lock().owned.remove(&terminal);
    }

    /// Lets visitors go that have not called for a while, gives what is over, and says when to look again.
    pub(crate) fn sweep(&self, now: Instant) -> Swept {
        let idle = Duration::from_secs(self.settings.agents.idle_seconds);
        let grace = Duration::from_secs_f64(self.settings.agents.grace_seconds);
        let mut inner = self.lock();
        let late: Vec<_> = inner
            .visitors
            .iter()
            .filter(|(_, visitor)| now.saturating_duration_since(visitor.last_call) >= idle)
            .filter(|(_, visitor)| Arc::strong_count(&visitor.presence) == 1)
            .map(|(name, _)| name.clone())
            .collect();
        let gone: Vec<_> = late.iter().filter_map(|name| inner.visitors.remove(name)).collect();
        drop(inner);
        // Leaving takes the lock again.
        drop(gone);
        let mut inner = self.lock();
        let mut swept = Swept::default();
        // One with a call under way is here however long ago that began.
        let away = |visitor: &Visitor| {
            let since = if Arc::strong_count(&visitor.presence) == 1 { visitor.last_call } else { now };
            since + idle
        };
        let mut next = inner.visitors.values().map(away).min();
        let mut is_over = |since: Instant| {
            let over = now.saturating_duration_since(since) >= grace;
            if !over {
                next = Some(next.map_or(since + grace, |next| next.min(since + grace)));
            }
            over
        };
        inner.owned.retain(|terminal, owner| {
            let Standing::Gone(since) = owner.standing else { return true };
            let over = is_over(since);
            if over {
                swept.terminals.push(*terminal);
            }
            !over
        });
        inner.gone.retain(|name, gone| {
            let over = is_over(gone.at);
            if over {
                swept.agents.push(name.clone());
            }
            !over
        });
        Swept { next, ..swept }
    }

    fn left(&self, number: u32) {
        let mut inner = self.lock();
        inner.presences.remove(&number);
        let Some(name) = inner.here.remove(&number) else { return };
        // A client that connects anew may be here before its old connection has ended.
        let heir = inner.here.iter().filter(|(_, other)| **other == name).map(|(number, _)| *number).max();
        let standing = heir.map_or_else(|| Standing::Gone(Instant::now()), Standing::Here);
        if heir.is_none() {
            inner.gone.insert(name.clone(), Gone::now(Some(number)));
        }
        for owner in inner.owned.values_mut() {
            if owner.standing == Standing::Here(number) {
                owner.standing = standing;
            }
        }
        drop(inner);
        self.doings.left(number);
        tracing::info!(agent = name, number, "left");
        self.changes.send_modify(|changes| *changes += 1);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }
}

/// A name that can stand in a line of a log, in a table and in a message. The names of people have a colon and those of agents
/// a number behind a `#`, so neither is in what an agent calls itself: it can't be taken for a person.
fn clean(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_control() || matches!(c, '#' | ':') { ' ' } else { c })
        .take(LONGEST_NAME)
        .collect();
    let name = name.trim();
    if name.is_empty() { "agent".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests;
