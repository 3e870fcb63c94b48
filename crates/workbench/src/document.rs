//! A document: the buffer that all editors of one file share, and how it stands to the file on disk.

use std::collections::VecDeque;
use std::sync::Arc;

use flightdeck_contract::workbench::{AppliedEdit, BufferVersion, DocumentInfo, TextChange};
use serde::{Deserialize, Serialize};

use crate::error::WorkbenchError;
use crate::limits::{HISTORY_BYTES, HISTORY_EDITS, MAX_PIECES, MAX_TEXT, REMEMBERED_CLIENTS};
use crate::text::{Buffer, Delta};

/// The saved version of a buffer of which no version is on disk: versions count from 1.
pub(crate) const NOT_ON_DISK: BufferVersion = BufferVersion(0);

/// A document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) version: BufferVersion,
    /// The version that is on disk as it is.
    pub(crate) saved: BufferVersion,
    /// Absent until somebody has read the file.
    pub(crate) buffer: Option<Buffer>,
    /// The text that is on disk, while it is known: an edit that leads back to it leaves nothing to save. It shares what it
    /// has in common with the buffer.
    pub(crate) on_disk: Option<Buffer>,
    /// The version of the file that the buffer comes from.
    pub(crate) disk: Option<String>,
    /// Shared, so that a copy that is kept costs nothing.
    pub(crate) conflict: Option<Arc<Theirs>>,
    pub(crate) deleted: bool,
    /// The last edits, of which the newest made the present version.
    history: VecDeque<Delta>,
    history_bytes: usize,
    /// The last edit of each client, the most recent client at the end.
    pub(crate) clients: Vec<LastEdit>,
}

/// What is on disk while the buffer has other changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Theirs {
    pub(crate) text: String,
    pub(crate) version: String,
}

/// The last edit of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastEdit {
    pub(crate) client: String,
    pub(crate) seq: u64,
    pub(crate) version: BufferVersion,
}

impl Document {
    pub(crate) fn new(version: BufferVersion) -> Self {
        Document {
            version,
            saved: version,
            buffer: None,
            on_disk: None,
            disk: None,
            conflict: None,
            deleted: false,
            history: VecDeque::new(),
            history_bytes: 0,
            clients: Vec::new(),
        }
    }

    /// It holds what is not on disk. That is so in a conflict too, when another text came right after a save.
    pub(crate) fn dirty(&self) -> bool {
        self.version != self.saved || self.conflict.is_some()
    }

    /// Its text is nowhere else: it has unsaved changes, or its file is gone.
    pub(crate) fn only_copy(&self) -> bool {
        self.dirty() || (self.deleted && self.buffer.is_some())
    }

    pub(crate) fn info(&self, path: &str) -> DocumentInfo {
        DocumentInfo {
            path: path.to_owned(),
            version: self.version,
            loaded: self.buffer.is_some(),
            disk_version: self.disk.clone(),
            dirty: self.dirty(),
            conflict: self.conflict.as_ref().map(|theirs| theirs.version.clone()),
            deleted: self.deleted,
        }
    }

    /// Takes a text from disk with no edits that lead to it.
    pub(crate) fn load(&mut self, text: &str, disk: String, version: BufferVersion) {
        self.unload();
        (self.version, self.saved) = (version, version);
        self.buffer = Some(Buffer::new(text));
        self.on_disk.clone_from(&self.buffer);
        self.disk = Some(disk);
    }

    /// Forgets the text and everything that belongs to it.
    pub(crate) fn unload(&mut self) {
        *self = Document::new(self.version);
    }

