//! `openspace.editor.scroll_to`: brings a line to the middle.

use flightdeck_contract::openspace::ScrollTo;
use flightdeck_contract::terminal::Done;

use super::super::ide::through;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::file_meant;

const ID: &str = "openspace.editor.scroll_to";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Scroll to a line",
        "Brings a line of an open file to the middle of its editor.",
    )
    .controls_ide()
    .handle(|hub, call, mut request: ScrollTo| async move {
        request.path = file_meant(&hub, &request.path).await?;
        through(&hub, &call, ID, &request, async {
            hub.workbench().change(|state| state.scroll_to(&request.path, request.line))?;
            Ok(Done {})
        })
        .await
    })
}
