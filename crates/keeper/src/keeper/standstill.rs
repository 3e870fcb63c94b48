//! Bringing the programs of a terminal to a standstill, for the moment in which it is halted.
//!
//! Linux loses output when a terminal is halted in the middle of a write. Of each character that it has to translate,
//! above all of a line end, it asks whether there is room for it, then writes it, and does not look whether that was
//! refused because the terminal was halted in between (`process_output` in `n_tty.c`, `pty_write` in `pty.c`). With a
//! program that prints all the time in a window of tmux, one halt in sixty cost a line end.
//!
//! A program can't take the kernel's lock that keeps writers out. But a writer that waits for room is at a safe place,
//! and it comes there by itself once nobody reads its terminal. So who reads it, tmux, is stopped for that moment.

use std::fs;
use std::os::fd::{AsFd, OwnedFd};
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
const PATIENCE: Duration = Duration::from_millis(200);

/// A terminal that nobody reads, and whose programs wait for room or do not write. It is read again when this goes.
pub struct Standstill(OwnedFd);

impl Standstill {
    /// Of the terminal of this process. `None` when no tmux has started it, or when that is stopped already, and is not
    /// ours to wake.
    pub fn of(process: &Minded, terminal: impl AsFd) -> Option<Self> {
        let (server, _) = server_of(process).filter(|(_, stat)| !stat.stopped)?;
        pidfd_send_signal(&server, Signal::STOP).ok()?;
        let standstill = Standstill(server);
        settle(terminal);
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
    drop(server_of(process).filter(|(_, stat)| stat.stopped).map(|(server, _)| Standstill(server)));
}

/// Waits until nothing moves: one look after the other finds somebody in the middle of a write, or nobody.
fn settle(terminal: impl AsFd) {
    let began = Instant::now();
    let (mut before, mut same) = (None, 0);
    while same < STILL && began.elapsed() < PATIENCE {
        // A write of nothing writes nothing, and is refused while another write is under way.
        let writing = rustix::io::write(&terminal, &[]) == Err(Errno::AGAIN);
        same = if before == Some(writing) { same + 1 } else { 0 };
        before = Some(writing);
        thread::sleep(LOOK_EVERY);
    }
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

/// What the kernel says of a process.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    name: String,
    stopped: bool,
    parent: Option<Pid>,
}

impl Stat {
    fn of(pid: Pid) -> Option<Self> {
        let text = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        Self::parse(&String::from_utf8_lossy(&text))
    }

    /// The name is in brackets, and may hold some itself.
    fn parse(text: &str) -> Option<Self> {
        let (head, rest) = text.rsplit_once(") ")?;
        let (_, name) = head.split_once(" (")?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = Pid::from_raw(fields.next()?.parse().ok()?);
        Some(Stat { name: name.to_owned(), stopped: state == "T", parent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name_is() {
        for (text, name, stopped, parent) in [
            ("12 (tmux: server) S 1 12 12 0 -1", "tmux: server", false, Pid::from_raw(1)),
            ("12 (a) R 7 (b) T 34 12", "a) R 7 (b", true, Pid::from_raw(34)),
            ("1 (init) S 0 1 1", "init", false, None),
        ] {
            assert_eq!(Stat::parse(text), Some(Stat { name: name.to_owned(), stopped, parent }), "{text}");
        }
        assert_eq!(Stat::parse("12 (half"), None);
    }
}
