//! The backend for children of the keeper: on a PTY, or on pipes when nobody needs a terminal.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use flightdeck_keeper::{Requests, SessionId, Size, Spawned, Target};

use rustix::termios::{Winsize, tcgetpgrp, tcsetwinsize};

use crate::backend::Backend;
use crate::session::pts_device;

/// A child of the keeper.
#[derive(Debug)]
pub struct Kept {
    requests: Requests,
    id: SessionId,
    pid: u32,
    master: Option<OwnedFd>,
}

impl Kept {
    /// The child that the keeper has just started or handed out again.
    pub fn new(requests: Requests, id: SessionId, spawned: Spawned) -> Self {
        Kept { requests, id, pid: spawned.pid, master: spawned.master }
    }
}

impl Backend for Kept {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match &self.master {
            Some(master) => Ok(rustix::io::write(master, bytes)?),
            None => Err(io::Error::new(io::ErrorKind::Unsupported, "the command runs on pipes and takes no input")),
        }
    }

    fn tty(&self) -> Option<BorrowedFd<'_>> {
        self.master.as_ref().map(AsFd::as_fd)
    }

    fn foreground(&self) -> Option<u32> {
        let group = tcgetpgrp(self.master.as_ref()?).ok()?;
        Some(group.as_raw_nonzero().get().cast_unsigned())
    }

    fn device(&self) -> Option<u64> {
        let name = rustix::pty::ptsname(self.master.as_ref()?, Vec::new()).ok()?;
        name.to_str().ok()?.strip_prefix("/dev/pts/")?.parse().ok().map(pts_device)
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        let Some(master) = &self.master else { return Err(io::ErrorKind::Unsupported.into()) };
        // Straight to the kernel, which tells the program: no need to wait for the keeper.
        let window = Winsize { ws_row: size.rows(), ws_col: size.cols(), ws_xpixel: 0, ws_ypixel: 0 };
        Ok(tcsetwinsize(master, window)?)
    }

    fn signal(&self, signal: i32, target: Target) -> io::Result<()> {
        self.requests.signal(&self.id, signal, target).map_err(io::Error::other)
    }

    fn leader(&self) -> u32 {
        self.pid
    }

    fn watch(&self, from: u64) -> io::Result<()> {
        self.requests.watch(&self.id, from).map_err(io::Error::other)
    }

    fn forget(&self) -> io::Result<()> {
        self.requests.forget(&self.id).map_err(io::Error::other)
    }
}
