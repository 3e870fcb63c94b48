//! `openspace.pane.close`: a pane with all its tabs.

use flightdeck_contract::openspace::ClosePane;
use flightdeck_contract::terminal::Done;
use flightdeck_workbench::Unsaved;

use super::super::ide::through;
use super::pane;
use crate::convert::guest;
use crate::registry::{Command, Effects, Family, define};

const ID: &str = "openspace.pane.close";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Close a pane",
        "Closes a pane with all its tabs. Terminals in it go on; unsaved changes and pinned panes are not closed.",
    )
    .controls_ide()
    .handle(|hub, call, request: ClosePane| async move {
        through(&hub, &call, ID, &request, async {
            let (actor, pane) = (guest(&call.caller.actor), pane(&request.pane_id)?);
            hub.workbench().change(|state| state.close_pane(&actor, pane, Unsaved::Keep))?;
            Ok(Done {})
        })
        .await
    })
}
