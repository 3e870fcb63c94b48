//! The process at the other end of the socket, as the kernel pinned it when it connected. Its number alone tells little: it
//! may have ended, and another process may have the number by now.

use std::fs;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;

use flightdeck_core::{Entry, Hub, is_running, peer_pidfd};
use rustix::io::Errno;
use tokio::net::UnixStream;

/// A process that has connected.
#[derive(Debug)]
pub(super) struct Peer {
    pid: u32,
    /// Open for as long as the connection lasts.
    pidfd: Arc<OwnedFd>,
}

/// What the kernel says of who has connected.
#[derive(Clone, Debug)]
pub(super) enum Connected {
    /// This process.
    By(Arc<Peer>),
    /// A process that has ended already, or can't be told.
    ByNobody,
    /// Kernels before 6.5 do not say.
    Untold,
}

impl Connected {
    /// The process's number, where the kernel has told it.
    pub(super) fn pid(&self) -> Option<u32> {
        match self {
            Connected::By(peer) => Some(peer.pid),
            Connected::ByNobody | Connected::Untold => None,
        }
    }
}

impl Peer {
    /// Taken when a connection is accepted.
    pub(super) fn of(stream: &UnixStream) -> Connected {
        let pid = stream.peer_cred().ok().and_then(|peer| u32::try_from(peer.pid()?).ok());
        match (pid.filter(|pid| *pid > 0), peer_pidfd(stream.as_fd())) {
            (Some(pid), Ok(pidfd)) => Connected::By(Arc::new(Peer { pid, pidfd: Arc::new(pidfd) })),
            (_, Err(error)) if Errno::from_io_error(&error) == Some(Errno::NOPROTOOPT) => Connected::Untold,
            _ => Connected::ByNobody,
        }
    }

    /// What the hub knows it by.
    pub(super) fn process(&self) -> flightdeck_core::Peer {
        flightdeck_core::Peer::Process(self.pid, Arc::clone(&self.pidfd))
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

    fn is_alive(&self) -> bool {
        is_running(&self.pidfd)
    }
}

/// The session of processes that a process belongs to.
fn session_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Behind the name come the state, the parent and the group.
    stat.rsplit_once(") ")?.1.split(' ').nth(3)?.parse().ok()
}
