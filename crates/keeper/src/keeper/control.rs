//! The control thread: one wait for connections, signals and deadlines, and one method for each of them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use rustix::process::{
    Resource, Rlimit, WaitOptions, geteuid, getpid, getrlimit, set_child_subreaper, setrlimit, wait,
};

use super::KeeperOptions;
use super::hub_life::HubLife;
use super::outbox::{Audience, Outbox};
use super::reader::Reader;
use super::signals::{Incoming, SignalFd};
use super::socket::Endpoint;
use super::table::Table;
use super::terminal::Terminal;
use crate::loss::RunningMark;
use crate::wire::{Envelope, FrameBuffer, MAX_DIALLED_FRAME, MAX_FRAME};
use crate::{Exit, KeeperError};

const READERS: usize = 2;
/// A workspace has one hub and perhaps a few tools that look.
const MAX_CONNECTIONS: usize = 256;
/// Of those that have only dialled a keeper with a hub of its own. They have one thing to ask, so the oldest ones go
/// first.
const MAX_DIALLED: usize = 128;
const EVENTS_PER_WAIT: usize = 64;
const READ_BYTES: usize = 16 << 10;
const RETRY_EXITS_EVERY: Duration = Duration::from_secs(1);

const LISTENER: u64 = 0;
const SIGNALS: u64 = 1;
const SPAWNER: u64 = 2;
const FIRST_CONNECTION: u64 = 3;

pub struct Control {
    pub(super) options: KeeperOptions,
    pub(super) endpoint: Endpoint,
    pub(super) signals: SignalFd,
    pub(super) table: Table,
    pub(super) readers: Vec<Reader>,
    pub(super) audience: Arc<Audience>,
    /// The limit of open files that children get.
    pub(super) open_files: Rlimit,
    pub(super) next_tap: u64,
    /// For the next session that wants one. `None` where none was to be had.
    pub(super) next_terminal: Option<Terminal>,
    /// Set by a request or signal to end; who asked gets an answer when it is done.
    pub(super) ending: Option<Ending>,
    /// Taken away at an end in order.
    pub(super) running: Option<RunningMark>,
    /// The hub that this keeper starts, if it does.
    pub(super) hub: Option<HubLife>,
    epoll: Arc<OwnedFd>,
    connections: HashMap<u64, Connection>,
    next_connection: u64,
    /// Given up for a moment when descriptors run out, so that a waiting client can be turned away.
    spare: Option<File>,
    idle_since: Option<Instant>,
    retry_exits_at: Option<Instant>,
}

#[derive(Default)]
pub struct Ending {
    pub asked_by: Vec<(Arc<Outbox>, u64)>,
}

pub struct Connection {
    pub outbox: Arc<Outbox>,
    pub greeted: bool,
    pub role: Role,
    incoming: FrameBuffer,
}

/// Who is at the other end of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The hub that the keeper has started.
    Hub,
    /// Any program of the user.
    Dialled,
}

/// Whether children are left that were not reaped.
#[derive(PartialEq, Eq)]
pub enum Children {
    Some,
    None,
}

impl Control {
    /// Call it in the daemon, before any thread starts.
    pub fn new(endpoint: Endpoint, options: KeeperOptions, spawner: Option<UnixStream>) -> Result<Self, KeeperError> {
        let doing = KeeperError::system::<Errno>;
        let signals = SignalFd::new().map_err(KeeperError::system("take its signals"))?;
        // Orphans of our children become our children: they are reaped, and can be found when all must end.
        set_child_subreaper(Some(getpid())).map_err(doing("become the parent of orphans"))?;
        let open_files = getrlimit(Resource::Nofile);
        // Each session takes two to four descriptors. If it is refused, there is room for fewer sessions.
        let _refused = setrlimit(Resource::Nofile, Rlimit { current: open_files.maximum, ..open_files });
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(doing("make an epoll"))?;
        if let Some(listener) = endpoint.listener() {
            epoll::add(&epoll, listener, EventData::new_u64(LISTENER), EventFlags::IN).map_err(doing("listen"))?;
        }
        epoll::add(&epoll, &signals, EventData::new_u64(SIGNALS), EventFlags::IN).map_err(doing("await signals"))?;
        if let Some(spawner) = &spawner {
            epoll::add(&epoll, spawner, EventData::new_u64(SPAWNER), EventFlags::IN)
                .map_err(doing("listen to its spawner"))?;
        }
        let hub = options.hub.clone().zip(spawner).map(|(program, spawner)| HubLife::new(program, spawner));
        let running = options.state.as_deref().map(RunningMark::set).transpose();
        let running = running.map_err(KeeperError::system("note that it runs"))?;
        let audience = Arc::new(Audience::default());
        let readers = (0..READERS)
            .map(|number| Reader::start(&format!("reader-{number}"), Arc::clone(&audience)))
            .collect::<Result<_, _>>()
            .map_err(KeeperError::system("start a thread"))?;
        Ok(Self {
            options,
            endpoint,
            signals,
            table: Table::default(),
            readers,
            audience,
            open_files,
            next_tap: 1,
            next_terminal: Terminal::open().ok(),
            ending: None,
            running,
            hub,
            epoll: Arc::new(epoll),
            connections: HashMap::new(),
            next_connection: FIRST_CONNECTION,
            spare: spare(),
            idle_since: None,
            retry_exits_at: None,
        })
    }

