//! The hub's side of the socket: requests that block until their answer, and one place where events come out.
//!
//! There is no thread in here. Whoever calls `Events::next` reads the socket, and hands answers to the callers
//! that wait for them.

use std::collections::{HashMap, VecDeque};
use std::io::Write as _;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use serde::de::DeserializeOwned;

use crate::fd_passing;
use crate::wire::{self, FrameBuffer, Hello, Listing, Named, Nothing, Outgoing, Reply, Request, Started, Welcome};
use crate::{
    BootTime, ClientError, Event, FollowSpec, PROTOCOL, Refusal, SessionId, SessionInfo, Size, SpawnSpec, Target,
    WhenStalled,
};

/// A start may wait for a slow disk; anything longer is a keeper that hangs, or nobody calling `Events::next`.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Whoever has no time at all gives the keeper so much.
const MIN_ANSWER_WITHIN: Duration = Duration::from_millis(500);
/// What is done at the last moment is still told in time.
const ANSWER_TRAVELS: Duration = Duration::from_millis(100);
const SHUTDOWN_WITHIN: Duration = Duration::from_secs(30);
const HELLO: u64 = 0;
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// A child that was started or found again.
#[derive(Debug)]
pub struct Spawned {
    pub pid: u32,
    /// A copy of the terminal's master, to write input and ask for facts. Non-blocking, as the keeper's own: they
    /// share the flag. Don't read from it: those bytes would be missing in the log. `None` for pipes.
    pub master: Option<OwnedFd>,
    /// A copy of the held end of the child's standard input, non-blocking as well. The child sees the end of its input
    /// when this is closed and `close_input` was called.
    pub stdin: Option<OwnedFd>,
}

/// Asks the keeper for things. Cheap to clone, usable from many threads at once.
#[derive(Clone)]
pub struct Requests {
    shared: Arc<Shared>,
    starts_within: Duration,
}

/// What the keeper tells. One thread must keep calling `next`: it brings in the answers to requests, too.
pub struct Events {
    shared: Arc<Shared>,
    buffer: FrameBuffer,
    /// Descriptors that came before the frames they belong to were whole.
    fds: VecDeque<OwnedFd>,
    /// The keeper has said that it ends.
    ending: bool,
}

struct Shared {
    /// Read only by `Events`, written only under `writing`.
    socket: UnixStream,
    writing: Mutex<()>,
    next_seq: AtomicU64,
    waiting: Mutex<Waiting>,
    keeper: Welcome,
}

#[derive(Default)]
struct Waiting {
    closed: bool,
    answers: HashMap<u64, SyncSender<Answer>>,
}

struct Answer {
    reply: Reply,
    fd: Option<OwnedFd>,
}

/// Connects to the keeper at `socket` and agrees on a protocol. A keeper that starts its hub itself refuses that.
pub fn connect(socket: &Path) -> Result<(Requests, Events), ClientError> {
    over(dial(socket)?)
}

/// Agrees on a protocol with the keeper at the other end of a channel.
pub fn over(stream: UnixStream) -> Result<(Requests, Events), ClientError> {
    let hello = Request::Hello(Hello {
        min_protocol: PROTOCOL,
        max_protocol: PROTOCOL,
        build: env!("CARGO_PKG_VERSION").to_owned(),
    });
    (&stream).write_all(&wire::frame(&Outgoing { seq: HELLO, until: None, request: &hello }))?;

    let mut buffer = FrameBuffer::default();
    let mut fds = VecDeque::new();
    let keeper: Welcome = await_answer(&stream, HELLO, &mut buffer, &mut fds, Some(HELLO_WITHIN))?;
    if keeper.protocol != PROTOCOL {
        return Err(Refusal::Protocol { keeper: keeper.protocol, min: PROTOCOL, max: PROTOCOL }.into());
    }
    let shared = Arc::new(Shared {
        socket: stream,
        writing: Mutex::default(),
        next_seq: AtomicU64::new(1),
        waiting: Mutex::default(),
        keeper,
    });
    Ok((
        Requests { shared: Arc::clone(&shared), starts_within: ANSWER_WITHIN },
        Events { shared, buffer, fds, ending: false },
    ))
}

