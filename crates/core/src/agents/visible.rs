//! Which terminals an agent sees. Those of the canonical contract belong to the agent that made them; all others are
//! everybody's. People see everything.

use flightdeck_contract::openspace::Panes;
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use serde_json::Value;

use crate::actor::Actor;
use crate::hub::Hub;

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
    pub(crate) fn check_visible(&self, args: &Value, actor: &Actor) -> Result<(), Error> {
        let Some(id) = named_in(args).and_then(|name| name.parse().ok()) else { return Ok(()) };
        if self.visible(id, actor) { Ok(()) } else { Err(not_found(id)) }
    }
}

/// The words for a terminal that does not exist, as far as the caller may know.
pub(crate) fn not_found(id: TerminalId) -> Error {
    Error::new(ErrorCode::TerminalNotFound, format!("there is no terminal {id}"))
        .hint("flightdeck.terminal.list with all: true (or `flightdeck ls --all`) lists the terminals")
}

/// The fields of arguments that name a terminal.
pub(crate) const NAMES: [&str; 5] = ["id", "terminalId", "session_id", "terminal_id", "window_id"];

/// The terminal that arguments name, by id or title. The canonical contract has a section for it.
pub(crate) fn named_in(args: &Value) -> Option<&str> {
    let named = |fields: &'_ Value| NAMES.iter().copied().find(|name| fields.get(name).is_some_and(Value::is_string));
    [args.get("target"), Some(args)].into_iter().flatten().find_map(|fields| fields.get(named(fields)?)?.as_str())
}
