//! The hub of one workspace, and the door through which every call goes.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use flightdeck_contract::{Error, ErrorCode, TERMINAL_VARIABLE, TerminalId};
use flightdeck_keeper::ClientError;
use flightdeck_term::session::Session;
use flightdeck_term::{Adopt, Tag, Terminals};
use rustix::fs::{FlockOperation, flock};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::watch;

use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::meta::{Meta, write_whole};
use crate::ops;
use crate::records;
use crate::running;
use crate::workspace::{Workspace, WorkspaceError};

/// How many terminals that have ended are kept, with their logs, before the oldest goes.
const ENDED_KEPT: usize = 200;
/// The same for commands that were started and awaited by one call.
const TRANSIENT_KEPT: usize = 50;

/// How many are removed at once.
const PRUNED_AT_ONCE: usize = 50;

/// Why a hub could not open its workspace.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another hub has it.
    #[error("a hub already serves {0}")]
    AlreadyServed(PathBuf),
    /// The folder can't be used.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The keeper can't be reached or started.
    #[error(transparent)]
    Keeper(#[from] ClientError),
    /// Its own files can't be used.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What `flightdeck status` prints.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The hub's process.
    pub pid: u32,
    /// The keeper's process.
    pub keeper_pid: u32,
    /// The root folder.
    pub workspace: String,
    /// The hub's socket.
    pub socket: String,
    /// The hub's version.
    pub version: String,
    /// The keeper's version.
    pub keeper_version: String,
    /// How many terminals run.
    pub running: usize,
    /// How many are known in all.
    pub terminals: usize,
    /// Where logs and records are kept.
    pub state: String,
}

/// How a hub is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The hub alone; terminals go on.
    Hub,
    /// Everything.
    All,
}

/// The numbers of terminals. Some are reserved on disk ahead, so that not every start has to write there.
#[derive(Debug)]
struct Ids {
    last: u32,
    reserved: u32,
}

/// How many numbers are reserved at once; so many are skipped when a hub is killed.
const RESERVE: u32 = 32;

/// One workspace's terminals.
#[derive(Debug)]
pub struct Hub {
    workspace: Workspace,
    terminals: Terminals,
    metas: Mutex<std::collections::HashMap<TerminalId, Arc<Meta>>>,
    ids: Mutex<Ids>,
    stop: watch::Sender<Option<Stop>>,
    /// Held while the hub lives, so that there is only one.
    _lock: File,
}

impl Hub {
    /// Opens a workspace: takes the lock, reaches the keeper (`launch` starts one), takes up its terminals.
    pub fn open(
        workspace: Workspace,
        launch: impl FnOnce(&Workspace) -> Result<(), ClientError>,
    ) -> Result<Arc<Self>, OpenError> {
        let lock = lock(&workspace)?;
        let terminals = match Terminals::connect(&workspace.keeper_socket()) {
            Err(ClientError::Connect { .. }) => {
                launch(&workspace)?;
                Terminals::connect(&workspace.keeper_socket())?
            }
            other => other?,
        };
        let counter = fs::read_to_string(workspace.counter()).ok().and_then(|t| t.trim().parse().ok()).unwrap_or(0);
        let hub = Arc::new(Hub {
            workspace,
            terminals,
            metas: Mutex::default(),
            ids: Mutex::new(Ids { last: counter, reserved: counter }),
            stop: watch::Sender::new(None),
            _lock: lock,
        });
        hub.adopt_all()?;
        Ok(hub)
    }

    /// Calls a command. The only way in, for people and agents alike.
    pub async fn call(self: &Arc<Self>, call: Call, command: &str, args: Value) -> Result<Value, Error> {
        match command {
            "terminal.new" => reply(ops::new::call(self, &call, parse(args)?).await),
            "terminal.list" => self.call_aside(args, |hub, list| Ok(ops::list::call(hub, &list))).await,
            "terminal.run" => reply(ops::run::call(self, call, parse(args)?).await),
            "terminal.exec" => reply(ops::exec::call(self, call, parse(args)?).await),
            "terminal.send" => reply(ops::send::call(self, parse(args)?).await),
            "terminal.read" => self.call_aside(args, |hub, read| ops::read::call(hub, &read)).await,
            "terminal.screen" => self.call_aside(args, |hub, look| ops::screen::call(hub, &look)).await,
            "terminal.wait" => reply(ops::wait::call(self, call, parse(args)?).await),
            "terminal.kill" => reply(ops::kill::call(self, parse(args)?).await),
            "terminal.signal" => reply(ops::signal::call(self, &parse(args)?)),
            "terminal.resize" => reply(ops::resize::call(self, &parse(args)?)),
            "terminal.remove" => reply(ops::remove::call(self, &parse(args)?)),
            "terminal.history" => reply(ops::history::call(self, &parse(args)?)),
            "terminal.follow" => reply(ops::follow::call(self, call, parse(args)?).await),
            "terminal.attach" => reply(ops::attach::call(self, call, parse(args)?).await),
            "hub.status" => reply(Ok(self.status())),
            "hub.stop" => reply(ops::stop::call(self, parse(args)?).await),
            unknown => Err(Error::new(ErrorCode::UnknownCommand, format!("there is no command {unknown:?}"))),
        }
    }

