//! `flightdeck.bridge.serve`: the commands for an IDE, as they come. Its end is the IDE's going.

use flightdeck_contract::Streams;
use flightdeck_contract::openspace::ServeBridge;
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::stream::all;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        ServeBridge::COMMAND,
        Effects::WRITES,
        "Serve as the IDE",
        "Tells each command that the registered IDE is to carry out; how it ended goes to flightdeck.bridge.result.",
    )
    .for_ides()
    .unread(&["bridgeId"])
    .stream(|hub, _, request: ServeBridge, emit| async move {
        all(&emit, hub.bridge().connect(&request.bridge_id)?).await?;
        Ok(Done {})
    })
}
