//! Halting a terminal that somebody else runs while its log can't be written.
//!
//! Not reading the FIFO does not reach the programs: tmux goes on reading their terminal and keeps what it can't hand
//! on, without a limit. So the terminal itself is halted, as by `tcflow`: its programs wait in their next write, and no
//! key of a person lets them go on before its log does.

use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags, open};
use rustix::process::Pid;
use rustix::termios::{Action, tcflow};

/// A halted terminal. It goes on when this goes.
pub struct Halt(OwnedFd);

impl Halt {
    /// Halts the terminal that this process has as its input; `None` when there is none.
    pub fn of(pid: Pid) -> Option<Self> {
        let terminal = terminal_of(pid)?;
        tcflow(&terminal, Action::OOff).ok()?;
        Some(Halt(terminal))
    }
}

impl Drop for Halt {
    fn drop(&mut self) {
        // A terminal that is gone needs no more.
        let _gone = tcflow(&self.0, Action::OOn);
    }
}

/// Lets a terminal go on that another keeper may have halted before it was killed.
pub fn release(pid: Pid) {
    drop(terminal_of(pid).map(Halt));
}

/// By the process and not by name: the name may be another terminal's by now.
fn terminal_of(pid: Pid) -> Option<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    open(format!("/proc/{}/fd/0", pid.as_raw_nonzero()), flags, Mode::empty()).ok()
}
