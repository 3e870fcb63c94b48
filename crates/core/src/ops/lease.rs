//! `flightdeck.terminal.lease`: who holds the controls, and taking or handing them back.

use std::sync::Arc;

use flightdeck_contract::terminal::{LeaseAction, LeaseRequest, LeaseState};
use flightdeck_contract::{Error, ErrorCode};

use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::guests;
use crate::terminals::guests::Handed;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.lease",
        Effects::WRITES,
        "Hold the controls",
        "Says who holds the controls of a terminal (`show`), takes them for you alone (`take`), hands them back \
         (`release`), or waits until they are free and takes them (`wait`). A person can take them from you at any \
         time; your input then fails with code lease_held until they are handed back.",
    )
    .handle(|hub, request, lease| async move { call(&hub, request, lease).await })
}

async fn call(hub: &Arc<Hub>, call: Call, request: LeaseRequest) -> Result<LeaseState, Error> {
    let id = request.id;
    hub.session(id)?;
    let (leases, actor) = (hub.leases(), &call.caller.actor);
    let mut timed_out = false;
    match request.action {
        LeaseAction::Show => {}
        LeaseAction::Take => {
            guests::note_handed(hub, id, actor, Handed::Back).await?;
            leases.take(id, actor, request.reason)?;
        }
        LeaseAction::Release => {
            guests::note_handed(hub, id, actor, Handed::Over).await?;
            leases.release(id, actor)?;
        }
        LeaseAction::Wait => {
            call.caller.took_effect();
            let mut changes = leases.changes();
            let waiting = async {
                loop {
                    changes.borrow_and_update();
                    if leases.take(id, actor, request.reason.clone()).is_ok() {
                        return;
                    }
                    if let Some(holder) = leases.holder(id) {
                        call.progress.say(format!("{} holds the controls of {id}", holder.actor));
                    }
                    // The sender lives as long as the hub.
                    let _ = changes.changed().await;
                }
            };
            tokio::select! {
                waited = tokio::time::timeout(call.caller.time_limit(request.timeout_ms), waiting) => {
                    timed_out = waited.is_err();
                }
                () = call.cancelled.clone().wait() => {
                    return Err(Error::new(ErrorCode::Cancelled, "the wait was given up"));
                }
            }
        }
    }
    let holder = leases.holder(id);
    let yours = leases.check(id, actor).is_ok();
    Ok(LeaseState { holder, yours, timed_out })
}
