//! `flightdeck.workbench.snapshot`: everything at this moment.

use flightdeck_contract::hub::Empty;

use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.snapshot",
        Effects::READS,
        "Show the workbench",
        "The whole workbench: areas, panes, editors, documents without their texts, highlights.",
    )
    .for_people()
    .handle(|hub, _, _: Empty| async move { Ok(hub.workbench().look(flightdeck_workbench::Workbench::snapshot)) })
}
