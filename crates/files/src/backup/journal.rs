//! The journal of changes: JSON lines, only ever appended to, and rewritten when it is shortened.

use std::collections::{HashSet, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::EntryId;
use crate::version::Digest;

/// A change as the journal has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub id: EntryId,
    pub time_ms: u64,
    pub actor: String,
    pub path: String,
    /// What was on disk.
    pub before: Option<Digest>,
    /// Text that was on no disk and is kept instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsaved: Option<Digest>,
    pub after: Option<Digest>,
    /// Of the file before the change.
    pub mode: Option<u32>,
    /// How many of the folders above it were made for it.
    #[serde(default, skip_serializing_if = "is_none_made")]
    pub folders: usize,
    pub note: String,
    pub undoes: Option<EntryId>,
    /// The temporary file beside the path, which a crash may leave.
    pub temp: String,
}

impl Stored {
    /// The content that an undo brings back.
    pub fn kept(&self) -> Option<Digest> {
        self.unsaved.or(self.before)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "how serde asks")]
fn is_none_made(folders: &usize) -> bool {
    *folders == 0
}

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    Begin(Box<Stored>),
    Done(EntryId),
    Void(EntryId),
}

#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Where the next line goes. What a full disk left behind it is overwritten.
    end: u64,
    entries: VecDeque<Stored>,
    open: HashSet<EntryId>,
    next: u64,
}

impl Journal {
    pub fn open(dir: &Path) -> io::Result<Self> {
        let path = dir.join("journal");
        let file = append_to(&path)?;
        let text = fs::read(&path)?;
        // A crash can leave a part of a line at the end.
        let end = memchr::memrchr(b'\n', &text).map_or(0, |at| at + 1);
        file.set_len(end as u64)?;
        let mut journal = Self { path, file, end: end as u64, entries: VecDeque::new(), open: HashSet::new(), next: 1 };
        for line in text[..end].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(record) => journal.take(record),
                Err(error) => tracing::warn!(%error, "a line of the journal could not be read and is skipped"),
            }
        }
        Ok(journal)
    }

    fn take(&mut self, record: Record) {
        match record {
            Record::Begin(entry) => {
                self.next = self.next.max(entry.id.0 + 1);
                self.open.insert(entry.id);
                self.entries.push_back(*entry);
            }
            Record::Done(id) => drop(self.open.remove(&id)),
            Record::Void(id) => drop(self.take_out(id)),
        }
    }

    fn take_out(&mut self, id: EntryId) -> Option<Stored> {
        self.open.remove(&id);
        let at = self.entries.iter().rposition(|entry| entry.id == id)?;
        self.entries.remove(at)
    }

    pub fn next_id(&self) -> EntryId {
        EntryId(self.next)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The old contents that are needed, one for each entry.
    pub fn digests(&self) -> impl Iterator<Item = Digest> {
        self.entries.iter().filter_map(Stored::kept)
    }

    /// Changes that came about, oldest first.
    pub fn made(&self) -> impl DoubleEndedIterator<Item = &Stored> {
        self.entries.iter().filter(|entry| !self.open.contains(&entry.id))
    }

    pub fn pending(&self) -> Vec<Stored> {
        self.entries.iter().filter(|entry| self.open.contains(&entry.id)).cloned().collect()
    }

    /// Changes that a later one took back, and that was not taken back itself.
    pub fn undone(&self) -> HashSet<EntryId> {
        let mut undone = HashSet::new();
        for entry in self.made().rev() {
            if let Some(of) = entry.undoes
                && !undone.contains(&entry.id)
            {
                undone.insert(of);
            }
        }
        undone
    }

    /// Notes a change, durably.
    pub fn begin(&mut self, entry: Stored) -> io::Result<()> {
        let record = Record::Begin(Box::new(entry));
        self.append(&record)?;
        if let Err(error) = self.file.sync_data() {
            self.rewind();
            return Err(error);
        }
        self.commit_end()?;
        self.take(record);
        Ok(())
    }

    pub fn done(&mut self, id: EntryId) {
        self.open.remove(&id);
        self.note(&Record::Done(id));
    }

    pub fn void(&mut self, id: EntryId) -> Option<Stored> {
        self.note(&Record::Void(id));
        self.take_out(id)
    }

    /// A line that may be lost: the next start finds the same out from the file itself.
    fn note(&mut self, record: &Record) {
        if let Err(error) = self.append(record).and_then(|()| self.commit_end()) {
            tracing::warn!(%error, "the end of a change could not be noted");
        }
    }

    fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let written = self.file.write_all(&line);
        if written.is_err() {
            self.rewind();
        }
        written
    }

    fn commit_end(&mut self) -> io::Result<()> {
        self.end = self.file.metadata()?.len();
        Ok(())
    }

    fn rewind(&mut self) {
        if let Err(error) = self.file.set_len(self.end) {
            tracing::warn!(%error, "a part of a line stays in the journal");
        }
    }

    pub fn forget_oldest(&mut self) -> Option<Stored> {
        let oldest = self.entries.pop_front()?;
        self.open.remove(&oldest.id);
        Some(oldest)
    }

    /// Writes a new journal with what is left and puts it in the place of the old one.
    pub fn rewrite(&mut self) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in &self.entries {
            serde_json::to_writer(&mut lines, &Record::Begin(Box::new(entry.clone())))?;
            lines.push(b'\n');
            if !self.open.contains(&entry.id) {
                serde_json::to_writer(&mut lines, &Record::Done(entry.id))?;
                lines.push(b'\n');
            }
        }
        let new = self.path.with_extension("new");
        let _ = fs::remove_file(&new);
        let mut file = append_to(&new)?;
        file.write_all(&lines)?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        if let Some(dir) = self.path.parent() {
            File::open(dir)?.sync_all()?;
        }
        (self.file, self.end) = (file, lines.len() as u64);
        Ok(())
    }
}

fn append_to(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}
