//! The process at the other end of the socket, as the kernel pinned it when it connected. Its number alone tells little: it
//! may have ended, and another process may have the number by now.

use std::fs;
use std::os::fd::{AsFd as _, OwnedFd};

use flightdeck_core::{Entry, Hub, peer_pidfd};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::net::UnixStream;

/// A process that has connected.
#[derive(Debug)]
pub(super) struct Peer {
    pid: u32,
    /// Open for as long as the connection lasts.
    pidfd: OwnedFd,
}

impl Peer {
    /// Taken when a connection is accepted. `None` when the process has ended already, or the kernel is older than 6.5.
    pub(super) fn of(stream: &UnixStream) -> Option<Self> {
        let pid = stream.peer_cred().ok()?.pid().and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0)?;
        Some(Peer { pid, pidfd: peer_pidfd(stream.as_fd()).ok()? })
    }

    /// What the hub knows it by.
    pub(super) fn process(&self) -> flightdeck_core::Peer {
        flightdeck_core::Peer::Process(self.pid)
    }

    /// How it has come in, and the session of processes that it belongs to.
    pub(super) fn entry(&self, hub: &Hub) -> (Entry, Option<u32>) {
        let known = (hub.entry_of(self.pid, Entry::Socket), session_of(self.pid));
        // What was read was about this process only if it is still there.
        if self.is_alive() { known } else { (Entry::Unknown, None) }
    }

    /// How it has come in as the relay of a client of MCP, which is noted.
    pub(super) fn mcp_entry(&self, hub: &Hub) -> Entry {
        if !self.is_alive() {
            return Entry::Unknown;
        }
        let entry = hub.mcp_entry_of(self.pid);
        if self.is_alive() { entry } else { Entry::Unknown }
    }

    /// The descriptor of a process becomes readable when it ends.
    fn is_alive(&self) -> bool {
        let mut ended = [PollFd::new(&self.pidfd, PollFlags::IN)];
        poll(&mut ended, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) == Ok(0)
    }
}

/// The session of processes that a process belongs to.
fn session_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Behind the name come the state, the parent and the group.
    stat.rsplit_once(") ")?.1.split(' ').nth(3)?.parse().ok()
}
