//! The socket's place in the file system: one keeper at a time, closed to others, gone at the end.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread};

use crate::KeeperError;

/// A keeper that is ending holds the lock for as long as its children take to die.
const WAIT_FOR_LOCK: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// `sun_path` without its final zero.
const MAX_PATH: usize = 107;

/// A bound socket, and the lock that makes this the only keeper for it. Dropping it removes both files.
pub struct Endpoint {
    socket: PathBuf,
    lock_path: PathBuf,
    /// `None` once closed: nobody can connect, but the lock still keeps other keepers out.
    listener: Option<UnixListener>,
    /// `None` in a process that leaves the files to another one.
    lock: Option<File>,
}

impl Endpoint {
    pub fn bind(socket: &Path) -> Result<Self, KeeperError> {
        // The daemon moves to `/`, and must still find the files to remove.
        let socket = std::path::absolute(socket).map_err(|e| at(socket, e))?;
        let len = socket.as_os_str().as_bytes().len();
        if len > MAX_PATH {
            return Err(KeeperError::PathTooLong { path: socket, len, max: MAX_PATH });
        }
        prepare_folder(&socket)?;
        let mut lock_path = socket.clone().into_os_string();
        lock_path.push(".lock");
        let lock_path = PathBuf::from(lock_path);
        let lock = take_lock(&lock_path, &socket)?;

        match fs::remove_file(&socket) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(at(&socket, e)),
            _ => {}
        }
        let listener = UnixListener::bind(&socket).map_err(|e| at(&socket, e))?;
        let endpoint = Self { socket, lock_path, listener: Some(listener), lock: Some(lock) };
        fs::set_permissions(&endpoint.socket, Permissions::from_mode(0o600)).map_err(|e| at(&endpoint.socket, e))?;
        if let Some(listener) = &endpoint.listener {
            listener.set_nonblocking(true).map_err(|e| at(&endpoint.socket, e))?;
        }
        Ok(endpoint)
    }

    pub fn listener(&self) -> Option<&UnixListener> {
        self.listener.as_ref()
    }

    /// For a process that was forked from the keeper: lets go of everything, and leaves the files to the keeper.
    pub fn disown(&mut self) {
        self.listener = None;
        self.lock = None;
    }

    /// From now on a new hub sees that there is no keeper, rather than one that is about to go.
    pub fn close(&mut self) {
        if self.listener.take().is_some() {
            let _already_gone = fs::remove_file(&self.socket);
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.close();
        if self.lock.is_none() {
            return;
        }
        // Removed while it is held: see `take_lock` for those who opened it before.
        let _already_gone = fs::remove_file(&self.lock_path);
    }
}

fn prepare_folder(socket: &Path) -> Result<(), KeeperError> {
    let folder = socket.parent().unwrap_or(Path::new("/"));
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|e| at(folder, e))?;
    let mode = fs::metadata(folder).map_err(|e| at(folder, e))?.mode() & 0o777;
    // Whoever can write there can put a socket of their own in place of ours. Those who can only look are kept out
    // by the socket's own mode.
    if mode & 0o022 != 0 {
        return Err(KeeperError::FolderOpen { path: folder.to_owned(), mode });
    }
    Ok(())
}

/// Whoever holds the lock owns the socket file, so a file found there afterwards is stale.
fn take_lock(path: &Path, socket: &Path) -> Result<File, KeeperError> {
    let deadline = Instant::now() + WAIT_FOR_LOCK;
    loop {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .map_err(|e| at(path, e))?;
        match file.try_lock() {
            // A keeper that ended may have removed the file between our open and our lock; then the next one would
            // lock another file of the same name.
            Ok(()) if is_still_at(&file, path) => return Ok(file),
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(e)) => return Err(at(path, e)),
        }
        if UnixStream::connect(socket).is_ok() {
            return Err(KeeperError::AlreadyRunning(socket.to_owned()));
        }
        if Instant::now() > deadline {
            return Err(KeeperError::Locked(path.to_owned()));
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn is_still_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

fn at(path: &Path, source: io::Error) -> KeeperError {
    KeeperError::Path { path: path.to_owned(), source }
}
