//! What a terminal is made of underneath: something that takes input, has a size, and can be signalled.
//!
//! Output does not pass here. A backend's output ends in a log that somebody else writes (the keeper, or tmux's
//! pipe), and from the log upwards all backends are the same code.

use std::fmt::Debug;
use std::io;
use std::os::fd::BorrowedFd;

use flightdeck_keeper::{Size, Target};

/// The part of a session that differs between a PTY, a pair of pipes and a tmux window.
pub trait Backend: Send + Sync + Debug {
    /// Takes some of `bytes` as input, without blocking. `WouldBlock` when the program does not read.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// A descriptor of the terminal, by which the kernel can be asked about it. `None` without a terminal.
    fn tty(&self) -> Option<BorrowedFd<'_>>;

    /// Tells the program its window has another size.
    fn resize(&self, size: Size) -> io::Result<()>;

    /// Sends a signal by number.
    fn signal(&self, signal: i32, target: Target) -> io::Result<()>;

    /// The first process: the shell or the command.
    fn leader(&self) -> u32;

    /// Asks for one notification as soon as the log is longer than `from`.
    fn watch(&self, from: u64) -> io::Result<()>;

    /// Gives up what the backend still holds for a session that has ended.
    fn forget(&self) -> io::Result<()>;
}
