//! Ending a terminal means ending everything that was started in it.
//!
//! A signal to the process group misses a child that made a session of its own, and walking parents misses a
//! daemon whose parent has gone: it belongs to the keeper by then. So four ties are looked at: descent from the
//! leader, the leader's session, the controlling terminal, and the terminal's name in the environment that the
//! process was started with. The search repeats until a look finds nothing.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, getpgid, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::facts::{Lineage, all_pids, environ_has_any, start_time};

/// How long a program may take to end by itself before it is killed.
pub const GRACE: Duration = Duration::from_millis(1500);
/// How long to look for survivors of SIGKILL, which can only be stuck in the kernel.
const LAST_LOOK: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(5);

/// A process that belongs to a terminal. The start time makes it safe against a reused id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its process id.
    pub pid: u32,
    started: u64,
}

/// How to find what belongs to a terminal.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The first process of the terminal, while it runs.
    pub leader: Option<u32>,
    /// The number of the terminal's device, for a command on a PTY.
    pub tty: Option<u64>,
    /// `FLIGHTDECK_TERMINAL=…`, unique to the terminal.
    pub environment: Vec<u8>,
    /// A process of ours in it, which ends by itself.
    pub holder: Option<u32>,
}

impl Tree {
    /// All living processes of the terminal.
    pub fn members(&self) -> Vec<Member> {
        members([self])
    }

    /// Ends everything in it: see [`kill_all`].
    pub fn kill(&self, first: Signal, grace: Duration) -> Vec<Member> {
        kill_all(std::slice::from_ref(self), first, grace)
    }

    /// Signals the group of the first process. `false`: that one is gone, or the group is.
    fn signal_group(&self, signal: Signal) -> bool {
        let leader = self.leader.filter(|leader| start_time(*leader).is_some());
        let group = leader.and_then(|leader| Pid::from_raw(leader.cast_signed()));
        group.is_some_and(|group| kill_process_group(group, signal).is_ok())
    }
}

/// Ends everything in these terminals: asks with `first` and kills after `grace`. Gives back what could not be ended.
///
/// Blocks until it is done, a few milliseconds in the usual case. One look at all processes serves all terminals.
pub fn kill_all(trees: &[Tree], first: Signal, grace: Duration) -> Vec<Member> {
    let mut signalled = ask(trees, first);
    let deadline = Instant::now() + grace;
    while Instant::now() < deadline && first != Signal::KILL {
        std::thread::sleep(PAUSE);
        // A child that was born while we looked is told as well.
        if signal_members(trees, first, &mut signalled) == 0 {
            return Vec::new();
        }
    }
    let deadline = Instant::now() + LAST_LOOK;
    loop {
        for tree in trees {
            tree.signal_group(Signal::KILL);
        }
        if signal_members(trees, Signal::KILL, &mut HashSet::new()) == 0 {
            return Vec::new();
        }
        if Instant::now() > deadline {
            return members(trees);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Signals everything in these terminals once, and gives what was there: for many programs a second signal means to end without
/// further ado. A group is signalled as one, so that none of it sees another one end first.
fn ask(trees: &[Tree], signal: Signal) -> HashSet<Member> {
    let there = members(trees);
    let asked = trees.iter().filter(|tree| tree.signal_group(signal)).filter_map(|tree| tree.leader);
    let asked: HashSet<u32> = asked.collect();
    for member in &there {
        if !member.group().is_some_and(|group| asked.contains(&group)) {
            member.signal(signal);
        }
    }
    there.into_iter().collect()
}

/// Signals each member that is not in `signalled` yet. Gives how many members there are.
fn signal_members(trees: &[Tree], signal: Signal, signalled: &mut HashSet<Member>) -> usize {
    let members = members(trees);
    for member in &members {
        if signalled.insert(*member) {
            member.signal(signal);
        }
    }
    members.len()
}

/// All living processes of these terminals, found with one look.
pub fn members<'a>(trees: impl IntoIterator<Item = &'a Tree>) -> Vec<Member> {
    let own = std::process::id();
    let (mut leaders, mut terminals, mut holders) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut environments = HashSet::new();
    for tree in trees {
        leaders.extend(tree.leader);
        terminals.extend(tree.tty);
        holders.extend(tree.holder);
        environments.insert(tree.environment.as_slice());
    }
    let all: HashMap<u32, Lineage> = all_pids().into_iter().filter_map(|pid| Some((pid, Lineage::of(pid)?))).collect();
    all.iter()
        .filter(|(pid, lineage)| {
            **pid != own
                && !holders.contains(pid)
                && (leaders.contains(&lineage.session)
                    || terminals.contains(&lineage.tty)
                    || descends(&all, **pid, &leaders)
                    || environ_has_any(**pid, &environments))
        })
        .filter_map(|(pid, _)| Some(Member { pid: *pid, started: start_time(*pid)? }))
        .collect()
}

impl Member {
    fn group(self) -> Option<u32> {
        let group = getpgid(Pid::from_raw(self.pid.cast_signed())).ok()?;
        Some(group.as_raw_nonzero().get().cast_unsigned())
    }

    /// Sends a signal to just this process, not to one that has its id by now.
    fn signal(self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.pid.cast_signed()) else { return };
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return };
        // The handle is pinned to one process; if that one is ours, the id was not reused before it was opened.
        if start_time(self.pid) == Some(self.started) {
            // It may have ended meanwhile, which is what we want.
            let _ = pidfd_send_signal(&handle, signal);
        }
    }
}

fn descends(all: &HashMap<u32, Lineage>, pid: u32, ancestors: &HashSet<u32>) -> bool {
    let mut current = pid;
    // Bounded: a table read while processes come and go could in theory hold a loop.
    for _ in 0..256 {
        if ancestors.contains(&current) {
            return true;
        }
        match all.get(&current) {
            Some(lineage) if lineage.parent > 1 => current = lineage.parent,
            _ => return false,
        }
    }
    false
}
