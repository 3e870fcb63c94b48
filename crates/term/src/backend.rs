//! What a terminal is made of underneath: something that takes input, has a size, and can be signalled; and what makes
//! it and finds it again.
//!
//! Output does not pass here. A backend's output ends in a log that somebody else writes, and from the log upwards all
//! backends are the same code. They are in `pty/` and `tmux/`, and sessions name neither.

use std::fmt::Debug;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;

use flightdeck_keeper::{Exit, LogLimits, Requests, SessionId, SessionInfo, Size, SpawnSpec, Target};

use crate::terminals::SpawnError;

/// Starts programs somewhere.
pub trait Starter: Send + Sync + Debug {
    /// The kind of terminal that programs are told to have, as terminfo names it.
    fn term(&self) -> &'static str;

    /// Starts a program, and gives what takes its input.
    fn start(&self, keeper: &Requests, spec: &SpawnSpec) -> Result<Box<dyn Backend>, SpawnError>;
}

/// Finds again what an earlier hub has started.
pub trait Finder: Send + Sync + Debug {
    /// What takes its input, when anything does.
    fn find(&self, keeper: &Requests, left: &Left<'_>) -> Result<Option<Box<dyn Backend>>, SpawnError>;
}

/// A session that an earlier hub has left.
#[derive(Clone, Copy, Debug)]
pub struct Left<'a> {
    /// Its name.
    pub id: &'a SessionId,
    /// Its folder.
    pub dir: &'a Path,
    /// How much output is kept.
    pub limits: LogLimits,
    /// What the keeper knows of it.
    pub held: Option<&'a SessionInfo>,
    /// How it ended, if it has.
    pub exit: Option<Exit>,
}

/// The part of a session that differs between a PTY, a pair of pipes and a window elsewhere.
pub trait Backend: Send + Sync + Debug {
    /// Takes some of `bytes` as input, without blocking. `WouldBlock` when the program does not read.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Ends the input of a program on pipes. `Unsupported` where there is none to end.
    fn close_input(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// A descriptor of the terminal, by which the kernel can be asked about it. `None` without a terminal.
    fn tty(&self) -> Option<BorrowedFd<'_>>;

    /// The process group in the foreground of the terminal.
    fn foreground(&self) -> Option<u32>;

    /// The terminal's device number, as `/proc/PID/stat` has it, while no other terminal can have it.
    fn device(&self) -> Option<u64>;

    /// Tells the program its window has another size.
    fn resize(&self, size: Size) -> io::Result<()>;

    /// Sends a signal by number.
    fn signal(&self, signal: i32, target: Target) -> io::Result<()>;

    /// The first process: the shell or the command.
    fn leader(&self) -> u32;

    /// A process of ours between the terminal and the first process. It ends by itself, after it has noted how that
    /// one ended, and is not to be ended before.
    fn holder(&self) -> Option<u32> {
        None
    }

    /// The number of its window, where windows have numbers.
    fn window(&self) -> Option<u32> {
        None
    }

    /// Who answers what programs ask their terminal.
    fn answers(&self) -> Answers {
        Answers::Ours
    }

    /// Whom the terminal belongs to.
    fn whose(&self) -> Whose {
        Whose::Ours
    }

    /// Whether its output reaches the log.
    fn is_heard(&self) -> bool {
        true
    }

    /// Leaves what is not ours as it was found, and takes away what is ours there. Called when everything ends.
    fn leave(&self) -> io::Result<()> {
        Ok(())
    }

    /// Takes its output up again after somebody has cut it off.
    fn repair(&self) -> io::Result<Repaired> {
        Ok(Repaired::Over)
    }

    /// Asks for one notification as soon as the log is longer than `from`.
    fn watch(&self, from: u64) -> io::Result<()>;

    /// Gives up what the backend still holds for a session that has ended.
    fn forget(&self) -> io::Result<()>;
}

/// Who answers what programs ask their terminal: two answers would be typed into the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// The session, from its screen.
    Ours,
    /// The backend itself is a terminal.
    Theirs,
}

/// Whom a terminal belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// It was started for a caller, and can be ended.
    Ours,
    /// The user opened it elsewhere. It is never ended, resized or changed from here.
    Theirs,
}

/// What came of taking up output that was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repaired {
    /// It comes again. What was printed meanwhile is missing in the log.
    Mended,
    /// Somebody else takes it now.
    Taken,
    /// There is nothing left that could print.
    Over,
}
