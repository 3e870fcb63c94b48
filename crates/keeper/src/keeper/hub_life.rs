//! The keeper's hub: started when somebody asks, started again when it was lost, and the only one that is served.
//!
//! Whoever dials the socket can be any program of the user, one in a terminal as well. All that it gets is a hub that runs.
//! What a keeper can do is for the hub, which it has started itself, over a channel that nobody can dial.

use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Signal, getpid, pidfd_send_signal};

use super::HubProgram;
use super::control::{Control, Role};
use super::ending::children_of_ours;
use super::hub_spawner::{Order, Report};
use super::outbox::Outbox;
use super::requests::answer;
use super::restarts::Restarts;
use crate::wire::{self, FrameBuffer, HubEnded, HubStarted, Nothing, Request, StartHub};
use crate::{Exit, OsBytes, Refusal, fd_passing};

/// Longer options are no honest ones, and would not fit in one piece into the socket to the spawner.
const MAX_OPTIONS_BYTES: usize = 16 << 10;
const SPAWNER_GONE: &str = "the process beside the keeper that starts it was killed: run `flightdeck stop --all`, which ends \
                            the terminals too";
/// So many may wait for one start.
const MAX_WAITING: usize = 64;
/// Ends by these are ordered: the hub was asked to end before it could take the signal itself.
const ORDERED: [i32; 3] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP];

/// What a keeper knows of its hub.
pub struct HubLife {
    program: HubProgram,
    /// The process that starts hubs. `None` when that is gone.
    spawner: Option<UnixStream>,
    reports: FrameBuffer,
    report_fds: VecDeque<OwnedFd>,
    state: State,
    /// The connection over which the hub speaks. `None` when it has closed it.
    channel: Option<u64>,
    process: Option<Process>,
    /// Of the last start that somebody has asked for.
    options: String,
    /// Those who have asked for a start, first come first.
    waiting: Vec<Waiting>,
    /// For whom it runs in the foreground, with what that waits for.
    holder: Option<Holder>,
    restarts: Restarts,
    restart_at: Option<Instant>,
    /// This keeper has had a hub that served.
    has_served: bool,
}

enum State {
    None,
    /// `again`: nobody has asked for it, the last one was lost.
    Starting {
        again: bool,
    },
    Serving {
        since: Instant,
    },
}

struct Process {
    pid: u32,
    pidfd: OwnedFd,
}

struct Waiting {
    outbox: Arc<Outbox>,
    seq: u64,
    options: String,
    foreground: bool,
}

struct Holder {
    outbox: Arc<Outbox>,
    awaits_end: Option<u64>,
}

impl HubLife {
    pub fn new(program: HubProgram, spawner: UnixStream) -> Self {
        Self {
            program,
            spawner: Some(spawner),
            reports: FrameBuffer::default(),
            report_fds: VecDeque::new(),
            state: State::None,
            channel: None,
            process: None,
            options: String::new(),
            waiting: Vec::new(),
            holder: None,
            restarts: Restarts::default(),
            restart_at: None,
            has_served: false,
        }
    }

    /// When the next hub is due.
    pub fn restart_at(&self) -> Option<Instant> {
        self.restart_at
    }