pub fn dial(socket: &Path) -> Result<UnixStream, ClientError> {
    UnixStream::connect(socket).map_err(|source| ClientError::Connect { socket: socket.to_owned(), source })
}

/// The answer to request `seq`, on a connection that nobody else reads.
pub fn await_answer<T: DeserializeOwned>(
    stream: &UnixStream,
    seq: u64,
    buffer: &mut FrameBuffer,
    fds: &mut VecDeque<OwnedFd>,
    within: Option<Duration>,
) -> Result<T, ClientError> {
    let deadline = within.map(|within| Instant::now() + within);
    let mut reply = loop {
        if let Some(reply) = next_reply(buffer)? {
            if reply.seq == Some(seq) {
                break reply;
            }
            continue;
        }
        if !receive(stream, buffer, fds, deadline)? {
            return Err(ClientError::NoAnswer { keeper: None, within: within.unwrap_or_default() });
        }
    };
    match reply.refusal() {
        Some(refusal) => Err(refusal.into()),
        None => body(reply),
    }
}

impl Requests {
    /// For a hub that its keeper has started: it serves from now on.
    pub fn serving(&self) -> Result<(), ClientError> {
        self.ask(Request::Serving(Nothing {})).map(drop)
    }

    pub fn keeper_pid(&self) -> u32 {
        self.shared.keeper.pid
    }

    /// The build the keeper was started from, which may be older than the hub.
    pub fn keeper_version(&self) -> &str {
        &self.shared.keeper.build
    }

    /// For a start that somebody waits for no longer than this. Everything else takes its usual time.
    #[must_use]
    pub fn starting_within(&self, time: Duration) -> Self {
        Self { starts_within: time.clamp(MIN_ANSWER_WITHIN, ANSWER_WITHIN), ..self.clone() }
    }

    pub fn spawn(&self, spec: &SpawnSpec) -> Result<Spawned, ClientError> {
        let id = spec.id.clone();
        let spec = Box::new(spec.clone());
        let request = if spec.sandbox.is_some() { Request::SpawnConfined(spec) } else { Request::Spawn(spec) };
        let started = self.ask_within(request, self.starts_within).and_then(started);
        if matches!(started, Err(ClientError::NoAnswer { .. })) {
            // It is not started any more, unless this very moment, or by a keeper from before there was a time limit. The
            // order of requests is kept, and nobody waits for the answer.
            let kill = wire::Signal { id, number: libc::SIGKILL, target: Target::Group };
            let seq = self.shared.next_seq.fetch_add(1, Ordering::Relaxed);
            let _gone = self.send(seq, None, &Request::Signal(kill));
        }
        started
    }

    /// Begins to write the log of a terminal that somebody else runs. A followed session whose output was cut off can
    /// be followed again under the same id.
    pub fn follow(&self, spec: &FollowSpec) -> Result<(), ClientError> {
        self.ask(Request::Follow(Box::new(spec.clone()))).map(drop)
    }

    /// Says by which process's end a followed terminal has ended, and what is done while its log can't be written.
    pub fn mind(&self, id: &SessionId, pid: u32, when_stalled: WhenStalled) -> Result<(), ClientError> {
        self.ask(Request::Mind(wire::Mind { id: id.clone(), pid, when_stalled })).map(drop)
    }

    /// The pid of a session that exists, and a new copy of its master.
    pub fn attach(&self, id: &SessionId) -> Result<Spawned, ClientError> {
        self.ask(Request::Attach(Named { id: id.clone() })).and_then(started)
    }

    pub fn list(&self) -> Result<Vec<SessionInfo>, ClientError> {
        let answer = self.ask(Request::List(Nothing {}))?;
        Ok(body::<Listing>(answer.reply)?.sessions)
    }

