//! What a process is blocked in, as the kernel tells it: whether it waits for its terminal, and for nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use super::Look;
use super::process::{is_in_read, is_running, reads_terminal, transfers_by};

/// How much must be sure before a program is said to wait for keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// It waits for its terminal, perhaps beside other things, and perhaps not for long. What it has set up says the rest.
    Among,
    /// It waits for its terminal and a clock. What it shows says the rest: those of Node.js have a timer of their own.
    Clock,
    /// It waits for its terminal alone, as long as it takes.
    Alone,
}

/// Blocked in a wait for its standard input, which is a terminal, as line editors are; and for nothing else but what its own
/// loop needs.
pub(crate) fn waits_for_input(pid: u32) -> bool {
    is_on_terminal(pid) && waits(pid, Proof::Among)
}

/// Whether all that a group can do is to wait for what is typed: somebody in it does, and everybody else for that one.
pub(crate) fn group_waits_for_keys(group: u32, proof: Proof, look: &Look) -> bool {
    let all = || std::iter::once(group).chain(look.members(group).iter().copied());
    let waits = |pid: u32| {
        // A pager has what it shows as its standard input, and opens the terminal anew for its keys.
        let waits = if is_on_terminal(pid) { waits(pid, proof) } else { is_in_read(pid, "syscall") };
        waits && (proof == Proof::Among || !is_running(pid))
    };
    // Whoever prints more than a pipe holds waits for the one who reads it.
    let is_read_here = |pipe: &str| all().any(|pid| input_of(pid).is_some_and(|input| input == Path::new(pipe)));
    all().any(waits) && all().all(|pid| waits(pid) || waits_for_others(pid, is_read_here))
}

/// Blocked in a wait for any number of things to read or write.
pub(crate) fn waits_for_many(pid: u32) -> bool {
    Blocked::of(pid).is_some_and(|blocked| matches!(blocked.call, SELECT | PSELECT | POLL | PPOLL))
}

fn is_on_terminal(pid: u32) -> bool {
    input_of(pid).is_some_and(|target| target.starts_with("/dev/pts"))
}

fn input_of(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/fd/0")).ok()
}

fn waits(pid: u32, proof: Proof) -> bool {
    let Some(Blocked { call, arguments }) = Blocked::of(pid) else { return false };
    let [first, second, third, fourth, fifth] = arguments;
    let lasts = |is_endless: bool| is_endless || proof != Proof::Alone;
    match call {
        // How many descriptors are looked at, counted from zero: only the first. The last one is the time limit.
        SELECT | PSELECT => first == 1 && lasts(fifth == 0),
        POLL => second == 1 && lasts(is_endless(third)),
        PPOLL => second == 1 && lasts(third == 0),
        EPOLL_WAIT | EPOLL_PWAIT => watches_terminal(pid, first, proof) && lasts(is_endless(fourth)),
        EPOLL_PWAIT2 => watches_terminal(pid, first, proof) && lasts(fourth == 0),
        _ if proof == Proof::Among => reads_terminal(pid),
        // Another thread that reads says little of what this one does.
        _ => is_in_read(pid, "syscall"),
    }
}

/// A shell waits for its child, the end of a pipeline for its beginning, and the beginning for an end that reads no more.
fn waits_for_others(pid: u32, is_read_here: impl FnOnce(&str) -> bool) -> bool {
    let is_waiting = |blocked: Blocked| matches!(blocked.call, WAIT4 | WAITID | SIGSUSPEND);
    Blocked::of(pid).is_some_and(is_waiting)
        || transfers_by(&[READ], pid, "syscall", |target| target.starts_with("pipe:"))
        || transfers_by(&[WRITE, WRITEV], pid, "syscall", |target| target.starts_with("pipe:") && is_read_here(target))
}

/// -1 as a number of milliseconds.
fn is_endless(milliseconds: u64) -> bool {
    (milliseconds as u32).cast_signed() < 0
}

/// The system call that the first thread of a process is in, with its arguments.
struct Blocked {
    call: i64,
    arguments: [u64; 5],
}

impl Blocked {
    fn of(pid: u32) -> Option<Self> {
        let text = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("syscall")).ok()?;
        let mut fields = text.split_whitespace();
        let call = fields.next()?.parse().ok()?;
        let mut arguments = [0; 5];
        for argument in &mut arguments {
            *argument = parse_hex(fields.next()?)?;
        }
        Some(Blocked { call, arguments })
    }
}

pub(super) fn parse_hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}

/// Whether a terminal is among what is waited for, as in programs that do everything in one loop: those of Node.js do. What
/// they wait for beside it, such as their own threads, says nothing; but a connection, a child or a file that may change is
/// something else to wait for.
fn watches_terminal(pid: u32, fd: u64, proof: Proof) -> bool {
    let watched = fs::read_to_string(format!("/proc/{pid}/fdinfo/{fd}")).unwrap_or_default();
    let watched = watched.lines().filter_map(|line| line.strip_prefix("tfd:")?.split_whitespace().next()?.parse().ok());
    let targets: Vec<_> = watched.filter_map(|fd: u64| fs::read_link(format!("/proc/{pid}/fd/{fd}")).ok()).collect();
    let is_terminal = |target: &Path| target.starts_with("/dev/pts") || target == Path::new("/dev/tty");
    let is_own = |target: &Path| {
        let name = target.to_string_lossy();
        name.starts_with("pipe:") || ["anon_inode:[eventfd]", "anon_inode:[io_uring]"].contains(&&*name)
    };
    targets.iter().any(|target| is_terminal(target))
        && (proof == Proof::Among || targets.iter().all(|target| is_terminal(target) || is_own(target)))
}

#[cfg(target_arch = "x86_64")]
mod numbers {
    pub(super) const EPOLL_WAIT: i64 = 232;
    pub(super) const EPOLL_PWAIT: i64 = 281;
    pub(super) const SELECT: i64 = 23;
    pub(super) const PSELECT: i64 = 270;
    pub(super) const POLL: i64 = 7;
    pub(super) const PPOLL: i64 = 271;
    pub(super) const WAIT4: i64 = 61;
    pub(super) const WAITID: i64 = 247;
    pub(super) const SIGSUSPEND: i64 = 130;
    pub(in crate::facts) const READ: i64 = 0;
    pub(super) const WRITE: i64 = 1;
    pub(super) const WRITEV: i64 = 20;
}

/// Newer machines have fewer of them.
#[cfg(not(target_arch = "x86_64"))]
mod numbers {
    pub(super) const EPOLL_WAIT: i64 = -4;
    pub(super) const EPOLL_PWAIT: i64 = 22;
    pub(super) const SELECT: i64 = -2;
    pub(super) const PSELECT: i64 = 72;
    pub(super) const POLL: i64 = -3;
    pub(super) const PPOLL: i64 = 73;
    pub(super) const WAIT4: i64 = 260;
    pub(super) const WAITID: i64 = 95;
    pub(super) const SIGSUSPEND: i64 = 133;
    pub(in crate::facts) const READ: i64 = 63;
    pub(super) const WRITE: i64 = 64;
    pub(super) const WRITEV: i64 = 66;
}

pub(super) use numbers::READ;
use numbers::{EPOLL_PWAIT, EPOLL_WAIT, POLL, PPOLL, PSELECT, SELECT, SIGSUSPEND, WAIT4, WAITID, WRITE, WRITEV};

const EPOLL_PWAIT2: i64 = 441;
