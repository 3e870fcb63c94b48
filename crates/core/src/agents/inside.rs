//! Whether a process was started inside of one of the hub's own terminals, where an agent could have typed it.

use std::fs;
use std::io;

use flightdeck_contract::{TERMINAL_VARIABLE, TerminalId};

use crate::actor::Entry;
use crate::hub::Hub;
use crate::terminals::ground::Seen;
use crate::terminals::servers;

/// A line of ancestors that is longer has gone in circles.
const LONGEST_LINE: usize = 1000;
/// How often a line is followed that breaks off.
const LOOKS: usize = 3;

/// Where the line of a process's ancestors ends.
enum End {
    Inside(Option<TerminalId>),
    Outside,
}

/// How a process has come in that uses `door`: the same, unless it belongs to a terminal. The keeper is the parent of
/// everything that runs in terminals, orphans included, so the line of a process's ancestors tells; so does a server of the user's tmux, in which agents can open
/// windows, and a client of one, which the server can make run a command, but for orphans. One that can't be followed
/// counts as inside.
pub(crate) fn entry_of(hub: &Hub, pid: u32, door: Entry) -> Entry {
    // An ancestor may end while it is looked at; its child then has another one.
    let ends = (0..LOOKS).find_map(|_| end_of_line(hub, pid));
    match ends.unwrap_or(End::Inside(None)) {
        End::Inside(terminal) => Entry::InsideTerminal(terminal),
        End::Outside => door,
    }
}

/// Where the line of a process leads; `None` when it broke off.
fn end_of_line(hub: &Hub, pid: u32) -> Option<End> {
    let keeper = hub.terminals().keeper().keeper_pid();
    // Ours is the keeper's child, but for one that has outlived its keeper. Any may have been started anew.
    let servers = servers::look_at_servers(hub);
    if servers.unsure {
        return Some(End::Inside(None));
    }
    let own = std::process::id();
    let mut process = pid;
    let mut claimed = servers.has_users && is_closed(pid);
    for _ in 0..LONGEST_LINE {
        claimed = claimed || names_one_of(&servers, process, hub.workspace().key());
        let parent = parent_of(process)?;
        // A window that the hub has started is where a person sits.
        if parent == own && hub.surfaces().is_window(process) {
            return Some(if claimed { End::Inside(None) } else { End::Outside });
        }
        // A client may have turned into what asks. Among the hub's own children is such a client, and no person.
        if parent == keeper || parent == own || [process, parent].iter().any(|pid| servers.pids.contains(pid)) {
            return Some(End::Inside(terminal_led_by(hub, process)));
        }
        if parent <= 1 {
            return Some(if claimed { End::Inside(None) } else { End::Outside });
        }
        process = parent;
    }
    None
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
    fs::read(format!("/proc/{pid}/environ")).is_err_and(|error| denied(&error)) && is_ours(pid)
}

fn is_ours(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let user = status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok());
    user == Some(rustix::process::getuid().as_raw())
}

/// Whether this is the variable that all programs in terminals of this workspace have.
fn is_tag(entry: &[u8], workspace: &str) -> bool {
    let value = entry.strip_prefix(TERMINAL_VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
    let of = value.and_then(|value| value.strip_suffix(workspace.as_bytes()));
    of.is_some_and(|id| id.ends_with(b"@"))
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in parentheses and may hold anything.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
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
