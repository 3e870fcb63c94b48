//! `flightdeck.approval.list`: what waits for an answer.

use flightdeck_contract::approval::{Approvals, ListApprovals};

use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.approval.list",
        Effects::READS,
        "List approvals",
        "Lists the commands of agents that wait for a person's yes, with everything needed to decide.",
    )
    .for_people()
    .handle(|hub, _, _: ListApprovals| async move {
        Ok(Approvals { approvals: hub.approvals().pending(), attended: hub.surfaces().attached() })
    })
}
