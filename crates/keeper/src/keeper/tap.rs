//! A session as its reader sees it: what it prints, and where that goes.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::io::Errno;

use super::follow::Followed;
use super::halt::Halt;
use super::log::LogWriter;
use super::session::Session;
use crate::{Exit, Stream};

/// Names a session in the readers. Never used twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TapToken(pub u64);

/// A session as its reader sees it.
pub struct Tap {
    pub token: TapToken,
    pub session: Arc<Session>,
    pub log: LogWriter,
    /// Standard output and error of a session on pipes; both `None` on a terminal.
    pub pipes: [Option<OwnedFd>; 2],
    /// On a terminal: its output has not ended.
    pub master_open: bool,
    /// Set for a terminal that somebody else runs; its FIFO is the first of the pipes.
    pub followed: Option<Followed>,
    /// Bytes that were read and could not be written. Nothing more is read while there are any.
    pub unwritten: Option<(Stream, Vec<u8>)>,
    /// While there are such bytes, a terminal that somebody else runs is halted.
    pub halt: Option<Halt>,
    /// How the child ended, until everything that it printed is in the log and it is told.
    pub exit_untold: Option<Exit>,
}

impl Tap {
    pub(super) fn source(&self, stream: Stream) -> Option<BorrowedFd<'_>> {
        if let Some(master) = &self.session.master {
            return self.master_open.then(|| master.as_fd());
        }
        self.pipes[stream as usize].as_ref().map(OwnedFd::as_fd)
    }

    pub(super) fn open_sources(&self) -> impl Iterator<Item = (Stream, BorrowedFd<'_>)> {
        let streams: &[Stream] =
            if self.session.master.is_some() { &[Stream::Stdout] } else { &[Stream::Stdout, Stream::Stderr] };
        streams.iter().filter_map(|stream| Some((*stream, self.source(*stream)?)))
    }

    pub(super) fn close(&mut self, stream: Stream) {
        self.master_open = false;
        self.pipes[stream as usize] = None;
    }

    /// `true` when nothing is left to write.
    pub(super) fn write_unwritten(&mut self) -> bool {
        let Some((stream, mut bytes)) = self.unwritten.take() else {
            return true;
        };
        let (written, result) = self.log.append(stream, &bytes);
        if written > 0 {
            self.session.grew(self.log.end());
        }
        if result.is_err() {
            bytes.drain(..written);
            self.unwritten = Some((stream, bytes));
        }
        result.is_ok()
    }
}

/// Reads until there is no more, the buffer is full, or the other side has closed (then `true`).
pub(super) fn fill(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> (usize, bool) {
    let mut filled = 0;
    while filled < buffer.len() {
        match rustix::io::read(fd, &mut buffer[filled..]) {
            Ok(0) => return (filled, true),
            Ok(read) => filled += read,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => break,
            // EIO is how a terminal says that nobody has its other side open. Any other error of a terminal or pipe
            // is as final.
            Err(_) => return (filled, true),
        }
    }
    (filled, false)
}

pub(super) fn event_token(token: TapToken, stream: Stream) -> u64 {
    token.0 << 1 | stream as u64
}

pub(super) fn parse_token(token: u64) -> (TapToken, Stream) {
    (TapToken(token >> 1), if token & 1 == 0 { Stream::Stdout } else { Stream::Stderr })
}
