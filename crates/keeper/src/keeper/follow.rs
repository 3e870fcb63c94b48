//! Sessions that somebody else runs (tmux): their output comes through a FIFO, their end is the end of a process.
//!
//! ```text
//!              end of file                      process gone
//!   open ─────────────────────► cut off ──────────────────────────► over: Exited or Lost, then Eof
//!     │  process gone                            ▲
//!     ▼           end of file                    │
//!   leaving ─────────────────────────────────────┤
//!     │  next to nothing comes any more          │ end of file
//!     ▼                                          │
//!   told: Exited or Lost; what else comes is logged, and Eof waits
//!
//!   forgotten, but somebody still writes: drained to nowhere until the end of file, for a writer to a FIFO that
//!   nobody reads would wait for ever
//! ```
//!
//! Who runs the terminal writes the `exit` file before its process ends, and closes the FIFO after the last byte. So
//! with the end of file and that file everything is known. A FIFO that ends while the process lives was cut off by
//! somebody; the hub can follow it again.

use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::control::Control;
use super::halt::{self, Halt};
use super::log::{Marks, NewLog};
use super::reader::Work;
use super::session::{Outcome, Session};
use super::table::Held;
use super::tap::{Tap, TapToken, event_token, fill};
use crate::wire::{Mind, Nothing};
use crate::{Event, FollowSpec, Refusal, Stream, WhenStalled, layout};

/// How long output may be on its way after the process is gone, unless more of it comes all the time.
const PATIENCE: Duration = Duration::from_secs(2);
/// More than this within `PATIENCE` is a backlog that tmux still hands out. Less comes from programs that the shell left
/// behind, and they may print for ever.
const BACKLOG: u64 = 64 << 10;
/// How many forgotten FIFOs are drained at most by one reader. The oldest is closed for a newer one.
const MAX_DRAINS: usize = 64;

/// What the log says where output is missing.
const MISSING: &[u8] =
    b"\r\n[flightdeck: the log could not be written, and what was printed from here on is missing]\r\n";

/// A followed session whose process is gone.
pub struct Leaving {
    pub look_at: Instant,
    token: TapToken,
    /// Where its log ended when this was noted.
    end: u64,
}

/// A FIFO that was forgotten and still has a writer.
pub struct Drain {
    token: TapToken,
    fifo: OwnedFd,
}

/// What is known of the process of a followed session.
pub enum Followed {
    /// Nobody has said yet which one it is.
    Unknown,
    Alive(Minded),
    Gone,
}

/// A process whose end counts. While its `pidfd` is open and it lives, the number is nobody else's.
pub struct Minded {
    pub pidfd: OwnedFd,
    pub pid: Pid,
    when_stalled: WhenStalled,
}

impl Control {
    pub(super) fn follow(&mut self, spec: &FollowSpec) -> Result<Nothing, Refusal> {
        if let Ok(held) = self.table.get(&spec.id) {
            let cut_off = held.is_followed() && held.session.eof();
            if !cut_off {
                return Err(Refusal::DuplicateId { id: spec.id.clone() });
            }
            let held = self.table.remove_ended(&spec.id)?;
            self.readers[held.reader].remove(held.token);
        }
        if !spec.log_dir.as_path().is_absolute() {
            return Err(Refusal::Invalid { reason: format!("log_dir {:?} is not absolute", spec.log_dir) });
        }
        let failed = |error: &std::io::Error| match error.raw_os_error() {
            Some(libc::EMFILE | libc::ENFILE) => Refusal::TooManyFiles,
            _ => Refusal::Other { text: format!("the output of {} can't be followed: {error}", spec.log_dir) },
        };
        let log_dir: Arc<std::path::Path> = Arc::from(spec.log_dir.as_path());
        // A FIFO that nobody has written to yet reads as ended; the reader looks only when the kernel tells it to.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let fifo = open(layout::output_path(&log_dir), flags, Mode::empty()).map_err(|error| failed(&error.into()))?;
        let log = NewLog::resume(Arc::clone(&log_dir), spec.limits, Marks::None).map_err(|error| failed(&error))?;
        let token = TapToken(self.next_tap);
        self.next_tap += 1;
        let log = log.writer;
        let session = Arc::new(Session::followed(spec.id.clone(), log_dir, log.end()));
        let held = Held {
            session: Arc::clone(&session),
            token,
            reader: self.idlest_reader(),
            exit: None,
            exit_unwritten: false,
        };
        self.readers[held.reader].add(Tap {
            token,
            session,
            log,
            master_open: false,
            pipes: [Some(fifo), None],
            followed: Some(Followed::Unknown),
            unwritten: None,
            halt: None,
            exit_untold: None,
        });
        self.table.insert(held);
        Ok(Nothing {})
    }

    pub(super) fn mind(&self, mind: &Mind) -> Result<Nothing, Refusal> {
        let held = self.table.get(&mind.id)?;
        if !held.is_followed() {
            return Err(Refusal::Invalid { reason: format!("session {} is not followed", mind.id) });
        }
        let process = i32::try_from(mind.pid).ok().and_then(Pid::from_raw).and_then(|pid| {
            let pidfd = pidfd_open(pid, PidfdFlags::empty()).ok()?;
            Some(Minded { pidfd, pid, when_stalled: mind.when_stalled })
        });
        self.readers[held.reader].mind(held.token, process);
        Ok(Nothing {})
    }
}

