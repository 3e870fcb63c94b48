//! The backend of a tab in tmux: input by the control client, signals and facts straight from the kernel.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use flightdeck_keeper::{
    ClientError, FollowSpec, LogLimits, OsBytes, Refusal, Requests, SessionId, Size, Target, output_path,
    pane_ready_path,
};
use parking_lot::Mutex;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::control::PIECE;
use super::pipe::Piped;
use super::ticket::{Ticket, Told};
use super::window::{Window, forget};
use super::{Tmux, TmuxError};
use crate::backend::{Answers, Backend, Repaired, Whose};
use crate::facts::{foreground_of, start_time};

/// A window of tmux, with its log followed by the keeper.
#[derive(Debug)]
pub(super) struct Tab {
    /// `None` when its program is gone: such a tab can be read and ended, but not typed into.
    tmux: Option<Arc<Tmux>>,
    pub requests: Requests,
    pub id: SessionId,
    pub dir: PathBuf,
    pub limits: LogLimits,
    pub window: Window,
    whose: Whose,
    /// Whether our pipe takes the output of a window that is the user's.
    heard: AtomicBool,
    /// When our pipe there was closed by somebody.
    cut_at: Mutex<Option<Instant>>,
    /// The side of the programs. Held open, so that the system gives its number to no other terminal meanwhile.
    tty: Option<OwnedFd>,
    /// With their numbers, names of the processes that are never used twice.
    leader_started: Option<u64>,
    holder_started: Option<u64>,
    typing: Mutex<Option<InFlight>>,
}

/// Input that tmux has not acknowledged yet.
#[derive(Debug)]
struct InFlight {
    ticket: Ticket,
    piece: Vec<u8>,
}

/// How long the answer of a server usually takes at most. Then the caller does something else meanwhile.
const MOMENT: Duration = Duration::from_millis(3);

/// How long the user has to pipe a window of theirs elsewhere after our pipe was closed.
const WAY: Duration = Duration::from_secs(5);
/// No process has this number.
const NOBODY: u32 = 0;

impl Tab {
    pub(super) fn new(
        tmux: Option<Arc<Tmux>>,
        requests: Requests,
        follow: FollowSpec,
        dir: PathBuf,
        window: Window,
    ) -> Self {
        let whose = window.whose();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Tab {
            tty: rustix::fs::open(&window.tty, flags, Mode::empty()).ok(),
            leader_started: start_time(window.leader),
            holder_started: start_time(window.holder),
            tmux,
            requests,
            id: follow.id,
            dir,
            limits: follow.limits,
            window,
            typing: Mutex::new(None),
            whose,
            heard: AtomicBool::new(true),
            cut_at: Mutex::new(None),
        }
    }

    /// One whose output goes elsewhere for now.
    pub(super) fn unheard(self) -> Self {
        self.heard.store(false, Ordering::Relaxed);
        self
    }

    /// Whether its window is there and the one that is meant.
    fn is_there(&self, tmux: &Tmux) -> Result<bool, TmuxError> {
        match self.whose {
            Whose::Ours => tmux.holds(&self.id, &self.window),
            Whose::Theirs => tmux.has_pane(&self.window),
        }
    }

    fn tmux(&self) -> io::Result<&Tmux> {
        self.tmux.as_deref().ok_or_else(|| io::Error::other(TmuxError::Missing))
    }

    fn type_some(&self, bytes: &[u8]) -> io::Result<InFlight> {
        let piece = &bytes[..bytes.len().min(PIECE)];
        Ok(InFlight { ticket: self.tmux()?.type_into(&self.window, piece)?, piece: piece.to_vec() })
    }

    /// Whether the user has just closed our pipe, maybe to open one of their own: the same key does both.
    fn gives_way(&self) -> bool {
        if self.whose == Whose::Ours {
            return false;
        }
        let mut cut_at = self.cut_at.lock();
        if self.is_heard() {
            *cut_at = Some(Instant::now());
        }
        cut_at.is_some_and(|at| at.elapsed() < WAY)
    }

    fn holder_lives(&self) -> bool {
        self.holder_started.is_some() && start_time(self.window.holder) == self.holder_started
    }

    fn leader_lives(&self) -> bool {
        self.leader_started.is_some() && start_time(self.window.leader) == self.leader_started
    }

    fn follow_spec(&self) -> FollowSpec {
        FollowSpec { id: self.id.clone(), log_dir: OsBytes::from(self.dir.as_os_str()), limits: self.limits }
    }
}

