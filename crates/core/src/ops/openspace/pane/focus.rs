//! `openspace.pane.focus`: brings a pane to the front.

use flightdeck_contract::openspace::{FocusPane, Shown};

use super::super::ide::{seen, through};
use super::pane;
use crate::convert::guest;
use crate::registry::{Command, Effects, Family, define};

const ID: &str = "openspace.pane.focus";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Focus a pane",
        "Brings a pane to the front and gives it the keyboard.",
    )
    .controls_ide()
    .handle(|hub, call, request: FocusPane| async move {
        let _: Shown = through(&hub, &call, ID, &request, async {
            let (actor, pane) = (guest(&call.caller.actor), pane(&request.pane_id)?);
            hub.workbench().change(|state| state.focus_pane(&actor, pane))?;
            Ok(Shown::default())
        })
        .await?;
        Ok(seen(&hub))
    })
}
