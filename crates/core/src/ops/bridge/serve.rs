//! `flightdeck.bridge.serve`: the commands for an IDE, as they come. Its end is the IDE's going.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::openspace::ServeBridge;
use flightdeck_contract::terminal::Done;

use crate::call::Call;
use crate::hub::Hub;
use crate::ops::watch::send;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.bridge.serve",
        Effects::WRITES,
        "Serve as the IDE",
        "Sends a data frame with each command that the registered IDE is to carry out; how it ended goes to \
         flightdeck.bridge.result.",
    )
    .for_people()
    .unread(&["bridgeId"])
    .handle(|hub, call, request: ServeBridge| async move { serve(&hub, &call, &request).await })
}

async fn serve(hub: &Arc<Hub>, call: &Call, request: &ServeBridge) -> Result<Done, Error> {
    let mut socket = hub.bridge().connect(&request.bridge_id)?;
    // Whoever opened the line waits for this before it tells the IDE.
    call.progress.say("the IDE gets commands");
    let serving = async {
        while let Some(execute) = socket.commands.recv().await {
            if !send(call, &execute).await {
                return;
            }
        }
    };
    tokio::select! {
        () = serving => {}
        () = call.cancelled.clone().wait() => {}
        // It may never get a command again, so its going is not seen by sending.
        () = call.output.closed() => {}
    }
    Ok(Done {})
}
