//! `flightdeck.workbench.state`: the panes as they were told last, once a second at most.

use std::time::SystemTime;

use flightdeck_contract::hub::Empty;
use flightdeck_contract::openspace::PaneState;

use crate::registry::{Command, Effects, Family, define};
use crate::timestamp::rfc3339;

pub(super) fn command() -> Command {
    define(Family::Hub, "flightdeck.workbench.state",
        Effects::READS,
        "Show the panes",
        "The panes of the workbench and when they stood like this, told anew once a second at most; those of the external \
         IDE while one is registered.",
    )
    .for_ides()
    .handle(|hub, _, _: Empty| async move {
        if let Some(state) = hub.bridge().shown() {
            return Ok(state);
        }
        let published = hub.workbench().published().borrow().clone();
        // Nothing was told yet: the hub has just begun.
        let now = || hub.workbench().look(|state| state.pane_state(rfc3339(SystemTime::now())));
        Ok(PaneState::from(published.unwrap_or_else(now)))
    })
}
