//! A write as it was: the text before it and after it.

use crate::backup::EntryId;
use crate::error::FileError;
use crate::files::Files;
use crate::path::RelPath;
use crate::text::decode;
use crate::version::Digest;

/// Both texts of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub path: RelPath,
    /// Empty if the write created the file. Nothing if it was no text.
    pub before: Option<String>,
    /// Empty if the write removed the file. Nothing if it was no text, or nobody has it any more.
    pub after: Option<String>,
}

impl Files {
    /// The text before and after a write. What it left is there as long as it is on disk, or what a later write replaced.
    pub fn written(&self, id: EntryId) -> Result<Written, FileError> {
        let nothing = || FileError::NothingToUndo { what: format!("entry {id}") };
        let entry = self.backups().find(id).ok_or_else(nothing)?;
        let path = RelPath::from_real(&entry.path);
        self.rules().check_read(&path, &path)?;
        let before = match entry.kept() {
            Some(digest) => text(&self.backups().content(&digest, &entry.path)?),
            None => Some(String::new()),
        };
        let after = match entry.after {
            Some(digest) => self.still_there(&path, &digest).as_deref().and_then(text),
            None => Some(String::new()),
        };
        Ok(Written { path, before, after })
    }

    fn still_there(&self, path: &RelPath, digest: &Digest) -> Option<Vec<u8>> {
        let on_disk = self.target(path).ok().and_then(|target| target.existing);
        match on_disk {
            Some(existing) if existing.digest == *digest => Some(existing.bytes),
            _ => self.backups().content(digest, path.as_str()).ok(),
        }
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    decode(bytes).ok().map(|(_, text)| text)
}
