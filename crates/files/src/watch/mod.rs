//! Telling when files change on disk: their folders are watched, and saves by rename count as one change. A folder
//! changes when something comes into it or goes.

mod events;

use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use parking_lot::{Mutex, MutexGuard};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;

use crate::error::FileError;
use crate::kind::Kind;
use crate::path::RelPath;
use crate::resolve::{Links, by_fd};
use crate::root::Root;

/// Files that are watched at once.
const MAX_FILES: usize = 4096;

/// Something happened to a file of interest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Changed(RelPath),
    Gone(RelPath),
    /// Events were lost: look at every file again.
    Overflow,
}

/// Watches files until it is dropped.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// Keeps one file watched. The last one of a file ends its watch.
#[derive(Debug)]
pub struct Interest {
    path: RelPath,
    shared: Weak<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: Arc<Root>,
    inotify: OwnedFd,
    /// Wakes the thread up to end.
    ending: OwnedFd,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<RelPath, Watched>,
    /// Which folder a watch of the kernel stands for.
    folders: HashMap<i32, HashSet<RelPath>>,
}

#[derive(Debug)]
struct Watched {
    guards: usize,
    armed: Armed,
    last: Option<Trace>,
}

/// The watch that tells of a file.
#[derive(Clone, Copy, Debug)]
struct Armed {
    watch: i32,
    /// Its own folder is missing, so this is the nearest one above it that is there.
    above: bool,
}

/// What tells one state of a file from another without reading it: where it is, and when it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trace {
    device: u64,
    inode: u64,
    size: i64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Watch {
    /// Starts with no file. `on` is called from one thread of its own and should be quick.
    pub fn start(root: Arc<Root>, on: impl Fn(Notice) + Send + 'static) -> Result<Self, FileError> {
        let failed = |errno| FileError::from_errno("inotify", errno);
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).map_err(failed)?;
        let ending = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(failed)?;
        let shared = Arc::new(Shared { root, inotify, ending, state: Mutex::default() });
        let inner = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("file-watch".to_owned())
            .spawn(move || inner.run(&on))
            .map_err(|error| FileError::from_io("inotify", error))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Watches a file or a folder, which need not exist yet, for as long as the guard lives. The empty path is the root.
    pub fn interest(&self, path: &str) -> Result<Interest, FileError> {
        let path = if path.is_empty() { RelPath::root() } else { self.shared.root.parse(path)? };
        let mut state = self.shared.state();
        if let Some(watched) = state.files.get_mut(&path) {
            watched.guards += 1;
        } else {
            if state.files.len() >= MAX_FILES {
                return Err(FileError::Busy { path: path.to_string(), why: "too many files are watched" });
            }
            let armed = self.shared.arm(&mut state, &path)?;
            let last = self.shared.trace(&path);
            state.files.insert(path.clone(), Watched { guards: 1, armed, last });
        }
        Ok(Interest { path, shared: Arc::downgrade(&self.shared) })
    }

    /// How many files are watched, and how many folders for them.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.shared.state();
        (state.files.len(), state.folders.len())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = rustix::io::write(&self.shared.ending, &1_u64.to_ne_bytes());
        if let Some(thread) = self.thread.take() {
            // It may be taking a pause.
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl Interest {
    pub fn path(&self) -> &RelPath {
        &self.path
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.release(&self.path);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Watches a folder itself, the folder of a file, or the nearest above it that is there.
    fn arm(&self, state: &mut State, path: &RelPath) -> Result<Armed, FileError> {
        // A link is watched where it leads: that is where saves happen.
        let found = self.root.locate(path, Links::Follow).ok();
        if found.as_ref().is_some_and(|found| found.kind() == Kind::Folder) {
            let watch = self.add(path)?;
            state.folders.entry(watch).or_default().insert(path.clone());
            return Ok(Armed { watch, above: false });
        }
        let mut at = found.map_or_else(|| path.clone(), |found| found.real);
        let mut above = false;
        while let Some((folder, _)) = at.split() {
            match self.add(&folder) {
                Ok(watch) => {
                    state.folders.entry(watch).or_default().insert(path.clone());
                    return Ok(Armed { watch, above });
                }
                Err(FileError::NotFound { .. } | FileError::NotAFolder { .. }) => (at, above) = (folder, true),
                Err(error) => return Err(error),
            }
        }
        // The root itself is gone.
        Err(FileError::NotFound { path: path.to_string() })
    }

    fn add(&self, folder: &RelPath) -> Result<i32, FileError> {
        let located = self.root.locate(folder, Links::Follow)?;
        let flags = WatchFlags::CLOSE_WRITE
            | WatchFlags::MODIFY
            | WatchFlags::ATTRIB
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MOVE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        inotify::add_watch(&self.inotify, by_fd(&located.fd), flags).map_err(|errno| match errno {
            // It is no disk that is full.
            Errno::NOSPC => {
                FileError::Busy { path: folder.to_string(), why: "the system's limit of watched folders is reached" }
            }
            errno => FileError::from_errno(folder.as_str(), errno),
        })
    }

    fn release(&self, path: &RelPath) {
        let mut state = self.state();
        let Some(watched) = state.files.get_mut(path) else { return };
        watched.guards -= 1;
        if watched.guards == 0 {
            let watch = watched.armed.watch;
            state.files.remove(path);
            self.disarm(&mut state, watch, path);
        }
    }

    fn disarm(&self, state: &mut State, watch: i32, path: &RelPath) {
        let Some(files) = state.folders.get_mut(&watch) else { return };
        files.remove(path);
        if files.is_empty() {
            state.folders.remove(&watch);
            let _ = inotify::remove_watch(&self.inotify, watch);
        }
    }

    fn trace(&self, path: &RelPath) -> Option<Trace> {
        let stat = self.root.locate(path, Links::Follow).ok()?.stat;
        Some(Trace {
            device: stat.st_dev,
            inode: stat.st_ino,
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime, stat.st_ctime_nsec as i64),
        })
    }
}