    /// No hub lives, and none is about to.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::None) && self.restart_at.is_none()
    }

    /// Whether this connection is there for more than its next request.
    pub fn awaits(&self, token: u64) -> bool {
        self.waiting.iter().any(|waiting| waiting.outbox.token == token) || self.is_held_by(token)
    }

    fn is_held_by(&self, token: u64) -> bool {
        self.holder.as_ref().is_some_and(|holder| holder.outbox.token == token)
    }

    fn pid(&self) -> u32 {
        self.process.as_ref().map_or(0, |process| process.pid)
    }

    /// Ends it in order, if it lives.
    fn terminate(&self) {
        if let Some(process) = &self.process {
            let _ended = pidfd_send_signal(&process.pidfd, Signal::TERM);
        }
    }

    /// A line in the hub's log, where people look for what became of it.
    fn note(&self, text: &str) {
        let log = OpenOptions::new().create(true).append(true).open(&self.program.log);
        let _unwritten = log.and_then(|mut log| writeln!(log, "keeper: {text}"));
    }

    /// No hub comes any more for whoever runs it in the foreground.
    fn answer_holder(&mut self, ended: Result<HubEnded, Refusal>) {
        if let Some(Holder { outbox, awaits_end: Some(seq) }) = self.holder.take() {
            answer(&outbox, seq, ended);
        }
    }

    fn answer_waiting(&mut self, result: &Result<HubStarted, Refusal>) {
        for (number, waiting) in std::mem::take(&mut self.waiting).into_iter().enumerate() {
            let result = result.clone().map(|hub| HubStarted { started: hub.started && number == 0, ..hub });
            let holds = waiting.foreground && result.as_ref().is_ok_and(|hub| hub.started);
            answer(&waiting.outbox, waiting.seq, result);
            if holds {
                self.holder = Some(Holder { outbox: waiting.outbox, awaits_end: None });
            }
        }
    }
}

fn own_pid() -> u32 {
    getpid().as_raw_nonzero().get() as u32
}

impl Control {
    /// A request of somebody who has only dialled. `false`: the connection must close.
    pub(super) fn handle_dialled(&mut self, outbox: &Arc<Outbox>, seq: u64, kind: &str, request: Request) -> bool {
        let Some(life) = &mut self.hub else { return false };
        match request {
            Request::StartHub(start) => self.start_hub(outbox, seq, start),
            Request::AwaitHub(_) if life.is_held_by(outbox.token) => {
                life.holder = Some(Holder { outbox: Arc::clone(outbox), awaits_end: Some(seq) });
            }
            Request::StopHub(_) if life.is_held_by(outbox.token) => {
                life.terminate();
                answer(outbox, seq, Ok(Nothing {}));
            }
            _ => {
                answer::<Nothing>(outbox, seq, Err(Refusal::NotTheHub { kind: kind.to_owned() }));
                return false;
            }
        }
        true
    }

    /// Nothing runs here.
    fn holds_nothing(&self) -> bool {
        // What a terminal has left running in the background is a child as well.
        self.table.all().all(|held| held.exit.is_some()) && children_of_ours().is_empty()
    }

    fn start_hub(&mut self, outbox: &Arc<Outbox>, seq: u64, start: StartHub) {
        let holds_nothing = self.holds_nothing();
        let Some(life) = &mut self.hub else { return };
        if start.program != OsBytes::from(life.program.program.as_os_str()) {
            let pid = own_pid();
            let leaving = holds_nothing && life.is_over();
            let program = life.program.program.display().to_string();
            answer::<Nothing>(outbox, seq, Err(Refusal::OtherProgram { program, pid, leaving }));
            if leaving {
                self.ending.get_or_insert_default();
            }
            return;
        }
        if life.waiting.len() >= MAX_WAITING || start.options.len() > MAX_OPTIONS_BYTES {
            let reason = "too many ask for it at once, or its options are too long".to_owned();
            return answer::<Nothing>(outbox, seq, Err(Refusal::HubNotStarted { reason, pid: own_pid() }));
        }
        let lives = matches!(life.state, State::Serving { .. });
        if lives && life.channel.is_some() {
            return answer(outbox, seq, Ok(HubStarted { pid: life.pid(), started: false }));
        }
        if life.has_served && holds_nothing && life.is_over() {
            // The next one has the program and the environment of now.
            answer::<Nothing>(outbox, seq, Err(Refusal::MakesWay));
            self.ending.get_or_insert_default();
            return;
        }
        let StartHub { options, foreground, .. } = start;
        life.waiting.push(Waiting { outbox: Arc::clone(outbox), seq, options, foreground });
        // One that is about to end is waited for.
        if matches!(life.state, State::None) {
            self.start_wanted_hub();
        }
    }

