//! `flightdeck.hub.results`: how the last `openspace.*` calls of agents ended.

use flightdeck_contract::hub::{CallResults, Empty};

use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.results",
        Effects::READS,
        "Show the last results",
        "How the last 20 openspace calls of each agent ended.",
    )
    .for_front_ends()
    .handle(|hub, _, _: Empty| async move { Ok(CallResults { results: hub.results().all() }) })
}
