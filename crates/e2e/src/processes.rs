//! What runs on this machine, as `/proc` tells it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::{SOON, wait_until};

/// A process that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    pub command: String,
}

/// The living processes in whose environment this text is.
pub fn with_environment(text: &str) -> Vec<Process> {
    let own = std::process::id();
    let pids = fs::read_dir("/proc").expect("/proc is there").flatten();
    pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| *pid != own && is_alive(*pid))
        .filter(|pid| fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environ| contains(&environ, text.as_bytes())))
        .map(|pid| Process { pid, command: command(pid) })
        .collect()
}

/// Whether a process with this id runs; one that waits to be reaped does not.
///
/// A process whose first thread has ended still holds its files while another thread is on its way out.
pub fn is_alive(pid: u32) -> bool {
    let threads = || fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    stat(pid).is_some_and(|fields| (fields[0] != "Z" && fields[0] != "X") || threads() > 1)
}

/// The processor time that a process has used so far, in ticks.
pub fn cpu_ticks(pid: u32) -> u64 {
    let fields = stat(pid).unwrap_or_else(|| panic!("process {pid} is gone"));
    let number = |index: usize| fields[index].parse::<u64>().expect("a number");
    number(11) + number(12)
}

/// How many threads a process has.
pub fn threads(pid: u32) -> u64 {
    let fields = stat(pid).unwrap_or_else(|| panic!("process {pid} is gone"));
    fields[17].parse().expect("a number")
}

/// The parent of a process.
pub fn parent(pid: u32) -> u32 {
    let fields = stat(pid).unwrap_or_else(|| panic!("process {pid} is gone"));
    fields[1].parse().expect("a number")
}

/// Whether each of its threads waits for something.
pub fn is_asleep(pid: u32) -> bool {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| fields(&task.path().join("stat"))).all(|fields| fields[0] == "S")
}

/// Whether it was stopped by a signal.
pub fn is_stopped(pid: u32) -> bool {
    stat(pid).is_some_and(|fields| fields[0] == "T")
}

/// Sends a signal; a process that is gone already is fine.
pub fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid.cast_signed()) {
        let _ = kill_process(pid, signal);
    }
}

/// A process that stands still as long as this lives.
#[derive(Debug)]
pub struct Stopped(u32);

impl Stopped {
    /// Stops it when it has done what it had to do: it was asleep for so long.
    #[track_caller]
    pub fn after_work(pid: u32, asleep: Duration) -> Self {
        let mut since = Instant::now();
        wait_until("it has nothing to do", SOON, || {
            if !is_asleep(pid) {
                since = Instant::now();
            }
            (since.elapsed() > asleep).then_some(())
        });
        Stopped::new(pid)
    }

    /// Stops it. Until it stands still it may still take what it waits for.
    #[track_caller]
    pub fn new(pid: u32) -> Self {
        signal(pid, Signal::STOP);
        let stopped = Stopped(pid);
        wait_until("it stands still", SOON, || is_stopped(pid).then_some(()));
        stopped
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        signal(self.0, Signal::CONT);
    }
}

/// The fields after the name, which may itself hold spaces: the state first.
fn stat(pid: u32) -> Option<Vec<String>> {
    fields(Path::new(&format!("/proc/{pid}/stat")))
}

fn fields(stat: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(stat).ok()?;
    let (_, rest) = text.rsplit_once(") ")?;
    Some(rest.split_ascii_whitespace().map(str::to_owned).collect())
}

fn command(pid: u32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ").trim_end().to_owned()
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
