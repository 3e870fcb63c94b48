//! A thread that moves output into logs. It alone owns the writers and the epoll of its sessions, so nothing is
//! locked on the way of a byte.
//!
//! ```text
//!            readable            log full              retry works
//!   open ───────────────► open ───────────► stalled ───────────────► open
//!     │  read, one write                    (not in epoll: the child
//!     ▼  end of file                         waits, bytes are kept)
//!   closed
//! ```

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{EventfdFlags, Timespec, eventfd};
use rustix::io::Errno;

use super::follow::{Drain, Followed, Leaving, Minded};
use super::halt::Halt;
use super::lock;
use super::log::LogWriter;
use super::outbox::Audience;
use super::session::Session;
use crate::{Event, Exit, Stream};

/// What one session may bring per turn before the others have theirs.
const PTY_TURN: usize = 256 << 10;
const PIPE_TURN: usize = 1 << 20;
const RETRY_EVERY: Duration = Duration::from_millis(250);
const EVENTS_PER_WAIT: usize = 64;
/// The token of the mailbox; sessions count from 1.
const MAILBOX: u64 = 0;

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

enum Command {
    /// The keeper ends: whatever is halted goes on, and this tells when it does.
    Release(SyncSender<()>),
    Add(Box<Tap>),
    Exited(TapToken, Exit),
    Mind(TapToken, Option<Minded>),
    Remove(TapToken),
}

/// The control thread's end. Its queue is bounded by the number of sessions: each is added, minded, ends and is removed once.
pub struct Reader {
    mailbox: Arc<Mailbox>,
}

struct Mailbox {
    wake: OwnedFd,
    commands: Mutex<Vec<Command>>,
}

impl Reader {
    pub fn start(name: &str, audience: Arc<Audience>) -> io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let mailbox = Arc::new(Mailbox { wake, commands: Mutex::default() });
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &mailbox.wake, EventData::new_u64(MAILBOX), EventFlags::IN)?;
        let work = Work {
            mailbox: Arc::clone(&mailbox),
            audience,
            epoll,
            taps: HashMap::new(),
            leaving: Vec::new(),
            drains: Vec::new(),
            stalled: Vec::new(),
            retry_at: None,
            releasing: false,
            buffer: vec![0; PIPE_TURN],
        };
        // It ends with the process: there is nothing in it that has to be put in order.
        let _detached = thread::Builder::new().name(name.to_owned()).stack_size(128 << 10).spawn(|| work.run())?;
        Ok(Self { mailbox })
    }

    pub fn add(&self, tap: Tap) {
        self.post(Command::Add(Box::new(tap)));
    }

    /// The child has ended: tells so once its last output is in the log.
    pub fn exited(&self, token: TapToken, exit: Exit) {
        self.post(Command::Exited(token, exit));
    }

    /// The process whose end is the end of a followed session; `None` when it is gone already.
    pub fn mind(&self, token: TapToken, process: Option<Minded>) {
        self.post(Command::Mind(token, process));
    }

    /// Lets all halted terminals go on, and halts none any more. What comes tells when that is done.
    pub fn release(&self) -> Receiver<()> {
        let (done, told) = sync_channel(1);
        self.post(Command::Release(done));
        told
    }

    pub fn remove(&self, token: TapToken) {
        self.post(Command::Remove(token));
    }

    fn post(&self, command: Command) {
        lock(&self.mailbox.commands).push(command);
        // Fails only when the counter is full, and then the reader is awake anyway.
        let _awake = rustix::io::write(&self.mailbox.wake, &1u64.to_ne_bytes());
    }
}

pub(super) struct Work {
    mailbox: Arc<Mailbox>,
    pub(super) audience: Arc<Audience>,
    pub(super) epoll: OwnedFd,
    pub(super) taps: HashMap<TapToken, Tap>,
    /// Followed sessions whose process is gone, and whose last output is on its way.
    pub(super) leaving: Vec<Leaving>,
    /// FIFOs of forgotten sessions, oldest first.
    pub(super) drains: Vec<Drain>,
    stalled: Vec<TapToken>,
    retry_at: Option<Instant>,
    /// The keeper ends, and nobody would let go on what is halted now.
    pub(super) releasing: bool,
    /// Shared by all sessions: a session at rest owns no buffer.
    pub(super) buffer: Vec<u8>,
}

