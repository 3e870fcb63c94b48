//! What the hub keeps: one SQLite file with terminals, command records, conversations and the audit log.
//!
//! It knows neither the engine nor the contract: it keeps the text that it is handed.
//!
//! - **Writing.** One connection writes. [`Store::write`] and [`Store::append`] commit on the caller's thread while nobody
//!   else writes; [`Store::send`], and whatever comes meanwhile, is left to a thread that commits everything that waits in
//!   one transaction and answers when that is done. Its queue is bounded; callers wait when it is full.
//! - **What survives.** The log is written ahead (WAL) with `synchronous=NORMAL`: whatever was answered survives the
//!   hub's end at any moment, `kill -9` included. A cut of power may lose the last moments, but never damages the file.
//! - **Reading.** A second connection that can't write, behind a lock. Reads never wait for writes.
//! - **A full disk.** The write that found no room fails with [`StoreError::Full`] and leaves nothing behind. The writer
//!   goes on, and writes work again when there is room.
//! - **A damaged file.** [`Store::open`] moves it aside and begins a new one, see there. Damage in the middle shows only
//!   when that part is read, as [`StoreError::Corrupt`].
//! - **One writer.** Nothing here keeps two processes apart; the hub's lock does.

mod audit;
mod conversations;
mod errands;
mod error;
mod file;
mod keepsakes;
mod schema;
mod tables;
mod writer;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;

pub use audit::{AuditCall, AuditPage, CallNumber, EntryKind, Filter, NewEntry, Outcome, Seq, Verdict};
pub use conversations::{ConversationChange, ConversationNumber, StoredConversation, StoredEntry, StoredLine};
pub use errands::{BeginErrand, Begun, ErrandChange, ErrandKey};
pub use error::StoreError;
pub use keepsakes::Keepsake;
pub use tables::{Change, StoredRecord, Terminal};
pub use writer::{Committed, Work};

/// The name of the database within its folder.
const FILE: &str = "flightdeck.db";

/// A terminal's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TerminalNumber(pub u32);

/// An open database.
#[derive(Debug)]
pub struct Store {
    path: Arc<Path>,
    /// Closed before the writer is (fields go in order), so that the writer is the last and tidies the log up.
    reader: Mutex<Connection>,
    writer: writer::Writer,
}

/// What opening gave.
#[derive(Debug)]
pub struct Opened {
    /// The database.
    pub store: Store,
    /// Where the old one is, if it was damaged. The new one is empty then, and people should be told.
    pub set_aside: Option<PathBuf>,
}

impl Store {
    /// Opens the database in `dir`, a folder that is there and private, and makes it if there is none.
    ///
    /// A damaged file is moved aside to `flightdeck.db.broken-<seconds>` and a new one begun; [`Opened::set_aside`]
    /// says so. One that a newer version has written is left alone: [`StoreError::Newer`].
    pub fn open(dir: &Path) -> Result<Opened, StoreError> {
        let path: Arc<Path> = dir.join(FILE).into();
        match Self::open_file(&path) {
            Err(StoreError::Corrupt { .. }) => {
                let aside = file::set_aside(&path)?;
                Ok(Opened { store: Self::open_file(&path)?, set_aside: Some(aside) })
            }
            opened => Ok(Opened { store: opened?, set_aside: None }),
        }
    }

    fn open_file(path: &Arc<Path>) -> Result<Self, StoreError> {
        let db = file::open_writing(path)?;
        let head = audit::Head::load(&db).map_err(|error| StoreError::new(path, error))?;
        let reader = file::open_reading(path)?;
        let writer = writer::Writer::start(db, Arc::clone(path), head)
            .map_err(|source| StoreError::File { path: path.to_path_buf(), source })?;
        Ok(Store { path: Arc::clone(path), reader: Mutex::new(reader), writer })
    }

    /// Writes, and blocks until it is committed. Not for async threads.
    pub fn write<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        self.writer.write(work)
    }

    /// Queues a write for an async caller. It blocks only while the queue is full, which takes a disk that does not
    /// keep up with a thousand callers.
    pub fn send<W: Work>(&self, work: W) -> Committed<W::Done> {
        self.writer.send(work)
    }

    fn read<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        // A panic during a read leaves a connection that can read on.
        let db = self.reader.lock();
        query(&db).map_err(|error| StoreError::new(&self.path, error))
    }
}