    /// The same edit, made for the present text: it is transformed over all that came since its base.
    pub(crate) fn rebase(
        &self,
        path: &str,
        base: BufferVersion,
        changes: &[TextChange],
    ) -> Result<Delta, WorkbenchError> {
        let buffer = self.buffer.as_ref().ok_or_else(|| WorkbenchError::NotLoaded(path.to_owned()))?;
        if changes.len() > MAX_PIECES {
            return Err(WorkbenchError::Full { what: "changes in one edit", limit: MAX_PIECES });
        }
        let current = self.version;
        let behind = current.0.checked_sub(base.0);
        let behind = behind.ok_or_else(|| WorkbenchError::VersionUnknown { path: path.to_owned(), base, current })?;
        let kept = self.history.len() as u64;
        if behind > kept {
            let oldest = BufferVersion(current.0 - kept);
            return Err(WorkbenchError::VersionTooOld { path: path.to_owned(), base, oldest });
        }
        let since = (kept - behind) as usize;
        let length = self.history.get(since).map_or_else(|| buffer.length(), Delta::before);
        let bad = |number, problem| WorkbenchError::BadPosition { number, problem };
        let mut delta = Delta::new(changes, length).map_err(|invalid| bad(invalid.number, invalid.problem))?;
        for earlier in self.history.iter().skip(since) {
            delta = Delta::transform(&delta, earlier).0;
        }
        check(buffer, path, &delta)?;
        Ok(delta)
    }

    /// Applies an edit of the present text.
    pub(crate) fn apply(&mut self, delta: Delta, by: String, from: Option<(&str, u64)>) -> AppliedEdit {
        let changes = delta.changes();
        let clean = !self.dirty();
        if let Some(buffer) = &mut self.buffer {
            buffer.apply(&changes);
        }
        self.version = self.version.next();
        if clean && changes.is_empty() || self.is_back() {
            self.saved = self.version;
        }
        self.history_bytes += delta.weight();
        self.history.push_back(delta);
        while self.history.len() > HISTORY_EDITS || self.history_bytes > HISTORY_BYTES {
            let Some(oldest) = self.history.pop_front() else { break };
            self.history_bytes -= oldest.weight();
        }
        if let Some((client, seq)) = from {
            self.remember(LastEdit { client: client.to_owned(), seq, version: self.version });
        }
        let (client, client_seq) = from.map(|(client, seq)| (client.to_owned(), seq)).unzip();
        AppliedEdit { version: self.version, changes, by, client, client_seq }
    }

    /// Whether the buffer is what is on disk again. Most edits leave another length, and then nothing is compared.
    fn is_back(&self) -> bool {
        self.buffer
            .as_ref()
            .zip(self.on_disk.as_ref())
            .is_some_and(|(buffer, disk)| buffer.bytes() == disk.bytes() && buffer == disk)
    }

    /// The version that a client's edit made when it came for the first time.
    pub(crate) fn applied_before(&self, client: &str, seq: u64) -> Result<Option<BufferVersion>, WorkbenchError> {
        match self.clients.iter().find(|known| known.client == client) {
            Some(known) if known.seq == seq => Ok(Some(known.version)),
            Some(known) if known.seq > seq => {
                Err(WorkbenchError::EditOutOfOrder { client: client.to_owned(), seq, last: known.seq })
            }
            _ => Ok(None),
        }
    }

    /// The edit that made a version, while it is remembered.
    pub(crate) fn made(&self, version: BufferVersion) -> Vec<TextChange> {
        let behind = self.version.0.saturating_sub(version.0) as usize;
        let index = self.history.len().checked_sub(behind + 1);
        index.and_then(|index| self.history.get(index)).map(Delta::changes).unwrap_or_default()
    }

    /// The edit that turns the present text into another.
    pub(crate) fn towards(&self, text: &str) -> Option<Delta> {
        let buffer = self.buffer.as_ref()?;
        Some(buffer.towards(text))
    }

    fn remember(&mut self, edit: LastEdit) {
        self.clients.retain(|known| known.client != edit.client);
        self.clients.push(edit);
        if self.clients.len() > REMEMBERED_CLIENTS {
            self.clients.remove(0);
        }
    }
}

/// Whether an edit fits the text that it is about to change.
fn check(buffer: &Buffer, path: &str, delta: &Delta) -> Result<(), WorkbenchError> {
    let changes = delta.changes();
    let inside = |change: &TextChange| !buffer.is_boundary(change.from) || !buffer.is_boundary(change.to);
    if let Some(index) = changes.iter().position(inside) {
        let problem = "it begins or ends inside of a character (a surrogate pair)";
        return Err(WorkbenchError::BadPosition { number: index + 1, problem });
    }
    let bytes = buffer.bytes() - buffer.removed_bytes(&changes) + delta.inserted();
    if bytes > MAX_TEXT {
        return Err(WorkbenchError::TooLarge { path: path.to_owned(), bytes, limit: MAX_TEXT });
    }
    Ok(())
}
