//! Joining a terminal that the user has opened elsewhere: it is followed like the others, and stays the user's.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use flightdeck_keeper::{FollowSpec, LogLimits, OsBytes, SessionId};

use super::guests::{GuestWindow, follow};
use super::server::Tmux;
use crate::session::{Kind, Progress, Session, SessionParts, ShellSetup, Source};
use crate::shell::{Nonce, ShellKind};
use crate::terminals::{SpawnError, Tag, Terminals};

/// A window to be joined.
#[derive(Clone, Debug)]
pub struct Join {
    /// Its name among the terminals, never used before in this workspace.
    pub id: SessionId,
    /// The terminal's own folder, which exists.
    pub dir: PathBuf,
    /// The environment entry of the terminal. No program has it, so none is ever ended as its own.
    pub tag: Tag,
    /// How much output is kept.
    pub limits: LogLimits,
    /// Which server.
    pub tmux: Arc<Tmux>,
    /// Which window.
    pub window: GuestWindow,
}

impl Terminals {
    /// Joins a window. Blocks for some milliseconds.
    pub fn join(&self, join: Join) -> Result<Arc<Session>, SpawnError> {
        let shell = join.dir.join("shell");
        let prepare = || -> io::Result<Nonce> {
            std::fs::create_dir_all(&shell)?;
            Nonce::random()
        };
        let nonce = prepare().map_err(|source| SpawnError::Prepare { dir: shell.clone(), source })?;
        let spec =
            FollowSpec { id: join.id.clone(), log_dir: OsBytes::from(join.dir.as_os_str()), limits: join.limits };
        let backend = follow(&join.tmux, &self.requests, spec, &join.window)?;
        let session = Session::new(SessionParts {
            backend: Some(backend),
            id: join.id,
            // Which one it is does not matter: commands are brought to it by the plain markers.
            kind: Kind::Shell(ShellSetup { kind: ShellKind::Bash, nonce, dir: shell }),
            size: join.window.size,
            dir: join.dir,
            environment: join.tag.entry(),
            records: Vec::new(),
            pending: None,
            log_bytes: join.limits.total_bytes,
            progress: Progress::default(),
            source: Source::Started,
        });
        self.table.insert(&session);
        Ok(session)
    }
}