    pub fn resize(&self, id: &SessionId, size: Size) -> Result<(), ClientError> {
        self.ask(Request::Resize(wire::Resize { id: id.clone(), size })).map(drop)
    }

    pub fn signal(&self, id: &SessionId, number: i32, target: Target) -> Result<(), ClientError> {
        self.ask(Request::Signal(wire::Signal { id: id.clone(), number, target })).map(drop)
    }

    /// Closes what the keeper holds of an ended session. Refused with `StillRunning` while a child lives; one that is only
    /// followed can be forgotten at any time. The log
    /// stays; bytes that were not read yet are gone, so wait for `Eof` first if they matter.
    pub fn forget(&self, id: &SessionId) -> Result<(), ClientError> {
        self.ask(Request::Forget(Named { id: id.clone() })).map(drop)
    }

    /// Lets go of the standard input that the keeper holds. No error when that was done before.
    pub fn close_input(&self, id: &SessionId) -> Result<(), ClientError> {
        self.ask(Request::CloseInput(Named { id: id.clone() })).map(drop)
    }

    /// Asks for one `Grew` as soon as the log ends after `from`. A second call before that replaces the first.
    /// There is no answer: an unknown session just never grows.
    pub fn watch(&self, id: &SessionId, from: u64) -> Result<(), ClientError> {
        let seq = self.shared.next_seq.fetch_add(1, Ordering::Relaxed);
        self.send(seq, None, &Request::Watch(wire::Watch { id: id.clone(), from }))
    }