impl Work {
    pub(super) fn mind(&mut self, token: TapToken, process: Option<Minded>) {
        let Some(tap) = self.taps.get_mut(&token) else { return };
        let data = EventData::new_u64(event_token(token, Stream::Stderr));
        let minded = process.filter(|process| epoll::add(&self.epoll, &process.pidfd, data, EventFlags::IN).is_ok());
        match minded {
            Some(process) => {
                if process.when_stalled == WhenStalled::Halt {
                    halt::release(&process);
                }
                tap.followed = Some(Followed::Alive(process));
                if tap.unwritten.is_some() && !self.releasing {
                    tap.hold_back();
                }
            }
            None => self.process_ended(token),
        }
    }

    /// The process is gone: what it printed last is still on its way.
    pub(super) fn process_ended(&mut self, token: TapToken) {
        let Some(tap) = self.taps.get_mut(&token) else { return };
        tap.halt = None;
        if let Some(Followed::Alive(process)) = tap.followed.replace(Followed::Gone) {
            let _not_in = epoll::delete(&self.epoll, process.pidfd.as_fd());
        }
        if tap.open_sources().next().is_some() || tap.unwritten.is_some() {
            let end = tap.log.end();
            self.leaving.push(Leaving { look_at: Instant::now() + PATIENCE, token, end });
        } else {
            self.finish_followed(token);
        }
    }

    /// Tells the end of those whose output has come, though it may not have ended.
    pub(super) fn look_at_leaving(&mut self) {
        let now = Instant::now();
        let (due, rest) = std::mem::take(&mut self.leaving).into_iter().partition(|leaving| leaving.look_at <= now);
        self.leaving = rest;
        let due: Vec<Leaving> = due;
        for Leaving { token, end: before, .. } in due {
            // This thread may have been away for long, and there may be more than the last turns have taken.
            self.read(event_token(token, Stream::Stdout));
            let Some(tap) = self.taps.get(&token).filter(|tap| tap.open_sources().next().is_some()) else { continue };
            let end = tap.log.end();
            // What could not be written is followed by more.
            if tap.unwritten.is_some() || end - before > BACKLOG {
                self.leaving.push(Leaving { look_at: Instant::now() + PATIENCE, token, end });
            } else {
                self.tell_outcome(token);
            }
        }
    }

    /// Keeps a forgotten FIFO until its writer has gone, so that the writer can go.
    pub(super) fn drain(&mut self, token: TapToken, fifo: OwnedFd) {
        if self.drains.len() == MAX_DRAINS {
            self.drains.remove(0);
        }
        let data = EventData::new_u64(event_token(token, Stream::Stdout));
        // It is there already, unless the log was stalled.
        if matches!(epoll::add(&self.epoll, &fifo, data, EventFlags::IN), Ok(()) | Err(Errno::EXIST)) {
            self.drains.push(Drain { token, fifo });
            // Without any writer this is the end of file, of which the kernel may not tell.
            self.drain_turn(token);
        }
    }

    /// Takes what there is of a forgotten FIFO.
    pub(super) fn drain_turn(&mut self, token: TapToken) {
        let Some(at) = self.drains.iter().position(|drain| drain.token == token) else { return };
        let (_, ended) = fill(self.drains[at].fifo.as_fd(), &mut self.buffer);
        if ended {
            // Closing the only descriptor takes it out of epoll.
            self.drains.remove(at);
        }
    }

    /// Tells what is known when no more output can come.
    pub(super) fn finish_followed(&mut self, token: TapToken) {
        let Some(tap) = self.taps.get(&token) else { return };
        if tap.open_sources().next().is_some() || tap.unwritten.is_some() {
            return;
        }
        self.tell_outcome(token);
        let Some(tap) = self.taps.get(&token) else { return };
        if !tap.session.eof() {
            tap.session.set_eof();
            self.audience.tell(&Event::Eof { id: tap.session.id.clone(), end: tap.log.end() });
        }
    }

    /// Tells how it ended, if that is known and was not told.
    fn tell_outcome(&mut self, token: TapToken) {
        let Some(tap) = self.taps.get(&token) else { return };
        let (id, end) = (tap.session.id.clone(), tap.log.end());
        if let Outcome::Open = tap.session.outcome() {
            let gone = matches!(tap.followed, Some(Followed::Gone));
            match layout::read_exit(&tap.session.log_dir) {
                Some(exit) => {
                    tap.session.set_outcome(Outcome::Exited(exit));
                    self.audience.tell(&Event::Exited { id, exit, log_end: end });
                }
                None if gone => {
                    tap.session.set_outcome(Outcome::Lost);
                    self.audience.tell(&Event::Lost { id, end });
                }
                None => {}
            }
        }
    }
}

impl Tap {
    /// Lets nobody print, or keep, what can't be written. A terminal that may not be halted is not listened to any more:
    /// its FIFO is closed, so its writer ends. When the rest is written, it counts as cut off, and the hub follows anew.
    pub(super) fn hold_back(&mut self) {
        let Some(Followed::Alive(process)) = &self.followed else { return };
        match process.when_stalled {
            WhenStalled::Halt => self.halt = self.halt.take().or_else(|| Halt::of(process)),
            WhenStalled::Leave => {
                self.close(Stream::Stdout);
                if let Some((_, rest)) = &mut self.unwritten {
                    rest.extend_from_slice(MISSING);
                }
            }
        }
    }
}