impl Backend for Tab {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(tmux) = self.tmux.as_ref().filter(|tmux| tmux.is_users()) {
            return tmux.type_once(&self.window, bytes);
        }
        let mut typing = self.typing.lock();
        // What another caller gave up is not ours to wait for.
        let flight = typing.take().filter(|flight| bytes.starts_with(&flight.piece));
        let flight = flight.map_or_else(|| self.type_some(bytes), Ok)?;
        match flight.ticket.wait(MOMENT) {
            Told::Done => Ok(flight.piece.len()),
            Told::Refused => Err(io::Error::other("tmux did not type it: its window may just have been closed")),
            Told::Unknown => Err(io::Error::other(
                "the connection to tmux broke while it was typed: look at the tab before you type it again",
            )),
            Told::NotYet => {
                *typing = Some(flight);
                Err(io::ErrorKind::WouldBlock.into())
            }
        }
    }

    fn tty(&self) -> Option<BorrowedFd<'_>> {
        self.tty.as_ref().map(AsFd::as_fd)
    }

    fn foreground(&self) -> Option<u32> {
        // Only the processes of a terminal may ask it; but what its session's leader knows is in `/proc`.
        if self.holder_lives() { foreground_of(self.window.holder) } else { None }
    }

    fn device(&self) -> Option<u64> {
        let number = self.window.tty.to_str()?.strip_prefix("/dev/pts/")?.parse().ok()?;
        (self.tty.is_some() && self.holder_lives()).then(|| crate::session::pts_device(number))
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.tmux()?.size(&self.window, size)
    }

    fn signal(&self, signal: i32, target: Target) -> io::Result<()> {
        let nobody = || io::Error::new(io::ErrorKind::NotFound, "there is no process to signal");
        let signal = Signal::from_named_raw(signal).ok_or(io::ErrorKind::InvalidInput)?;
        let ends_shell = target != Target::Foreground || self.foreground() == Some(self.window.leader);
        if self.whose == Whose::Theirs && ends_shell {
            return Err(io::Error::other("only its shell is in the foreground, and that is the user's"));
        }
        let number = match target {
            Target::Leader | Target::Group => Some(self.window.leader).filter(|_| self.leader_lives()),
            Target::Foreground => self.foreground(),
        };
        let pid = number.and_then(|number| Pid::from_raw(number.cast_signed())).ok_or_else(nobody)?;
        match target {
            Target::Leader => kill_process(pid, signal)?,
            Target::Group | Target::Foreground => kill_process_group(pid, signal)?,
        }
        Ok(())
    }

    fn leader(&self) -> u32 {
        self.window.leader
    }

    fn holder(&self) -> Option<u32> {
        Some(self.window.holder).filter(|_| self.whose == Whose::Ours)
    }

    fn whose(&self) -> Whose {
        self.whose
    }

    fn is_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }

    fn leave(&self) -> io::Result<()> {
        let Some(tmux) = self.tmux.as_ref().filter(|tmux| tmux.is_users()) else { return Ok(()) };
        let left = match self.whose {
            Whose::Ours => tmux.close(&self.id, &self.window),
            Whose::Theirs => tmux.unpipe(&self.window, &self.dir),
        };
        forget(&self.dir);
        if self.whose == Whose::Theirs {
            // For us it has ended. A keeper that does not know it any more needs no word.
            let _ = self.requests.mind(&self.id, NOBODY, self.window.when_stalled());
        }
        left.map_err(io::Error::other)
    }

    fn window(&self) -> Option<u32> {
        Some(self.window.number)
    }

    fn answers(&self) -> Answers {
        // tmux is the terminal here, and answers what programs ask it.
        Answers::Theirs
    }

    fn watch(&self, from: u64) -> io::Result<()> {
        self.requests.watch(&self.id, from).map_err(io::Error::other)
    }

    fn repair(&self) -> io::Result<Repaired> {
        let tmux = self.tmux()?;
        if !self.holder_lives() || !self.is_there(tmux).map_err(io::Error::other)? {
            return Ok(Repaired::Over);
        }
        if self.gives_way() || tmux.is_piped(&self.window).map_err(io::Error::other)? {
            // Somebody else takes the output now. Theirs is not taken away from them.
            self.heard.store(false, Ordering::Relaxed);
            return Ok(Repaired::Taken);
        }
        let repair = || -> Result<Piped, TmuxError> {
            match self.requests.follow(&self.follow_spec()) {
                // One that was never heard is followed all the time.
                Err(ClientError::Refused(Refusal::DuplicateId { .. })) if self.whose == Whose::Theirs => {}
                other => {
                    other?;
                    self.requests.mind(&self.id, self.window.holder, self.window.when_stalled())?;
                }
            }
            tmux.pipe(&self.window, &self.dir)
        };
        let piped = repair().map_err(io::Error::other)?;
        self.heard.store(piped == Piped::Ours, Ordering::Relaxed);
        Ok(if piped == Piped::Ours { Repaired::Mended } else { Repaired::Taken })
    }

    fn forget(&self) -> io::Result<()> {
        // It goes by itself when its shell has ended, unless something holds it.
        let closed = self.tmux.as_ref().map_or(Ok(()), |tmux| match self.whose {
            Whose::Ours => tmux.close(&self.id, &self.window),
            // Its shell may have been replaced by another, which is not ours to listen to.
            Whose::Theirs => tmux.unpipe(&self.window, &self.dir),
        });
        for path in [output_path(&self.dir), pane_ready_path(&self.dir)] {
            // Gone already is what we want.
            let _ = fs::remove_file(path);
        }
        match self.requests.forget(&self.id) {
            // An earlier try has done that part.
            Ok(()) | Err(ClientError::Refused(Refusal::UnknownSession { .. })) => {}
            Err(error) => return Err(io::Error::other(error)),
        }
        closed.map_err(io::Error::other)
    }
}
