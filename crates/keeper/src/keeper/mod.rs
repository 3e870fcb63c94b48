//! The keeper process itself: start, serve, end.

mod birth;
mod confine;
mod control;
mod daemon;
mod ending;
mod follow;
mod halt;
mod hub_life;
mod hub_spawner;
mod input_log;
mod log;
mod outbox;
mod pane;
mod program;
mod reader;
mod requests;
mod restarts;
mod session;
mod signals;
mod socket;
mod spawn;
mod standstill;
mod table;
mod tap;
mod terminal;
mod times;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::KeeperError;
use control::Control;
pub use daemon::{Ready, leave_parent};
pub use input_log::InputLog;
pub use pane::{PaneError, PaneWord, hold_pane, pane_ready_path, write_pane_spec};
use socket::Endpoint;

/// How a keeper is run.
#[derive(Clone, Debug)]
pub struct KeeperOptions {
    /// Made with mode 0600. Its folder is made with mode 0700 if it is missing, and must not be writable by others.
    pub socket: PathBuf,
    /// The keeper ends when it has held no session and had no client for this long. A session counts until it is
    /// forgotten, for its exit status is waiting for somebody.
    pub idle_exit: Duration,
    /// Told to clients, so that a hub can say that it is newer than its keeper.
    pub build: String,
    /// Where it is remembered that this keeper runs, so that its loss is noticed. `None`: nowhere.
    pub state: Option<PathBuf>,
    /// The hub that this keeper starts, and the only one that it then serves. `None`: it serves whoever dials its socket.
    pub hub: Option<HubProgram>,
}

/// How a keeper starts its hub. Nobody else says so: what asks for a start can't choose the program or its environment,
/// which is the keeper's own.
#[derive(Clone, Debug)]
pub struct HubProgram {
    /// By its path, so that a program that was replaced is started the next time.
    pub program: PathBuf,
    /// The options of a start come after these as one more argument. Standard input is the channel to the keeper.
    pub args: Vec<OsString>,
    /// What it says goes there.
    pub log: PathBuf,
    /// Start it at once, with these options.
    pub start: Option<String>,
}

impl KeeperOptions {
    pub fn new(socket: impl Into<PathBuf>) -> Self {
        Self {
            socket: socket.into(),
            idle_exit: Duration::from_mins(1),
            build: env!("CARGO_PKG_VERSION").to_owned(),
            state: None,
            hub: None,
        }
    }
}

/// Binds the socket, goes into the background and serves until told to end or idle for long.
///
/// Errors before the keeper serves are returned in the calling process. On success the calling process exits with
/// status 0 and only the keeper, its grandchild, returns from here, at its end. Call it while the process has one
/// thread.
pub fn run(options: KeeperOptions) -> Result<(), KeeperError> {
    daemon::require_one_thread()?;
    let mut endpoint = Endpoint::bind(&options.socket)?;
    let spawner = options.hub.as_ref().map(|hub| {
        let endpoint = &mut endpoint;
        move |socket| {
            endpoint.disown();
            hub_spawner::run(hub, &socket);
        }
    });
    let (ready, spawner) = daemon::detach(spawner)?;
    match Control::new(endpoint, options, spawner) {
        Ok(mut control) => {
            ready.tell_ready();
            control.run()
        }
        Err(error) => {
            ready.tell_failed(&error.to_string());
            Err(error)
        }
    }
}

/// No thread panics between statements that belong together, so poison means nothing here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
