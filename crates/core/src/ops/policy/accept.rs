//! `flightdeck.policy.changes`, `accept` and `reject`: what becomes of policy files that something else than the hub has
//! written. Agents can run programs that write, so a person has the last word.

use flightdeck_contract::policy::{
    AcceptPolicy, ListPolicyChanges, PolicyAccepted, PolicyChanges, PolicyRejected, RejectPolicy,
};

use crate::registry::{Command, Effects, Family, define};

pub(super) fn changes() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.changes",
        Effects::READS,
        "Show what waits of the policy",
        "Says what policy files that were changed from outside would change: the rules that come, go or are others, and the \
         texts as a diff. Until a person accepts that, the last good rules stay in force.",
    )
    .for_people()
    .aside(|hub, _, _: ListPolicyChanges| Ok(PolicyChanges { changes: hub.policy().files().changes() }))
}

pub(super) fn accept() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.accept",
        Effects::WRITES,
        "Accept what waits of the policy",
        "Puts policy files into force that were changed from outside: exactly the texts that the person has seen, by their \
         versions.",
    )
    .for_people()
    .aside(|hub, _, request: AcceptPolicy| {
        let files = hub.policy().files().accept(&request.versions)?;
        Ok(PolicyAccepted { files: files.iter().map(|path| path.to_string_lossy().into_owned()).collect() })
    })
}

pub(super) fn reject() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.reject",
        Effects::WRITES,
        "Put the policy back",
        "Puts policy files back that were changed from outside, as they were when they were accepted. What they say is kept \
         beside them.",
    )
    .for_people()
    .aside(|hub, _, _: RejectPolicy| Ok(PolicyRejected { files: hub.policy().files().reject()? }))
}
