//! Which terminals an agent sees. Those of the canonical contract belong to the agent that made them; all others are
//! everybody's. People see everything.

use flightdeck_contract::openspace::Panes;
use flightdeck_contract::{Error, ErrorCode, TerminalId};

use crate::actor::Actor;
use crate::hub::Hub;
use crate::terminals::named::{TerminalRef, named, nothing_named};

impl Hub {
    /// Whether this actor may know of a terminal.
    pub(crate) fn visible(&self, id: TerminalId, actor: &Actor) -> bool {
        let Some(name) = actor.agent_name() else { return true };
        self.meta(id).and_then(|meta| meta.canonical.clone()).is_none_or(|own| own.shared || own.owner == name)
    }

    /// The panes as this actor may know them.
    pub(crate) fn panes_for(&self, actor: &Actor) -> Panes {
        self.workbench().panes(|id| !self.visible(id, actor))
    }

    /// Refuses a call about a terminal that the caller can't see, in the words for one that does not exist.
    pub(crate) fn check_visible(&self, terminal: Option<&TerminalRef>, actor: &Actor) -> Result<(), Error> {
        match terminal {
            Some(TerminalRef::Id(id)) if !self.visible(*id, actor) => Err(not_found(*id)),
            Some(TerminalRef::Title(title)) => match named(self, title) {
                Ok(id) if !self.visible(id, actor) => Err(nothing_named(title)),
                // What is wrong about a title is told by whoever uses it.
                _ => Ok(()),
            },
            // Tabs are everybody's.
            _ => Ok(()),
        }
    }
}

/// The words for a terminal that does not exist, as far as the caller may know.
pub(crate) fn not_found(id: TerminalId) -> Error {
    Error::new(ErrorCode::TerminalNotFound, format!("there is no terminal {id}"))
        .hint("flightdeck.terminal.list with all: true (or `flightdeck ls --all`) lists the terminals")
}
