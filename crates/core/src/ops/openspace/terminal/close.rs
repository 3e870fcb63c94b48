//! `openspace.terminal.close`: ends a terminal and everything in it.

use flightdeck_contract::openspace::CloseTerminal;
use flightdeck_contract::terminal::{Done, Kill};

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::end::kill;
use crate::terminals::named::named;

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        "openspace.terminal.close",
        Effects::DESTROYS,
        "Close a terminal",
        "Closes a terminal: its shell and every process in it is ended. Closing one that has ended is fine.",
    )
    .handle(|hub, call, request: CloseTerminal| async move {
        let id = named(&hub, &request.terminal_id)?;
        kill(&hub, &call.caller.actor, Kill { id, signal: None, grace_ms: None }).await?;
        hub.workbench().terminal_gone(id);
        Ok(Done {})
    })
}
