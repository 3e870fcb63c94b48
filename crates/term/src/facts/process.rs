//! Facts about processes, read from `/proc`.

use std::collections::HashSet;
use std::fs;

use super::Look;

/// A process as a person would name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its process id.
    pub pid: u32,
    /// The short name, such as `vim`.
    pub name: String,
    /// The whole command line, arguments joined by spaces.
    pub command: String,
}

impl Process {
    /// The process with this id, unless it is gone.
    pub fn of(pid: u32) -> Option<Self> {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim_end().to_owned();
        let raw = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let parts: Vec<_> =
            raw.split(|b| *b == 0).filter(|p| !p.is_empty()).map(|p| String::from_utf8_lossy(p)).collect();
        let command = if parts.is_empty() { name.clone() } else { parts.join(" ") };
        Some(Process { pid, name, command })
    }
}

/// Every process there is.
pub(crate) fn all_pids() -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// The parts of `/proc/PID/stat` after the command name, which may itself hold spaces and parentheses.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let rest = &text[text.rfind(')')? + 1..];
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// Where a process belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lineage {
    /// Its parent.
    pub parent: u32,
    /// Its session, named by the process that made it.
    pub session: u32,
    /// The device number of its controlling terminal; zero for none.
    pub tty: u64,
}

impl Lineage {
    /// The lineage of a process that is not a zombie.
    pub fn of(pid: u32) -> Option<Self> {
        let fields = stat(pid)?;
        if matches!(fields.first().map(String::as_str), Some("Z" | "X")) {
            return None;
        }
        Some(Lineage {
            parent: fields.get(1)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            tty: fields.get(4)?.parse().ok()?,
        })
    }
}

/// The parent of a process, unless that is the first process of the machine.
pub(crate) fn parent_of(pid: u32) -> Option<u32> {
    Lineage::of(pid).map(|lineage| lineage.parent).filter(|parent| *parent > 1)
}

/// The group in the foreground of a process's controlling terminal.
pub(crate) fn foreground_of(pid: u32) -> Option<u32> {
    // No terminal, or nobody in its foreground, is a negative number.
    stat(pid)?.get(5)?.parse().ok().filter(|group| *group > 0)
}

/// When a process began, in clock ticks since boot: with the pid, a name that is never used twice.
pub(crate) fn start_time(pid: u32) -> Option<u64> {
    stat(pid)?.get(19)?.parse().ok()
}

/// Whether the environment that a process was started with has one of these `NAME=VALUE`.
pub(crate) fn environ_has_any(pid: u32, entries: &HashSet<&[u8]>) -> bool {
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|env| env.split(|b| *b == 0).any(|e| entries.contains(e)))
}

/// The process group of a process.
pub(super) fn group_of(pid: u32) -> Option<u32> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The command name may itself hold spaces and parentheses.
    let rest = &text[memchr::memrchr(b')', &text)? + 1..];
    let group = rest.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).nth(2)?;
    std::str::from_utf8(group).ok()?.parse().ok()
}

/// Whether some process of the group is blocked in a read of its terminal.
pub(super) fn group_reads_terminal(group: u32, look: &Look) -> bool {
    // The leader first: it is nearly always the one, and then the other processes need no look.
    reads_terminal(group) || look.members(group).iter().copied().any(reads_terminal)
}

/// The process that a group is known by.
pub(super) fn of_group(group: u32, look: &Look) -> Option<Process> {
    Process::of(group).or_else(|| look.members(group).iter().copied().find_map(Process::of))
}

/// Whether nobody else is in the group that this process leads.
pub(super) fn only_member(group: u32) -> bool {
    Look::new().members(group).is_empty()
}

/// Any thread of the process that sits in `read` on a terminal, or in a wait for one to become readable.
pub(super) fn reads_terminal(pid: u32) -> bool {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return false };
    tasks.flatten().any(|task| {
        let Ok(text) = fs::read_to_string(task.path().join("syscall")) else { return false };
        let mut fields = text.split_whitespace();
        let Some(number) = fields.next().and_then(|n| n.parse::<i64>().ok()) else { return false };
        if number != READ {
            return false;
        }
        let fd = fields.next().and_then(|f| u64::from_str_radix(f.trim_start_matches("0x"), 16).ok());
        fd.is_some_and(|fd| {
            fs::read_link(format!("/proc/{pid}/fd/{fd}"))
                .is_ok_and(|target| target.starts_with("/dev/pts") || target.as_os_str() == "/dev/tty")
        })
    })
}

#[cfg(target_arch = "x86_64")]
const READ: i64 = 0;
#[cfg(not(target_arch = "x86_64"))]
const READ: i64 = 63;
