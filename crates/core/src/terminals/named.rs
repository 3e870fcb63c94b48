//! Which terminal is meant by a name.

use std::fmt;

use flightdeck_contract::tabs::TabNumber;
use flightdeck_contract::{Error, ErrorCode, TerminalId};

use crate::hub::Hub;
use crate::terminals::tabs;

/// A terminal as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TerminalRef {
    /// By its id.
    Id(TerminalId),
    /// By its title.
    Title(String),
    /// As a tab.
    Tab(TabNumber),
}

impl TerminalRef {
    /// What a text names.
    pub(crate) fn of(name: &str) -> Self {
        name.parse().map_or_else(|_| TerminalRef::Title(name.to_owned()), TerminalRef::Id)
    }

    /// Which one it is now, while only one is meant.
    pub(crate) fn id(&self, hub: &Hub) -> Option<TerminalId> {
        match self {
            TerminalRef::Id(id) => Some(*id),
            TerminalRef::Title(title) => named(hub, title).ok(),
            TerminalRef::Tab(number) => tabs::tab(hub, *number).ok().map(|tab| tab.terminal),
        }
    }

    /// Whether what is typed there would be read as a password.
    pub(crate) fn reads_password(&self, hub: &Hub) -> bool {
        match self {
            TerminalRef::Id(id) => reads_password(hub, *id),
            TerminalRef::Title(title) => titled(hub, title).0.into_iter().any(|id| reads_password(hub, id)),
            TerminalRef::Tab(number) => tabs::tab(hub, *number).is_ok_and(|tab| reads_password(hub, tab.terminal)),
        }
    }
}

impl TerminalRef {
    /// Whether nothing that is typed there is read any more: it has ended, or there is none.
    pub(crate) fn is_over(&self, hub: &Hub) -> bool {
        let runs = |id: TerminalId| hub.session(id).is_ok_and(|session| session.progress().running());
        match self {
            TerminalRef::Id(id) => !runs(*id),
            TerminalRef::Title(title) => titled(hub, title).0.is_empty(),
            TerminalRef::Tab(number) => !tabs::tab(hub, *number).is_ok_and(|tab| runs(tab.terminal)),
        }
    }
}

impl fmt::Display for TerminalRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TerminalRef::Id(id) => id.fmt(f),
            TerminalRef::Title(title) => f.write_str(title),
            TerminalRef::Tab(number) => number.fmt(f),
        }
    }
}

impl From<TerminalId> for TerminalRef {
    fn from(id: TerminalId) -> Self {
        TerminalRef::Id(id)
    }
}

impl From<TabNumber> for TerminalRef {
    fn from(number: TabNumber) -> Self {
        TerminalRef::Tab(number)
    }
}

/// Whether what is typed into a terminal would be read as a password.
pub(crate) fn reads_password(hub: &Hub, id: TerminalId) -> bool {
    hub.session(id).is_ok_and(|session| session.asks_for_password())
}

/// The terminal that is meant by its id, or by its title while only one that runs has it.
pub(crate) fn named(hub: &Hub, name: &str) -> Result<TerminalId, Error> {
    if let Ok(id) = name.parse::<TerminalId>() {
        // An error here says how to find out which there are.
        return hub.session(id).map(|_| id);
    }
    let (running, ended) = titled(hub, name);
    match (running.as_slice(), ended.as_slice()) {
        ([one], _) | ([], [one]) => Ok(*one),
        ([], []) => Err(Error::new(ErrorCode::TerminalNotFound, format!("there is no terminal {name:?}"))
            .hint("openspace.terminal.list lists the terminals")),
        (several, _) => {
            let several = if several.is_empty() { &ended } else { &running };
            let ids: Vec<_> = several.iter().map(ToString::to_string).collect();
            Err(Error::new(ErrorCode::Ambiguous, format!("several terminals are called {name:?}"))
                .hint(format!("use one of the ids {}", ids.join(", "))))
        }
    }
}

/// The terminals that were given this title: those that run, and those that have ended.
fn titled(hub: &Hub, title: &str) -> (Vec<TerminalId>, Vec<TerminalId>) {
    let called = hub.known().all().into_iter().filter(|meta| meta.is_called(title)).map(|meta| meta.id);
    called.partition(|id| hub.session(*id).is_ok_and(|session| session.progress().running()))
}
