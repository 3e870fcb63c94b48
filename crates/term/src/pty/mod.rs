//! The backend for children of the keeper: on a PTY, or on pipes when nobody needs a terminal.

mod input;

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use flightdeck_keeper::{LogLimits, Requests, SessionId, Size, SpawnSpec, Spawned, Target};
use parking_lot::Mutex;
use rustix::termios::{Winsize, tcgetpgrp, tcsetwinsize};

use crate::backend::{Backend, Finder, Left, Starter};
use crate::session::pts_device;
use crate::terminals::SpawnError;
use input::HeldInput;

/// On a PTY or pipes of the keeper.
#[derive(Clone, Copy, Debug)]
pub struct OnKeeper;

impl Starter for OnKeeper {
    fn term(&self) -> &'static str {
        "xterm-256color"
    }

    fn start(&self, keeper: &Requests, spec: &SpawnSpec) -> Result<Box<dyn Backend>, SpawnError> {
        let spawned = keeper.spawn(spec)?;
        Ok(Box::new(Kept::new(keeper, &spec.id, spawned, spec.log_dir.as_path(), spec.limits)))
    }
}

impl Finder for OnKeeper {
    fn find(&self, keeper: &Requests, left: &Left<'_>) -> Result<Option<Box<dyn Backend>>, SpawnError> {
        match left.held {
            None => Ok(None),
            // A hub died before it noted where it is. Its programs are found by their environment.
            Some(info) if info.pid == 0 => {
                keeper.forget(left.id)?;
                Ok(None)
            }
            Some(_) => {
                let spawned = keeper.attach(left.id)?;
                Ok(Some(Box::new(Kept::new(keeper, left.id, spawned, left.dir, left.limits))))
            }
        }
    }
}

/// A child of the keeper.
#[derive(Debug)]
struct Kept {
    requests: Requests,
    id: SessionId,
    pid: u32,
    master: Option<OwnedFd>,
    stdin: Mutex<Stdin>,
}

/// What a program on pipes reads.
#[derive(Debug)]
enum Stdin {
    /// Nothing, from its start.
    Empty,
    Held(Box<HeldInput>),
    Closed,
}

impl Kept {
    /// The child that the keeper has just started or handed out again, with its log in `dir`.
    fn new(requests: &Requests, id: &SessionId, spawned: Spawned, dir: &Path, limits: LogLimits) -> Self {
        let stdin = spawned.stdin.map_or(Stdin::Empty, |pipe| Stdin::Held(Box::new(HeldInput::new(pipe, dir, limits))));
        let (requests, id) = (requests.clone(), id.clone());
        Kept { requests, id, pid: spawned.pid, master: spawned.master, stdin: Mutex::new(stdin) }
    }
}

impl Backend for Kept {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(master) = &self.master {
            return Ok(rustix::io::write(master, bytes)?);
        }
        match &mut *self.stdin.lock() {
            Stdin::Held(input) => input.write(bytes),
            Stdin::Closed => Err(io::ErrorKind::BrokenPipe.into()),
            Stdin::Empty => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "the command runs on pipes and takes no input"))
            }
        }
    }

    fn close_input(&self) -> io::Result<()> {
        let mut stdin = self.stdin.lock();
        if matches!(*stdin, Stdin::Empty) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        // The last copy but the keeper's.
        *stdin = Stdin::Closed;
        self.requests.close_input(&self.id).map_err(io::Error::other)
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
