//! `flightdeck.hub.status`: how the hub stands.

use flightdeck_contract::hub::Empty;

use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.status",
        Effects::READS,
        "Hub status",
        "Says which workspace the hub serves, where it listens, and how many terminals and agents there are.",
    )
    .for_front_ends()
    .aside(|hub, _, _: Empty| Ok(hub.status()))
}
