//! What a request is about, as its type tells: the gate hides terminals, notes calls and finds secrets by it.

use flightdeck_contract::TerminalId;

use crate::terminals::named::TerminalRef;

/// What a request is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Concern {
    /// The terminal, as the caller names it.
    pub terminal: Option<TerminalRef>,
    /// What else: a file, a pane, a text to find.
    pub subject: Option<String>,
}

/// A request that says what it is about. Each type says so for itself: one that forgot would be let through.
pub(crate) trait Concerns {
    /// What it is about.
    fn concern(&self) -> Concern;
}

impl Concern {
    /// About a terminal.
    pub(crate) fn terminal(terminal: impl Into<TerminalRef>) -> Self {
        Concern { terminal: Some(terminal.into()), subject: None }
    }

    /// The id of the terminal, where the caller names it by that.
    pub(crate) fn terminal_id(&self) -> Option<TerminalId> {
        match &self.terminal {
            Some(TerminalRef::Id(id)) => Some(*id),
            _ => None,
        }
    }

    /// About a terminal that its caller knows by id or title.
    pub(crate) fn named(name: &str) -> Self {
        Concern { subject: Some(name.to_owned()), ..Concern::terminal(TerminalRef::of(name)) }
    }

    /// About something else.
    pub(crate) fn subject(subject: &str) -> Self {
        Concern { terminal: None, subject: Some(subject.to_owned()) }
    }
}