    /// Ends every child and the keeper. Returns when the children are gone and the socket is removed.
    pub fn shutdown(&self) -> Result<(), ClientError> {
        // It ends everything first.
        match self.ask_within(Request::Shutdown(Nothing {}), SHUTDOWN_WITHIN) {
            // The connection can close before the answer is read; either way it is done.
            Ok(_) | Err(ClientError::Closed) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn ask(&self, request: Request) -> Result<Answer, ClientError> {
        self.ask_within(request, ANSWER_WITHIN)
    }

    fn ask_within(&self, request: Request, within: Duration) -> Result<Answer, ClientError> {
        let until = BootTime::now().0 + within;
        let until = u64::try_from(until.as_nanos()).ok();
        let seq = self.shared.next_seq.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = sync_channel(1);
        {
            let mut waiting = lock(&self.shared.waiting);
            if waiting.closed {
                return Err(ClientError::Closed);
            }
            waiting.answers.insert(seq, sender);
        }
        let received = match self.send(seq, until, &request) {
            Ok(()) => receiver.recv_timeout(within + ANSWER_TRAVELS).map_err(|error| match error {
                RecvTimeoutError::Timeout => ClientError::NoAnswer { keeper: Some(self.keeper_pid()), within },
                RecvTimeoutError::Disconnected => ClientError::Closed,
            }),
            Err(error) => Err(error),
        };
        drop(request);
        let mut answer = match received {
            Ok(answer) => answer,
            Err(error) => {
                lock(&self.shared.waiting).answers.remove(&seq);
                return Err(error);
            }
        };
        match answer.reply.refusal() {
            Some(refusal) => Err(refusal.into()),
            None => Ok(answer),
        }
    }

    fn send(&self, seq: u64, until: Option<u64>, request: &Request) -> Result<(), ClientError> {
        let frame = wire::frame(&Outgoing { seq, until, request });
        if frame.len() > wire::MAX_FRAME {
            return Err(ClientError::TooLong { len: frame.len(), max: wire::MAX_FRAME });
        }
        let _writing = lock(&self.shared.writing);
        // The keeper always reads, whatever it has to send, so this can't wait for ourselves.
        (&self.shared.socket).write_all(&frame).map_err(|error| match error.kind() {
            std::io::ErrorKind::BrokenPipe | std::io::ErrorKind::ConnectionReset => ClientError::Closed,
            _ => ClientError::Io(error),
        })
    }
}

impl Events {
    /// The next event; `Ok(None)` when `timeout` has passed without one, `Err(Ended)` when the keeper ended
    /// in order, `Err(Closed)` when it was lost.
    pub fn next(&mut self, timeout: Option<Duration>) -> Result<Option<Event>, ClientError> {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let result = match self.next_until(deadline) {
            Err(ClientError::Closed) if self.ending => Err(ClientError::Ended),
            other => other,
        };
        if result.is_err() {
            self.shared.close();
        }
        result
    }

    fn next_until(&mut self, deadline: Option<Instant>) -> Result<Option<Event>, ClientError> {
        loop {
            while let Some(mut reply) = next_reply(&mut self.buffer)? {
                // Taken even if nobody waits any more, or later answers would get the wrong descriptor.
                let fd = if reply.fd { self.fds.pop_front() } else { None };
                self.ending |= reply.ending;
                if let Some(seq) = reply.seq {
                    if let Some(caller) = lock(&self.shared.waiting).answers.remove(&seq) {
                        // The channel has room for its one answer; a caller that gave up is no error.
                        let _gone = caller.try_send(Answer { reply, fd });
                    }
                } else if let Some(event) = reply.event.take() {
                    // A newer keeper may tell more than this version knows.
                    if let Ok(event) = serde_json::from_value(event) {
                        return Ok(Some(event));
                    }
                }
            }
            if !receive(&self.shared.socket, &mut self.buffer, &mut self.fds, deadline)? {
                return Ok(None);
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl Shared {
    /// Nobody reads answers from here on: those who wait for one are told at once.
    fn close(&self) {
        let mut waiting = lock(&self.waiting);
        waiting.closed = true;
        waiting.answers.clear();
        let _already_closed = self.socket.shutdown(Shutdown::Both);
    }
}

impl std::fmt::Debug for Requests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Requests").field("keeper", &self.shared.keeper).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").field("keeper", &self.shared.keeper).finish_non_exhaustive()
    }
}

fn started(answer: Answer) -> Result<Spawned, ClientError> {
    let started: Started = body(answer.reply)?;
    let (stdin, master) = if started.stdin { (answer.fd, None) } else { (None, answer.fd) };
    Ok(Spawned { pid: started.pid, master, stdin })
}

fn next_reply(buffer: &mut FrameBuffer) -> Result<Option<Reply>, ClientError> {
    let frame = buffer.next().map_err(|error| ClientError::Garbled(error.to_string()))?;
    let Some(frame) = frame else { return Ok(None) };
    serde_json::from_slice(frame).map(Some).map_err(|error| ClientError::Garbled(error.to_string()))
}

fn body<T: DeserializeOwned>(reply: Reply) -> Result<T, ClientError> {
    serde_json::from_value(reply.ok.unwrap_or_default()).map_err(|error| ClientError::Garbled(error.to_string()))
}

/// Reads once, waiting until `deadline`. `Ok(false)`: nothing came in time.
fn receive(
    socket: &UnixStream,
    buffer: &mut FrameBuffer,
    fds: &mut VecDeque<OwnedFd>,
    deadline: Option<Instant>,
) -> Result<bool, ClientError> {
    loop {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let left = left.map(|left| Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) });
        let mut ready = [PollFd::new(socket, PollFlags::IN)];
        match poll(&mut ready, left.as_ref()) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(ClientError::Io(error.into())),
        }
        let mut bytes = [0; 16 << 10];
        match fd_passing::receive(socket, &mut bytes, fds, RecvFlags::DONTWAIT) {
            Ok(0) | Err(Errno::CONNRESET) => return Err(ClientError::Closed),
            Ok(received) => {
                buffer.push(&bytes[..received]);
                return Ok(true);
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(ClientError::Io(error.into())),
        }
    }
}

/// A panic of another thread between two plain statements leaves nothing half done here, so poison is ignored.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
