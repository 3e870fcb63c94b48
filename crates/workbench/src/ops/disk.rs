//! How documents follow the files on disk, and the files the documents.

use std::sync::Arc;

use flightdeck_contract::workbench::{BufferVersion, Change};

use crate::Outcome;
use crate::actor::Actor;
use crate::document::{Document, NOT_ON_DISK, Theirs};
use crate::error::{Risk, WorkbenchError};
use crate::limits::MAX_TEXT;
use crate::publish::{Done, Touched};
use crate::text::{Buffer, Delta};
use crate::workbench::Workbench;

/// The name under which edits are told that came from the disk.
const DISK: &str = "disk";

/// How a conflict ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The buffer stays; the next save replaces what is on disk.
    KeepMine,
    /// The buffer becomes what is on disk.
    TakeTheirs,
}

/// What a writer believes to overwrite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It does not say.
    Any,
    /// This version of the file on disk.
    Disk(String),
    /// This state of the buffer, which it has read.
    Buffer(BufferVersion),
}

/// What a write would be, with all that the writer needs, taken in one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteTo {
    /// No editor has the text: the file alone.
    File,
    /// A document that is open.
    Buffer {
        /// The state of the buffer that was looked at.
        version: BufferVersion,
        /// The unsaved text that would be replaced. The writer has named this state; nobody else may replace it.
        known_unsaved: Option<String>,
        /// The version of the file that the buffer comes from.
        disk: Option<String>,
        /// The file is gone.
        deleted: bool,
    },
}

/// A file that was written through the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// The file.
    pub path: &'a str,
    /// What it holds now.
    pub text: &'a str,
    /// Its version on disk.
    pub disk: &'a str,
    /// What [`Workbench::may_write`] said.
    pub to: &'a WriteTo,
}

impl Workbench {
    /// Gives an open document its text. A document that has one already takes it as a change on disk.
    pub fn load(&mut self, path: &str, text: &str, disk: &str) -> Outcome<()> {
        check_size(path, text)?;
        if !self.is_shown(path) {
            return Err(WorkbenchError::NotOpen(path.to_owned()));
        }
        if self.document_mut(path)?.buffer.is_some() {
            return self.disk_changed(path, text, disk);
        }
        let version = self.fresh_version();
        self.document_mut(path)?.load(text, disk.to_owned(), version);
        self.clamp_to_text(path);
        let mut touched = Touched::document(path);
        touched.texts.push(Change::Loaded { path: path.to_owned(), version });
        Ok(self.publish((), touched))
    }

    /// The file holds another text now. A buffer without unsaved changes takes it over; one with them keeps both.
    pub fn disk_changed(&mut self, path: &str, text: &str, disk: &str) -> Outcome<()> {
        check_size(path, text)?;
        let document = self.document_mut(path)?;
        document.deleted = false;
        let mut touched = Touched::document(path);
        match &document.buffer {
            // The file is what the buffer comes from, or is so again: nobody else's text is there to be lost.
            Some(_) if document.disk.as_deref() == Some(disk) => document.conflict = None,
            Some(buffer) if buffer.is(text) => document.settle(disk),
            Some(_) if document.dirty() => {
                document.conflict = Some(Arc::new(Theirs { text: text.to_owned(), version: disk.to_owned() }));
            }
            Some(_) => {
                let delta = document.towards(text);
                self.take_over(path, delta, DISK.to_owned(), &mut touched)?.settle(disk);
            }
            None => {}
        }
        Ok(self.publish((), touched))
    }

    /// The file is gone. The buffer stays, so that it can be saved again.
    pub fn disk_gone(&mut self, path: &str) -> Outcome<()> {
        let document = self.document_mut(path)?;
        // With the file goes the other side of a conflict.
        (document.deleted, document.conflict) = (true, None);
        Ok(self.publish((), Touched::document(path)))
    }

    /// A state of the buffer is on disk now. What was typed since stays unsaved. A conflict with another version than
    /// this one stays, because somebody wrote the file after us, unless the save has `replaced` that one on purpose.
    pub fn saved(&mut self, path: &str, version: BufferVersion, disk: &str, replaced: Option<&str>) -> Outcome<()> {
        let document = self.document_mut(path)?;
        let current = document.version;
        if version > current {
            return Err(WorkbenchError::VersionUnknown { path: path.to_owned(), base: version, current });
        }
        let outdated = |theirs: &Theirs| theirs.version == disk || Some(&*theirs.version) == replaced;
        let conflict = document.conflict.take().filter(|theirs| !outdated(theirs));
        document.settle(disk);
        (document.saved, document.conflict) = (version, conflict);
        if version < current {
            // What was typed since is in the buffer, and the text that was saved is not kept.
            document.on_disk = None;
        }
        Ok(self.publish((), Touched::document(path)))
    }