    /// Starts the one that somebody waits for.
    fn start_wanted_hub(&mut self) {
        let Some(life) = &mut self.hub else { return };
        if let Some(first) = life.waiting.first() {
            life.options.clone_from(&first.options);
            life.restarts = Restarts::default();
            self.order_hub(false);
        }
    }

    /// What the command line of the keeper says.
    pub(super) fn start_first_hub(&mut self) {
        let Some(life) = &mut self.hub else { return };
        if let Some(options) = life.program.start.take() {
            life.options = options;
            self.order_hub(false);
        }
    }

    /// Starts the one that is due.
    pub(super) fn restart_hub(&mut self) {
        if self.hub.as_ref().and_then(HubLife::restart_at).is_some_and(|at| at <= Instant::now()) {
            self.order_hub(true);
        }
    }

    fn order_hub(&mut self, again: bool) {
        let made = UnixStream::pair().and_then(|(ours, theirs)| ours.set_nonblocking(true).map(|()| (ours, theirs)));
        let result = made.and_then(|(ours, theirs)| {
            let token = self.add_connection(ours, Role::Hub)?;
            let Some(life) = &mut self.hub else { return Ok(()) };
            life.restart_at = None;
            life.channel = Some(token);
            life.state = State::Starting { again };
            let frame = wire::frame(&Order { options: life.options.clone() });
            let spawner = life.spawner.as_ref().ok_or(Errno::PIPE)?;
            let sent = fd_passing::send(spawner, &frame, Some(theirs.as_fd()), SendFlags::DONTWAIT)?;
            if sent == frame.len() { Ok(()) } else { Err(Errno::AGAIN.into()) }
        });
        if let Err(error) = result {
            let gone = self.hub.as_ref().is_none_or(|life| life.spawner.is_none());
            let reason = if gone { SPAWNER_GONE.to_owned() } else { error.to_string() };
            self.hub_was_not_started(reason);
        }
    }

    fn hub_was_not_started(&mut self, reason: String) {
        let Some(life) = &mut self.hub else { return };
        let channel = life.channel.take();
        let again = matches!(life.state, State::Starting { again: true });
        life.state = State::None;
        life.process = None;
        if again && life.spawner.is_some() {
            life.note(&format!("the hub can't be started again: {reason}"));
            life.restart_at = life.restarts.after_loss(None).map(|pause| Instant::now() + pause);
        }
        let refusal = Refusal::HubNotStarted { reason, pid: own_pid() };
        life.answer_waiting(&Err(refusal.clone()));
        if life.restart_at.is_none() {
            life.answer_holder(Err(refusal));
        }
        if let Some(token) = channel {
            self.drop_connection(token);
        }
    }

    /// The hub says that it serves.
    pub(super) fn hub_serves(&mut self, token: u64) {
        let Some(life) = &mut self.hub else { return };
        if life.channel == Some(token) && matches!(life.state, State::Starting { .. }) {
            life.state = State::Serving { since: Instant::now() };
            life.has_served = true;
            let hub = HubStarted { pid: life.pid(), started: true };
            life.answer_waiting(&Ok(hub));
        }
    }

    /// Reads what the spawner tells.
    pub(super) fn hear_spawner(&mut self) {
        loop {
            let Some(life) = &mut self.hub else { return };
            let Some(spawner) = &life.spawner else { return };
            let mut bytes = [0; 4096];
            match fd_passing::receive(spawner, &mut bytes, &mut life.report_fds, RecvFlags::DONTWAIT) {
                Ok(0) => break,
                Ok(received) => life.reports.push(&bytes[..received]),
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => return,
                Err(_) => break,
            }
            loop {
                let Some(life) = &mut self.hub else { return };
                let report = match life.reports.next() {
                    Ok(Some(frame)) => serde_json::from_slice::<Report>(frame),
                    _ => break,
                };
                match report {
                    Ok(Report::Started { pid }) => {
                        life.process = life.report_fds.pop_front().map(|pidfd| Process { pid, pidfd });
                    }
                    Ok(Report::NotStarted { reason }) => self.hub_was_not_started(reason),
                    Ok(Report::Ended(exit)) => self.hub_has_ended(exit),
                    Err(_) => {}
                }
            }
        }
        // It was killed. The hub that runs goes on; another one can't be started.
        if let Some(spawner) = self.hub.as_mut().and_then(|life| life.spawner.take()) {
            self.forget_spawner(&spawner);
            self.hub_is_unheard();
        }
    }

