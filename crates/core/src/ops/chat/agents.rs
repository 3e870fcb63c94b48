//! `flightdeck.chat.agents`: the agents that are known by name.

use flightdeck_contract::chat::{ListPresets, Presets};

use crate::conversations::presets;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.agents",
        Effects::READS,
        "List known agents",
        "Lists the agents that can be started by name, with where each is installed, or how it is installed.",
    )
    .for_people()
    .aside(|hub, _, _: ListPresets| Ok(Presets { agents: presets::list(&hub.settings().agents) }))
}
