//! Halting a terminal that somebody else runs while its log can't be written.
//!
//! Not reading the FIFO does not reach the programs: tmux goes on reading their terminal and keeps what it can't hand
//! on, without a limit. So the terminal itself is halted, as by `tcflow`: its programs wait in their next write, and no
//! key of a person lets them go on before its log does. Whether a person had stopped it before (Ctrl-S) can't be told
//! from outside, so it goes on in any case.

use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::termios::{Action, tcflow};

use super::follow::Minded;
use super::standstill::{self, Standstill};

/// A halted terminal. It goes on when this goes.
pub struct Halt(OwnedFd);

impl Halt {
    /// Halts the terminal that this process has as its input; `None` when there is none.
    pub fn of(process: &Minded) -> Option<Self> {
        let terminal = terminal_of(process)?;
        let standstill = Standstill::of(process, &terminal);
        let halted = tcflow(&terminal, Action::OOff);
        drop(standstill);
        halted.ok()?;
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
pub fn release(process: &Minded) {
    standstill::release(process);
    drop(terminal_of(process).map(Halt));
}

/// By the process and not by name: the name may be another terminal's by now.
fn terminal_of(process: &Minded) -> Option<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let terminal = open(format!("/proc/{}/fd/0", process.pid.as_raw_nonzero()), flags, Mode::empty()).ok()?;
    // Only if it lives after the opening was it surely its own, and not that of the next process of this number.
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    let ended = poll(&mut [PollFd::new(&process.pidfd, PollFlags::IN)], Some(&at_once));
    matches!(ended, Ok(0)).then_some(terminal)
}
