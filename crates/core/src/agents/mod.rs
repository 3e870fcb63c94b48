//! The agents that are here, and what each of them started.
//!
//! ```text
//!   arrive ──► here ──(connection ends)──► gone ──(grace period)──► what it started is ended
//!                                            │
//!                                            └──(an agent of the same name is here)──► that one's
//! ```
//!
//! An agent that the next hub knows again, by its relay, has the same number there, and nobody else gets what is its own while
//! it may come back. A terminal that is kept belongs to nobody and stays.

pub(crate) mod doings;
pub(crate) mod kept;
pub(crate) mod leases;
mod limits;
mod numbers;
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
pub use numbers::AgentKey;
use numbers::Numbers;

use crate::actor::{Actor, Caller, Surface};
use crate::audit::now_ms;
use crate::settings::Settings;
use crate::store::Store;

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
    /// By what it is known when it comes back; `None`: by its name alone.
    pub key: Option<AgentKey>,
    /// The process of its relay, where that is known.
    pub pid: Option<u32>,
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
    numbers: Numbers,
    here: HashMap<u32, String>,
    presences: HashMap<u32, Weak<Presence>>,
    visitors: HashMap<String, Visitor>,
    owned: HashMap<TerminalId, Owner>,
    /// Since when agents are gone, until their time is over.
    gone: Vec<Gone>,
}

impl Inner {
    fn has_name(&self, name: &str) -> bool {
        self.here.values().any(|here| here == name) || self.gone.iter().any(|gone| gone.name == name)
    }
}

/// An agent that has left, or one that an earlier hub knew.
#[derive(Clone, Debug)]
struct Gone {
    name: String,
    /// `None`: all that is known of it is its name.
    number: Option<u32>,
    at: Instant,
    at_ms: i64,
}

impl Gone {
    fn now(name: String, number: Option<u32>) -> Self {
        Gone { name, number, at: Instant::now(), at_ms: now_ms() }
    }
}

/// An agent that did not come back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub name: String,
    pub number: Option<u32>,
    /// Nobody of this name is here or may come back.
    pub is_last_of_name: bool,
}

/// What is over.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Swept {
    /// Terminals whose agent did not come back.
    pub terminals: Vec<TerminalId>,
    /// Agents that did not come back.
    pub agents: Vec<Lost>,
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
    standing: Standing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Here(u32),
    Gone {
        since: Instant,
        /// `None`: all that is known of it is its name.
        number: Option<u32>,
    },
}

impl Standing {
    fn gone(number: Option<u32>) -> Self {
        Standing::Gone { since: Instant::now(), number }
    }
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
    /// Nobody is here yet. The numbers are those that earlier hubs gave out.
    pub(crate) fn open(settings: &Settings, store: Arc<Store>) -> Arc<Self> {
        Agents::with(settings, Numbers::open(store))
    }

    fn with(settings: &Settings, numbers: Numbers) -> Arc<Self> {
        Arc::new(Agents {
            settings: settings.clone(),
            inner: Mutex::new(Inner { numbers, ..Inner::default() }),
            changes: watch::Sender::new(0),
            doings: Arc::default(),
        })
    }

    /// An agent on a connection of its own. What it left behind is its own again, and so is what an agent of this name left
    /// behind that can't come back as itself.
    pub fn arrive(self: &Arc<Self>, arrival: &Arrival) -> Agent {
        let name = clean(&arrival.name);
        let number = {
            let mut inner = self.lock();
            let inner = &mut *inner;
            let here = &inner.here;
            let number = inner.numbers.give(arrival, &name, |number| here.contains_key(&number));
            inner.here.insert(number, name.clone());
            let inherits = |owner: &str, was: Option<u32>| {
                was == Some(number) || owner == name && !was.is_some_and(|was| inner.numbers.is_awaited(was))
            };
            inner.gone.retain(|gone| !inherits(&gone.name, gone.number));
            for owner in inner.owned.values_mut() {
                if matches!(owner.standing, Standing::Gone { number, .. } if inherits(&owner.name, number)) {
                    owner.standing = Standing::Here(number);
                }
            }
            self.doings.arrived(number);
            number
        };
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
        let mut gone = self.lock().gone.clone();
        gone.sort_unstable_by(|one, other| (one.at, &one.name, one.number).cmp(&(other.at, &other.name, other.number)));
        let state = |Gone { name, number, at_ms, .. }| AgentState {
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
            let is_here = inner.here.contains_key(number);
            let standing = if is_here { Standing::Here(*number) } else { Standing::gone(Some(*number)) };
            inner.owned.insert(terminal, Owner { name: name.clone(), standing });
        }
    }

    /// Notes who started a terminal that another hub left behind: the agent has as long to come back as any.
    pub(crate) fn own_again(&self, terminal: TerminalId, name: &str, number: Option<u32>) {
        let owner = Owner { name: name.to_owned(), standing: Standing::gone(number) };
        self.lock().owned.insert(terminal, owner);
    }

    /// A number that is an agent's of an earlier hub, and nobody else's.
    pub(crate) fn skip(&self, number: u32) {
        self.lock().numbers.skip(number);
    }

    /// The agents of an earlier hub have as long to come back as any. Those that hubs run themselves do as long as their
    /// processes run.
    pub(crate) fn expect_all(&self, runs: impl Fn(TerminalId) -> bool) {
        let mut inner = self.lock();
        let expected = inner.numbers.expected(runs);
        inner.gone.extend(expected.into_iter().map(|(number, name)| Gone::now(name, Some(number))));
    }

    /// Whether this agent of an earlier hub may come back as itself.
    pub(crate) fn is_awaited(&self, number: u32) -> bool {
        self.lock().numbers.is_awaited(number)
    }

    /// An agent of this name has left something behind that another hub has found: it has as long to come back as any.
    pub(crate) fn expect_again(&self, name: &str) {
        let mut inner = self.lock();
        if !inner.has_name(name) {
            inner.gone.push(Gone::now(name.to_owned(), None));
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
            let Standing::Gone { since, .. } = owner.standing else { return true };
            let over = is_over(since);
            if over {
                swept.terminals.push(*terminal);
            }
            !over
        });
        let (over, gone) = std::mem::take(&mut inner.gone).into_iter().partition(|gone| is_over(gone.at));
        inner.gone = gone;
        let lost = |Gone { name, number, .. }| Lost { is_last_of_name: !inner.has_name(&name), name, number };
        swept.agents = Vec::into_iter(over).map(lost).collect();
        let Inner { numbers, here, gone, .. } = &mut *inner;
        numbers.retain(|number| here.contains_key(&number) || gone.iter().any(|gone| gone.number == Some(number)));
        Swept { next, ..swept }
    }

    fn left(&self, number: u32) {
        let mut inner = self.lock();
        inner.presences.remove(&number);
        let Some(name) = inner.here.remove(&number) else { return };
        // A client that connects anew may be here before its old connection has ended.
        let key = inner.numbers.key(number);
        let is_same = |other: u32| key.is_some() && inner.numbers.key(other) == key;
        let namesakes = inner.here.iter().filter(|(_, other)| **other == name).map(|(number, _)| *number);
        let heir = namesakes.max_by_key(|number| (is_same(*number), *number));
        let standing = heir.map_or_else(|| Standing::gone(Some(number)), Standing::Here);
        if heir.is_none() {
            inner.gone.push(Gone::now(name.clone(), Some(number)));
        }
        for owner in inner.owned.values_mut() {
            if owner.standing == Standing::Here(number) {
                owner.standing = standing;
            }
        }
        self.doings.left(number);
        drop(inner);
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