impl Work {
    fn run(mut self) {
        let mut events = Vec::with_capacity(EVENTS_PER_WAIT);
        loop {
            let leaving = self.leaving.iter().map(|leaving| leaving.look_at).min();
            let timeout = [self.retry_at, leaving].into_iter().flatten().min().map(|at| {
                let left = at.saturating_duration_since(Instant::now());
                Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) }
            });
            events.clear();
            // INTR is the only error that can happen to a valid epoll, and the next turn repeats the wait.
            let _count = epoll::wait(&self.epoll, spare_capacity(&mut events), timeout.as_ref());
            for event in &events {
                match event.data.u64() {
                    MAILBOX => self.take_commands(),
                    token => self.read(token),
                }
            }
            if self.retry_at.is_some_and(|at| at <= Instant::now()) {
                self.retry();
            }
            self.look_at_leaving();
        }
    }

    fn take_commands(&mut self) {
        let _count = rustix::io::read(&self.mailbox.wake, &mut [0; 8]);
        let commands = std::mem::take(&mut *lock(&self.mailbox.commands));
        for command in commands {
            match command {
                Command::Release(done) => {
                    self.releasing = true;
                    self.taps.values_mut().for_each(|tap| tap.halt = None);
                    // Nobody may wait for it any more.
                    let _gone = done.try_send(());
                }
                Command::Add(tap) => {
                    let token = tap.token;
                    self.taps.insert(token, *tap);
                    self.listen(token);
                }
                Command::Exited(token, exit) => {
                    if let Some(tap) = self.taps.get_mut(&token) {
                        tap.exit_untold = Some(exit);
                    }
                    self.tell_exit(token);
                }
                Command::Mind(token, process) => self.mind(token, process),
                Command::Remove(token) => {
                    if let Some(mut tap) = self.taps.remove(&token) {
                        if let Some(fifo) = tap.followed.as_ref().and_then(|_| tap.pipes[0].take()) {
                            self.drain(token, fifo);
                        }
                        // A hub may hold a copy of the master, so closing ours would not take it out of epoll.
                        for (_, fd) in tap.open_sources() {
                            let _not_in = epoll::delete(&self.epoll, fd);
                        }
                    }
                }
            }
        }
    }

    /// Puts what is open of a session into epoll.
    fn listen(&mut self, token: TapToken) {
        let Some(tap) = self.taps.get_mut(&token) else {
            return;
        };
        let mut failed = None;
        for (stream, fd) in tap.open_sources() {
            let data = EventData::new_u64(event_token(token, stream));
            if let Err(error) = epoll::add(&self.epoll, fd, data, EventFlags::IN) {
                failed = Some(error);
            }
        }
        if let Some(error) = failed {
            // Out of kernel memory or epoll watches: the child waits, and this is tried again.
            for (_, fd) in tap.open_sources() {
                let _not_in = epoll::delete(&self.epoll, fd);
            }
            let nothing = (Stream::Stdout, Vec::new());
            self.stall(token, nothing, &error.into());
        }
    }

    /// One turn of one session: read what is there, up to the bound, and write it at once.
    pub(super) fn read(&mut self, event_token: u64) {
        let (token, stream) = parse_token(event_token);
        if stream == Stream::Stderr && self.taps.get(&token).is_some_and(|tap| tap.followed.is_some()) {
            return self.process_ended(token);
        }
        let Some(tap) = self.taps.get_mut(&token) else {
            return self.drain_turn(token);
        };
        // The other pipe of a session that stalled a moment ago.
        if tap.unwritten.is_some() {
            return;
        }
        let turn = if tap.session.master.is_some() { PTY_TURN } else { PIPE_TURN };
        let Some(fd) = tap.source(stream) else { return };
        let (filled, ended) = fill(fd, &mut self.buffer[..turn]);
        if ended {
            let _not_in = epoll::delete(&self.epoll, fd);
            tap.close(stream);
        }
        let (written, result) = tap.log.append(stream, &self.buffer[..filled]);
        if written > 0 {
            tap.session.grew(tap.log.end());
        }
        match result {
            Ok(()) if ended => self.finish(token),
            Ok(()) => {}
            Err(error) => {
                let rest = self.buffer[written..filled].to_vec();
                self.stall(token, (stream, rest), &error);
            }
        }
    }

    fn stall(&mut self, token: TapToken, unwritten: (Stream, Vec<u8>), error: &io::Error) {
        let Some(tap) = self.taps.get_mut(&token) else {
            return;
        };
        for (_, fd) in tap.open_sources() {
            let _not_in = epoll::delete(&self.epoll, fd);
        }
        tap.unwritten = Some(unwritten);
        if !self.releasing {
            tap.hold_back();
        }
        self.stalled.push(token);
        self.retry_at.get_or_insert_with(|| Instant::now() + RETRY_EVERY);
        let reason = format!("the log in {} can't be written: {error}", tap.session.log_dir.display());
        tap.session.set_stalled(Some(reason.clone()));
        self.audience.tell(&Event::Stalled { id: tap.session.id.clone(), reason: Some(reason) });
    }

    fn retry(&mut self) {
        self.retry_at = None;
        let mut resumed = Vec::new();
        self.stalled.retain(|token| {
            let Some(tap) = self.taps.get_mut(token) else {
                return false;
            };
            let works = tap.write_unwritten();
            if works {
                resumed.push(*token);
            }
            !works
        });
        for token in resumed {
            let Some(tap) = self.taps.get_mut(&token) else {
                continue;
            };
            tap.halt = None;
            tap.session.set_stalled(None);
            self.audience.tell(&Event::Stalled { id: tap.session.id.clone(), reason: None });
            self.listen(token);
            self.finish(token);
            self.tell_exit(token);
        }
        if !self.stalled.is_empty() {
            self.retry_at.get_or_insert_with(|| Instant::now() + RETRY_EVERY);
        }
    }

    /// Says how the child ended, after everything that it printed before.
    ///
    /// One more turn takes all of that: a turn is larger than what a terminal or pipe can hold, and a terminal says
    /// that it is empty only after the kernel has moved on what was on its way. So no time needs to be waited.
    fn tell_exit(&mut self, token: TapToken) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let open = self.taps.get(&token).is_some_and(|tap| tap.open_sources().any(|(open, _)| open == stream));
            if open {
                self.read(event_token(token, stream));
            }
        }
        let Some(tap) = self.taps.get_mut(&token) else {
            return;
        };
        if tap.unwritten.is_some() {
            // The disk is full. It is told when the rest is written.
            return;
        }
        if let Some(exit) = tap.exit_untold.take() {
            tap.session.set_drained();
            self.audience.tell(&Event::Exited { id: tap.session.id.clone(), exit, log_end: tap.log.end() });
        }
    }

    /// Says so once nothing more can come.
    fn finish(&mut self, token: TapToken) {
        let Some(tap) = self.taps.get(&token) else {
            return;
        };
        if tap.followed.is_some() {
            return self.finish_followed(token);
        }
        if tap.open_sources().next().is_none() && tap.unwritten.is_none() && !tap.session.eof() {
            tap.session.set_eof();
            self.audience.tell(&Event::Eof { id: tap.session.id.clone(), end: tap.log.end() });
        }
    }
}

impl Tap {
    fn source(&self, stream: Stream) -> Option<BorrowedFd<'_>> {
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
    fn write_unwritten(&mut self) -> bool {
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

fn parse_token(token: u64) -> (TapToken, Stream) {
    (TapToken(token >> 1), if token & 1 == 0 { Stream::Stdout } else { Stream::Stderr })
}
