//! Taking a write back.

use rustix::fs::{AtFlags, unlinkat};
use serde::Serialize;

use crate::backup::{Entry, EntryId, Stored};
use crate::error::FileError;
use crate::files::Files;
use crate::path::RelPath;
use crate::resolve::Links;
use crate::version::Version;
use crate::write::Change;

/// Which write is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The newest that was not taken back yet.
    Last,
    /// The newest of one actor.
    LastOf(String),
    /// The newest of one file.
    Path(String),
    /// This one; an entry that is an undo itself brings the change back.
    Entry(EntryId),
}

/// What to take back, and who does it.
#[derive(Clone, Debug)]
pub struct UndoRequest {
    pub which: Which,
    pub actor: String,
}

/// What was taken back.
#[derive(Clone, Debug, Serialize)]
pub struct UndoResult {
    pub path: RelPath,
    pub undone: EntryId,
    /// The entry of the undo, with which it can be undone.
    pub entry: EntryId,
    /// The version now; nothing if the file is gone because that write had created it.
    pub version: Option<Version>,
}

impl Files {
    /// Restores what was there before a write, if the file is still what that write left.
    pub fn undo(&self, request: &UndoRequest) -> Result<UndoResult, FileError> {
        let _turn = self.turn();
        let entry = self.choose(&request.which)?;
        let path = RelPath::from_real(&entry.path);
        let target = self.target(&path)?;
        if target.current() != entry.after {
            let current = target.current().map(|digest| digest.version());
            return Err(FileError::Stale { path: entry.path, current });
        }
        let bytes = entry.kept().map(|digest| self.backups().content(&digest, &entry.path)).transpose()?;
        let note = format!("undo of {}", entry.id);
        let (actor, undoes) = (request.actor.as_str(), Some(entry.id));
        let change = Change { actor, note: &note, undoes, bytes: bytes.as_deref(), unsaved: None, mode: entry.mode };
        let id = self.commit(&target, &change)?;
        if change.bytes.is_none() {
            self.remove_folders(&path, entry.folders);
        }
        let version = entry.kept().map(|digest| digest.version());
        Ok(UndoResult { path, undone: entry.id, entry: id, version })
    }

    /// Removes folders above a file that were made for it. One that has something else in it by now stays, with all above it.
    fn remove_folders(&self, path: &RelPath, made: usize) {
        let mut below = path.split().map(|(folder, _)| folder);
        for _ in 0..made {
            let Some((above, name)) = below.as_ref().and_then(|folder| folder.split()) else { return };
            let removed = self
                .root()
                .folder(&above, Links::Refuse)
                .is_ok_and(|(above, _)| unlinkat(&above, name, AtFlags::REMOVEDIR).is_ok());
            if !removed {
                return;
            }
            below = Some(above);
        }
    }

    /// What an undo would take back now.
    pub fn would_undo(&self, which: &Which) -> Result<Entry, FileError> {
        let id = self.choose(which)?.id;
        let entry = self.backups().entries(usize::MAX).into_iter().find(|entry| entry.id == id);
        entry.ok_or_else(|| nothing(&format!("entry {id}")))
    }

    fn choose(&self, which: &Which) -> Result<Stored, FileError> {
        match which {
            Which::Last => self.backups().newest(|_| true).ok_or_else(|| nothing("")),
            Which::LastOf(actor) => self.backups().newest(|entry| entry.actor == *actor).ok_or_else(|| nothing(actor)),
            Which::Path(path) => {
                let asked = self.root().parse(path)?;
                self.rules().check_write(&asked, &asked)?;
                // The journal has real paths; the request may go through a link.
                let real = self.root().locate(&asked, Links::Follow).map_or_else(|_| asked.clone(), |found| found.real);
                self.backups().newest(|entry| entry.path == real.as_str()).ok_or_else(|| nothing(path))
            }
            Which::Entry(id) => self.backups().find(*id).ok_or_else(|| nothing(&format!("entry {id}"))),
        }
    }
}

fn nothing(what: &str) -> FileError {
    FileError::NothingToUndo { what: what.to_owned() }
}
