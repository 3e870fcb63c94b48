//! Looking after the terminals: storing what ended, letting go of what is old, ending what agents left behind.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::TerminalId;
use flightdeck_term::kill::{GRACE, kill_all, members};
use flightdeck_term::session::{Mended, Session};
use flightdeck_term::{Repaired, Whose};
use flightdeck_workbench::Actor as Guest;
use rustix::process::Signal;

use crate::agents::Lost;
use crate::aside::aside;
use crate::audit::now_ms;
use crate::conversations::{keepsake, standing};
use crate::convert;
use crate::events;
use crate::hub::{Hub, Stop};
use crate::identity::leftovers;
use crate::terminals::end::end;
use crate::terminals::guests;
use crate::terminals::known;
use crate::terminals::records;
use crate::terminals::servers;
use crate::workbench::background;
use crate::workbench::follow;
use crate::workbench::keep;

/// How many terminals that have ended are kept, with their logs, before the oldest goes.
const ENDED_KEPT: usize = 200;
/// The same for commands that were started and awaited by one call.
const TRANSIENT_KEPT: usize = 50;

/// How many are removed at once.
const PRUNED_AT_ONCE: usize = 10;

/// How often old audit entries are looked for.
const PRUNING: Duration = Duration::from_hours(6);
const DAY_MS: i64 = 24 * 3600 * 1000;

