//! `flightdeck.hub.watch`: what happens at the hub, as it happens.

mod audit;
mod folders;

use std::time::Duration;

use flightdeck_contract::events::{HubChange, HubEvent, HubSnapshot, NumberedHubChange, WatchHub};
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{Error, ErrorCode, Streams, TerminalId};

use crate::actor::Actor;
use crate::agents::visible::is_visible;
use crate::events::Missed;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Beat, all, changes, whenever};
use audit::Entries;
use folders::Folders;

/// How long changes of the list are gathered.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        WatchHub::COMMAND,
        Effects::READS,
        "Watch the hub",
        "Tells the terminals and, to people, agents, approvals and policy files that wait: everything first, or what was missed since `epoch` and \
         `seq`, then each change. A watcher that is too slow gets everything again. With `audit` people are told the audit \
         log too, with `folders` what comes into folders and goes.",
    )
    .for_front_ends()
    .stream(|hub, call, request: WatchHub, emit| async move {
        let actor = call.caller.actor.clone();
        if request.list {
            // A terminal comes with each short command, and somebody waits for that just now.
            let beat = Beat::Moved(hub.changes(), PAUSE);
            let list = || visible_ids(&hub, &actor);
            let _gone = whenever(&emit, beat, None, list, |terminals| HubEvent::List { terminals }).await;
            return Ok(Done {});
        }
        if !actor.is_human() && (request.audit.is_some() || !request.folders.is_empty()) {
            let text = "the audit log and the folders are told to people only";
            return Err(Error::new(ErrorCode::NotAllowed, text).hint("openspace.file.list lists a folder"));
        }
        let audit = request.audit.map(|request| Entries::new(&hub, request));
        let folders = match request.folders {
            none if none.is_empty() => None,
            names => Some(Folders::watch(&hub, names).await?),
        };
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
        tokio::select! {
            // How things stand comes first.
            biased;
            _gone = changes(&emit, begin, told) => Ok(Done {}),
            told = all(&emit, folders) => told.map(|()| Done {}),
            told = all(&emit, audit) => told.map(|()| Done {}),
        }
    })
}

/// The terminals that an actor may know of.
fn visible_ids(hub: &Hub, actor: &Actor) -> Vec<TerminalId> {
    hub.ids_of_terminals().into_iter().filter(|id| is_visible(hub, *id, actor)).collect()
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
        snapshot.database.clear();
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
        | HubChange::Policy { .. }
        | HubChange::Database { .. } => actor.is_human(),
    });
    changes
}
