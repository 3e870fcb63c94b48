//! Facts about processes, read from `/proc`.

use std::collections::HashSet;
use std::fs;
use std::io;

use rustix::buffer::spare_capacity;
use rustix::fs::{Mode, OFlags, open};

use super::Look;
use super::waiting::{READ, parse_hex};

/// A process as a person would name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its process id.
    pub pid: u32,
    /// The short name, such as `vim`.
    pub name: String,
}

impl Process {
    /// The process with this id, unless it is gone.
    pub fn of(pid: u32) -> Option<Self> {
        let name = String::from_utf8(read(pid, "comm").ok()?).ok()?.trim_end().to_owned();
        Some(Process { pid, name })
    }

    /// The whole command line, arguments joined by spaces; its name when that is not to be had.
    pub fn command(&self) -> String {
        let raw = read(self.pid, "cmdline").unwrap_or_default();
        let parts: Vec<_> =
            raw.split(|b| *b == 0).filter(|p| !p.is_empty()).map(|p| String::from_utf8_lossy(p)).collect();
        if parts.is_empty() { self.name.clone() } else { parts.join(" ") }
    }
}

/// What one reading of a file of `/proc` brings at most; nearly all of them are shorter.
const PAGE: usize = 4096;

/// A file about a process. The kernel does not tell how long it is, and the standard library begins with a few bytes then.
fn read(pid: u32, file: &str) -> io::Result<Vec<u8>> {
    let file = open(format!("/proc/{pid}/{file}"), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut bytes = Vec::with_capacity(PAGE);
    let mut got = rustix::io::read(&file, spare_capacity(&mut bytes))?;
    // One that is shorter than a page is given at once.
    while bytes.len() >= PAGE && got > 0 {
        bytes.reserve(PAGE);
        got = rustix::io::read(&file, spare_capacity(&mut bytes))?;
    }
    Ok(bytes)
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

/// What one line of the kernel says of a process.
#[derive(Debug)]
pub(super) struct Seen {
    /// Its process group.
    pub group: u32,
    /// Its short name.
    pub name: String,
    /// How many threads it has.
    threads: u32,
}

impl Seen {
    /// The process with this id, unless it is gone.
    pub fn of(pid: u32) -> Option<Self> {
        let text = String::from_utf8_lossy(&read(pid, "stat").ok()?).into_owned();
        // The command name may itself hold spaces and parentheses.
        let (begin, end) = (text.find('(')? + 1, text.rfind(')')?);
        let mut fields = text[end + 1..].split_ascii_whitespace();
        let group = fields.nth(2)?.parse().ok()?;
        let threads = fields.nth(14)?.parse().ok()?;
        Some(Seen { group, name: text.get(begin..end)?.to_owned(), threads })
    }
}

/// Whether some process of the group is blocked in a read of its terminal.
pub(super) fn group_reads_terminal(group: u32, look: &Look) -> bool {
    // The leader first: it is nearly always the one, and then the other processes need no look.
    let reads = |pid: u32| match look.seen(pid) {
        // Most have one thread.
        Some(Seen { threads: 1, .. }) => is_in_read(pid, "syscall"),
        _ => reads_terminal(pid),
    };
    reads(group) || look.members(group).iter().copied().any(reads)
}

/// The process that a group is known by.
pub(super) fn of_group(group: u32, look: &Look) -> Option<Process> {
    let of = |pid: u32| match look.seen(pid) {
        Some(seen) => Some(Process { pid, name: seen.name.clone() }),
        None => Process::of(pid),
    };
    of(group).or_else(|| look.members(group).iter().copied().find_map(of))
}

/// Whether nobody else is in the group that this process leads.
pub(crate) fn only_member(group: u32) -> bool {
    Look::new().members(group).is_empty()
}

/// Any thread of the process that sits in `read` on a terminal, or in a wait for one to become readable.
pub(super) fn reads_terminal(pid: u32) -> bool {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return false };
    tasks.flatten().any(|task| is_in_read(pid, &format!("task/{}/syscall", task.file_name().display())))
}

/// Whether this says that a thread of the process sits in `read` on a terminal.
pub(super) fn is_in_read(pid: u32, syscall: &str) -> bool {
    transfers_by(&[READ], pid, syscall, |target| target.starts_with("/dev/pts/") || target == "/dev/tty")
}

/// The same of any of these calls, whose first argument is a descriptor, on anything that has such a name.
pub(super) fn transfers_by(calls: &[i64], pid: u32, syscall: &str, is_meant: impl FnOnce(&str) -> bool) -> bool {
    let text = read(pid, syscall).unwrap_or_default();
    let Ok(text) = str::from_utf8(&text) else { return false };
    let mut fields = text.split_whitespace();
    if !fields.next().and_then(|number| number.parse().ok()).is_some_and(|call| calls.contains(&call)) {
        return false;
    }
    let fd = fields.next().and_then(parse_hex);
    fd.is_some_and(|fd| {
        fs::read_link(format!("/proc/{pid}/fd/{fd}")).is_ok_and(|target| is_meant(&target.to_string_lossy()))
    })
}

/// Whether some thread of the process does something, or waits for a disk.
pub(crate) fn is_running(pid: u32) -> bool {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return false };
    tasks.flatten().any(|task| {
        let stat = read(pid, &format!("task/{}/stat", task.file_name().display())).unwrap_or_default();
        let state = stat.iter().rposition(|byte| *byte == b')').and_then(|at| stat.get(at + 2));
        matches!(state, Some(b'R' | b'D'))
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// A `cat` that has begun to work: before that it may not have its name and variables yet.
    fn cat(program: &Path, variable: &str) -> Child {
        let mut command = Command::new(program);
        command.process_group(0).env("LONG", variable).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        child
    }

    #[test]
    fn a_name_may_hold_what_the_line_is_made_of() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("a) 7 (b");
        fs::copy("/bin/cat", &program).unwrap();
        let mut child = cat(&program, "");
        let (seen, named) = (Seen::of(child.id()), Process::of(child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        let seen = seen.unwrap();
        assert_eq!((seen.group, seen.name.as_str(), seen.threads), (child.id(), "a) 7 (b", 1));
        assert_eq!(named.unwrap().name, seen.name);
        assert!(Seen::of(child.id()).is_none());
        let (hold, held) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || held.recv());
        assert!(Seen::of(std::process::id()).unwrap().threads > 1);
        drop(hold);
        other.join().unwrap().unwrap_err();
    }

    #[test]
    fn long_files_are_read_whole() {
        let long = "x".repeat(3 * PAGE);
        let mut child = cat(Path::new("cat"), &long);
        let environment = read(child.id(), "environ");
        child.kill().unwrap();
        child.wait().unwrap();
        let environment = environment.unwrap();
        assert!(memchr::memmem::find(&environment, long.as_bytes()).is_some() && environment.ends_with(&[0]));
    }
}
