//! One hub for one workspace: a locked file, which goes with the hub.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use rustix::fs::{FlockOperation, flock};

use crate::hub::OpenError;
use flightdeck_contract::workspace::{Workspace, WorkspaceError};

/// The lock of a workspace. Its file goes with it.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Still held: whoever opened the file before it went sees that it is not the one any more.
        let _ = fs::remove_file(&self.path);
    }
}

/// Takes the lock; an error says that another hub has it.
pub(crate) fn lock(workspace: &Workspace) -> Result<Lock, OpenError> {
    let path = workspace.lock();
    let failed = |source| OpenError::Io { path: path.clone(), source };
    loop {
        // The last hub may have removed the folder a moment ago.
        workspace.create()?;
        claim(workspace)?;
        let file =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(failed)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| OpenError::AlreadyServed(workspace.root().to_owned()))?;
        // A hub that ends removes its lock file; a lock on a removed file holds nobody off.
        let same = fs::metadata(&path).is_ok_and(|now| file.metadata().is_ok_and(|ours| now.ino() == ours.ino()));
        if same {
            let lock = Lock { path, _file: file };
            // Again: the last hub may have taken its note back after ours was found to be the same.
            claim(workspace)?;
            workspace.note_runtime();
            return Ok(lock);
        }
    }
}

/// Says to all callers where this workspace has its files; an error says that another hub has them elsewhere.
fn claim(workspace: &Workspace) -> Result<(), OpenError> {
    workspace.claim().map_err(|error| match error {
        WorkspaceError::Elsewhere { root, .. } => OpenError::AlreadyServed(root),
        other => other.into(),
    })
}
