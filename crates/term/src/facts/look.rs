//! One look through all processes, for as many questions as are asked at the same moment.
//!
//! The kernel has no list of a group's members, so finding them means to look at every process. Who asks about a thousand
//! terminals must not do that a thousand times.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::process::{Seen, all_pids};

static TAKEN: AtomicU64 = AtomicU64::new(0);

/// The processes and their groups, as they are when that is first asked for. It is for one moment and not to be kept.
#[derive(Debug, Default)]
pub struct Look {
    all: OnceLock<All>,
}

#[derive(Debug, Default)]
struct All {
    processes: HashMap<u32, Seen>,
    /// The members of each group but for its leader.
    groups: HashMap<u32, Vec<u32>>,
}

impl Look {
    /// Looks at nothing yet: most questions are answered without.
    pub fn new() -> Self {
        Look::default()
    }

    /// How often this program has looked through all processes.
    pub fn taken() -> u64 {
        TAKEN.load(Ordering::Relaxed)
    }

    /// The members of a group but for its leader.
    pub(super) fn members(&self, group: u32) -> &[u32] {
        self.all.get_or_init(All::now).groups.get(&group).map_or(&[], Vec::as_slice)
    }

    /// What was seen of a process, if there was a look already: it is not worth one.
    pub(super) fn seen(&self, pid: u32) -> Option<&Seen> {
        self.all.get()?.processes.get(&pid)
    }
}

impl All {
    fn now() -> Self {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        let mut all = All::default();
        for pid in all_pids() {
            let Some(seen) = Seen::of(pid) else { continue };
            if seen.group != pid {
                all.groups.entry(seen.group).or_default().push(pid);
            }
            all.processes.insert(pid, seen);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn members_of_any_number_of_groups_come_from_one_look() {
        let mut leaders: Vec<_> = (0..20)
            .map(|_| {
                let script = "sleep 1000 & echo; wait";
                let mut child =
                    Command::new("sh").args(["-c", script]).process_group(0).stdout(Stdio::piped()).spawn().unwrap();
                // It has started its own when it prints.
                let mut line = [0];
                std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
                child
            })
            .collect();
        let look = Look::new();
        let before = Look::taken();
        let members: Vec<_> = leaders.iter().map(|leader| look.members(leader.id()).to_vec()).collect();
        assert_eq!(Look::taken(), before + 1);
        for (leader, members) in leaders.iter_mut().zip(members) {
            assert_eq!(members.len(), 1);
            assert_eq!(Seen::of(members[0]).map(|seen| seen.group), Some(leader.id()));
            let group = rustix::process::Pid::from_child(leader);
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
            leader.wait().unwrap();
        }
    }
}
