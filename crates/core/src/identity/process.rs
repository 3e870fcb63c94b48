//! What the kernel says of a process: who it is, whose child, and how it is confined. Only files of `/proc` that everybody
//! may read are used, unless said otherwise.

use std::fs;
use std::path::PathBuf;

use flightdeck_keeper::BootTime;
use serde::{Deserialize, Serialize};

/// One process. A later one with the same number started at another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct ProcessId {
    pub pid: u32,
    /// Clock ticks since boot.
    pub started: u64,
}

impl ProcessId {
    pub(crate) fn is_alive(self) -> bool {
        ProcessStat::of(self.pid).is_some_and(|stat| stat.id == self && !stat.is_zombie)
    }

    pub(crate) fn started_at(self) -> BootTime {
        BootTime::from_ticks(self.started)
    }
}

/// `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessStat {
    pub id: ProcessId,
    pub parent: u32,
    /// The process group: for a shell with job control, the job.
    pub group: u32,
    /// Only its exit status is left.
    pub is_zombie: bool,
    /// Its first thread has ended and others go on. The kernel calls its state the same, and tells little else of it.
    pub has_lost_leader: bool,
}

impl ProcessStat {
    pub(crate) fn of(pid: u32) -> Option<Self> {
        ProcessStat::parse(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(pid: u32, text: &str) -> Option<Self> {
        // The name of the program stands in parentheses and may hold anything.
        let mut fields = text.rsplit_once(") ")?.1.split(' ');
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        let threads: u64 = fields.nth(14)?.parse().ok()?;
        let started = fields.nth(1)?.parse().ok()?;
        let leader_ended = state.starts_with(['Z', 'X']);
        let has_lost_leader = leader_ended && threads > 1;
        let is_zombie = leader_ended && !has_lost_leader;
        Some(ProcessStat { id: ProcessId { pid, started }, parent, group, is_zombie, has_lost_leader })
    }
}

/// All processes that can be seen.
pub(crate) fn all_pids() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The number that the kernel gave to the newest process or thread.
pub(crate) fn newest_pid() -> Option<u32> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().nth(4)?.parse().ok()
}

/// The control groups of a process. Children stay in them, orphans too, unless somebody moves them. `None` when they can't be
/// told: without its first thread a process may be shown in another one.
pub(crate) fn cgroup(pid: u32) -> Option<String> {
    ProcessStat::of(pid).filter(|stat| !stat.has_lost_leader)?;
    fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()
}

/// What its standard input is. `None` when it is closed or the process can't be looked into.
pub(crate) fn stdin(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/fd/0")).ok()
}

/// What the kernel calls its program, cut short. The process can change it.
pub(crate) fn name(pid: u32) -> Option<String> {
    fs::read_to_string(format!("/proc/{pid}/comm")).ok().map(|name| name.trim_end().to_owned())
}

/// The real, effective, saved and file system user that a process runs as.
pub(crate) fn users(pid: u32) -> Option<[u32; 4]> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let users: Vec<u32> = field(&status, "Uid:")?.split_whitespace().filter_map(|user| user.parse().ok()).collect();
    users.try_into().ok()
}

/// What a sandbox leaves for everybody to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Confinement {
    /// How deep in namespaces of processes it is, as seen from here.
    process_namespaces: usize,
    no_new_privileges: bool,
    /// Which users exist for it.
    users: String,
}

impl Confinement {
    pub(crate) fn of(pid: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let users = fs::read_to_string(format!("/proc/{pid}/uid_map")).ok()?;
        Some(Confinement {
            process_namespaces: field(&status, "NSpid:")?.split_whitespace().count(),
            no_new_privileges: field(&status, "NoNewPrivs:")?.trim() == "1",
            users: users.split_whitespace().collect::<Vec<_>>().join(" "),
        })
    }

    /// Whether something holds a process with this that does not hold one with `other`.
    pub(crate) fn exceeds(&self, other: &Confinement) -> bool {
        self.process_namespaces > other.process_namespaces
            || self.no_new_privileges && !other.no_new_privileges
            || self.users != other.users && self.users != ALL_USERS
    }
}

/// The users of a process that is in no user namespace of its own.
const ALL_USERS: &str = "0 0 4294967295";

fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let text = "7 (a) R 1 (b) S 3 7 7 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 4711 10 2 18446744073709551615";
        let stat = ProcessStat::parse(7, text).unwrap();
        assert_eq!((stat.id, stat.parent, stat.group), (ProcessId { pid: 7, started: 4711 }, 3, 7));
    }

    #[test]
    fn a_process_goes_on_without_its_first_thread() {
        for (state, threads, is_zombie, has_lost_leader) in [
            ("S", 1, false, false),
            ("R", 9, false, false),
            ("Z", 1, true, false),
            ("X", 0, true, false),
            ("Z", 2, false, true),
        ] {
            let text = format!("7 (a) {state} 3 7 7 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 {threads} 0 4711 10 2");
            let stat = ProcessStat::parse(7, &text).unwrap();
            assert_eq!((stat.is_zombie, stat.has_lost_leader), (is_zombie, has_lost_leader), "{text}");
        }
    }

    #[test]
    fn the_own_process_is_alive_and_as_confined_as_itself() {
        let own = std::process::id();
        let id = ProcessStat::of(own).unwrap().id;
        assert!(id.is_alive());
        assert!(!ProcessId { started: id.started + 1, ..id }.is_alive());
        let confinement = Confinement::of(own).unwrap();
        assert!(!confinement.exceeds(&confinement));
        assert!(Confinement { process_namespaces: 9, ..confinement.clone() }.exceeds(&confinement));
        let mapped = Confinement { users: "0 1000 1".to_owned(), ..confinement.clone() };
        assert!(mapped.exceeds(&confinement));
        let unmapped = Confinement { users: ALL_USERS.to_owned(), ..confinement.clone() };
        assert!(!unmapped.exceeds(&Confinement { users: "0 1000 1".to_owned(), ..confinement }));
    }

    #[test]
    fn all_processes_are_seen() {
        assert!(all_pids().any(|pid| pid == std::process::id()));
        assert!(newest_pid().unwrap() > 0);
        assert!(name(std::process::id()).is_some() && users(std::process::id()).is_some());
    }
}
