//! `flightdeck.terminal.lease`: who holds the controls, and taking or handing them back.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Holder, LeaseAction, LeaseRequest, LeaseState};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use serde_json::json;

use crate::agents::leases::holder_name;
use crate::call::Call;
use crate::convert;
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
         (`release`), or waits until they are free and takes them (`wait`, which fails with timed_out when they are not free in \
         time). A person can take them from you at any \
         time; your input then fails with code lease_held until they are handed back.",
    )
    .handle(|hub, request, lease| async move { call(&hub, request, lease).await })
}

async fn call(hub: &Arc<Hub>, call: Call, request: LeaseRequest) -> Result<LeaseState, Error> {
    let id = request.id;
    let session = hub.session(id)?;
    // Nobody types there any more.
    if matches!(request.action, LeaseAction::Take | LeaseAction::Wait) && !session.progress().running() {
        return Err(convert::ended(&format!("{id} has ended: it has no controls to hold")));
    }
    let (leases, actor) = (hub.leases(), &call.caller.actor);
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
            let limit = call.caller.time_limit(request.timeout_ms);
            let mut changes = leases.changes();
            let waiting = async {
                loop {
                    changes.borrow_and_update();
                    if leases.take(id, actor, request.reason.clone()).is_ok() {
                        return;
                    }
                    if let Some(holder) = leases.holder(id) {
                        call.progress.say_of(id, format!("is controlled by {}", holder.actor));
                    }
                    // The sender lives as long as the hub.
                    let _ = changes.changed().await;
                }
            };
            tokio::select! {
                waited = tokio::time::timeout(limit, waiting) => {
                    waited.map_err(|_| timed_out(id, limit, leases.holder(id).as_ref()))?;
                }
                () = call.cancelled.clone().wait() => {
                    return Err(Error::new(ErrorCode::Cancelled, "the wait was given up"));
                }
            }
        }
    }
    let holder = leases.holder(id);
    let yours = leases.check(id, actor).is_ok();
    Ok(LeaseState { holder, yours })
}

fn timed_out(id: TerminalId, limit: Duration, holder: Option<&Holder>) -> Error {
    let who = holder.map_or("somebody else", holder_name);
    let text = format!("{who} still holds the controls of {id} after {} ms", limit.as_millis());
    Error::new(ErrorCode::TimedOut, text)
        .hint("wait on, or work in another terminal; flightdeck.terminal.read and .screen go on to work")
        .details(json!({ "holder": holder }))
}
