//! How a caller of the socket counts: whether it was started inside of one of the hub's own terminals. What can't be told counts as that: a process
//! that wants to be taken for a person's could see to it that it can't be looked at.

use std::fs;

use flightdeck_core::{Entry, Hub};

/// How the process at the other end has come in.
pub(super) fn of(hub: &Hub, peer: Option<i32>) -> Entry {
    let Some(pid) = peer.and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0) else { return Entry::INSIDE };
    match hub.entry_of(pid, Entry::Socket) {
        // A process that has left its connection to a child of its own tells nothing any more.
        Entry::Socket if !is_there(pid) => Entry::INSIDE,
        entry => entry,
    }
}

/// The session of processes that the process at the other end belongs to.
pub(super) fn session_of(peer: Option<i32>) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", peer?)).ok()?;
    // Behind the name come the state, the parent and the group.
    stat.rsplit_once(") ")?.1.split(' ').nth(3)?.parse().ok()
}

/// Whether it is there, and not only its exit status.
fn is_there(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}