    /// Serves until told to end, or idle for long.
    pub fn run(&mut self) -> Result<(), KeeperError> {
        let mut events = Vec::with_capacity(EVENTS_PER_WAIT);
        self.start_first_hub();
        loop {
            let timeout = self.timeout();
            events.clear();
            match epoll::wait(&*self.epoll, spare_capacity(&mut events), timeout.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => {
                    self.end_all();
                    return Err(KeeperError::System { doing: "wait", source: error.into() });
                }
            }
            for event in &events {
                match event.data.u64() {
                    LISTENER => self.accept(),
                    SIGNALS => self.take_signals(),
                    SPAWNER => self.hear_spawner(),
                    token => self.serve(token, event.flags),
                }
            }
            if self.retry_exits_at.is_some_and(|at| at <= Instant::now()) {
                self.retry_exits();
            }
            self.restart_hub();
            if self.ending.is_some() || self.idle_for_long() {
                self.end_all();
                return Ok(());
            }
        }
    }

    /// Reaps whatever has ended, orphans included.
    pub fn reap(&mut self) -> Children {
        loop {
            let (pid, status) = match wait(WaitOptions::NOHANG) {
                Ok(Some(reaped)) => reaped,
                Ok(None) => return Children::Some,
                Err(Errno::INTR) => continue,
                Err(_) => return Children::None,
            };
            let exit = match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Exit::Code(code),
                (None, Some(signal)) => Exit::Signal(signal),
                (None, None) => continue,
            };
            if let Some(held) = self.table.ended(pid, exit) {
                // First the news, which somebody waits for. Nobody can ask to forget the session before the file is
                // written: requests are handled on this thread.
                self.readers[held.reader].exited(held.token, exit);
                if !held.write_exit() {
                    self.retry_exits_at.get_or_insert_with(|| Instant::now() + RETRY_EXITS_EVERY);
                }
            }
        }
    }

    fn take_signals(&mut self) {
        while let Some(signal) = self.signals.next() {
            if signal == Incoming::Terminate {
                self.ending.get_or_insert_default();
            }
        }
        self.reap();
    }

    fn accept(&mut self) {
        loop {
            let Some(listener) = self.endpoint.listener() else { return };
            match listener.accept() {
                Ok((socket, _)) => {
                    if is_ours(&socket) && socket.set_nonblocking(true).is_ok() {
                        self.admit(socket);
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) => {
                    // The client waits in the listener, which would wake us for ever. Turn it away.
                    if self.spare.take().is_none() {
                        return;
                    }
                    let _turned_away = listener.accept();
                    self.spare = spare();
                }
                Err(_) => return,
            }
        }
    }

    fn serve(&mut self, token: u64, flags: EventFlags) {
        // Out of the map while its requests may change everything else.
        let Some(mut connection) = self.connections.remove(&token) else {
            return;
        };
        if flags.contains(EventFlags::OUT) {
            connection.outbox.flush();
        }
        let goes_on =
            !flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR) || self.receive(&mut connection);
        if goes_on {
            self.connections.insert(token, connection);
        } else {
            self.close(&connection);
        }
    }

    /// Lets somebody in who has dialled.
    fn admit(&mut self, socket: UnixStream) {
        if let Some(life) = &self.hub {
            let asks_nothing =
                |token: &u64, connection: &Connection| connection.role == Role::Dialled && !life.awaits(*token);
            let idle: Vec<u64> =
                self.connections.iter().filter(|(token, c)| asks_nothing(token, c)).map(|(token, _)| *token).collect();
            if idle.len() >= MAX_DIALLED
                && let Some(oldest) = idle.into_iter().min()
            {
                self.drop_connection(oldest);
            }
        }
        if self.connections.len() < MAX_CONNECTIONS {
            // Without room for it in the epoll, it is turned away.
            let _turned_away = self.add_connection(socket, Role::Dialled);
        }
    }

    /// The socket must not block.
    pub(super) fn add_connection(&mut self, socket: UnixStream, role: Role) -> std::io::Result<u64> {
        let token = self.next_connection;
        self.next_connection += 1;
        epoll::add(&*self.epoll, &socket, EventData::new_u64(token), EventFlags::IN)?;
        let outbox = Arc::new(Outbox::new(token, socket, Arc::clone(&self.epoll)));
        let max = if role == Role::Dialled && self.hub.is_some() { MAX_DIALLED_FRAME } else { MAX_FRAME };
        let incoming = FrameBuffer::with_limit(max);
        self.connections.insert(token, Connection { outbox, greeted: false, role, incoming });
        Ok(token)
    }

    /// Closes a connection that may be gone already.
    pub(super) fn drop_connection(&mut self, token: u64) {
        if let Some(connection) = self.connections.remove(&token) {
            self.close(&connection);
        }
    }

    pub(super) fn forget_spawner(&self, spawner: &UnixStream) {
        let _not_in = epoll::delete(&*self.epoll, spawner);
    }

    /// Reads once and handles all whole requests. `false`: the client is gone, or does not speak the protocol.
    fn receive(&mut self, connection: &mut Connection) -> bool {
        let mut bytes = [0; READ_BYTES];
        let mut socket = connection.outbox.socket();
        match socket.read(&mut bytes) {
            Ok(0) => return false,
            Ok(read) => connection.incoming.push(&bytes[..read]),
            Err(error) => {
                return matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted);
            }
        }
        loop {
            let envelope = match connection.incoming.next() {
                Ok(None) => return true,
                Ok(Some(frame)) => serde_json::from_slice::<Envelope<'_>>(frame),
                Err(_) => return false,
            };
            let Ok(envelope) = envelope else { return false };
            if !self.handle(&connection.outbox, connection.role, &mut connection.greeted, envelope) {
                return false;
            }
        }
    }

    fn close(&mut self, connection: &Connection) {
        self.hub_connection_closed(connection.outbox.token);
        let token = connection.outbox.token;
        self.audience.leave(token);
        for held in self.table.all() {
            held.session.unwatch(token);
        }
        let _not_in = epoll::delete(&*self.epoll, connection.outbox.socket());
        // What was sent stays readable for the client; nothing new is sent.
        connection.outbox.drop_connection();
    }

    fn retry_exits(&mut self) {
        let done = self.table.write_exits();
        self.retry_exits_at = (!done).then(|| Instant::now() + RETRY_EXITS_EVERY);
    }

    fn is_idle(&self) -> bool {
        self.table.is_empty() && self.connections.is_empty() && self.hub.as_ref().is_none_or(HubLife::is_over)
    }

    fn idle_for_long(&mut self) -> bool {
        if !self.is_idle() {
            self.idle_since = None;
            return false;
        }
        let since = *self.idle_since.get_or_insert_with(Instant::now);
        since.elapsed() >= self.options.idle_exit
    }

    /// No deadline, no timer: a keeper at rest takes no processor time.
    fn timeout(&mut self) -> Option<Timespec> {
        let idle = self.idle_since.and_then(|since| since.checked_add(self.options.idle_exit));
        // The first turn has not looked whether it is idle yet.
        let first = (self.idle_since.is_none() && self.is_idle()).then(Instant::now);
        let restart = self.hub.as_ref().and_then(HubLife::restart_at);
        let next = [idle, first, self.retry_exits_at, restart].into_iter().flatten().min()?;
        let left = next.saturating_duration_since(Instant::now());
        Some(Timespec { tv_sec: left.as_secs().min(3600) as i64, tv_nsec: i64::from(left.subsec_nanos()) })
    }
}

/// The folder keeps other users out already; this holds even if somebody opens it.
fn is_ours(socket: &UnixStream) -> bool {
    socket_peercred(socket).is_ok_and(|peer| peer.uid == geteuid())
}

fn spare() -> Option<File> {
    File::open("/dev/null").ok()
}
