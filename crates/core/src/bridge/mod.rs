//! An external IDE that carries out pane and editor commands in place of the hub's own workbench.
//!
//! ```text
//!   register ──► waiting ──(socket opens)──► serving ──(socket closes)──► waiting ──(GRACE)──► nobody
//!                                               │
//!                                               ├─ execute ──► IDE ──► result
//!                                               └─ a second IDE is refused: it must not steal the first one's commands
//! ```
//!
//! It may bring commands of its own, which are in the registry while its socket is open.
//!
//! While one is registered, its commands go nowhere else: a person sees one screen, and two that both did some of it
//! would show something different each.

mod leavings;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::openspace::{BridgeEvent, CommandResult, Execute, PaneState};
use flightdeck_contract::{Error, ErrorCode};
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use self::leavings::{Before, Leavings, before};
use crate::actor::Actor;
use crate::call::Cancelled;
use crate::registry::{Command, Registry};
use crate::stream::Source;

/// How long an IDE has for one command.
pub(crate) const TIME: Duration = Duration::from_secs(10);
/// How long a registration waits for its socket before it counts as gone.
const GRACE: Duration = Duration::from_secs(15);
/// Commands that may be on their way to the IDE at once. Agents are limited well below this.
const QUEUE: usize = 64;
/// The longest name of an IDE that is kept.
const LONGEST_NAME: usize = 60;

/// The place for one IDE.
#[derive(Debug)]
pub(crate) struct Bridge {
    inner: Mutex<Inner>,
    /// Has the commands that the IDE brings, for as long as its socket is open.
    registry: Arc<Registry>,
}

#[derive(Debug, Default)]
struct Inner {
    ide: Option<Ide>,
    last_request: u64,
    waiting: HashMap<u64, oneshot::Sender<CommandResult>>,
}

#[derive(Debug)]
struct Ide {
    id: String,
    name: String,
    line: Line,
    told: Option<PaneState>,
    leavings: Leavings,
    commands: Vec<Arc<Command>>,
}

#[derive(Debug)]
enum Line {
    /// Nobody listens, since then.
    Closed(Instant),
    /// The number tells this socket from the one before, whose end may be noticed later.
    Open(u64, mpsc::Sender<Execute>),
}

impl Ide {
    fn is_here(&self) -> bool {
        match &self.line {
            Line::Open(_, sender) => !sender.is_closed(),
            Line::Closed(since) => since.elapsed() < GRACE,
        }
    }
}

/// An IDE's socket. When it goes, the IDE has hung up.
#[derive(Debug)]
pub(crate) struct Socket {
    bridge: Arc<Bridge>,
    number: u64,
    /// Whether whoever opened it knows that commands come here now.
    is_open: bool,
    commands: mpsc::Receiver<Execute>,
}

/// Commands for the IDE.
impl Source for Socket {
    type Event = BridgeEvent;

    async fn next(&mut self) -> Result<Option<BridgeEvent>, Error> {
        if !std::mem::replace(&mut self.is_open, true) {
            return Ok(Some(BridgeEvent::Ready {}));
        }
        Ok(self.commands.recv().await.map(|execute| BridgeEvent::Execute { execute }))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.bridge.hang_up(self.number);
    }
}

impl Bridge {
    pub(crate) fn new(registry: Arc<Registry>) -> Arc<Self> {
        Arc::new(Bridge { inner: Mutex::default(), registry })
    }

    /// Takes an IDE in, or the same one again, with the commands that it brings. Gives its id.
    pub(crate) fn register(
        &self,
        name: &str,
        known: Option<&str>,
        commands: Vec<Arc<Command>>,
    ) -> Result<String, Error> {
        let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        if name.trim().is_empty() {
            return Err(Error::invalid("name", "an IDE needs a name that people recognise"));
        }
        let mut inner = self.lock();
        if let Some(ide) = inner.ide.as_mut().filter(|ide| ide.is_here()) {
            if known == Some(ide.id.as_str()) {
                self.registry.remove(&ide.commands);
                ide.commands = commands;
                if matches!(ide.line, Line::Open(..)) {
                    self.registry.add(&ide.commands);
                }
                return Ok(ide.id.clone());
            }
            let text = format!("{} is registered already and carries out the commands", ide.name);
            return Err(Error::new(ErrorCode::BridgeTaken, text)
                .hint("close the other IDE, or wait until its connection has ended")
                .details(json!({ "holder": ide.name })));
        }
        let id = secret()?;
        let line = Line::Closed(Instant::now());
        let ide = Ide { id: id.clone(), name, line, told: None, leavings: Leavings::default(), commands };
        if let Some(before) = inner.ide.replace(ide) {
            self.registry.remove(&before.commands);
        }
        Ok(id)
    }

