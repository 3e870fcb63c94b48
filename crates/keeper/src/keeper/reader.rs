//! A thread that moves output into logs. It alone waits for output; what it knows of its sessions is behind one lock, which
//! nobody else holds for longer than a command takes.
//!
//! Commands are carried out by whoever gives them while the thread waits for output, for a change of threads takes longer
//! than most of them. While it is at work it finds them in its mailbox, and nobody waits for it.
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
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{EventfdFlags, Timespec, eventfd};

use super::follow::{Drain, Leaving, Minded};
use super::lock;
use super::outbox::Audience;
use super::tap::{Tap, TapToken, event_token, fill, parse_token};
use crate::{Event, Exit, Stream};

/// What one session may bring per turn before the others have theirs.
const PTY_TURN: usize = 256 << 10;
const PIPE_TURN: usize = 1 << 20;
const RETRY_EVERY: Duration = Duration::from_millis(250);
const EVENTS_PER_WAIT: usize = 64;
/// The token of the mailbox; sessions count from 1.
const MAILBOX: u64 = 0;

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
    work: Arc<Mutex<Work>>,
}

struct Mailbox {
    wake: OwnedFd,
    commands: Mutex<Vec<Command>>,
}

impl Mailbox {
    fn wake(&self) {
        // Fails only when the counter is full, and then the reader is awake anyway.
        let _awake = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
    }
}

impl Reader {
    pub fn start(name: &str, audience: Arc<Audience>) -> io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let mailbox = Arc::new(Mailbox { wake, commands: Mutex::default() });
        let epoll = Arc::new(epoll::create(epoll::CreateFlags::CLOEXEC)?);
        epoll::add(&epoll, &mailbox.wake, EventData::new_u64(MAILBOX), EventFlags::IN)?;
        let work = Work {
            mailbox: Arc::clone(&mailbox),
            audience,
            epoll: Arc::clone(&epoll),
            taps: HashMap::new(),
            leaving: Vec::new(),
            drains: Vec::new(),
            stalled: Vec::new(),
            retry_at: None,
            wakes_at: None,
            releasing: false,
            buffer: vec![0; PIPE_TURN],
        };
        let work = Arc::new(Mutex::new(work));
        let own = Arc::clone(&work);
        // It ends with the process: there is nothing in it that has to be put in order.
        let _detached =
            thread::Builder::new().name(name.to_owned()).stack_size(128 << 10).spawn(move || run(&own, &epoll))?;
        Ok(Self { mailbox, work })
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
        match self.work.try_lock() {
            Ok(mut work) => work.take_commands_for_reader(),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().take_commands_for_reader(),
            Err(TryLockError::WouldBlock) => self.mailbox.wake(),
        }
    }
}

/// The reader's own thread: waits for output without the lock, and has it while it works.
fn run(work: &Mutex<Work>, epoll: &OwnedFd) {
    let mut events = Vec::with_capacity(EVENTS_PER_WAIT);
    loop {
        let wakes_at = lock(work).goes_to_wait();
        let timeout = wakes_at.map(|at| {
            let left = at.saturating_duration_since(Instant::now());
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) }
        });
        events.clear();
        // INTR is the only error that can happen to a valid epoll, and the next turn repeats the wait.
        let _count = epoll::wait(epoll, spare_capacity(&mut events), timeout.as_ref());
        lock(work).turn(events.iter().map(|event| event.data.u64()));
    }
}

pub(super) struct Work {
    mailbox: Arc<Mailbox>,
    pub(super) audience: Arc<Audience>,
    pub(super) epoll: Arc<OwnedFd>,
    pub(super) taps: HashMap<TapToken, Tap>,
    /// Followed sessions whose process is gone, and whose last output is on its way.
    pub(super) leaving: Vec<Leaving>,
    /// FIFOs of forgotten sessions, oldest first.
    pub(super) drains: Vec<Drain>,
    stalled: Vec<TapToken>,
    retry_at: Option<Instant>,
    /// Until when the thread waits for output, if not for ever.
    wakes_at: Option<Instant>,
    /// The keeper ends, and nobody would let go on what is halted now.
    pub(super) releasing: bool,
    /// Shared by all sessions: a session at rest owns no buffer.
    pub(super) buffer: Vec<u8>,
}

impl Work {
    /// When something is to be done although nothing happens.
    fn deadline(&self) -> Option<Instant> {
        self.leaving.iter().map(|leaving| leaving.look_at).chain(self.retry_at).min()
    }

    fn goes_to_wait(&mut self) -> Option<Instant> {
        self.wakes_at = self.deadline();
        self.wakes_at
    }

    fn turn(&mut self, tokens: impl Iterator<Item = u64>) {
        for token in tokens {
            match token {
                MAILBOX => {
                    let _count = rustix::io::read(&self.mailbox.wake, &mut [0; 8]);
                    self.take_commands();
                }
                token => self.read(token),
            }
        }
        if self.retry_at.is_some_and(|at| at <= Instant::now()) {
            self.retry();
        }
        self.look_at_leaving();
    }

    /// The same on another thread, while the reader's own waits: it may have to wait less long then.
    fn take_commands_for_reader(&mut self) {
        self.take_commands();
        let next = self.deadline();
        if next.is_some_and(|next| self.wakes_at.is_none_or(|at| next < at)) {
            self.mailbox.wake();
        }
    }

    fn take_commands(&mut self) {
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
