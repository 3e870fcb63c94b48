//! `openspace.editor.clear_highlight`: takes a highlight away.

use flightdeck_contract::openspace::ClearHighlight;
use flightdeck_contract::terminal::Done;
use flightdeck_contract::workbench::HighlightId;
use flightdeck_contract::{Error, ErrorCode};

use super::super::ide::through;
use crate::convert::guest;
use crate::registry::{Command, Effects, Family, define};

const ID: &str = "openspace.editor.clear_highlight";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Clear a highlight",
        "Takes a highlight away, by the id that it was given.",
    )
    .controls_ide()
    .handle(|hub, call, request: ClearHighlight| async move {
        through(&hub, &call, ID, &request, async {
            let id: HighlightId = request
                .highlight_id
                .parse()
                .map_err(|error| Error::new(ErrorCode::HighlightNotFound, format!("there is none: {error}")))?;
            let actor = guest(&call.caller.actor);
            hub.workbench().change(|state| state.clear_highlight(&actor, &id))?;
            Ok(Done {})
        })
        .await
    })
}
