//! Ending a terminal means ending everything that was started in it.
//!
//! A signal to the process group misses a child that made a session of its own, and walking parents misses a
//! daemon whose parent has gone: it belongs to the keeper by then. So four ties are looked at: descent from the
//! leader, the leader's session, the controlling terminal, and the terminal's name in the environment that the
//! process was started with. The search repeats until a look finds nothing.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::facts::{Lineage, all_pids, environ_has, start_time};

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
}

impl Tree {
    /// All living processes of the terminal.
    pub fn members(&self) -> Vec<Member> {
        let own = std::process::id();
        let all: HashMap<u32, Lineage> =
            all_pids().into_iter().filter_map(|pid| Some((pid, Lineage::of(pid)?))).collect();
        all.iter()
            .filter(|(pid, lineage)| {
                **pid != own
                    && (self.leader.is_some_and(|leader| lineage.session == leader || descends(&all, **pid, leader))
                        || self.tty.is_some_and(|tty| lineage.tty == tty)
                        || environ_has(**pid, &self.environment))
            })
            .filter_map(|(pid, _)| Some(Member { pid: *pid, started: start_time(*pid)? }))
            .collect()
    }

    /// Ends everything: asks with `first` and kills after `grace`. Gives back what could not be ended.
    ///
    /// Blocks until it is done, a few milliseconds in the usual case.
    pub fn kill(&self, first: Signal, grace: Duration) -> Vec<Member> {
        if let Some(leader) = self.leader {
            signal_group(leader, first);
        }
        let mut signalled = self.signal_members(first, &[]);
        let deadline = Instant::now() + grace;
        while Instant::now() < deadline && first != Signal::KILL {
            std::thread::sleep(PAUSE);
            if self.members().is_empty() {
                return Vec::new();
            }
            // A child that was born while we looked is told as well.
            let new = self.signal_members(first, &signalled);
            signalled.extend(new);
        }
        let deadline = Instant::now() + LAST_LOOK;
        loop {
            if let Some(leader) = self.leader {
                signal_group(leader, Signal::KILL);
            }
            if self.signal_members(Signal::KILL, &[]).is_empty() {
                return Vec::new();
            }
            if Instant::now() > deadline {
                return self.members();
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn signal_members(&self, signal: Signal, except: &[Member]) -> Vec<Member> {
        let members: Vec<_> = self.members().into_iter().filter(|m| !except.contains(m)).collect();
        for member in &members {
            member.signal(signal);
        }
        members
    }
}

impl Member {
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

fn signal_group(leader: u32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(leader.cast_signed())
        && start_time(leader).is_some()
    {
        // No such group any more is what we want.
        let _ = kill_process_group(pid, signal);
    }
}

fn descends(all: &HashMap<u32, Lineage>, pid: u32, ancestor: u32) -> bool {
    let mut current = pid;
    // Bounded: a table read while processes come and go could in theory hold a loop.
    for _ in 0..256 {
        if current == ancestor {
            return true;
        }
        match all.get(&current) {
            Some(lineage) if lineage.parent > 1 => current = lineage.parent,
            _ => return false,
        }
    }
    false
}