    /// Calls an operation that may read a lot.
    async fn call_aside<Q, R>(
        self: &Arc<Self>,
        args: Value,
        operation: impl FnOnce(&Arc<Hub>, Q) -> Result<R, Error> + Send + 'static,
    ) -> Result<Value, Error>
    where
        Q: DeserializeOwned + Send + 'static,
        R: Serialize,
    {
        let request = parse(args)?;
        let hub = Arc::clone(self);
        aside(move || reply(operation(&hub, request))).await?
    }

    /// Looks after the terminals until the hub is asked to stop: stores records, lets go of what has ended.
    pub async fn tend(self: Arc<Self>) -> Stop {
        let mut changes = self.terminals.changes();
        let mut stop = self.stop.subscribe();
        loop {
            // Noted before the look, so that what happens during it leads to another one.
            let keeper_lost = changes.borrow_and_update().keeper_lost.is_some();
            let hub = Arc::clone(&self);
            // It writes and removes files. If it panics, the next look does what it left undone.
            let _ = aside(move || hub.settle()).await;
            if keeper_lost {
                self.close();
                return Stop::All;
            }
            tokio::select! {
                _ = changes.changed() => {}
                // An error means that nobody can ask any more, and this is the last owner.
                asked = stop.wait_for(Option::is_some) => {
                    let asked = asked.ok().and_then(|asked| *asked).unwrap_or(Stop::Hub);
                    self.close();
                    return asked;
                }
            }
            // Many commands may end at once; one look stores them all.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Leaves everything in order for the next hub. A hub that dies without it loses nothing, it only starts slower.
    pub fn close(&self) {
        self.settle();
        for session in self.terminals.all() {
            // Without it the next hub replays a little more of the log.
            let _ = session.checkpoint();
        }
        let last = self.ids.lock().unwrap_or_else(PoisonError::into_inner).last;
        // Otherwise the reserved numbers are skipped.
        let _ = self.note_ids(last);
        // The lock is still held: whoever opened the file before it went sees that it is not the one any more.
        let _ = fs::remove_file(self.workspace.lock());
    }

    /// Asks the hub to end.
    pub fn ask_to_stop(&self, stop: Stop) {
        self.stop.send_replace(Some(stop));
    }

    /// Its workspace.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        let all = self.terminals.all();
        Status {
            pid: std::process::id(),
            keeper_pid: self.terminals.keeper().keeper_pid(),
            workspace: self.workspace.root().to_string_lossy().into_owned(),
            socket: self.workspace.socket().to_string_lossy().into_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            keeper_version: self.terminals.keeper().keeper_version().to_owned(),
            running: all.iter().filter(|session| session.progress().running()).count(),
            terminals: all.len(),
            state: self.workspace.state().to_string_lossy().into_owned(),
        }
    }

    pub(crate) fn terminals(&self) -> &Terminals {
        &self.terminals
    }

    pub(crate) fn dir(&self, id: TerminalId) -> PathBuf {
        self.workspace.terminals().join(id.to_string())
    }

    pub(crate) fn session(&self, id: TerminalId) -> Result<Arc<Session>, Error> {
        self.terminals.get(&convert::session_id(id)).ok_or_else(|| {
            Error::new(ErrorCode::TerminalNotFound, format!("there is no terminal {id}"))
                .hint("`flightdeck ls --all` lists the terminals of this workspace")
        })
    }

    pub(crate) fn meta(&self, id: TerminalId) -> Option<Arc<Meta>> {
        self.metas.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    pub(crate) fn remember(&self, meta: Meta) {
        self.metas.lock().unwrap_or_else(PoisonError::into_inner).insert(meta.id, Arc::new(meta));
    }

    /// A number that was never given out before, not even to a terminal that is long gone.
    pub(crate) fn next_id(&self) -> Result<TerminalId, Error> {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.last == ids.reserved {
            self.note_ids(ids.reserved + RESERVE)
                .map_err(|error| convert::io_error("the number of the new terminal can't be noted", &error))?;
            ids.reserved += RESERVE;
        }
        ids.last += 1;
        Ok(TerminalId::new(ids.last))
    }

    fn note_ids(&self, last: u32) -> io::Result<()> {
        write_whole(&self.workspace.counter(), format!("{last}\n").as_bytes())
    }

    /// Removes a terminal that has ended, with everything that is on disk.
    pub(crate) fn discard(&self, id: TerminalId) -> io::Result<()> {
        self.terminals.remove(&convert::session_id(id));
        self.metas.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        match fs::remove_dir_all(self.dir(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Stores what has ended, and lets go of it.
    fn settle(&self) {
        let mut over: Vec<(TerminalId, bool)> = Vec::new();
        for session in self.terminals.all() {
            let Some(id) = convert::terminal_id(session.id()) else { continue };
            let progress = session.progress();
            if !progress.running() && progress.eof {
                // The exit status is on disk by now; the keeper need not hold it any longer.
                session.let_go();
            }
            let ended = session.take_ended();
            if !ended.is_empty() {
                // A record that can't be stored is found again in the log by the next hub.
                let _ = records::append(&self.dir(id), &ended);
            }
            if !progress.running() {
                let transient = self.meta(id).is_some_and(|meta| meta.transient);
                over.push((id, transient));
            }
        }
        over.sort_unstable();
        for (transient, kept) in [(true, TRANSIENT_KEPT), (false, ENDED_KEPT)] {
            let ids: Vec<_> = over.iter().filter(|(_, t)| *t == transient).map(|(id, _)| *id).collect();
            // Many at once and seldom: removing files slows down whoever makes some at that moment.
            if ids.len() < kept + PRUNED_AT_ONCE {
                continue;
            }
            for id in &ids[..ids.len() - kept] {
                // Another try comes with the next ending.
                let _ = self.discard(*id);
            }
        }
    }

    fn adopt_all(&self) -> Result<(), OpenError> {
        let held = self.terminals.keeper().list()?;
        let folder = self.workspace.terminals();
        let entries = fs::read_dir(&folder).map_err(|source| OpenError::Io { path: folder, source })?;
        for entry in entries.flatten() {
            let dir = entry.path();
            // A folder without a readable description was cut off in its making: there was no program yet.
            let Ok(meta) = Meta::load(&dir) else { continue };
            let Ok(kind) = meta.kind(&dir) else { continue };
            let id = convert::session_id(meta.id);
            let adopt = Adopt {
                kind,
                size: convert::size(meta.size).unwrap_or_default(),
                tag: Tag { name: TERMINAL_VARIABLE, value: meta.tag.clone() },
                records: records::load(&dir),
                pending: running::load(&dir),
                log_bytes: meta.log_bytes,
                dir,
                id: id.clone(),
            };
            self.terminals.adopt(adopt, held.iter().find(|info| info.id == id))?;
            self.remember(meta);
        }
        Ok(())
    }
}

fn lock(workspace: &Workspace) -> Result<File, OpenError> {
    let path = workspace.lock();
    let failed = |source| OpenError::Io { path: path.clone(), source };
    loop {
        // The last hub may have removed the folder a moment ago.
        workspace.create()?;
        let file =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(failed)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| OpenError::AlreadyServed(workspace.root().to_owned()))?;
        // A hub that ends removes its lock file; a lock on a removed file holds nobody off.
        let same = fs::metadata(&path).is_ok_and(|now| file.metadata().is_ok_and(|ours| now.ino() == ours.ino()));
        if same {
            return Ok(file);
        }
    }
}

fn parse<T: DeserializeOwned>(args: Value) -> Result<T, Error> {
    let args = if args.is_null() { Value::Object(serde_json::Map::new()) } else { args };
    serde_json::from_value(args).map_err(|error| Error::new(ErrorCode::InvalidArgument, error.to_string()))
}

fn reply<T: Serialize>(result: Result<T, Error>) -> Result<Value, Error> {
    serde_json::to_value(result?).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
