//! `flightdeck.workbench.watch`: a snapshot, then every change. The stream that front ends live on.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::Done;
use flightdeck_contract::workbench::{WatchWorkbench, WorkbenchEvent};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::call::Call;
use crate::hub::Hub;
use crate::ops::watch::send;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::Missed;

/// How many changes are put into one frame.
const AT_ONCE: usize = 256;

pub(super) fn command() -> Command {
    define(Family::Hub, "flightdeck.workbench.watch",
        Effects::READS,
        "Watch the workbench",
        "Sends a data frame with the whole workbench, or what was missed since `epoch` and `seq`, then the changes as they \
         happen. A watcher that is too slow gets a snapshot again.",
    )
    .for_people()
    .handle(|hub, call, request: WatchWorkbench| async move { watch(&hub, &call, &request).await })
}

async fn watch(hub: &Arc<Hub>, call: &Call, request: &WatchWorkbench) -> Result<Done, Error> {
    let mut seen = request.epoch.zip(request.seq);
    let watching = async {
        loop {
            let (missed, mut changes) = hub.workbench().watch(seen.take());
            let mut event = match missed {
                Missed::All(snapshot) => WorkbenchEvent::Snapshot { snapshot },
                Missed::Changes(changes) => WorkbenchEvent::Changes { changes },
            };
            loop {
                if !send(call, &event).await {
                    return;
                }
                let first = match changes.recv().await {
                    Ok(change) => change,
                    // Too slow: a snapshot says everything again.
                    Err(RecvError::Lagged(_)) => break,
                    Err(RecvError::Closed) => return,
                };
                let mut together = vec![first];
                let behind = loop {
                    match changes.try_recv() {
                        Ok(change) if together.len() < AT_ONCE => together.push(change),
                        Ok(change) => {
                            together.push(change);
                            break false;
                        }
                        Err(TryRecvError::Lagged(_)) => break true,
                        Err(TryRecvError::Empty | TryRecvError::Closed) => break false,
                    }
                };
                if behind {
                    break;
                }
                event = WorkbenchEvent::Changes { changes: together };
            }
        }
    };
    tokio::select! {
        () = watching => {}
        () = call.cancelled.clone().wait() => {}
    }
    Ok(Done {})
}
