//! `flightdeck mcp`: passes lines of MCP between the pipes of a client and the socket of the hub.
//!
//! ```text
//!   client ──stdin──►  up    ──►┐
//!                               │ socket ──► hub
//!   client ◄─stdout──  down  ◄──┘
//! ```
//!
//! One thread for each direction, so that neither waits for the other. They agree on what is under way ([`Traffic`]):
//! when the hub goes away, `down` finds the next one, says again what the client has said, and answers what the old hub
//! left unanswered. The client notices no more than that. A hub that was stopped is started again when the client
//! wants something, and not before.
//!
//! Standard output carries the protocol and nothing else.

mod hub;
mod interrupted;
mod traffic;

use std::io::{self, BufRead, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use flightdeck_contract::control::{MAX_MESSAGE, RelayId, Request};
use flightdeck_contract::tool_names::ToolNames;
use flightdeck_core::Workspace;
use parking_lot::{Condvar, Mutex, MutexGuard};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{SendFlags, send};

use crate::find;
use hub::{Connection, Hub};
use interrupted::Interrupted;
use traffic::Traffic;

/// When hubs hang up so often in so short a time, the next one is not tried at once.
const HANG_UPS: usize = 5;
const HANG_UP_TIME: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_secs(2);

/// What both directions know.
struct Relay {
    shared: Mutex<Shared>,
    changed: Condvar,
}

struct Shared {
    traffic: Traffic,
    /// Where `up` writes; nowhere while there is no hub.
    hub: Option<Arc<UnixStream>>,
    /// The client waits for one.
    wanted: bool,
    /// The client will say nothing more.
    ended: bool,
}

/// By what all hubs know this process.
pub fn new_id() -> anyhow::Result<RelayId> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("the kernel gives no random bytes")?;
    Ok(RelayId::new(bytes))
}

/// Relays until the client hangs up. The request makes the connection one of MCP.
pub fn run(workspace: &Workspace, request: Request, tool_names: Option<ToolNames>) -> anyhow::Result<ExitCode> {
    let hub = Hub { found: find::hub_of(workspace)?, request };
    let was_there = hub.found.is_there();
    let (connected, waits) = mpsc::channel::<Arc<Relay>>();
    let told = workspace.clone();
    // It is not waited for: it may be in a read that never ends.
    thread::Builder::new().name("up".to_owned()).spawn(move || {
        let relay = waits.recv_timeout(find::SILENCE).or_else(|error| {
            if error == RecvTimeoutError::Timeout {
                // Whoever reads standard error learns what is waited for.
                eprintln!("{}", find::silence(&told));
            }
            waits.recv()
        });
        // An error means that there is no hub, and that the program is about to say so and end.
        if let Ok(relay) = relay {
            relay.up();
        }
    })?;
    let connection = hub.connect()?;
    if !was_there {
        find::warn_of_settings(workspace);
    }
    let write = Some(Arc::clone(&connection.write));
    let shared =
        Shared { traffic: Traffic::new(Interrupted::new(tool_names)), hub: write, wanted: false, ended: false };
    let relay = Arc::new(Relay { shared: Mutex::new(shared), changed: Condvar::new() });
    // Its thread waits for nothing else.
    let _ = connected.send(Arc::clone(&relay));
    relay.down(connection, &hub)?;
    Ok(ExitCode::SUCCESS)
}

