//! Bringing the programs of a terminal to a standstill, for the moment in which it is halted.
//!
//! Linux loses output when a terminal is halted in the middle of a write. Of each character that it has to translate,
//! above all of a line end, it asks whether there is room for it, then writes it, and does not look whether that was
//! refused because the terminal was halted in between (`process_output` in `n_tty.c`, `pty_write` in `pty.c`). With a
//! program that prints all the time in a window of tmux, one halt in sixty cost a line end.
//!
//! A program can't take the kernel's lock that keeps writers out. But a writer that waits for room is at a safe place,
//! and it comes there by itself once nobody reads its terminal. So who reads it, tmux, is stopped for that moment.
//! A writer that does not move need not be there yet: on a busy machine it may have to wait for a processor, in the middle of
//! a line end. That it sleeps is what tells.

use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::follow::Minded;

/// What tmux's process that reads the terminals is called at the end.
const SERVER: &str = ": server";
const LOOK_EVERY: Duration = Duration::from_micros(500);
/// So many looks in a row that saw the same: nothing moves.
const STILL: u32 = 10;
/// A busy machine may leave a program in the middle of its write for longer than this. Then others, who wait for tmux,
/// come first.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same for programs that are at work and write nothing: they may go on like that for long, and begin to write just when
/// the terminal is halted, or not.
const PATIENCE_UNWRITTEN: Duration = Duration::from_millis(200);

/// A terminal that nobody reads, and whose programs wait for room or do not write. It is read again when this goes.
pub struct Standstill(OwnedFd);

impl Standstill {
    /// Of the terminal of this process. `None` when no tmux has started it, or when that is stopped already, and is not
    /// ours to wake.
    pub fn of(process: &Minded, terminal: impl AsFd) -> Option<Self> {
        let (server, _) = server_of(process).filter(|(_, stat)| stat.state != State::Stopped)?;
        pidfd_send_signal(&server, Signal::STOP).ok()?;
        let standstill = Standstill(server);
        settle(process, terminal);
        Some(standstill)
    }
}

impl Drop for Standstill {
    fn drop(&mut self) {
        // One that has ended meanwhile needs no more.
        let _ended = pidfd_send_signal(&self.0, Signal::CONT);
    }
}

/// Lets the terminal of this process be read again, where another keeper was killed in that moment.
pub fn release(process: &Minded) {
    drop(server_of(process).filter(|(_, stat)| stat.state == State::Stopped).map(|(server, _)| Standstill(server)));
}

/// Waits until nothing moves: one look after the other finds the same, somebody in the middle of a write or nobody, and all
/// asleep.
fn settle(process: &Minded, terminal: impl AsFd) {
    let began = Instant::now();
    let writers = neighbours(process);
    let (mut before, mut same) = (None, 0);
    while same < STILL {
        // A write of nothing writes nothing, and is refused while another write is under way.
        let writing = rustix::io::write(&terminal, &[]) == Err(Errno::AGAIN);
        let asleep = !writers.iter().any(|writer| is_at_work(*writer));
        same = if asleep && before == Some(writing) { same + 1 } else { 0 };
        before = Some(writing);
        if began.elapsed() > if writing { PATIENCE } else { PATIENCE_UNWRITTEN } {
            return;
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// The processes on the terminal of this one.
fn neighbours(process: &Minded) -> Vec<Pid> {
    let Some(terminal) = Stat::of(process.pid).map(|stat| stat.terminal) else { return Vec::new() };
    let names = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let pids = names.filter_map(|name| Pid::from_raw(name.to_str()?.parse().ok()?));
    pids.filter(|pid| Stat::of(*pid).is_some_and(|stat| stat.terminal == terminal)).collect()
}

/// Whether any thread of a process has a processor, or waits for one.
fn is_at_work(process: Pid) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero())).into_iter().flatten().flatten();
    threads.filter_map(|thread| Stat::read(&thread.path().join("stat"))).any(|stat| stat.state == State::AtWork)
}

/// The tmux that reads the terminal of this process: it is what started it.
fn server_of(process: &Minded) -> Option<(OwnedFd, Stat)> {
    let parent = Stat::of(process.pid)?.parent?;
    let server = pidfd_open(parent, PidfdFlags::empty()).ok()?;
    let stat = Stat::of(parent)?;
    // Only if it is the parent after the opening was the number surely its own.
    let is_parent = Stat::of(process.pid)?.parent == Some(parent);
    (is_parent && stat.name.ends_with(SERVER)).then_some((server, stat))
}

/// What the kernel says of a process or a thread.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    name: String,
    state: State,
    parent: Option<Pid>,
    /// The number of its terminal's device.
    terminal: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It runs, waits for a processor, or for a moment for a device.
    AtWork,
    Stopped,
    /// It sleeps, or has ended.
    AtRest,
}

impl Stat {
    fn of(pid: Pid) -> Option<Self> {
        Self::read(Path::new(&format!("/proc/{}/stat", pid.as_raw_nonzero())))
    }

    fn read(file: &Path) -> Option<Self> {
        Self::parse(&String::from_utf8_lossy(&fs::read(file).ok()?))
    }

    /// The name is in brackets, and may hold some itself.
    fn parse(text: &str) -> Option<Self> {
        let (head, rest) = text.rsplit_once(") ")?;
        let (_, name) = head.split_once(" (")?;
        let mut fields = rest.split_ascii_whitespace();
        let state = match fields.next()? {
            "R" | "D" => State::AtWork,
            "T" => State::Stopped,
            _ => State::AtRest,
        };
        let parent = Pid::from_raw(fields.next()?.parse().ok()?);
        // After its group and its session.
        let terminal = fields.nth(2)?.parse().ok()?;
        Some(Stat { name: name.to_owned(), state, parent, terminal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name_is() {
        for (text, name, state, parent, terminal) in [
            ("12 (tmux: server) S 1 12 12 0 -1", "tmux: server", State::AtRest, Pid::from_raw(1), 0),
            ("12 (a) R 7 (b) T 34 12 12 34816 12", "a) R 7 (b", State::Stopped, Pid::from_raw(34), 34816),
            ("12 (seq) R 34 12 11 34817 12", "seq", State::AtWork, Pid::from_raw(34), 34817),
            ("1 (init) S 0 1 1 0", "init", State::AtRest, None, 0),
        ] {
            assert_eq!(Stat::parse(text), Some(Stat { name: name.to_owned(), state, parent, terminal }), "{text}");
        }
        assert_eq!(Stat::parse("12 (half"), None);
    }
}
