//! Forgetting clients that have ended, and lost keepers, as soon as nothing can be left of what they started.
//!
//! An orphan can start another one and end, again and again. So a look at all processes goes on with those that began while
//! it lasted.

use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_keeper::BootTime;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::task::JoinSet;

use super::clients::{ClientProcess, Evidence};
use super::process::{self, ProcessId, ProcessStat};
use super::standing::{keepers_parent, may_be_orphan};
use crate::aside::aside;
use crate::hub::Hub;

/// How soon it is looked again while something may be left, at first and at last.
const FIRST_LOOK: Duration = Duration::from_millis(100);
const LAST_LOOK: Duration = Duration::from_mins(1);
/// How often a look goes on with processes that are new.
const MAX_ROUNDS: usize = 100;

/// Forgets them, for ever. While all clients live, it costs nothing.
pub(crate) async fn forget_ended(hub: Arc<Hub>) {
    let mut exits = JoinSet::new();
    let mut awaited = HashSet::new();
    let mut delay = FIRST_LOOK;
    loop {
        let own = Arc::clone(&hub);
        // If it panics, the next look does the same.
        let pending = aside(move || clear(&own)).await.unwrap_or(true);
        for client in hub.identity().clients.own() {
            if awaited.insert(client.process)
                && let Some(pidfd) = open(client.process)
            {
                exits.spawn(async move {
                    // It can't be read when it can't be awaited; then the next look finds that it has ended.
                    let _ended = pidfd.readable().await;
                });
            }
        }
        tokio::select! {
            () = hub.identity().added.notified() => {}
            Some(_) = exits.join_next() => delay = FIRST_LOOK,
            () = tokio::time::sleep(delay), if pending => delay = (delay * 2).min(LAST_LOOK),
        }
    }
}

/// Something that becomes readable when a process ends.
#[expect(
    deprecated,
    reason = "a descriptor that is owned stays open as long as it is registered, which is all it is about"
)]
fn open(process: ProcessId) -> Option<AsyncFd<OwnedFd>> {
    let pidfd = pidfd_open(Pid::from_raw(process.pid.cast_signed())?, PidfdFlags::NONBLOCK).ok()?;
    process.is_alive().then_some(())?;
    AsyncFd::with_interest(pidfd, Interest::READABLE).ok()
}

/// Forgets what is over. Says whether something may be left.
fn clear(hub: &Hub) -> bool {
    let clients = &hub.identity().clients;
    let ended: Vec<ClientProcess> = clients.own().into_iter().filter(|client| !client.process.is_alive()).collect();
    let loss = clients.open_loss();
    if ended.is_empty() && loss.is_none() {
        return false;
    }
    let Some(orphans) = all_orphans(hub) else { return true };
    let none_since = |since: BootTime| orphans.iter().all(|orphan| orphan.started_at() < since);
    if let Some((_, seen_at)) = loss.filter(|(since, _)| none_since(*since)) {
        clients.clear_loss(seen_at);
    }
    clients.forget(|client| {
        let alone = Evidence { clients: vec![client.clone()], ..Evidence::default() };
        ended.contains(client) && !orphans.iter().any(|orphan| alone.may_have_left(*orphan))
    });
    clients.open_loss().is_some() || clients.own().iter().any(|client| ended.contains(client))
}

/// All processes without the parent that started them, but for hubs and keepers. `None` when that can't be told.
///
/// They are looked at in the order of their numbers, the newest last, until no new one comes. So of those that follow one
/// another, each started by the one before, one is found: when one was gone already, the next had lost its parent.
fn all_orphans(hub: &Hub) -> Option<Vec<ProcessId>> {
    let (evidence, keepers_parent) = (hub.identity().clients.evidence(), keepers_parent(hub));
    let is_ours = |process: ProcessId| process.pid == std::process::id() || evidence.is_keeper(process);
    let mut last = process::newest_pid()?;
    let mut pids: Vec<u32> = process::all_pids().filter(|pid| *pid <= last).collect();
    pids.sort_unstable();
    let mut orphans = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let stats = pids.into_iter().filter_map(ProcessStat::of).filter(|stat| !stat.is_zombie && !is_ours(stat.id));
        orphans.extend(stats.filter(|stat| may_be_orphan(stat, keepers_parent)).map(|stat| stat.id));
        let newest = process::newest_pid()?;
        if newest == last {
            return Some(orphans);
        }
        // The numbers have begun again at the first.
        if newest < last {
            return None;
        }
        pids = (last + 1..=newest).collect();
        last = newest;
    }
    None
}