impl Relay {
    /// From the client to the hub, until the client hangs up.
    fn up(&self) {
        let mut client = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            // An error is as good as the end: there is nothing more to read.
            match read_line(&mut client, &mut line) {
                Ok(Piece::Line) => self.pass_up(&line),
                Ok(Piece::Part) => self.pass_up_long(&mut client, &mut line),
                Ok(Piece::End) | Err(_) => break,
            }
        }
        let mut shared = self.lock();
        shared.ended = true;
        if let Some(hub) = &shared.hub {
            // The hub then gives up what is under way, sends what is ready, and hangs up.
            let _ = hub.shutdown(Shutdown::Write);
        }
        self.changed.notify_all();
    }

    /// Passes on one line. If the hub goes away meanwhile, `down` sees to what was asked in it.
    fn pass_up(&self, line: &[u8]) {
        let mut shared = self.wait_for_hub();
        let hub = shared.hub.clone();
        // First to the hub, as far as it has room: it begins while the line is noted. An answer is not looked at before that,
        // for `down` waits for the lock.
        let sent = hub.as_ref().and_then(|hub| send(hub, line, SendFlags::DONTWAIT | SendFlags::NOSIGNAL).ok());
        shared.traffic.client_says(line);
        drop(shared);
        let Some(hub) = hub else { return };
        if (&*hub).write_all(&line[sent.unwrap_or(0)..]).is_err() {
            let mut shared = self.lock();
            shared.traffic.was_not_sent(line);
            // What follows waits for the next hub, and so comes after it.
            if shared.hub.as_ref().is_some_and(|current| Arc::ptr_eq(current, &hub)) {
                shared.hub = None;
            }
        }
    }

    /// Passes on a line that is too long, in pieces, to one and the same hub.
    fn pass_up_long(&self, client: &mut impl BufRead, line: &mut Vec<u8>) {
        let hub = self.wait_for_hub().hub.clone();
        let Some(hub) = hub else { return };
        let mut whole = (&*hub).write_all(line).is_ok();
        loop {
            line.clear();
            let piece = read_line(client, line);
            whole = whole && (&*hub).write_all(line).is_ok();
            if !matches!(piece, Ok(Piece::Part)) {
                return;
            }
        }
    }

    /// From the hub to the client, until the client or, after the client's end, the hub hangs up.
    fn down(&self, mut connection: Connection, hub: &Hub) -> anyhow::Result<()> {
        let mut hang_ups = Vec::new();
        while self.copy_down(&mut connection)? {
            let now = Instant::now();
            hang_ups.retain(|before: &Instant| now.duration_since(*before) < HANG_UP_TIME);
            hang_ups.push(now);
            self.lock().hub = None;
            if hang_ups.len() >= HANG_UPS {
                eprintln!("flightdeck: the hub hangs up again and again; its log may say why");
                thread::sleep(PAUSE);
            }
            connection = match hub.successor()? {
                Some(next) => next,
                None if self.wait_until_wanted() => hub.connect()?,
                None => return Ok(()),
            };
            // A hub that went away again meanwhile hangs up, which the next look finds.
            let _ = self.resume(&mut connection);
        }
        Ok(())
    }

    /// Copies lines to the client. `true`: the hub is gone, and the client still there.
    fn copy_down(&self, connection: &mut Connection) -> anyhow::Result<bool> {
        let mut client = io::stdout().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            if connection.read.buffer().is_empty() {
                wait_for_words(connection.read.get_ref());
            }
            // Half a line at the end is of no use to anybody.
            let whole = connection.read.read_until(b'\n', &mut line).is_ok() && line.ends_with(b"\n");
            let mut shared = self.lock();
            if !whole {
                return Ok(!shared.ended);
            }
            let wanted = shared.traffic.hub_says(&line);
            drop(shared);
            if wanted && let Err(error) = client.write_all(&line).and_then(|()| client.flush()) {
                return if error.kind() == io::ErrorKind::BrokenPipe { Ok(false) } else { Err(error.into()) };
            }
            // A picture may have been in it.
            if line.capacity() > 1 << 20 {
                line = Vec::new();
            }
        }
    }

    /// Brings a new hub to where the old one was, and tells the client what it has to know.
    fn resume(&self, connection: &mut Connection) -> anyhow::Result<()> {
        let replay = self.lock().traffic.replay();
        if let Some(handshake) = replay.handshake {
            (&*connection.write).write_all(&handshake)?;
            let mut answer = Vec::new();
            connection.read.read_until(b'\n', &mut answer)?;
        }
        (&*connection.write).write_all(&replay.said)?;
        let mut client = io::stdout().lock();
        client.write_all(&replay.answers)?;
        client.flush()?;
        let mut shared = self.lock();
        shared.hub = Some(Arc::clone(&connection.write));
        shared.wanted = false;
        if shared.ended {
            let _ = connection.write.shutdown(Shutdown::Write);
        }
        self.changed.notify_all();
        Ok(())
    }

    fn wait_for_hub(&self) -> MutexGuard<'_, Shared> {
        let mut shared = self.lock();
        if shared.hub.is_none() {
            shared.wanted = true;
            self.changed.notify_all();
        }
        self.changed.wait_while(&mut shared, |shared| shared.hub.is_none());
        shared
    }

    /// Waits until the client wants something. `false`: it hung up.
    fn wait_until_wanted(&self) -> bool {
        let idle = |shared: &mut Shared| !(shared.wanted || shared.ended || shared.traffic.is_awaited());
        let mut shared = self.lock();
        self.changed.wait_while(&mut shared, idle);
        !shared.ended
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock()
    }
}

/// Waits until there is something to read. Whoever waits in a read is woken each time the hub reads as well, because there is
/// room to write then; the hub would have to wake us before it looks at a call.
fn wait_for_words(hub: &UnixStream) {
    let mut hub = [PollFd::new(hub, PollFlags::IN)];
    // Where it fails, the read waits.
    let _ready = poll(&mut hub, None);
}

enum Piece {
    Line,
    Part,
    End,
}

/// Reads up to the end of a line, or as much of it as is kept at once.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Piece> {
    let read = io::Read::take(from, MAX_MESSAGE as u64).read_until(b'\n', line)?;
    Ok(match line.last() {
        Some(b'\n') => Piece::Line,
        _ if read == MAX_MESSAGE => Piece::Part,
        // A last line without an end is still a line: a client may hang up right after it.
        Some(_) => {
            line.push(b'\n');
            Piece::Line
        }
        None => Piece::End,
    })
}
