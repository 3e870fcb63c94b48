//! Who is a person: what the kernel says of the process that calls.
//!
//! ```text
//!   ancestry.rs    the line of its ancestors, read whole
//!   standing.rs    what stands in it: a terminal, a client of MCP, an orphan that an agent may have left
//!   clients.rs     which processes are or were clients of MCP, for all hubs of the user
//!   behind.rs      which process is the client behind `flightdeck mcp`
//!   leftovers.rs   when nothing of an ended client can be left
//!   pairing.rs     programs that a person has vouched for
//! ```
//!
//! A person is known positively: a live process whose ancestors can all be read, with no agent among them. Whatever can't
//! be told is a program.

mod ancestry;
mod behind;
mod clients;
pub(crate) mod leftovers;
pub(crate) mod open_files;
mod pairing;
pub(crate) mod process;
mod standing;

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::Notify;

use crate::actor::Entry;
use crate::hub::Hub;
use crate::store::{Store, StoreError};
use clients::ClientProcesses;
use pairing::Pairings;
pub(crate) use pairing::{CODE_LIFETIME, CodeRefusal};
use process::{Confinement, ProcessId, ProcessStat};
use standing::{Counting, standing_of};
pub(crate) use standing::{Doubt, Standing};

/// What the hub knows of processes.
#[derive(Debug)]
pub(crate) struct Identity {
    clients: ClientProcesses,
    pairings: Pairings,
    /// Told when a client is added.
    added: Notify,
    /// The hub's own.
    confinement: Option<Confinement>,
}

impl Identity {
    /// `state`: the state folder of the workspace.
    pub(crate) fn open(state: &Path, store: &Store) -> Self {
        let confinement = Confinement::of(std::process::id());
        let (clients, pairings) = (ClientProcesses::open(state), Pairings::open(store));
        Identity { clients, pairings, added: Notify::new(), confinement }
    }

    fn add_client(&self, pid: u32) {
        if self.clients.add(pid).is_some() {
            self.added.notify_one();
        }
    }
}

/// Who is at the other end of the socket.
#[derive(Clone, Debug)]
pub enum Peer {
    /// This process, which the kernel has pinned with the descriptor.
    Process(u32, Arc<OwnedFd>),
    /// The kernel does not say. Whether a person has paired the connection.
    Connection(Arc<AtomicBool>),
}

/// What a pairing code vouches for.
#[derive(Debug)]
pub(crate) enum Vouching {
    /// This process and all that it starts.
    Process {
        process: ProcessId,
        /// The name of its program.
        name: Option<String>,
    },
    /// One connection, as long as it lasts.
    Connection(Arc<AtomicBool>),
}

/// Whether the process of this descriptor has not ended.
pub fn is_running(pidfd: &OwnedFd) -> bool {
    let mut ended = [PollFd::new(pidfd, PollFlags::IN)];
    poll(&mut ended, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) == Ok(0)
}

impl Hub {
    /// What a person vouches for who gives the code to this caller; `None` when it is a person's already, an agent's, or
    /// has ended.
    pub(crate) fn vouching_for(&self, peer: &Peer) -> Option<Vouching> {
        match peer {
            Peer::Connection(paired) => Some(Vouching::Connection(Arc::clone(paired))),
            Peer::Process(pid, pidfd) => {
                let standing = standing_of(self, *pid, Counting::All);
                match standing {
                    // What was read was about the caller only if it is still there.
                    Standing::Doubtful(Doubt::Orphan(process) | Doubt::Confined(process)) if is_running(pidfd) => {
                        Some(Vouching::Process { process, name: process::name(process.pid) })
                    }
                    _ => None,
                }
            }
        }
    }

    pub(crate) fn new_pairing_code(&self) -> String {
        self.identity().pairings.new_code()
    }

    pub(crate) fn redeem_pairing_code(&self, code: &str) -> Result<(), CodeRefusal> {
        self.identity().pairings.redeem(code)
    }