/// Looks after the terminals until the hub is asked to stop; [`Hub::close`] comes after that.
pub(crate) async fn tend(hub: Arc<Hub>) -> Stop {
    let mut changes = hub.terminals().changes();
    let mut agents = hub.agents().changes();
    let mut alongside = tokio::task::JoinSet::new();
    alongside.spawn(prune(Arc::clone(&hub)));
    alongside.spawn(background::show_terminals(Arc::clone(&hub)));
    alongside.spawn(keep::keep_workbench(Arc::clone(&hub)));
    alongside.spawn(keep::publish_panes(Arc::clone(&hub)));
    alongside.spawn(follow::follow_files(Arc::clone(&hub)));
    alongside.spawn(events::follow(Arc::clone(&hub)));
    alongside.spawn(standing::follow(Arc::clone(&hub)));
    alongside.spawn(servers::watch_servers(Arc::clone(&hub)));
    alongside.spawn(guests::watch_moves(Arc::clone(&hub)));
    alongside.spawn(leftovers::forget_ended(Arc::clone(&hub)));
    let stop = loop {
        // Noted before the look, so that what happens during it leads to another one.
        let keeper_lost = changes.borrow_and_update().keeper_lost.is_some();
        agents.borrow_and_update();
        let own = Arc::clone(&hub);
        // It writes and removes files. If it panics, the next look does what it left undone.
        let again = aside(move || settle(&own)).await.ok().flatten();
        hub.tell();
        let next = sweep(&hub).into_iter().chain(again).min();
        if keeper_lost {
            break Stop::All;
        }
        tokio::select! {
            _ = changes.changed() => {}
            _ = agents.changed() => {}
            () = until(next) => {}
            asked = hub.stopping() => break asked,
        }
        // Many commands may end at once; one look stores them all.
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    alongside.shutdown().await;
    stop
}

/// Ends what agents left behind and did not come back for. Says when to look again.
fn sweep(hub: &Arc<Hub>) -> Option<Instant> {
    for (number, name) in hub.agents().here() {
        hub.leases().inherit(&name, number);
    }
    hub.leases().retain(|agent| hub.agents().is_here(agent));
    hub.grants().retain(|agent| hub.agents().is_here(agent), |terminal| hub.meta(terminal).is_some());
    let swept = hub.agents().sweep(Instant::now());
    for Lost { name, number, is_last_of_name } in swept.agents {
        hub.leases().give_up(&name, number);
        if !is_last_of_name {
            continue;
        }
        // Nothing of it may be left already.
        let _ = hub.workbench().change(|state| state.leave(&Guest::Agent(name.clone())));
        let own = Arc::clone(hub);
        tokio::spawn(async move { own.bridge().clear_up(&name).await });
    }
    let mut over = Vec::new();
    for id in swept.terminals {
        let Ok(session) = hub.session(id) else { continue };
        if hub.leases().holder(id).is_some_and(|holder| holder.human) {
            // A person works there. When they have handed it back, it has its time again.
            if let Some(meta) = hub.meta(id)
                && let Some(name) = &meta.owner
            {
                hub.agents().own_again(id, name, meta.agent_number());
            }
            continue;
        }
        if session.progress().running() {
            tracing::info!(%id, "its agent has left and did not come back: ended");
            let own = Arc::clone(hub);
            tokio::spawn(async move {
                if let Err(error) = end(session, Signal::HUP, GRACE).await {
                    tracing::error!(%id, %error, "it could not be ended");
                }
                own.tell();
            });
        } else if session.whose() == Whose::Ours {
            over.push(session.tree());
        }
    }
    if !over.is_empty() {
        // What they started in the background, and asked to stay, has stayed until now.
        tokio::task::spawn_blocking(move || {
            let left = kill_all(&over, Signal::HUP, GRACE);
            if !left.is_empty() {
                tracing::error!(?left, "what an agent that has left had started could not be ended");
            }
        });
    }
    swept.next
}

/// Removes old audit entries now and then.
async fn prune(hub: Arc<Hub>) {
    loop {
        let own = Arc::clone(&hub);
        let before = now_ms() - i64::from(hub.settings().audit.days) * DAY_MS;
        match aside(move || own.store().prune(before)).await {
            Ok(Ok(0)) => {}
            Ok(Ok(removed)) => tracing::info!(removed, "old audit entries were removed"),
            Ok(Err(error)) => tracing::warn!(%error, "old audit entries could not be removed"),
            Err(error) => tracing::warn!(%error, "old audit entries could not be removed"),
        }
        tokio::time::sleep(PRUNING).await;
    }
}

/// Stores what has ended, and lets go of it. Says when to try again what failed.
pub(crate) fn settle(hub: &Hub) -> Option<Instant> {
    let mut again = None;
    let mut over: Vec<(TerminalId, bool)> = Vec::new();
    for session in hub.terminals().all() {
        let Some(id) = convert::terminal_id(session.id()) else { continue };
        let progress = session.progress();
        if !progress.running() && progress.eof {
            // The exit status is on disk by now; the keeper need not hold it any longer.
            session.let_go();
        }
        if session.is_cut_off() {
            mend(&session);
        }
        again = session.next_try().into_iter().chain(again).min();
        let ended = session.take_ended();
        if !ended.is_empty() {
            // A record that can't be stored is found again in the log by the next hub.
            let _ = records::append(hub.store(), id, &ended);
        }
        if !progress.running() {
            // Nobody can use it any more, so it is nobody's: callers are told that it has ended.
            hub.leases().forget_users_own(id);
            let transient = hub.meta(id).is_some_and(|meta| meta.transient);
            over.push((id, transient));
        }
    }
    over.sort_unstable();
    for (transient, kept) in [(true, TRANSIENT_KEPT), (false, ENDED_KEPT)] {
        let ids: Vec<_> = over.iter().filter(|(_, t)| *t == transient).map(|(id, _)| *id).collect();
        // Some at once: looking for them takes as long for one as for many.
        if ids.len() < kept + PRUNED_AT_ONCE {
            continue;
        }
        let old = &ids[..ids.len() - kept];
        let inhabited = inhabited(hub, old);
        for id in old.iter().filter(|id| !inhabited.contains(id)) {
            // Another try comes with the next ending.
            if keepsake::keep(hub, *id).is_ok() {
                let _ = known::discard(hub, *id);
            }
        }
    }
    // Where there is no room, the next command makes its folder itself and says what is wrong.
    let _ = hub.spares().make_ahead();
    again
}

/// Those of ended terminals in whose name something still runs in the background. Only by them can it be found and ended.
fn inhabited(hub: &Hub, ids: &[TerminalId]) -> HashSet<TerminalId> {
    let trees: Vec<_> = ids.iter().filter_map(|id| Some((*id, hub.session(*id).ok()?.tree()))).collect();
    // One look serves all of them, and finds nothing as a rule.
    if members(trees.iter().map(|(_, tree)| tree)).is_empty() {
        return HashSet::new();
    }
    trees.into_iter().filter(|(_, tree)| !tree.members().is_empty()).map(|(id, _)| id).collect()
}

/// Somebody has cut off the output of a tab whose programs go on.
fn mend(session: &Session) {
    let id = session.id();
    let Some(Mended { repaired, tries }) = session.mend() else { return };
    match repaired {
        Ok(Repaired::Mended) => {
            tracing::warn!(%id, "its output was cut off, and is logged again: what was printed meanwhile is missing");
        }
        // The keeper is about to tell how it ended.
        Ok(Repaired::Over) => {}
        // Told once; callers are told each time.
        _ if tries > 1 => {}
        Ok(Repaired::Taken) => tracing::warn!(%id, "its output goes elsewhere, and is not logged"),
        Err(error) => tracing::error!(%id, %error, "its output was cut off, and can't be taken up again"),
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time.into()).await,
        None => std::future::pending().await,
    }
}
