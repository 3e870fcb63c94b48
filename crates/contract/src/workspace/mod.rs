//! Where a workspace's files are: runtime files that go with a reboot, and durable state.
//!
//! Both are private to the user (0700). The key in their paths is made from the root folder, so that one hub serves
//! one folder and finds its things again. Which places they are in depends on the environment of whoever comes first;
//! all others find them by [`notes`], whatever their own environment says.

mod notes;
pub mod project;

pub use notes::known_states;

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::Access;

/// A root folder and the places that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    root: PathBuf,
    key: String,
    runtime: PathBuf,
    state: PathBuf,
}

/// Why a folder can't be a workspace.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// The folder is not there.
    #[error("the workspace {path} can't be used")]
    Root {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A private folder can't be made.
    #[error("the folder {path} for Flightdeck's own files can't be made: {source}")]
    Private {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Somebody else could write there.
    #[error(
        "{path} belongs to another user or is open to others: remove it, or set XDG_RUNTIME_DIR to a private folder"
    )]
    NotPrivate {
        /// Which.
        path: PathBuf,
    },
    /// A hub with another environment has its state elsewhere.
    #[error("a hub of {root} has its state in {state}")]
    Elsewhere {
        /// The workspace.
        root: PathBuf,
        /// Where.
        state: PathBuf,
    },
}

impl Workspace {
    /// The workspace with this root. Nothing is made on disk yet.
    pub fn at(root: &Path) -> Result<Self, WorkspaceError> {
        let root = root.canonicalize().map_err(|source| WorkspaceError::Root { path: root.to_owned(), source })?;
        if !root.is_dir() {
            let source = io::Error::from(io::ErrorKind::NotADirectory);
            return Err(WorkspaceError::Root { path: root, source });
        }
        let key = key(&root);
        let state = notes::state_of(&key).unwrap_or_else(|| state_home().join(&key));
        let runtime = notes::runtime_of(&state).unwrap_or_else(|| runtime_home().join(&key));
        Ok(Workspace { root, key, runtime, state })
    }

    /// Makes the private folders.
    pub fn create(&self) -> Result<(), WorkspaceError> {
        for path in self.folders() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .map_err(|source| WorkspaceError::Private { path: path.clone(), source })?;
            check_private(&path)?;
        }
        Ok(())
    }

    /// Whether they could be made or used, without making anything. Gives whether they are all there.
    pub fn check(&self) -> Result<bool, WorkspaceError> {
        let mut complete = true;
        for path in self.folders() {
            if fs::symlink_metadata(&path).is_ok() {
                check_private(&path)?;
                continue;
            }
            complete = false;
            // As `mkdir -p` would find it.
            if let Some(parent) = path.ancestors().skip(1).find(|above| above.exists()) {
                rustix::fs::access(parent, Access::WRITE_OK | Access::EXEC_OK)
                    .map_err(|source| WorkspaceError::Private { path, source: source.into() })?;
            }
        }
        Ok(complete)
    }

    fn folders(&self) -> [PathBuf; 4] {
        let home = self.runtime.parent().unwrap_or(&self.runtime);
        [home.to_owned(), self.runtime.clone(), self.state.clone(), self.terminals()]
    }

    /// Notes for all callers of this user that the workspace's files are here. Fails when they are elsewhere. Where nothing
    /// can be noted, callers look where their own environment says.
    pub fn claim(&self) -> Result<(), WorkspaceError> {
        match notes::claim_state(&self.key, &self.state) {
            Some(state) => Err(WorkspaceError::Elsewhere { root: self.root.clone(), state }),
            None => Ok(()),
        }
    }

    /// Notes where the sockets are. Only for the hub: one that does not serve would lead callers astray.
    pub fn note_runtime(&self) {
        let _ = notes::note_runtime(&self.state, &self.runtime);
    }

    /// Takes back what [`claim`](Self::claim) noted: nothing of the workspace runs any more, and whoever comes next may keep
    /// its files elsewhere.
    pub fn unclaim(&self) {
        notes::forget_state(&self.key, &self.state);
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What names it among all workspaces of the user.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The hub's socket.
    pub fn socket(&self) -> PathBuf {
        self.runtime.join("hub.sock")
    }

    /// The keeper's socket.
    pub fn keeper_socket(&self) -> PathBuf {
        self.runtime.join("keeper.sock")
    }

    /// The socket of the hub's own tmux server.
    pub fn tmux_socket(&self) -> PathBuf {
        self.runtime.join("tmux")
    }

    /// Held by the hub while it lives. With the state, because that is what two hubs must not share.
    pub fn lock(&self) -> PathBuf {
        self.state.join("hub.lock")
    }

    /// What a hub in the background says.
    pub fn hub_log(&self) -> PathBuf {
        self.state.join("hub.log")
    }

    /// The last settings that were right. They are the user's, so all workspaces share them.
    pub fn good_settings(&self) -> PathBuf {
        self.state.with_file_name("settings.toml")
    }

    /// The folders of the terminals.
    pub fn terminals(&self) -> PathBuf {
        self.state.join("terminals")
    }

    /// The runtime folder.
    pub fn runtime(&self) -> &Path {
        &self.runtime
    }

    /// The state folder.
    pub fn state(&self) -> &Path {
        &self.state
    }
}

/// FNV-1a: enough to tell one user's folders apart, stable for ever, and needs no library.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A readable name and a hash: `project-1f2e3d4c5b6a7980`.
fn key(root: &Path) -> String {
    let hash = hash(root.as_os_str().as_encoded_bytes());
    let name: String = root
        .file_name()
        .map(|name| {
            name.to_string_lossy().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(24).collect()
        })
        .unwrap_or_default();
    if name.is_empty() { format!("root-{hash:016x}") } else { format!("{name}-{hash:016x}") }
}

fn runtime_home() -> PathBuf {
    let uid = rustix::process::getuid().as_raw();
    let given =
        std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute() && path.is_dir());
    // Agents start their servers with few variables; this is what the missing one usually says.
    let usual = || Some(PathBuf::from(format!("/run/user/{uid}"))).filter(|path| check_private(path).is_ok());
    match given.or_else(usual) {
        Some(dir) => dir.join("flightdeck"),
        None => std::env::temp_dir().join(format!("flightdeck-{uid}")),
    }
}

fn state_home() -> PathBuf {
    let from_environment = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = from_environment
        .unwrap_or_else(|| std::env::home_dir().unwrap_or_else(std::env::temp_dir).join(".local/state"));
    base.join("flightdeck")
}

fn check_private(path: &Path) -> Result<(), WorkspaceError> {
    let meta =
        fs::symlink_metadata(path).map_err(|source| WorkspaceError::Private { path: path.to_owned(), source })?;
    let own = meta.is_dir() && meta.uid() == rustix::process::getuid().as_raw();
    if own && meta.permissions().mode() & 0o022 == 0 {
        Ok(())
    } else {
        Err(WorkspaceError::NotPrivate { path: path.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_readable_stable_and_apart() {
        assert_eq!(key(Path::new("/home/me/my project!")), "myproject-2130937193203fd1");
        assert_ne!(key(Path::new("/a/x")), key(Path::new("/b/x")));
        assert!(key(Path::new("/")).starts_with("root-"));
    }
}
