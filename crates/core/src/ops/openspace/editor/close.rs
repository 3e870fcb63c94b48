//! `openspace.editor.close`: the editors of a file.

use flightdeck_contract::openspace::CloseEditor;
use flightdeck_contract::terminal::Done;
use flightdeck_workbench::Unsaved;

use super::super::ide::through;
use crate::convert::guest;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::file_meant;

const ID: &str = "openspace.editor.close";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Close an editor",
        "Closes the editors of a file. One with changes that a person has not saved stays open.",
    )
    .controls_ide()
    .handle(|hub, call, mut request: CloseEditor| async move {
        request.path = file_meant(&hub, &request.path).await?;
        through(&hub, &call, ID, &request, async {
            let actor = guest(&call.caller.actor);
            hub.workbench().change(|state| state.close_editor(&actor, &request.path, Unsaved::Keep))?;
            Ok(Done {})
        })
        .await
    })
}
