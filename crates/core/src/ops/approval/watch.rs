//! `flightdeck.approval.watch`: what waits and how it ended, as it happens. The stream that front ends live on.

use std::time::Duration;

use flightdeck_contract::Streams;
use flightdeck_contract::approval::{ApprovalEvent, WatchApprovals};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Beat, changes, whenever};

/// How often the policy files are looked at for the person who watches: whoever writes them tells nobody.
const LOOK: Duration = Duration::from_secs(1);

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        WatchApprovals::COMMAND,
        Effects::READS,
        "Watch approvals",
        "Tells everything that waits for a person's yes, then each change; and of policy files that were changed from outside \
         or are broken. With `attend` the caller counts as a person who can be asked.",
    )
    .for_people()
    .stream(|hub, _, request: WatchApprovals, emit| async move {
        let _attached = request.attend.then(|| hub.surfaces().attach());
        let begin = || {
            let (approvals, events) = hub.approvals().watch();
            (vec![ApprovalEvent::Snapshot { approvals }], events)
        };
        let notices = || hub.policy().files().notices();
        // That none of them waits goes without saying.
        let none = Some(Vec::new());
        let policy = whenever(&emit, Beat::Every(LOOK), none, notices, |policy| ApprovalEvent::Policy { policy });
        tokio::select! {
            // The snapshot comes first.
            biased;
            _gone = changes(&emit, begin, |events| events) => Ok(Done {}),
            _gone = policy => Ok(Done {}),
        }
    })
}
