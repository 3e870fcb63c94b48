//! The line of a process's ancestors, as it was at one moment.

use super::process::{self, ProcessId, ProcessStat};

/// A line of ancestors that is longer has gone in circles.
const MAX_ANCESTORS: usize = 1000;
/// How often a line is read that changes meanwhile.
const ATTEMPTS: usize = 5;

/// A process with all its ancestors, up to the one that has no parent here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ancestry(Vec<ProcessStat>);

impl Ancestry {
    /// `None` when it can't be read whole, or does not stand still.
    pub(super) fn read(pid: u32) -> Option<Self> {
        // An ancestor may end while it is looked at; its child then has another one.
        (0..ATTEMPTS).find_map(|_| read_once(pid))
    }

    /// The process itself first, then its parent, and so on.
    pub(super) fn iter(&self) -> impl Iterator<Item = &ProcessStat> {
        self.0.iter()
    }

    /// Where a process stands in it.
    pub(super) fn position(&self, process: ProcessId) -> Option<usize> {
        self.0.iter().position(|stat| stat.id == process)
    }
}

/// The same line read twice was there between the two: a number that was given to another process would show another
/// start, and a process that was adopted another parent.
fn read_once(pid: u32) -> Option<Ancestry> {
    let mut line = vec![ProcessStat::of(pid)?];
    while let Some(last) = line.last().filter(|last| last.parent != 0) {
        let parent = ProcessStat::of(last.parent)?;
        if parent.id.started > last.id.started || line.len() == MAX_ANCESTORS {
            return None;
        }
        line.push(parent);
    }
    let is_same = |stat: &ProcessStat| {
        ProcessStat::of(stat.id.pid).is_some_and(|now| (now.id, now.parent) == (stat.id, stat.parent))
    };
    line.iter().all(is_same).then_some(Ancestry(line))
}

/// Whether a process gets the children of those that end: `init`, or what stands in its place for a user. What is known
/// of others is where the keeper was left to.
pub(super) fn adopts_orphans(pid: u32, keepers_parent: Option<u32>) -> bool {
    pid == 1 || keepers_parent == Some(pid) || process::name(pid).is_some_and(|name| name == "systemd")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leads_from_the_process_to_one_without_a_parent() {
        let line = Ancestry::read(std::process::id()).unwrap();
        let (first, last) = (line.0.first().unwrap(), line.0.last().unwrap());
        assert_eq!((first.id.pid, last.parent), (std::process::id(), 0));
        assert_eq!(line.position(first.id), Some(0));
        assert_eq!(line.position(ProcessId { started: first.id.started + 1, ..first.id }), None);
        assert!(Ancestry::read(u32::MAX).is_none());
    }

    #[test]
    fn init_adopts_orphans_and_a_test_does_not() {
        assert!(adopts_orphans(1, None));
        assert!(!adopts_orphans(std::process::id(), None));
        assert!(adopts_orphans(std::process::id(), Some(std::process::id())));
    }
}
