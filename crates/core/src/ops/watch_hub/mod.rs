//! `flightdeck.hub.watch`: what happens at the hub, as it happens.

mod audit;
mod folders;

use std::time::Duration;

use flightdeck_contract::events::{HubChange, HubEvent, HubSnapshot, NumberedHubChange, WatchHub};
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{Error, ErrorCode, TerminalId};

use crate::actor::Actor;
use crate::agents::visible::is_visible;
use crate::events::Missed;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Emit, Gone, changes};
use folders::Folders;

/// How long changes of the list are gathered.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.watch",
        Effects::READS,
        "Watch the hub",
        "Tells the terminals and, to people, agents, approvals and policy files that wait: everything first, or what was missed since `epoch` and \
         `seq`, then each change. A watcher that is too slow gets everything again. With `audit` people are told the audit \
         log too, with `folders` what comes into folders and goes.",
    )
    .for_front_ends()
    .stream(|hub, call, request: WatchHub, emit: Emit<HubEvent>| async move {
        let actor = call.caller.actor.clone();
        if request.list {
            let _gone = tell_list(&hub, &actor, &emit).await;
            return Ok(Done {});
        }
        if !actor.is_human() && (request.audit.is_some() || !request.folders.is_empty()) {
            let text = "the audit log and the folders are told to people only";
            return Err(Error::new(ErrorCode::NotAllowed, text).hint("openspace.file.list lists a folder"));
        }
        let audited = request.audit.map(|request| audit::start(&hub, request));
        let folders = Folders::watch(&hub, request.folders).await?;
        let mut seen = request.epoch.zip(request.seq);
        let begin = || {
            let (missed, receiver) = hub.events().watch(&hub, seen.take());
            let first = match missed {
                Missed::All(snapshot) => HubEvent::Snapshot { snapshot: visible_part(&hub, &actor, snapshot) },
                Missed::Changes(changes) => HubEvent::Changes { changes: visible(&hub, &actor, changes) },
            };
            (vec![first], receiver)
        };
        let told = |changes| {
            let changes = visible(&hub, &actor, changes);
            if changes.is_empty() { Vec::new() } else { vec![HubEvent::Changes { changes }] }
        };
        let audit = async {
            match audited {
                Some(after) => audit::tell(&hub, after, &emit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _gone = changes(&emit, begin, told) => Ok(Done {}),
            _gone = folders.tell(&emit) => Ok(Done {}),
            told = audit => told.map(|()| Done {}),
        }
    })
}

/// Tells the terminals that an actor may know of, and again whenever they are others.
async fn tell_list(hub: &Hub, actor: &Actor, emit: &Emit<HubEvent>) -> Result<(), Gone> {
    let mut changes = hub.changes();
    let mut told = None;
    loop {
        changes.borrow_and_update();
        let ids = hub.ids_of_terminals().into_iter().filter(|id| is_visible(hub, *id, actor));
        let terminals: Vec<_> = ids.collect();
        if told.as_ref() != Some(&terminals) {
            emit.send(&HubEvent::List { terminals: terminals.clone() }).await?;
            told = Some(terminals);
        }
        if changes.changed().await.is_err() {
            return Ok(());
        }
        // A terminal comes with each short command, and somebody waits for that just now.
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whether an actor may know of a terminal. Whose one was that is gone by now is not known any more.
fn may_know(hub: &Hub, actor: &Actor, id: TerminalId) -> bool {
    actor.is_human() || hub.meta(id).is_some() && is_visible(hub, id, actor)
}

/// What of a snapshot an actor may know.
fn visible_part(hub: &Hub, actor: &Actor, mut snapshot: HubSnapshot) -> HubSnapshot {
    snapshot.terminals.retain(|terminal| may_know(hub, actor, terminal.id));
    if !actor.is_human() {
        snapshot.agents.clear();
        snapshot.approvals.clear();
        snapshot.policy.clear();
    }
    snapshot
}

/// The changes that an actor may know of.
fn visible(hub: &Hub, actor: &Actor, mut changes: Vec<NumberedHubChange>) -> Vec<NumberedHubChange> {
    changes.retain(|numbered| match &numbered.change {
        HubChange::TerminalCreated { terminal }
        | HubChange::TerminalChanged { terminal, .. }
        | HubChange::TerminalEnded { terminal } => may_know(hub, actor, terminal.id),
        // Of one that is gone nothing is known any more, and nothing is told but its number.
        HubChange::TerminalGone { .. } => true,
        HubChange::Agent { .. }
        | HubChange::AgentForgotten { .. }
        | HubChange::Approvals { .. }
        | HubChange::Policy { .. } => actor.is_human(),
    });
    changes
}
