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
//! - **A lost file,** or one that was replaced, rolled back or cut: the witness beside it shows that ([`witness`]). What was
//!   found is an [`Incident`], kept until a person has acknowledged it.
//! - **One writer.** Nothing here keeps two processes apart; the hub's lock does.

mod audit;
mod conversations;
mod errands;
mod error;
mod file;
mod incident;
mod keepsakes;
mod scan;
mod schema;
mod tables;
mod witness;
mod writer;

#[cfg(test)]
mod tests;

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, MAIN_DB, TransactionBehavior};

pub use audit::{AuditCall, AuditPage, CallNumber, EntryKind, Filter, NewEntry, Outcome, RUNNING, Seq, Verdict};
pub use conversations::{
    ConversationChange, ConversationNumber, StoredConversation, StoredEntry, StoredLine, StoredRequest,
};
pub use errands::{BeginErrand, Begun, ErrandChange, ErrandKey};
pub use error::StoreError;
pub use incident::{Incident, IncidentKind};
pub use keepsakes::Keepsake;
pub use tables::{Change, StoredRecord, Terminal};
pub use witness::FILE as WITNESS;
pub use writer::{Committed, Work};

use incident::{Before, Identity};
use witness::{StoreId, Testimony, Witness};

/// The name of the database within its folder.
pub const FILE: &str = "flightdeck.db";

/// A terminal's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TerminalNumber(pub u32);

/// An open database.
#[derive(Debug)]
pub struct Store {
    path: Arc<Path>,
    /// The file that is open.
    file: FileId,
    damage: writer::Damage,
    damage_acknowledged: AtomicBool,
    /// Those in the database.
    incidents: Mutex<Vec<Incident>>,
    /// Looks through the whole file once. Before the writer, because it reads.
    _scan: Option<scan::Scan>,
    /// Closed before the writer is (fields go in order), so that the writer is the last and tidies the log up.
    reader: Mutex<Connection>,
    writer: writer::Writer,
}

/// Which file is at a path; none where that can't be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId(Option<(u64, u64)>);

impl FileId {
    fn at(path: &Path) -> Self {
        FileId(path.metadata().ok().map(|meta| (meta.dev(), meta.ino())))
    }
}

/// What opening gave.
#[derive(Debug)]
pub struct Opened {
    /// The database.
    pub store: Store,
    /// What was found now about the database, and people should be told.
    pub incident: Option<Incident>,
}

/// What opening needs to know beside the folder.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Where a second copy of the witness goes: a folder that does not survive the next boot.
    pub runtime: Option<PathBuf>,
    /// Which boot of the machine this is; `None` where the kernel does not tell.
    pub boot: Option<String>,
}

impl Surroundings {
    /// Those of a hub with this runtime folder.
    pub fn of(runtime: &Path) -> Self {
        Surroundings { runtime: Some(runtime.to_owned()), boot: flightdeck_keeper::boot_id() }
    }
}

impl Store {
    /// Opens the database in `dir`, a folder that is there and private, and makes it if there is none.
    ///
    /// A damaged file is moved aside to `flightdeck.db.broken-<seconds>` and a new one begun; [`Opened::incident`]
    /// says so. One that a newer version has written is left alone: [`StoreError::Newer`].
    pub fn open(dir: &Path, surroundings: &Surroundings) -> Result<Opened, StoreError> {
        let path: Arc<Path> = dir.join(FILE).into();
        let before = Before::look(dir, &path, surroundings.runtime.as_deref(), surroundings.boot.as_deref());
        let opening = Opening { dir, path: &path, surroundings, before };
        match opening.open(None) {
            Err(StoreError::Corrupt { reason, .. }) => {
                let aside = file::set_aside(&path)?;
                let damaged =
                    Incident { aside: Some(aside), detail: Some(reason), ..Incident::now(IncidentKind::Damaged) };
                opening.open(Some(damaged))
            }
            opened => opened,
        }
    }

    /// Everything that people should know about the database and nobody has acknowledged.
    pub fn incidents(&self) -> Vec<Incident> {
        let mut all = self.incidents.lock().clone();
        let known = self.damage_acknowledged.load(Ordering::Relaxed);
        all.extend(self.damage.get().filter(|_| !known).cloned());
        if FileId::at(&self.path) != self.file {
            all.push(Incident::now(IncidentKind::Removed));
        }
        all
    }