    /// What was unknown is a person's from now on. Blocks until it is stored.
    pub(crate) fn vouch_for(&self, vouching: &Vouching) -> Result<(), StoreError> {
        match vouching {
            Vouching::Process { process, .. } => self.identity().pairings.vouch_for(*process, self.store())?,
            Vouching::Connection(paired) => paired.store(true, Ordering::Release),
        }
        self.identity().clients.look_again();
        Ok(())
    }

    /// A window that this hub has started is the person's as long as it lives. Blocks until that is stored.
    pub(crate) fn vouch_for_window(&self, pid: u32) {
        let Some(process) = ProcessStat::of(pid).map(|stat| stat.id) else { return };
        if let Err(error) = self.identity().pairings.vouch_for(process, self.store()) {
            tracing::warn!(%error, "a window could not be written down for the next hub");
        }
    }

    /// How a process has come in that uses `door`: the same, unless it is an agent's, or nobody knows whose.
    pub fn entry_of(&self, pid: u32, door: Entry) -> Entry {
        match standing_of(self, pid, Counting::All) {
            Standing::Inside(terminal) => Entry::InsideTerminal(terminal),
            Standing::OfAgent if door != Entry::Token => Entry::OfAgent,
            Standing::Doubtful(_) if door == Entry::Socket => Entry::Unknown,
            Standing::Doubtful(Doubt::Unreadable) => Entry::INSIDE,
            // Whoever shows the token is a program in any case, and a browser with a cookie was let in by a person.
            Standing::Outside | Standing::OfAgent | Standing::Doubtful(_) => door,
        }
    }

    /// Notes the client of MCP behind a relay, and says how it has come in. It is an agent itself: what counts is what is
    /// above it.
    pub fn mcp_entry_of(&self, relay: u32) -> Entry {
        let (pids, client) = behind::clients_behind(self, relay);
        let standings = pids.iter().copied().chain([relay]).map(|pid| self.standing_above(pid, client));
        // Where the relay runs says most; it is looked at last, and counts first.
        let worst = standings.collect::<Vec<_>>().into_iter().rev().find(|standing| *standing != Standing::Outside);
        if !matches!(worst, Some(Standing::Inside(_))) {
            // What is inside of a terminal is known by its keeper.
            for pid in pids {
                self.identity().add_client(pid);
            }
        }
        client_entry(worst.unwrap_or(Standing::Outside), Entry::Socket)
    }

    /// Notes that processes are clients of MCP over HTTP, and says how they have come in.
    pub fn note_http_clients(&self, pids: &[u32]) {
        for pid in pids {
            if !matches!(self.standing_above(*pid, *pid), Standing::Inside(_)) && behind::can_be_client(self, *pid) {
                self.identity().add_client(*pid);
            }
        }
    }

    /// How a client of MCP over HTTP has come in.
    pub fn http_client_entry_of(&self, pid: u32, door: Entry) -> Entry {
        client_entry(self.standing_above(pid, pid), door)
    }

    /// Grows when a process has become known as an agent's or was paired: who was identified before may be below it.
    pub fn identity_generation(&self) -> u64 {
        self.identity().clients.generation()
    }

    fn standing_above(&self, pid: u32, client: u32) -> Standing {
        let Some(client) = process::ProcessStat::of(client) else { return Standing::Doubtful(Doubt::Unreadable) };
        standing_of(self, pid, Counting::Above(client.id))
    }
}

/// The processes that have a file open, as far as they can be looked into. `link`: its name in `/proc/PID/fd`.
pub fn holders(link: &str) -> Vec<u32> {
    open_files::holders(link)
}

/// How a client stands, as an entry by this door.
fn client_entry(standing: Standing, door: Entry) -> Entry {
    match standing {
        Standing::Outside | Standing::Doubtful(Doubt::Confined(_)) => door,
        Standing::Inside(terminal) => Entry::InsideTerminal(terminal),
        Standing::OfAgent => Entry::OfAgent,
        Standing::Doubtful(_) => Entry::Unknown,
    }
}
