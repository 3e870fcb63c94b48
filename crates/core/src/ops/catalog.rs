//! `flightdeck.hub.commands`: what can be called now.

use flightdeck_contract::hub::Empty;

use crate::registry::{Command, Effects, define};

pub(crate) fn command() -> Command {
    define(
        "flightdeck.hub.commands",
        Effects::READS,
        "List the commands",
        "Lists all commands with their schemas, those that an external IDE has brought included.",
    )
    .for_front_ends()
    .aside(|hub, _, _: Empty| Ok(hub.registry().describe()))
}
