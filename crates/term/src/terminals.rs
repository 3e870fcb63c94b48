//! All terminals of a workspace: started through its keeper, found by id, followed by the pump.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use flightdeck_keeper::{
    self as keeper, ClientError, Event, Exit, LogLimits, OsBytes, Output, Requests, Sandbox, SessionId, Size, SpawnSpec,
};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use crate::backend::Starter;
use crate::pump;
use crate::session::{Kind, Lost, Progress, Session, SessionParts, ShellSetup, Source};
use crate::shell::{self, Nonce};
use crate::tmux::{self, TmuxError};

/// What to run.
#[derive(Clone, Debug)]
pub enum Program {
    /// A shell with integration.
    Shell {
        /// Which one.
        path: PathBuf,
        /// As a login shell.
        login: bool,
    },
    /// One command on a PTY.
    Command(Vec<OsString>),
    /// One command on pipes.
    Piped(Vec<OsString>, Stdin),
}

/// What a command on pipes reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Nothing.
    Empty,
    /// What is written to the session, until its input is closed.
    Held,
}

/// An environment variable that every program of one terminal has, and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The variable.
    pub name: &'static str,
    /// Its value in this terminal.
    pub value: String,
}

impl Tag {
    /// `NAME=VALUE`, as `/proc` has it.
    pub(crate) fn entry(&self) -> Vec<u8> {
        format!("{}={}", self.name, self.value).into_bytes()
    }
}

/// A terminal to be started.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// Its name, never used before in this workspace.
    pub id: SessionId,
    /// What to run.
    pub program: Program,
    /// Where.
    pub cwd: PathBuf,
    /// The whole environment, before ours is added.
    pub env: Vec<(OsString, OsString)>,
    /// The window.
    pub size: Size,
    /// The terminal's own folder, which exists.
    pub dir: PathBuf,
    /// The environment entry by which its processes are known, unique among all terminals of the user.
    pub tag: Tag,
    /// How much output is kept.
    pub limits: LogLimits,
    /// What it is confined to, if it is.
    pub sandbox: Option<Sandbox>,
    /// Where it runs.
    pub starter: Arc<dyn Starter>,
    /// How long its caller waits at most, if it has said so.
    pub within: Option<Duration>,
}

