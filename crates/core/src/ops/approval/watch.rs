//! `flightdeck.approval.watch`: what waits and how it ended, as it happens. The stream that front ends live on.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::approval::{ApprovalEvent, WatchApprovals};
use flightdeck_contract::terminal::Done;
use tokio::sync::broadcast::error::RecvError;

use crate::call::Call;
use crate::hub::Hub;
use crate::ops::watch::send;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.approval.watch",
        Effects::READS,
        "Watch approvals",
        "Sends a data frame with everything that waits for a person's yes, then one for each change. With `attend` the \
         caller counts as a person who can be asked.",
    )
    .for_people()
    .handle(|hub, request, watch| async move { call(&hub, request, watch).await })
}

async fn call(hub: &Arc<Hub>, call: Call, request: WatchApprovals) -> Result<Done, Error> {
    let _attached = request.attend.then(|| hub.surfaces().attach());
    let watching = async {
        loop {
            let (approvals, mut events) = hub.approvals().watch();
            let mut event = ApprovalEvent::Snapshot { approvals };
            loop {
                if !send(&call, &event).await {
                    return;
                }
                event = match events.recv().await {
                    Ok(event) => event,
                    // Too slow: a snapshot says everything again.
                    Err(RecvError::Lagged(_)) => break,
                    Err(RecvError::Closed) => return,
                };
            }
        }
    };
    tokio::select! {
        () = watching => {}
        () = call.cancelled.clone().wait() => {}
    }
    Ok(Done {})
}