    /// Ends a conflict.
    pub fn resolve(&mut self, actor: &Actor, path: &str, resolution: Resolution) -> Outcome<()> {
        let document = self.document_mut(path)?;
        let theirs = document.conflict.take().ok_or_else(|| WorkbenchError::NoConflict(path.to_owned()))?;
        let mut touched = Touched::document(path);
        match resolution {
            Resolution::KeepMine => {
                document.disk = Some(theirs.version.clone());
                document.on_disk = Some(Buffer::new(&theirs.text));
                // Also when it had been saved before the other text came: it is not on disk any more.
                document.saved = NOT_ON_DISK;
            }
            Resolution::TakeTheirs => {
                let delta = document.towards(&theirs.text);
                self.take_over(path, delta, actor.to_string(), &mut touched)?.settle(&theirs.version);
            }
        }
        self.note_use(actor, |_, content| content.path() == Some(path));
        Ok(self.publish((), touched))
    }

    /// Whether a file may be written that may be open. Unsaved changes are only overwritten by who has read them.
    pub fn may_write(&self, path: &str, expected: &Expected) -> Result<WriteTo, WorkbenchError> {
        let Some(document) = self.documents.get(path).filter(|document| document.buffer.is_some()) else {
            return Ok(WriteTo::File);
        };
        let (version, dirty, path) = (document.version, document.dirty(), path.to_owned());
        match expected {
            _ if document.conflict.is_some() => Err(WorkbenchError::UnsavedChanges { path, risk: Risk::InConflict }),
            Expected::Buffer(read) if dirty && *read == version => Ok(document.write_to()),
            _ if dirty => Err(WorkbenchError::UnsavedChanges { path, risk: Risk::Replaced }),
            Expected::Buffer(base) if *base != version => {
                Err(WorkbenchError::VersionUnknown { path, base: *base, current: version })
            }
            _ => Ok(document.write_to()),
        }
    }

    /// A file was written that [`Workbench::may_write`] allowed: the buffer becomes the same text. When somebody has
    /// typed in between, it is a conflict like any other change on disk.
    pub fn written(&mut self, actor: &Actor, write: Written<'_>) -> Outcome<()> {
        check_size(write.path, write.text)?;
        let Some(document) = self.documents.get(write.path) else {
            return Ok(Done { value: (), changes: Vec::new() });
        };
        if !matches!(write.to, WriteTo::Buffer { version, .. } if *version == document.version) {
            return self.disk_changed(write.path, write.text, write.disk);
        }
        let delta = document.towards(write.text);
        let mut touched = Touched::document(write.path);
        self.take_over(write.path, delta, actor.to_string(), &mut touched)?.settle(write.disk);
        Ok(self.publish((), touched))
    }

    /// Turns the buffer into another text by an edit.
    fn take_over(
        &mut self,
        path: &str,
        delta: Option<Delta>,
        by: String,
        touched: &mut Touched,
    ) -> Result<&mut Document, WorkbenchError> {
        if let Some(delta) = delta.filter(|delta| !delta.is_empty()) {
            self.apply_delta(path, delta, (by, None), touched)?;
        }
        self.document_mut(path)
    }
}

impl Document {
    /// The buffer is what is on disk.
    fn settle(&mut self, disk: &str) {
        self.saved = self.version;
        self.on_disk.clone_from(&self.buffer);
        self.disk = Some(disk.to_owned());
        self.conflict = None;
        self.deleted = false;
    }

    fn write_to(&self) -> WriteTo {
        let unsaved = self.buffer.as_ref().filter(|_| self.dirty());
        WriteTo::Buffer {
            version: self.version,
            known_unsaved: unsaved.map(Buffer::text),
            disk: self.disk.clone(),
            deleted: self.deleted,
        }
    }
}

fn check_size(path: &str, text: &str) -> Result<(), WorkbenchError> {
    match text.len() {
        bytes if bytes > MAX_TEXT => Err(WorkbenchError::TooLarge { path: path.to_owned(), bytes, limit: MAX_TEXT }),
        _ => Ok(()),
    }
}