/// Why a terminal could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The start-up files of the shell could not be written.
    #[error("cannot prepare the shell's start-up files in {dir}: {source}")]
    Prepare {
        /// Where.
        dir: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The keeper could not start it.
    #[error(transparent)]
    Keeper(#[from] ClientError),
    /// The place where it should run could not.
    #[error(transparent)]
    Ground(#[from] TmuxError),
}

/// The terminals of one workspace.
#[derive(Debug)]
pub struct Terminals {
    pub(crate) requests: Requests,
    pub(crate) table: Arc<Table>,
}

impl Terminals {
    /// Begins to follow the sessions of the workspace's keeper. In `state`, losses of keepers are recorded.
    pub fn follow((requests, events): (Requests, keeper::Events), state: &Path) -> Result<Self, ClientError> {
        let table = Arc::new(Table { state: state.to_owned(), ..Table::default() });
        let pumped = Arc::clone(&table);
        thread::Builder::new()
            .name("pump".into())
            .spawn(move || pump::run(events, &pumped))
            .map_err(ClientError::from)?;
        Ok(Terminals { requests, table })
    }

    /// The keeper, for what is not about one session.
    pub fn keeper(&self) -> &Requests {
        &self.requests
    }

    /// Starts a terminal. Blocks for a millisecond or two.
    pub fn spawn(&self, spawn: Spawn) -> Result<Arc<Session>, SpawnError> {
        let mut env = terminal_environment(&spawn);
        let (kind, argv, arg0, output) = match spawn.program {
            Program::Shell { path, login } => {
                let prepared = prepare_shell(&spawn.dir, &path, login, &env)
                    .map_err(|source| SpawnError::Prepare { dir: spawn.dir.clone(), source })?;
                env.extend(prepared.launch.env);
                (Kind::Shell(prepared.setup), prepared.launch.argv, prepared.launch.arg0, Output::Pty(spawn.size))
            }
            Program::Command(argv) => (Kind::Command, argv, None, Output::Pty(spawn.size)),
            Program::Piped(argv, Stdin::Empty) => (Kind::Piped, argv, None, Output::Pipes),
            Program::Piped(argv, Stdin::Held) => (Kind::Piped, argv, None, Output::PipesHeld),
        };
        let spec = SpawnSpec {
            id: spawn.id.clone(),
            argv: argv.iter().map(|a| OsBytes::from(a.as_os_str())).collect(),
            arg0: arg0.as_deref().map(OsBytes::from),
            env: env.into_iter().map(|(k, v)| (OsBytes::from(k.as_os_str()), OsBytes::from(v.as_os_str()))).collect(),
            cwd: OsBytes::from(spawn.cwd.as_os_str()),
            output,
            log_dir: OsBytes::from(spawn.dir.as_os_str()),
            limits: spawn.limits,
            sandbox: spawn.sandbox,
        };
        let limited = spawn.within.map(|within| self.requests.starting_within(within));
        let backend = spawn.starter.start(limited.as_ref().unwrap_or(&self.requests), &spec)?;
        let session = Session::new(SessionParts {
            backend: Some(backend),
            id: spawn.id,
            kind,
            dir: spawn.dir,
            size: spawn.size,
            environment: spawn.tag.entry(),
            records: Vec::new(),
            pending: None,
            log_bytes: spawn.limits.total_bytes,
            progress: Progress::default(),
            source: Source::Started,
        });
        self.table.insert(&session);
        Ok(session)
    }

    /// A terminal by its name.
    pub fn get(&self, id: &SessionId) -> Option<Arc<Session>> {
        self.table.lock().sessions.get(id).cloned()
    }

    /// All terminals, in no order.
    pub fn all(&self) -> Vec<Arc<Session>> {
        self.table.all()
    }

    /// Drops a session; its files are the caller's to remove.
    pub fn remove(&self, id: &SessionId) -> Option<Arc<Session>> {
        self.table.lock().sessions.remove(id)
    }

    /// Grows whenever a session ended or the keeper was lost: somebody may want to store something.
    pub fn changes(&self) -> watch::Receiver<Changes> {
        self.table.changes.subscribe()
    }
}

/// What happened to the terminals as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// How many terminals ended.
    pub endings: u64,
    /// Grows when commands ended whose records are to be stored.
    pub commands: u64,
    /// Why the keeper is gone, if it is.
    pub keeper_lost: Option<String>,
}

/// What the pump and the callers share.
#[derive(Debug, Default)]
pub(crate) struct Table {
    inner: Mutex<Inner>,
    /// Where losses of keepers are recorded.
    state: PathBuf,
    changes: watch::Sender<Changes>,
}

#[derive(Debug, Default)]
struct Inner {
    sessions: HashMap<SessionId, Arc<Session>>,
    /// How sessions ended that are not in the table yet: a short command can be over before its start is told.
    early: HashMap<SessionId, Early>,
}

/// What was told of the end of a session.
#[derive(Clone, Copy, Debug, Default)]
struct Early {
    exit: Option<Exit>,
    eof: bool,
    lost: Option<Lost>,
    stalled: bool,
}

/// How many early endings are remembered. Each stands for a start that is being told right now.
const EARLY: usize = 1024;
/// What a command that ended so early has printed is little.
const EARLY_STEP: usize = 16 * 1024;

impl Table {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    pub(crate) fn insert(&self, session: &Arc<Session>) {
        let early = {
            let mut inner = self.lock();
            inner.sessions.insert(session.id().clone(), Arc::clone(session));
            inner.early.remove(session.id())
        };
        if let Some(Early { exit, eof, lost, stalled }) = early {
            // Whoever learns of the end sees all that was printed before, also where something in the background holds the
            // terminal open.
            if exit.is_some() || eof || lost.is_some() {
                session.catch_up(&mut vec![0; EARLY_STEP]).unwrap_or_else(|error| session.set_trouble(&error));
            }
            session.publish(|progress| {
                progress.exit = exit.or(progress.exit);
                progress.eof |= eof;
                progress.lost = progress.lost.or(lost);
                progress.stalled |= stalled;
            });
            self.ended(session);
        }
        pump::ask(session);
    }

    pub(crate) fn session_of(&self, event: &Event) -> Option<Arc<Session>> {
        let mut inner = self.lock();
        let id = pump::subject(event);
        if let Some(session) = inner.sessions.get(id) {
            return Some(Arc::clone(session));
        }
        if inner.early.len() < EARLY && !tmux::is_start(id) {
            match event {
                Event::Exited { exit, .. } => inner.early.entry(id.clone()).or_default().exit = Some(*exit),
                Event::Eof { .. } => inner.early.entry(id.clone()).or_default().eof = true,
                Event::Lost { .. } => inner.early.entry(id.clone()).or_default().lost = Some(Lost::Window),
                Event::Stalled { reason, .. } => inner.early.entry(id.clone()).or_default().stalled = reason.is_some(),
                Event::Grew { .. } => {}
            }
        }
        None
    }

    pub(crate) fn all(&self) -> Vec<Arc<Session>> {
        self.lock().sessions.values().cloned().collect()
    }

    pub(crate) fn ended(&self, session: &Session) {
        let progress = session.progress();
        // The end of a terminal, or of its output alone when somebody has cut that off.
        if progress.eof {
            self.changes.send_modify(|changes| changes.endings += 1);
        }
    }

    pub(crate) fn commands_ended(&self) {
        self.changes.send_modify(|changes| changes.commands += 1);
    }

    /// Before anything else is done about it: from now on a new orphan can be mistaken for somebody else's.
    pub(crate) fn record_loss(&self, error: &ClientError) {
        if matches!(error, ClientError::Ended) {
            return;
        }
        // Where it can't be written, the next keeper finds that this one has not ended in order.
        let _unwritten = keeper::record_keeper_loss(&self.state);
    }

    pub(crate) fn lost(&self, error: &ClientError) {
        self.changes.send_modify(|changes| changes.keeper_lost = Some(error.to_string()));
    }
}

struct PreparedShell {
    setup: ShellSetup,
    launch: shell::Launch,
}

fn prepare_shell(dir: &Path, path: &Path, login: bool, env: &[(OsString, OsString)]) -> io::Result<PreparedShell> {
    let nonce = Nonce::random()?;
    let dir = dir.join("shell");
    std::fs::create_dir_all(&dir)?;
    let lookup = |name: &str| env.iter().rev().find(|(k, _)| k == OsStr::new(name)).map(|(_, v)| v.clone());
    let launch = shell::prepare(&dir, path, login, &nonce, &lookup)?;
    Ok(PreparedShell { setup: ShellSetup { kind: launch.kind, nonce, dir }, launch })
}

/// The environment of a program in a terminal: the caller's, with what describes our terminal instead of theirs.
fn terminal_environment(spawn: &Spawn) -> Vec<(OsString, OsString)> {
    const THEIRS: [&str; 11] = [
        "TERM",
        "COLORTERM",
        "TERM_PROGRAM",
        "TERM_PROGRAM_VERSION",
        "LINES",
        "COLUMNS",
        "TMUX",
        "TMUX_PANE",
        "STY",
        "WINDOWID",
        "VTE_VERSION",
    ];
    let mut env: Vec<_> = spawn
        .env
        .iter()
        .filter(|(name, _)| name != spawn.tag.name && !THEIRS.iter().any(|t| name == OsStr::new(t)))
        .cloned()
        .collect();
    env.push((spawn.tag.name.into(), spawn.tag.value.clone().into()));
    if !matches!(spawn.program, Program::Piped(..)) {
        env.push(("TERM".into(), spawn.starter.term().into()));
        env.push(("COLORTERM".into(), "truecolor".into()));
        env.push(("TERM_PROGRAM".into(), "flightdeck".into()));
    }
    env
}

#[cfg(test)]
mod tests {
    use flightdeck_keeper::layout::segment_path;

    use super::*;
    use crate::log::Offset;
    use crate::session::tests::without_program;

    #[test]
    fn what_ended_before_its_start_was_told_has_shown_what_it_printed() -> Result<(), Box<dyn std::error::Error>> {
        let dir = tempfile::tempdir()?;
        std::fs::write(segment_path(dir.path(), 0), "one\r\n")?;
        let table = Table::default();
        // Something in the background holds the terminal open, so that the end of its output does not come.
        let exited = Event::Exited { id: SessionId::new("t1")?, exit: Exit::Code(0), log_end: 5 };
        assert!(table.session_of(&exited).is_none());
        let session = without_program(dir.path(), Kind::Command, Source::Started)?;
        table.insert(&session);
        assert_eq!((session.progress().exit, session.progress().seen), (Some(Exit::Code(0)), Offset(5)));
        Ok(())
    }
}
