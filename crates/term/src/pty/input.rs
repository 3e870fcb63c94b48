//! A standard input that the keeper holds open: what is written to it, and the note of that.
//!
//! What the program took is noted in a log of its own, `input` beside the output, after each piece: a hub that comes
//! later reads there what was said. One that is killed between the two leaves out the last piece at most.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use flightdeck_keeper::{InputLog, LogLimits};

/// The most that is offered at once, and so the most that a note can lack: what a pipe usually holds.
const PIECE: usize = 64 << 10;

/// The end of the pipe that is written to.
#[derive(Debug)]
pub(super) struct HeldInput {
    pipe: OwnedFd,
    noted: InputLog,
    /// What was taken and could not be noted yet. Nothing more is written before it is.
    unnoted: Vec<u8>,
}

impl HeldInput {
    pub(super) fn new(pipe: OwnedFd, dir: &Path, limits: LogLimits) -> Self {
        HeldInput { pipe, noted: InputLog::new(dir, limits), unnoted: Vec::new() }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note()?;
        let taken = rustix::io::write(&self.pipe, &bytes[..bytes.len().min(PIECE)])?;
        self.unnoted.extend_from_slice(&bytes[..taken]);
        // A full disk is told to the next one who writes: this was taken.
        let _told_later = self.note();
        Ok(taken)
    }

    fn note(&mut self) -> io::Result<()> {
        if self.unnoted.is_empty() {
            return Ok(());
        }
        let (noted, result) = self.noted.append(&self.unnoted);
        self.unnoted.drain(..noted);
        result
    }
}
