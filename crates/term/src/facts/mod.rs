//! What the kernel says of a terminal right now: who is in the foreground and what kind of input it waits for.
//!
//! Asked for at each read instead of being tracked, so it can't be stale. Everything here is best effort: a
//! process may end between two questions, and then there is just less to tell.

mod guest;
mod look;
mod ports;
mod process;
mod waiting;

use std::os::fd::BorrowedFd;

use rustix::termios::{LocalModes, tcgetattr};

pub(crate) use guest::{
    Reader, edits_lines, has_unread_input, is_at_prompt, is_back_at_prompt, is_interactive_shell, is_shell_for_people,
    reader, reads_answer, reads_its_terminal, runs_a_script, waits_at_prompt, waits_for_line, was_started_with,
};
pub use look::Look;
pub(crate) use ports::{Listener, listener};
pub use process::Process;
pub(crate) use process::{
    Lineage, all_pids, environ_has_any, foreground_of, is_running, only_member, parent_of, start_time,
};
pub(crate) use waiting::{Proof, group_waits_for_keys, waits_for_input, waits_for_many};

/// What kind of input the program in the foreground waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Line editing by the kernel with echo off, or a shell that reads keys and may not show them: a password. It is never
    /// logged or shown.
    Password,
    /// Line editing by the kernel, and a program is blocked reading, or a shell that reads a line and shows it: it asks
    /// something.
    Line,
    /// Each key goes to the program: a shell's line editor or a full-screen program.
    Raw,
    /// The program is at work; what is typed waits.
    Busy,
    /// There is no terminal to type into: it has ended, or the command runs on pipes.
    None,
}

/// What the kernel does with what is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modes {
    canonical: bool,
    echo: bool,
}

impl Modes {
    /// Those of a terminal, of which either side will do.
    pub(crate) fn of(tty: BorrowedFd<'_>) -> Option<Self> {
        let modes = tcgetattr(tty).ok()?.local_modes;
        Some(Modes { canonical: modes.contains(LocalModes::ICANON), echo: modes.contains(LocalModes::ECHO) })
    }

    /// Whether the kernel edits lines.
    pub(crate) fn is_canonical(self) -> bool {
        self.canonical
    }

    /// Whether lines are edited and not shown: how a program asks for a password.
    pub(crate) fn hide_a_line(self) -> bool {
        self.canonical && !self.echo
    }
}

/// How often the modes are read anew that change while it is looked who reads.
const MODE_ATTEMPTS: usize = 4;

/// The modes, and whether somebody reads lines in them. A program sets them right before it reads: modes of before and a look of
/// after would make a line of a password.
fn modes_while(tty: BorrowedFd<'_>, reads: impl Fn() -> bool) -> Option<(Modes, bool)> {
    let mut modes = Modes::of(tty)?;
    for _ in 0..MODE_ATTEMPTS {
        if !(modes.canonical && modes.echo && reads()) {
            break;
        }
        let now = Modes::of(tty)?;
        if now == modes {
            return Some((modes, true));
        }
        modes = now;
    }
    Some((modes, false))
}

/// The kernel's view of one terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The process group in the foreground.
    pub group: Option<u32>,
    /// The leader of that group, or another process of it when the leader has ended: `less` in `seq 9 | less`.
    pub foreground: Option<Process>,
    /// What it waits for.
    pub input: Input,
    /// Whether the terminal echoes what is typed.
    pub echo: bool,
    /// Whether the kernel edits lines (canonical mode).
    pub canonical: bool,
}

impl Facts {
    /// The facts of a session without a terminal.
    pub const NONE: Facts = Facts { group: None, foreground: None, input: Input::None, echo: false, canonical: false };

    /// Asks the kernel about a terminal, of which either side will do, with this group in the foreground.
    pub fn of(tty: BorrowedFd<'_>, group: Option<u32>, look: &Look) -> Facts {
        let Some((Modes { canonical, echo }, reads_line)) =
            modes_while(tty, || group.is_some_and(|group| process::group_reads_terminal(group, look)))
        else {
            return Facts::NONE;
        };
        let input = match (canonical, echo) {
            (true, false) => Input::Password,
            (true, true) if reads_line => Input::Line,
            (true, true) => Input::Busy,
            (false, _) => Input::Raw,
        };
        Facts { group, foreground: group.and_then(|group| process::of_group(group, look)), input, echo, canonical }
    }

    /// Whether single keys are taken, and the kernel shows none of them.
    pub(crate) fn hides_keys(&self) -> bool {
        self.input == Input::Raw && !self.echo
    }

    /// Whether somebody is blocked in reading a line or a password.
    pub fn is_asked(&self) -> bool {
        match self.input {
            Input::Line => true,
            // That a shell reads keys, and not at its prompt, was found by a look at it.
            Input::Password if !self.canonical => true,
            Input::Password => self.group.is_some_and(|group| process::group_reads_terminal(group, &Look::new())),
            Input::Raw | Input::Busy | Input::None => false,
        }
    }

    /// The group in the foreground and the program that it is, to see whether it is still the same.
    pub fn front(self) -> Option<(u32, String)> {
        Some((self.group?, self.foreground?.name))
    }
}
