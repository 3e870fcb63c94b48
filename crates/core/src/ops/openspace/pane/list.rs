//! `openspace.pane.list`: the layout.

use flightdeck_contract::openspace::ListPanes;

use super::super::ide::through;
use crate::agents::visible::panes_for;
use crate::registry::{Command, Effects, Family, define};

const ID: &str = "openspace.pane.list";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::READS,
        "List panes",
        "Lists the panes with their tabs, which one is active, and their geometry in percent of the whole.",
    )
    .controls_ide()
    .handle(|hub, call, request: ListPanes| async move {
        through(&hub, &call, ID, &request, async { Ok(panes_for(&hub, &call.caller.actor)) }).await
    })
}
