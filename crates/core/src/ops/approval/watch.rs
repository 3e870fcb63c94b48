//! `flightdeck.approval.watch`: what waits and how it ended, as it happens. The stream that front ends live on.

use flightdeck_contract::approval::{ApprovalEvent, WatchApprovals};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Emit, changes};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.approval.watch",
        Effects::READS,
        "Watch approvals",
        "Tells everything that waits for a person's yes, then each change. With `attend` the caller counts as a person who \
         can be asked.",
    )
    .for_people()
    .stream(|hub, _, request: WatchApprovals, emit: Emit<ApprovalEvent>| async move {
        let _attached = request.attend.then(|| hub.surfaces().attach());
        let begin = || {
            let (approvals, events) = hub.approvals().watch();
            (vec![ApprovalEvent::Snapshot { approvals }], events)
        };
        let _gone = changes(&emit, begin, |events| events).await;
        Ok(Done {})
    })
}