    /// Opens the IDE's socket. An earlier one of the same IDE is closed.
    pub(crate) fn connect(self: &Arc<Self>, id: &str) -> Result<Socket, Error> {
        let (sender, commands) = mpsc::channel(QUEUE);
        let mut inner = self.lock();
        inner.last_request += 1;
        let number = inner.last_request;
        let ide = inner.known(id)?;
        ide.line = Line::Open(number, sender);
        self.registry.add(&ide.commands);
        Ok(Socket { bridge: Arc::clone(self), number, is_open: false, commands })
    }

    /// Takes how the IDE stands.
    pub(crate) fn put_state(&self, id: &str, state: PaneState) -> Result<(), Error> {
        let mut inner = self.lock();
        let ide = inner.known(id)?;
        ide.told = Some(PaneState { ide: Some(ide.name.clone()), ..state });
        Ok(())
    }

    /// Takes how a command ended. `Err`: nobody waits for it any more.
    pub(crate) fn put_result(&self, id: &str, result: CommandResult) -> Result<(), Error> {
        let mut inner = self.lock();
        inner.known(id)?;
        let request = result.request_id;
        let waiting = inner.waiting.remove(&request);
        drop(inner);
        let taken = waiting.is_some_and(|waiting| waiting.send(result).is_ok());
        taken.then_some(()).ok_or_else(|| {
            Error::new(ErrorCode::TimedOut, format!("nobody waits for the result of {request} any more"))
                .hint("a result has to come within the time that the registration tells, and once")
        })
    }

    /// What the IDE that is here has told of its panes; none and no time when it has told nothing yet.
    pub(crate) fn shown(&self) -> Option<PaneState> {
        let inner = self.lock();
        let ide = inner.ide.as_ref().filter(|ide| ide.is_here())?;
        let silent = || PaneState { ide: Some(ide.name.clone()), ..PaneState::default() };
        Some(ide.told.clone().unwrap_or_else(silent))
    }

    /// Has the IDE carry out a command for somebody. `None`: there is no IDE.
    pub(crate) async fn execute(
        &self,
        actor: &Actor,
        command: &str,
        args: Value,
        given_up: Cancelled,
    ) -> Option<Result<Value, Error>> {
        tokio::select! {
            ended = self.carry_out(actor.agent_name(), command, args) => ended,
            () = given_up.wait() => Some(Err(Error::new(ErrorCode::Cancelled, "the call was given up"))),
        }
    }

    /// Takes away what an agent has left in the IDE.
    pub(crate) async fn clear_up(&self, agent: &str) {
        for (command, args) in self.left_by(agent) {
            if let Some(Err(error)) = self.carry_out(None, command, args).await {
                tracing::debug!(agent, command, %error, "something that an agent left in the IDE stays there");
            }
        }
    }

    fn left_by(&self, agent: &str) -> Vec<(&'static str, Value)> {
        let mut inner = self.lock();
        let Some(Ide { told, leavings, .. }) = inner.ide.as_mut() else { return Vec::new() };
        leavings.take(agent, told.as_ref())
    }

