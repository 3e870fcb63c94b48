//! Whether a process is a person's, by its ancestors.
//!
//! The keeper is the parent of everything that runs in terminals, orphans included, and a client of MCP that of what an
//! agent runs by itself. A person's process has neither above it. What has lost its parent tells nothing of where it came
//! from: it is a person's only when no agent can have left it behind.

use std::fs;
use std::io;

use flightdeck_contract::{TERMINAL_VARIABLE, TerminalId};

use super::ancestry::{Ancestry, adopts_orphans};
use super::clients::Evidence;
use super::process::{self, Confinement, ProcessId, ProcessStat};
use crate::hub::Hub;
use crate::terminals::ground::Seen;
use crate::terminals::servers;

/// What the ancestors of a process say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing of an agent is above it.
    Outside,
    /// It belongs to a terminal, or to a tmux that agents can open windows in; which terminal, when it is known.
    Inside(Option<TerminalId>),
    /// A client of MCP is above it, or it is one.
    OfAgent,
    /// It may be anybody's.
    Doubtful(Doubt),
}

/// Why it is not known whose a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// It has ended, or the line of its ancestors can't be read whole.
    Unreadable,
    /// This ancestor, or it itself, has lost its parent, and an agent may have left it behind.
    Orphan(ProcessId),
    /// Something confines this ancestor, or it itself, and what it starts, that does not confine the hub.
    Confined(ProcessId),
}

/// Which processes above count as agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    /// All of them.
    All,
    /// For a client itself: those above this one.
    Above(ProcessId),
}

/// How a process stands.
pub(super) fn standing_of(hub: &Hub, pid: u32, counting: Counting) -> Standing {
    let Some(ancestry) = Ancestry::read(pid) else { return Standing::Doubtful(Doubt::Unreadable) };
    // Ours is the keeper's child, but for one that has outlived its keeper. Any may have been started anew.
    let servers = servers::look_at_servers(hub);
    if servers.unsure {
        return Standing::Inside(None);
    }
    // After the ancestors, so that what is lost meanwhile has left nobody among them.
    let evidence = hub.identity().clients.evidence();
    let look = Look { hub, servers: &servers, evidence: &evidence, keepers_parent: keepers_parent(hub) };
    look.at(&ancestry, counting)
}

/// What a keeper and hub are left to when they are started: orphans of the same session are, too.
pub(super) fn keepers_parent(hub: &Hub) -> Option<u32> {
    let keeper = hub.terminals().keeper().keeper_pid();
    let parent = ProcessStat::of(keeper)?.parent;
    // The process beside the keeper that starts hubs is the parent of both, and was itself left to somebody.
    let own = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    if own == Some(parent) && process::name(parent) == process::name(keeper) {
        return ProcessStat::of(parent).map(|beside| beside.parent);
    }
    Some(parent)
}

/// What is known while one line is followed.
struct Look<'a> {
    hub: &'a Hub,
    servers: &'a Seen,
    evidence: &'a Evidence,
    keepers_parent: Option<u32>,
}

