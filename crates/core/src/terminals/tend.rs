//! Looking after the terminals: storing what ended, letting go of what is old, ending what agents left behind.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::TerminalId;
use flightdeck_term::Repaired;
use flightdeck_term::kill::GRACE;
use flightdeck_term::session::{Mended, Session};
use flightdeck_workbench::Actor as Guest;
use rustix::process::Signal;

use crate::aside::aside;
use crate::audit::now_ms;
use crate::convert;
use crate::hub::{Hub, Stop};
use crate::terminals::end::end;
use crate::terminals::records;

/// How many terminals that have ended are kept, with their logs, before the oldest goes.
const ENDED_KEPT: usize = 200;
/// The same for commands that were started and awaited by one call.
const TRANSIENT_KEPT: usize = 50;

/// How many are removed at once.
const PRUNED_AT_ONCE: usize = 50;

/// How often old audit entries are looked for.
const PRUNING: Duration = Duration::from_hours(6);
const DAY_MS: i64 = 24 * 3600 * 1000;

impl Hub {
    /// Looks after the terminals until the hub is asked to stop; [`close`](Self::close) comes after that.
    pub async fn tend(self: Arc<Self>) -> Stop {
        let mut changes = self.terminals().changes();
        let mut agents = self.agents().changes();
        let mut alongside = tokio::task::JoinSet::new();
        alongside.spawn(Arc::clone(&self).prune());
        alongside.spawn(Arc::clone(&self).keep_workbench());
        alongside.spawn(Arc::clone(&self).publish_panes());
        alongside.spawn(Arc::clone(&self).follow_files());
        alongside.spawn(Arc::clone(&self).watch_servers());
        alongside.spawn(Arc::clone(&self).watch_moves());
        let stop = loop {
            // Noted before the look, so that what happens during it leads to another one.
            let keeper_lost = changes.borrow_and_update().keeper_lost.is_some();
            agents.borrow_and_update();
            let hub = Arc::clone(&self);
            // It writes and removes files. If it panics, the next look does what it left undone.
            let again = aside(move || hub.settle()).await.ok().flatten();
            self.tell();
            let next = self.sweep().into_iter().chain(again).min();
            if keeper_lost {
                break Stop::All;
            }
            tokio::select! {
                _ = changes.changed() => {}
                _ = agents.changed() => {}
                () = until(next) => {}
                asked = self.stopping() => break asked,
            }
            // Many commands may end at once; one look stores them all.
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        alongside.shutdown().await;
        stop
    }

    /// Ends what agents left behind and did not come back for. Says when to look again.
    fn sweep(self: &Arc<Self>) -> Option<Instant> {
        self.leases().retain(|agent| self.agents().is_here(agent));
        self.grants().retain(|agent| self.agents().is_here(agent), |terminal| self.meta(terminal).is_some());
        let swept = self.agents().sweep(Instant::now());
        for name in swept.agents {
            // Nothing of it may be left already.
            let _ = self.workbench().change(|state| state.leave(&Guest::Agent(name.clone())));
            let hub = Arc::clone(self);
            tokio::spawn(async move { hub.bridge().clear_up(&name).await });
        }
        for id in swept.terminals {
            let Ok(session) = self.session(id) else { continue };
            if self.leases().holder(id).is_some_and(|holder| holder.human) {
                // A person works there. When they have handed it back, it has its time again.
                if let Some(name) = self.meta(id).and_then(|meta| meta.owner.clone()) {
                    self.agents().own_again(id, &name);
                }
                continue;
            }
            if session.progress().running() {
                tracing::info!(%id, "its agent has left and did not come back: ended");
                let hub = Arc::clone(self);
                tokio::spawn(async move {
                    if let Err(error) = end(session, Signal::HUP, GRACE).await {
                        tracing::error!(%id, %error, "it could not be ended");
                    }
                    hub.tell();
                });
            }
        }
        swept.next
    }

    /// Removes old audit entries now and then.
    async fn prune(self: Arc<Self>) {
        loop {
            let hub = Arc::clone(&self);
            let before = now_ms() - i64::from(self.settings().audit.days) * DAY_MS;
            match aside(move || hub.store().prune(before)).await {
                Ok(Ok(0)) => {}
                Ok(Ok(removed)) => tracing::info!(removed, "old audit entries were removed"),
                Ok(Err(error)) => tracing::warn!(%error, "old audit entries could not be removed"),
                Err(error) => tracing::warn!(%error, "old audit entries could not be removed"),
            }
            tokio::time::sleep(PRUNING).await;
        }
    }

    /// Stores what has ended, and lets go of it. Says when to try again what failed.
    pub(crate) fn settle(&self) -> Option<Instant> {
        let mut again = None;
        let mut over: Vec<(TerminalId, bool)> = Vec::new();
        for session in self.terminals().all() {
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
                let _ = records::append(self.store(), id, &ended);
            }
            if !progress.running() {
                // Nobody can use it any more, so it is nobody's: callers are told that it has ended.
                self.leases().forget_users_own(id);
                let transient = self.meta(id).is_some_and(|meta| meta.transient);
                over.push((id, transient));
            }
        }
        over.sort_unstable();
        for (transient, kept) in [(true, TRANSIENT_KEPT), (false, ENDED_KEPT)] {
            let ids: Vec<_> = over.iter().filter(|(_, t)| *t == transient).map(|(id, _)| *id).collect();
            // Many at once and seldom: removing files slows down whoever makes some at that moment.
            if ids.len() < kept + PRUNED_AT_ONCE {
                continue;
            }
            for id in &ids[..ids.len() - kept] {
                // Another try comes with the next ending.
                let _ = self.discard(*id);
            }
        }
        again
    }
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
