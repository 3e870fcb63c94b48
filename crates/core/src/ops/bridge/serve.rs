//! `flightdeck.bridge.serve`: the commands for an IDE, as they come. Its end is the IDE's going.

use flightdeck_contract::openspace::{BridgeEvent, ServeBridge};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::stream::Emit;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.bridge.serve",
        Effects::WRITES,
        "Serve as the IDE",
        "Tells each command that the registered IDE is to carry out; how it ended goes to flightdeck.bridge.result.",
    )
    .for_ides()
    .unread(&["bridgeId"])
    .stream(|hub, _, request: ServeBridge, emit: Emit<BridgeEvent>| async move {
        let mut socket = hub.bridge().connect(&request.bridge_id)?;
        // Whoever opened the line waits for this before it tells the IDE.
        let mut next = Some(BridgeEvent::Ready {});
        while let Some(event) = next {
            if emit.send(&event).await.is_err() {
                break;
            }
            next = socket.commands.recv().await.map(|execute| BridgeEvent::Execute { execute });
        }
        Ok(Done {})
    })
}
