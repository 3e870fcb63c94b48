//! Which terminals an agent sees. Those of the canonical contract belong to the agent that made them; all others are
//! everybody's. People see everything, but for the pipes of agents that the hub runs itself, which are nobody's.

use flightdeck_contract::openspace::Panes;
use flightdeck_contract::{Error, ErrorCode, TerminalId};

use crate::actor::Actor;
use crate::hub::Hub;
use crate::terminals::named::TerminalRef;

/// Whether this actor may know of a terminal.
pub(crate) fn is_visible(hub: &Hub, id: TerminalId, actor: &Actor) -> bool {
    let Some(meta) = hub.meta(id) else { return true };
    let Some(name) = actor.agent_name() else { return !meta.holds_agent() };
    !meta.holds_agent() && meta.canonical.as_ref().is_none_or(|own| own.shared || own.owner == name)
}

/// The panes as this actor may know them.
pub(crate) fn panes_for(hub: &Hub, actor: &Actor) -> Panes {
    hub.workbench().panes(|id| !is_visible(hub, id, actor))
}

/// Refuses a call about a terminal that the caller can't see, in the words for one that does not exist.
pub(crate) fn check_visible(hub: &Hub, terminal: Option<&TerminalRef>, actor: &Actor) -> Result<(), Error> {
    match terminal {
        Some(TerminalRef::Id(id)) if !is_visible(hub, *id, actor) => Err(not_found(*id)),
        // Nobody finds a private one by its title, and tabs are everybody's.
        _ => Ok(()),
    }
}

/// The words for a terminal that does not exist, as far as the caller may know.
pub(crate) fn not_found(id: TerminalId) -> Error {
    Error::new(ErrorCode::TerminalNotFound, format!("there is no terminal {id}"))
        .hint("flightdeck.terminal.list with all: true (or `flightdeck ls --all`) lists the terminals")
}
