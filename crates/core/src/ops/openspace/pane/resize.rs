//! `openspace.pane.resize`: more or less room for a pane.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{ResizePane, Shown};
use flightdeck_contract::workbench::Percent;
use flightdeck_workbench::Resize;

use super::super::ide::{seen, through};
use super::pane;
use crate::convert::guest;
use crate::registry::{Command, Effects, Family, define};

const ID: &str = "openspace.pane.resize";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Resize a pane",
        "Gives a pane another width or height, in percent of the whole; its neighbours give or take the room.",
    )
    .controls_ide()
    .handle(|hub, call, request: ResizePane| async move {
        if request.width.is_none() && request.height.is_none() {
            return Err(Error::invalid("width", "give a width, a height or both, in percent"));
        }
        let (width, height) = (percent("width", request.width)?, percent("height", request.height)?);
        let _: Shown = through(&hub, &call, ID, &request, async {
            let (actor, pane) = (guest(&call.caller.actor), pane(&request.pane_id)?);
            hub.workbench().change(|state| state.resize(&actor, Resize { pane, width, height }))?;
            Ok(Shown::default())
        })
        .await?;
        Ok(seen(&hub))
    })
}

fn percent(field: &str, number: Option<f64>) -> Result<Option<Percent>, Error> {
    number.map(Percent::try_from).transpose().map_err(|error| Error::invalid(field, error))
}