    /// A person knows of them now. Gives what they were. Blocks until it is written.
    pub fn acknowledge(&self) -> Result<Vec<Incident>, StoreError> {
        let known = self.incidents();
        self.write(incident::Acknowledge)?;
        self.incidents.lock().clear();
        // Damage that is still there is found again by the next hub.
        self.damage_acknowledged.store(self.damage.get().is_some(), Ordering::Relaxed);
        Ok(known)
    }

    /// Whether the policy in the database may be another one than a person has accepted.
    pub fn is_policy_doubted(&self) -> Result<bool, StoreError> {
        self.read(incident::is_policy_doubted)
    }

    /// The policy waits for a person now, and that is written.
    pub fn policy_is_doubted(&self) -> Result<(), StoreError> {
        self.write(incident::PolicyDoubted)
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

    /// The same, committed on this thread unless others write: that takes less time than to wake the one that does.
    pub fn send_now<W: Work>(&self, work: W) -> Committed<W::Done> {
        self.writer.send_now(work)
    }

    fn read<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        // A panic during a read leaves a connection that can read on.
        let db = self.reader.lock();
        query(&db).map_err(|error| StoreError::new(&self.path, error).seen_by(&self.damage))
    }
}

/// A database that is being opened.
struct Opening<'a> {
    dir: &'a Path,
    path: &'a Arc<Path>,
    surroundings: &'a Surroundings,
    before: Before,
}

impl Opening<'_> {
    /// Opens the file, with what is known of it already if it had to be begun anew.
    fn open(&self, known: Option<Incident>) -> Result<Opened, StoreError> {
        let failed = |error| StoreError::new(self.path, error);
        let mut db = file::open_writing(self.path)?;
        let identity = Identity::read(&db).map_err(failed)?;
        let boot = self.surroundings.boot.as_deref();
        let incident = match known {
            Some(known) => Some(known),
            None => incident::examine(&db, &identity, &self.before, boot).map_err(failed)?,
        };
        let id = identity.id.unwrap_or_else(StoreId::random);
        if identity.id.is_none() || incident.is_some() {
            let tx = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            incident::put_id(&tx, id).map_err(failed)?;
            if let Some(incident) = &incident {
                incident::keep(&tx, incident).map_err(failed)?;
            }
            tx.commit().map_err(failed)?;
        }
        if incident.is_some() {
            // What was found is on the disk before the witness is content again. Where that fails, it is found again.
            db.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::PASSIVE).map_err(failed)?;
        }
        let incidents = incident::open_incidents(&db).map_err(failed)?;
        let head = audit::Head::load(&db).map_err(failed)?;
        let known = if incident.is_some() { None } else { self.before.newest.clone() };
        let durable = known.filter(|known| known.store == id).and_then(|known| known.durable);
        let witness = self.witness(id, head, durable, identity.announced);
        let reader = file::open_reading(self.path)?;
        let damage = writer::Damage::default();
        let writer = writer::Writer::start(db, Arc::clone(self.path), head, witness, Arc::clone(&damage))
            .map_err(|source| StoreError::File { path: self.path.to_path_buf(), source })?;
        if incident.is_some() {
            writer.settle();
        }
        let incidents = Mutex::new(incidents);
        let scan = (!self.before.fresh).then(|| scan::Scan::start(Arc::clone(self.path), Arc::clone(&damage)));
        let store = Store {
            path: Arc::clone(self.path),
            file: FileId::at(self.path),
            damage,
            damage_acknowledged: AtomicBool::new(false),
            incidents,
            _scan: scan.flatten(),
            reader: Mutex::new(reader),
            writer,
        };
        Ok(Opened { store, incident })
    }

    /// Where none can be made, for want of room, a later hub makes it.
    fn witness(
        &self,
        store: StoreId,
        newest: audit::Head,
        durable: Option<audit::Head>,
        announced: bool,
    ) -> Option<Witness> {
        let turn = self.before.newest.as_ref().map_or(0, |testimony| testimony.turn);
        let said = Testimony { turn, store, boot: self.surroundings.boot.clone(), newest, durable };
        let copy = self.surroundings.runtime.as_deref();
        let mut witness = Witness::open(self.dir, copy, said, announced).ok()?;
        witness.committed(newest);
        Some(witness)
    }
}
