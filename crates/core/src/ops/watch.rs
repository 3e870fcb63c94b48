//! `flightdeck.terminal.watch`: a data frame whenever there is something new to see in a terminal.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::Error;
use flightdeck_contract::control::Channel;
use flightdeck_contract::terminal::{Done, Seen, WatchTerminal};
use serde::Serialize;

use crate::call::{Call, Data};
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

/// The least time between two frames. The first comes at once, and the last is never left out.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.watch",
        Effects::READS,
        "Watch a terminal",
        "Sends a data frame with the end of the log whenever a terminal printed something or ended, until it is gone.",
    )
    .for_front_ends()
    .handle(|hub, request, watch| async move { call(&hub, request, watch).await })
}

async fn call(hub: &Arc<Hub>, call: Call, watch: WatchTerminal) -> Result<Done, Error> {
    let session = hub.session(watch.id)?;
    let mut progress = session.follow();
    let watching = async {
        loop {
            let now = *progress.borrow_and_update();
            if !send(&call, &Seen { cursor: now.seen.0, running: now.running() }).await || !now.running() {
                return;
            }
            tokio::time::sleep(PAUSE).await;
            if progress.changed().await.is_err() {
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

/// Sends one value as a frame. `false`: nobody receives any more.
pub(super) async fn send(call: &Call, value: &impl Serialize) -> bool {
    let Ok(bytes) = serde_json::to_vec(value) else { return false };
    call.output.send(Data { channel: Channel::Main, bytes }).await.is_ok()
}
