//! `flightdeck.hub.watch`: what happens at the hub, as it happens.

use flightdeck_contract::events::{HubChange, HubEvent, HubSnapshot, NumberedHubChange, WatchHub};
use flightdeck_contract::terminal::Done;

use crate::actor::Actor;
use crate::agents::visible::is_visible;
use crate::events::Missed;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Emit, Gone, changes};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.watch",
        Effects::READS,
        "Watch the hub",
        "Tells the terminals and, to people, agents and approvals: everything first, or what was missed since `epoch` and \
         `seq`, then each change. A watcher that is too slow gets everything again.",
    )
    .for_front_ends()
    .stream(|hub, call, request: WatchHub, emit: Emit<HubEvent>| async move {
        let actor = call.caller.actor.clone();
        if request.list {
            let _gone = tell_list(&hub, &actor, &emit).await;
            return Ok(Done {});
        }
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
        let _gone = changes(&emit, begin, told).await;
        Ok(Done {})
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
    }
}

/// What of a snapshot an actor may know.
fn visible_part(hub: &Hub, actor: &Actor, snapshot: HubSnapshot) -> HubSnapshot {
    let mut snapshot = snapshot;
    let known = |id| actor.is_human() || hub.meta(id).is_some();
    snapshot.terminals.retain(|terminal| known(terminal.id) && is_visible(hub, terminal.id, actor));
    if !actor.is_human() {
        snapshot.agents.clear();
        snapshot.approvals.clear();
    }
    snapshot
}

/// The changes that an actor may know of.
fn visible(hub: &Hub, actor: &Actor, changes: Vec<NumberedHubChange>) -> Vec<NumberedHubChange> {
    let may_know = |numbered: &NumberedHubChange| match &numbered.change {
        HubChange::TerminalCreated { terminal }
        | HubChange::TerminalChanged { terminal, .. }
        | HubChange::TerminalEnded { terminal } => {
            // Whose a terminal was that is gone by now is not known any more.
            actor.is_human() || hub.meta(terminal.id).is_some() && is_visible(hub, terminal.id, actor)
        }
        // Of one that is gone nothing is known any more, and nothing is told but its number.
        HubChange::TerminalGone { .. } => true,
        HubChange::Agent { .. } | HubChange::AgentForgotten { .. } | HubChange::Approvals { .. } => actor.is_human(),
    };
    changes.into_iter().filter(may_know).collect()
}