    async fn carry_out(&self, agent: Option<&str>, command: &str, args: Value) -> Option<Result<Value, Error>> {
        let Waiting { ide, request, result, before } = match self.begin(command, args.clone())? {
            Ok(begun) => begun,
            Err(error) => return Some(Err(error)),
        };
        let _forgotten = Forget { bridge: self, request };
        let answered = tokio::select! {
            answered = result => answered.map_err(|_| gone(&ide)),
            () = tokio::time::sleep(TIME) => Err(late(&ide, command)),
        };
        let ended = answered.and_then(|result| outcome(&ide, command, result));
        if let (Some(agent), Ok(result), Some(ide)) = (agent, &ended, self.lock().ide.as_mut()) {
            ide.leavings.note(agent, command, &args, result, &before);
        }
        Some(ended)
    }

    fn begin(&self, command: &str, args: Value) -> Option<Result<Waiting, Error>> {
        let mut inner = self.lock();
        let ide = inner.ide.as_ref().filter(|ide| ide.is_here())?;
        let name = ide.name.clone();
        let Line::Open(_, sender) = &ide.line else { return Some(Err(gone(&name))) };
        // One that an IDE has brought may have left with it while somebody thought about the call.
        self.registry.get(command)?;
        let (sender, before) = (sender.clone(), before(ide.told.as_ref()));
        inner.last_request += 1;
        let request = inner.last_request;
        let execute = Execute { request_id: request, command_id: command.to_owned(), args };
        if let Err(error) = sender.try_send(execute) {
            return Some(Err(match error {
                mpsc::error::TrySendError::Closed(_) => gone(&name),
                mpsc::error::TrySendError::Full(_) => {
                    let text = format!("{name} has {QUEUE} commands that it has not taken yet: {command} was not sent");
                    Error::new(ErrorCode::TooManyCalls, text).hint("wait for the others to end")
                }
            }));
        }
        let (answer, result) = oneshot::channel();
        inner.waiting.insert(request, answer);
        Some(Ok(Waiting { ide: name, request, result, before }))
    }

    fn hang_up(&self, number: u64) {
        let mut inner = self.lock();
        let own = |ide: &&mut Ide| matches!(ide.line, Line::Open(open, _) if open == number);
        let Some(ide) = inner.ide.as_mut().filter(own) else { return };
        ide.line = Line::Closed(Instant::now());
        self.registry.remove(&ide.commands);
        // Whoever waits hears that the IDE is gone.
        inner.waiting.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }
}

/// A command that the IDE has.
struct Waiting {
    /// The IDE's name.
    ide: String,
    request: u64,
    result: oneshot::Receiver<CommandResult>,
    before: Before,
}

/// Forgets a command when nobody waits for it any more, however that came.
struct Forget<'a> {
    bridge: &'a Bridge,
    request: u64,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.bridge.lock().waiting.remove(&self.request);
    }
}

impl Inner {
    fn known(&mut self, id: &str) -> Result<&mut Ide, Error> {
        self.ide.as_mut().filter(|ide| ide.id == id && ide.is_here()).ok_or_else(|| {
            Error::new(ErrorCode::BridgeGone, "this IDE is not registered, or was away for too long")
                .hint("register it again with POST /openspace/register-bridge")
        })
    }
}

fn outcome(name: &str, command: &str, result: CommandResult) -> Result<Value, Error> {
    if result.success {
        return Ok(if result.data.is_object() { result.data } else { json!({}) });
    }
    let text = result.error.unwrap_or_else(|| format!("{name} could not do it and did not say why"));
    let of_files = command.starts_with("openspace.editor.") && text.contains("file not found");
    let code = if of_files { ErrorCode::FileNotFound } else { ErrorCode::BridgeFailed };
    Err(Error::new(code, text).details(json!({ "ide": name })))
}

fn gone(name: &str) -> Error {
    Error::new(
        ErrorCode::BridgeGone,
        format!("{name} carries out pane and editor commands, and its connection is gone"),
    )
    .hint(format!(
        "it has {} seconds to come back, after that the workbench of Flightdeck itself does it; files and terminals \
             work meanwhile",
        GRACE.as_secs()
    ))
}

fn late(name: &str, command: &str) -> Error {
    Error::new(ErrorCode::TimedOut, format!("{name} did not carry out {command} within {} seconds", TIME.as_secs()))
        .hint("it may still do it; openspace.pane.list tells how things stand")
}

fn secret() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
