//! `flightdeck.hub.stop`: ends the hub, with or without its terminals.

use flightdeck_contract::hub::{StopHub, Stopping};

use crate::hub::Stop;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::end::end_all;

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.stop",
        Effects::DESTROYS,
        "Stop the hub",
        "Ends the hub; with `all` its terminals too. Without it they go on, and the next hub takes them up.",
    )
    .for_people()
    .handle(|hub, _, request: StopHub| async move {
        let ended = if request.all { end_all(&hub).await? } else { 0 };
        hub.ask_to_stop(if request.all { Stop::All } else { Stop::Hub });
        Ok(Stopping { pid: std::process::id(), ended })
    })
}
