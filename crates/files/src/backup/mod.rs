//! What files held before they were changed: contents by their hash, and a journal that says who changed what.

mod blobs;
mod journal;

use std::fmt;
use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::{Mutex, MutexGuard};
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use crate::error::FileError;
use crate::path::RelPath;
use crate::version::{Digest, Version};
use blobs::Blobs;
use journal::Journal;
pub(crate) use journal::Stored;

/// The number of a change; later ones are larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(pub u64);

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How much is kept; the oldest goes first.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub bytes: u64,
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 256 * 1024 * 1024, entries: 2000 }
    }
}

/// A change that was made.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    pub id: EntryId,
    /// Milliseconds since 1970.
    pub time_ms: u64,
    pub actor: String,
    pub path: String,
    /// What an undo brings back; nothing if the change created the file.
    pub before: Option<Version>,
    /// Nothing if the change removed it.
    pub after: Option<Version>,
    pub note: String,
    /// The entry that this one took back.
    pub undoes: Option<EntryId>,
    /// Whether it was taken back itself.
    pub undone: bool,
}

/// A change that is about to be made.
#[derive(Debug)]
pub(crate) struct Intent<'a> {
    pub actor: &'a str,
    pub note: &'a str,
    pub undoes: Option<EntryId>,
    pub path: &'a RelPath,
    pub before: Option<(Digest, &'a [u8])>,
    /// Kept instead of `before`.
    pub unsaved: Option<&'a [u8]>,
    pub after: Option<Digest>,
    pub mode: Option<u32>,
    /// How many of the folders above it have to be made.
    pub folders: usize,
    pub temp: &'a str,
}

/// The backups of one workspace. Only one process has them open.
#[derive(Debug)]
pub struct Backups {
    state: Mutex<State>,
    /// Held for its lock.
    _lock: File,
}

#[derive(Debug)]
struct State {
    blobs: Blobs,
    journal: Journal,
    limits: Limits,
}

impl Backups {
    /// Opens the backups in a folder of their own. It is outside of the workspace, or shut by [`Rules::shut`].
    ///
    /// [`Rules::shut`]: crate::Rules::shut
    pub fn open(dir: &Path, limits: Limits) -> Result<Self, FileError> {
        let shown = dir.display().to_string();
        let failed = |error| FileError::from_io(&shown, error);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(failed)?;
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700)).map_err(failed)?;
        let lock = File::create(dir.join("lock")).map_err(failed)?;
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| FileError::Busy { path: shown.clone(), why: "another process has these backups open" })?;
        let journal = Journal::open(dir).map_err(failed)?;
        let blobs = Blobs::open(&dir.join("blobs"), journal.digests()).map_err(failed)?;
        Ok(Self { state: Mutex::new(State { blobs, journal, limits }), _lock: lock })
    }

    /// The newest changes, newest first.
    pub fn entries(&self, limit: usize) -> Vec<Entry> {
        let state = self.state();
        let undone = state.journal.undone();
        let public = |entry: &Stored| Entry {
            id: entry.id,
            time_ms: entry.time_ms,
            actor: entry.actor.clone(),
            path: entry.path.clone(),
            before: entry.kept().map(|digest| digest.version()),
            after: entry.after.map(|digest| digest.version()),
            note: entry.note.clone(),
            undoes: entry.undoes,
            undone: undone.contains(&entry.id),
        };
        state.journal.made().rev().take(limit).map(public).collect()
    }

    /// Keeps the old content and notes the change. Both are on disk when this returns.
    pub(crate) fn begin(&self, intent: &Intent<'_>) -> Result<EntryId, FileError> {
        let mut state = self.state();
        // Whatever goes wrong here, the file itself was not touched.
        let failed = |error| FileError::from_io(intent.path.as_str(), error);
        let unsaved = intent.unsaved.map(|bytes| (Digest::of(bytes), bytes));
        let kept = unsaved.or(intent.before);
        if let Some((digest, bytes)) = kept {
            state.blobs.keep(&digest, bytes).map_err(failed)?;
        }
        let stored = Stored {
            id: state.journal.next_id(),
            time_ms: now_ms(),
            actor: intent.actor.to_owned(),
            path: intent.path.as_str().to_owned(),
            before: intent.before.map(|(digest, _)| digest),
            unsaved: unsaved.map(|(digest, _)| digest),
            after: intent.after,
            mode: intent.mode,
            folders: intent.folders,
            note: intent.note.to_owned(),
            undoes: intent.undoes,
            temp: intent.temp.to_owned(),
        };
        let id = stored.id;
        if let Err(error) = state.journal.begin(stored) {
            remove(kept.and_then(|(digest, _)| state.blobs.release(&digest)));
            return Err(failed(error));
        }
        state.shrink();
        Ok(id)
    }

    pub(crate) fn done(&self, id: EntryId) {
        self.state().journal.done(id);
    }

    pub(crate) fn void(&self, id: EntryId) {
        let mut state = self.state();
        let kept = state.journal.void(id).and_then(|entry| entry.kept());
        remove(kept.and_then(|digest| state.blobs.release(&digest)));
    }

    pub(crate) fn pending(&self) -> Vec<Stored> {
        self.state().journal.pending()
    }

    /// The newest change that was not taken back, and is no undo itself.
    pub(crate) fn newest(&self, wanted: impl Fn(&Stored) -> bool) -> Option<Stored> {
        let state = self.state();
        let undone = state.journal.undone();
        state
            .journal
            .made()
            .rev()
            .find(|entry| entry.undoes.is_none() && !undone.contains(&entry.id) && wanted(entry))
            .cloned()
    }

    pub(crate) fn find(&self, id: EntryId) -> Option<Stored> {
        self.state().journal.made().find(|entry| entry.id == id).cloned()
    }

    /// The content of a hash.
    pub(crate) fn content(&self, digest: &Digest, path: &str) -> Result<Vec<u8>, FileError> {
        self.state().blobs.read(digest).map_err(|error| FileError::from_io(path, error))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl State {
    /// Lets the oldest go when there is too much. The change on its way always stays.
    fn shrink(&mut self) {
        if self.journal.len() <= self.limits.entries && self.blobs.bytes() <= self.limits.bytes {
            return;
        }
        // A tenth at once, so that the journal is not rewritten at each change.
        let entries = self.limits.entries - self.limits.entries / 10;
        let mut unused = Vec::new();
        while self.journal.len() > entries.max(1) || (self.blobs.bytes() > self.limits.bytes && self.journal.len() > 1)
        {
            let Some(gone) = self.journal.forget_oldest() else { break };
            unused.extend(gone.kept().and_then(|digest| self.blobs.release(&digest)));
        }
        // The journal goes first: it never names a content that is gone.
        match self.journal.rewrite() {
            Ok(()) => unused.into_iter().for_each(|path| remove(Some(path))),
            Err(error) => tracing::warn!(%error, "the journal of changes could not be shortened"),
        }
    }
}

fn remove(unused: Option<PathBuf>) {
    if let Some(Err(error)) = unused.map(fs::remove_file) {
        tracing::warn!(%error, "an old content could not be removed");
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
