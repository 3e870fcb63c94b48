//! The memory of a server: of all its processes, wherever they went, without that of what it runs for others.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use flightdeck_bench::process::Process;
use flightdeck_bench::room::MARK;
use memchr::memmem;

use crate::server::Server;

/// How often it is looked at.
const PERIOD: Duration = Duration::from_millis(20);
/// What looking may cost of a processor's time: one part of so many.
const SHARE: u32 = 10;

/// Shares of physical memory (Pss), in MiB.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// The server with its daemons.
    pub server: f64,
    /// The shells and commands that it runs.
    pub commands: f64,
}

/// All processes that were started in a room, found by the mark in their environment.
#[derive(Debug)]
pub struct Members {
    mark: Vec<u8>,
    programs: Vec<PathBuf>,
    /// Processes that were there before and have no mark.
    others: HashSet<u32>,
}

impl Members {
    pub fn of(server: &Server) -> anyhow::Result<Self> {
        let mark = format!("{MARK}={}\0", server.room.dir().display()).into_bytes();
        let mut members = Members { mark, programs: server.kind.adapter().programs()?, others: HashSet::new() };
        members.others = pids().into_iter().filter(|pid| !members.is_one(*pid)).collect();
        Ok(members)
    }

    pub fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        for pid in pids() {
            if self.others.contains(&pid) || !self.is_one(pid) {
                continue;
            }
            // A process that has just ended has no memory.
            let share = Process(pid).memory().unwrap_or_default() as f64 / 1024.0;
            if self.is_server(pid) {
                memory.server += share;
            } else {
                memory.commands += share;
            }
        }
        memory
    }

    fn is_one(&self, pid: u32) -> bool {
        fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environ| memmem::find(&environ, &self.mark).is_some())
    }

    fn is_server(&self, pid: u32) -> bool {
        let program = fs::read_link(format!("/proc/{pid}/exe"));
        program.is_ok_and(|program| self.programs.iter().any(|own| same(own, &program)))
    }
}

/// A program that was built anew while it runs has another name.
fn same(own: &Path, running: &Path) -> bool {
    let running = running.to_string_lossy();
    Path::new(running.strip_suffix(" (deleted)").unwrap_or(&running)) == own
}

fn pids() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Looks again and again, in a thread of its own.
#[derive(Debug)]
pub struct Watch {
    done: Arc<AtomicBool>,
    thread: JoinHandle<f64>,
}

impl Watch {
    pub fn start(members: Members) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&done);
        let thread = thread::spawn(move || {
            let mut peak = 0.0;
            loop {
                let last = told.load(Ordering::Acquire);
                let began = Instant::now();
                peak = members.memory().server.max(peak);
                if last {
                    return peak;
                }
                // Counting the pages of a process with a lot of memory takes a while and holds it up.
                thread::park_timeout(PERIOD.max(began.elapsed() * SHARE));
            }
        });
        Watch { done, thread }
    }

    /// The most that there was of the server's memory.
    pub fn peak(self) -> anyhow::Result<f64> {
        self.done.store(true, Ordering::Release);
        self.thread.thread().unpark();
        self.thread.join().map_err(|_| anyhow!("the watch on memory broke"))
    }
}
