//! `flightdeck.hub.watch`: a data frame whenever a terminal appears, ends, or changes hands.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::hub::Empty;
use flightdeck_contract::terminal::Done;
use serde_json::json;

use super::watch::{PAUSE, send};
use crate::agents::visible::is_visible;
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.watch",
        Effects::READS,
        "Watch the hub",
        "Sends a data frame with the ids of the terminals whenever one appears, ends or changes hands.",
    )
    .for_front_ends()
    .handle(|hub, request, _: Empty| async move { call(&hub, request).await })
}

async fn call(hub: &Arc<Hub>, call: Call) -> Result<Done, Error> {
    let mut changes = hub.changes();
    let watching = async {
        loop {
            changes.borrow_and_update();
            let actor = &call.caller.actor;
            let ids: Vec<_> = hub.ids_of_terminals().into_iter().filter(|id| is_visible(hub, *id, actor)).collect();
            if !send(&call, &json!({ "terminals": ids })).await {
                return;
            }
            tokio::time::sleep(PAUSE).await;
            if changes.changed().await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = watching => {}
        () = call.cancelled.clone().wait() => {}
    }
    Ok(Done {})
}