impl Look<'_> {
    fn at(&self, ancestry: &Ancestry, counting: Counting) -> Standing {
        let (hub, own) = (self.hub, std::process::id());
        let keeper = hub.terminals().keeper().keeper_pid();
        // A client is looked at as the agent's process that it is: what counts is above it.
        let own_part = match counting {
            Counting::All => 0,
            Counting::Above(client) => ancestry.position(client).map_or(0, |at| at + 1),
        };
        let mut doubt = None;
        for (at, stat) in ancestry.iter().enumerate() {
            let (process, parent) = (stat.id, stat.parent);
            if names_one_of(self.servers, process.pid, hub.workspace().key()) {
                return Standing::Inside(None);
            }
            // A window that the hub has started is where a person sits.
            if parent == own && hub.surfaces().is_window(process.pid) {
                break;
            }
            // A client may have turned into what asks. Among the hub's own children is such a client, and no person.
            let is_inside = parent == keeper
                || parent == own
                || self.evidence.is_keeper(process)
                || [process.pid, parent].iter().any(|pid| self.servers.pids.contains(pid));
            if is_inside {
                return Standing::Inside(terminal_led_by(hub, process.pid));
            }
            if at >= own_part && self.evidence.is_client(process) {
                return Standing::OfAgent;
            }
            if self.is_orphan(stat) && !self.is_paired(process) {
                doubt = doubt.or(self.doubt_of_orphan(process, at == 0));
            }
        }
        let confined = || if counting == Counting::All { self.confined_ancestor(ancestry) } else { None };
        doubt.or_else(|| confined().map(Doubt::Confined)).map_or(Standing::Outside, Standing::Doubtful)
    }

    /// The first process that was confined as the caller is, unless a person has vouched for one that is confined no less.
    fn confined_ancestor(&self, ancestry: &Ancestry) -> Option<ProcessId> {
        let mut confined = None;
        for stat in ancestry.iter().take_while(|stat| self.is_confined(stat)) {
            if self.is_paired(stat.id) {
                let (caller, own) = (ancestry.iter().next()?.id, stat.id);
                let exceeds = match (Confinement::of(caller.pid), Confinement::of(own.pid)) {
                    (Some(caller), Some(own)) => caller.exceeds(&own),
                    _ => true,
                };
                return exceeds.then_some(caller);
            }
            confined = Some(stat.id);
        }
        confined
    }

    fn is_paired(&self, process: ProcessId) -> bool {
        self.hub.identity().pairings.is_paired(process)
    }

    fn is_orphan(&self, stat: &ProcessStat) -> bool {
        may_be_orphan(stat, self.keepers_parent)
    }

    fn doubt_of_orphan(&self, orphan: ProcessId, calls: bool) -> Option<Doubt> {
        let hides = calls && self.servers.has_users && is_closed(orphan.pid);
        (hides || self.evidence.may_have_left(orphan)).then_some(Doubt::Orphan(orphan))
    }

    fn is_confined(&self, stat: &ProcessStat) -> bool {
        match (Confinement::of(stat.id.pid), &self.hub.identity().confinement) {
            (Some(its), Some(own)) => its.exceeds(own),
            _ => true,
        }
    }
}

/// Whether a process may have lost its parent. One without any was started from outside of this container, and one of root
/// by no agent of another user.
pub(super) fn may_be_orphan(stat: &ProcessStat, keepers_parent: Option<u32>) -> bool {
    let is_systems = || !rustix::process::getuid().is_root() && process::users(stat.id.pid) == Some([0; 4]);
    stat.parent != 0 && adopts_orphans(stat.parent, keepers_parent) && !is_systems()
}

/// The terminal of this first process; unknown for an orphan, whose own word counts for nothing.
fn terminal_led_by(hub: &Hub, leader: u32) -> Option<TerminalId> {
    let sessions = hub.terminals().all();
    let led = sessions.iter().find(|session| session.leads(leader));
    led.and_then(|session| crate::convert::terminal_id(session.id()))
}

/// Whether a process says that it was started in a window of the user's tmux, or in a tab there. That is the word of
/// the process itself: it finds orphans, but not those that hide it.
fn names_one_of(servers: &Seen, pid: u32, workspace: &str) -> bool {
    let environ = || fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let names = |entry: &[u8]| servers.are_meant_by(entry) || is_tag(entry, workspace);
    servers.has_users && environ().split(|byte| *byte == 0).any(names)
}

/// Whether a process of our own user lets nobody see its environment, as one does whose program can't be read. What it
/// was started by may: a service for logins is such a process too.
fn is_closed(pid: u32) -> bool {
    let denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    let own = rustix::process::getuid().as_raw();
    fs::read(format!("/proc/{pid}/environ")).is_err_and(|error| denied(&error))
        && process::users(pid).is_some_and(|users| users[0] == own)
}

/// Whether this is the variable that all programs in terminals of this workspace have.
fn is_tag(entry: &[u8], workspace: &str) -> bool {
    let value = entry.strip_prefix(TERMINAL_VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
    let of = value.and_then(|value| value.strip_suffix(workspace.as_bytes()));
    of.is_some_and(|id| id.ends_with(b"@"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_by_its_workspace() {
        for (entry, found) in
            [("FLIGHTDECK_TERMINAL=t1@key", true), ("FLIGHTDECK_TERMINAL=t1@other", false), ("X=t1@key", false)]
        {
            assert_eq!(is_tag(entry.as_bytes(), "key"), found, "{entry}");
        }
    }
}
