//! `flightdeck.approval.watch`: what waits and how it ended, as it happens. The stream that front ends live on.

use std::time::Duration;

use flightdeck_contract::approval::{ApprovalEvent, WatchApprovals};
use flightdeck_contract::policy::PolicyNotice;
use flightdeck_contract::terminal::Done;

use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Emit, Gone, changes};

/// How often the policy files are looked at for the person who watches: whoever writes them tells nobody.
const LOOK: Duration = Duration::from_secs(1);

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.approval.watch",
        Effects::READS,
        "Watch approvals",
        "Tells everything that waits for a person's yes, then each change; and of policy files that were changed from outside \
         or are broken. With `attend` the caller counts as a person who can be asked.",
    )
    .for_people()
    .stream(|hub, _, request: WatchApprovals, emit: Emit<ApprovalEvent>| async move {
        let _attached = request.attend.then(|| hub.surfaces().attach());
        let begin = || {
            let (approvals, events) = hub.approvals().watch();
            let policy = hub.policy().files().notices();
            let notice = (!policy.is_empty()).then_some(ApprovalEvent::Policy { policy });
            (std::iter::once(ApprovalEvent::Snapshot { approvals }).chain(notice).collect(), events)
        };
        let told = hub.policy().files().notices();
        tokio::select! {
            _gone = changes(&emit, begin, |events| events) => Ok(Done {}),
            _gone = tell_policy(&hub, &emit, told) => Ok(Done {}),
        }
    })
}

/// Tells of the policy files whenever what waits of them is something else than what was told.
async fn tell_policy(hub: &Hub, emit: &Emit<ApprovalEvent>, mut told: Vec<PolicyNotice>) -> Result<(), Gone> {
    loop {
        tokio::time::sleep(LOOK).await;
        let policy = hub.policy().files().notices();
        if policy != told {
            told.clone_from(&policy);
            emit.send(&ApprovalEvent::Policy { policy }).await?;
        }
    }
}