    /// Without its spawner, nobody tells how a hub has ended: one that has closed its channel has.
    fn hub_is_unheard(&mut self) {
        let is_unheard = |life: &HubLife| life.spawner.is_none() && life.channel.is_none();
        if self.hub.as_ref().is_some_and(is_unheard) {
            self.hub_was_not_started(SPAWNER_GONE.to_owned());
        }
    }

    fn hub_has_ended(&mut self, exit: Exit) {
        let holds_nothing = self.holds_nothing();
        let Some(life) = &mut self.hub else { return };
        let channel = life.channel.take();
        let pid = life.process.take().map_or(0, |process| process.pid);
        let state = std::mem::replace(&mut life.state, State::None);
        let ordered = match exit {
            Exit::Code(code) => code == 0,
            Exit::Signal(signal) => ORDERED.contains(&signal),
        };
        let (served, again) = match state {
            State::None => return,
            State::Starting { again } => (None, again),
            State::Serving { since } => (Some(since.elapsed()), true),
        };
        // Those who asked while it was about to end want the next one.
        let is_awaited = !life.waiting.is_empty();
        let makes_way = served.is_some() && is_awaited && ordered && holds_nothing;
        let wanted = served.is_some() && is_awaited && !makes_way;
        if !wanted {
            life.answer_waiting(&match exit {
                // As to whoever asks after that: the next one has the program and the environment of now.
                _ if makes_way => Err(Refusal::MakesWay),
                // It has found that another hub has the workspace.
                Exit::Code(0) => Ok(HubStarted { pid, started: false }),
                exit => Err(Refusal::HubFailed { exit }),
            });
        }
        // The latter was started for this hub alone, and whoever wanted it knows that it has failed.
        if makes_way || (served.is_none() && !again && is_awaited && self.table.is_empty()) {
            self.ending.get_or_insert_default();
        }
        let pause = (again && !ordered && !wanted).then(|| life.restarts.after_loss(served)).flatten();
        life.restart_at = pause.map(|pause| Instant::now() + pause);
        if again && !ordered {
            let next = match pause {
                _ if wanted => "it is started again".to_owned(),
                Some(Duration::ZERO) => "it is started again".to_owned(),
                Some(pause) => format!("it is started again in {} ms", pause.as_millis()),
                None => format!("the {} before it, too: the next command starts it", life.restarts.lost()),
            };
            life.note(&format!("the hub (process {pid}) was lost ({exit}); {next}"));
        }
        if pause.is_none() {
            life.answer_holder(Ok(HubEnded { exit }));
        }
        if let Some(token) = channel {
            self.drop_connection(token);
        }
        if wanted {
            self.start_wanted_hub();
        }
    }

    /// A connection is gone.
    pub(super) fn hub_connection_closed(&mut self, token: u64) {
        let Some(life) = &mut self.hub else { return };
        if life.channel == Some(token) {
            life.channel = None;
            self.hub_is_unheard();
        }
        let Some(life) = &mut self.hub else { return };
        let gone: Vec<_> = life.waiting.extract_if(.., |waiting| waiting.outbox.token == token).collect();
        let only = life.waiting.is_empty() && gone.iter().any(|waiting| waiting.foreground);
        if only || life.is_held_by(token) {
            // Whoever ran it in the foreground was killed, or its terminal was closed.
            life.holder = None;
            life.restart_at = None;
            life.terminate();
        }
    }
}
