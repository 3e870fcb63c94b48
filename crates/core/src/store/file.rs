//! The database file: how it is made and opened, and how a damaged one is moved out of the way.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OpenFlags};

use super::error::StoreError;
use super::schema;

/// How long one connection waits for the other. They meet only for moments: when the log is recovered or begun anew.
const BUSY: Duration = Duration::from_secs(5);

/// How SQLite opens a file that only this process uses, by as many connections as it likes: others are kept out as long as it
/// is open, and no lock has to be asked for at each commit.
const ALONE: &str = "unix-excl";

/// How many statements are kept ready: more than there are in this module.
const STATEMENTS: usize = 64;

/// What is left of the write-ahead log's file when it is begun anew, at most.
const WAL_BYTES: i64 = 8 << 20;

/// Opens the connection that writes, making the file and its tables where they are not there yet.
pub(super) fn open_writing(path: &Path) -> Result<Connection, StoreError> {
    let fresh = prepare(path)?;
    let failed = |error| StoreError::new(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags_and_vfs(path, flags, ALONE).map_err(failed)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    settings(&db, fresh).map_err(failed)?;
    let found = schema::version(&db).map_err(failed)?;
    if found > schema::NEWEST {
        return Err(StoreError::Newer { path: path.to_owned(), found, known: schema::NEWEST });
    }
    if found < schema::NEWEST {
        schema::migrate(&mut db, found).map_err(failed)?;
    }
    if fresh {
        db.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
    } else {
        schema::probe(&db).map_err(failed)?;
    }
    Ok(db)
}

/// Opens a connection that only reads. The one that writes has made the file and its log.
pub(super) fn open_reading(path: &Path) -> Result<Connection, StoreError> {
    let open = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags_and_vfs(path, flags, ALONE)?;
        db.busy_timeout(BUSY)?;
        db.pragma_update(None, "temp_store", "MEMORY")?;
        Ok(db)
    };
    open().map_err(|error| StoreError::new(path, error))
}

/// Moves a damaged database and its log to `<name>.broken-<seconds>`, so that a person can look at it.
pub(super) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let failed = |source| StoreError::File { path: path.to_owned(), source };
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let names = (0..).map(|again: u32| match again {
        0 => beside(path, &format!(".broken-{seconds}")),
        _ => beside(path, &format!(".broken-{seconds}-{again}")),
    });
    let aside = names.into_iter().find(|name| !name.exists()).unwrap_or_else(|| beside(path, ".broken"));
    // The log first: it holds pages of the damaged database, and must never be taken for the new one's.
    match fs::rename(wal(path), wal(&aside)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    fs::rename(path, &aside).map_err(failed)?;
    // Only an index of the log; SQLite makes it anew.
    let _ = fs::remove_file(beside(path, "-shm"));
    Ok(aside)
}

/// Makes the file if it is not there, private either way; SQLite gives the log and its index the same mode.
/// Says whether it is fresh. This comes before SQLite has it open, because closing a file drops its locks.
fn prepare(path: &Path) -> Result<bool, StoreError> {
    let prepared = || {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        let meta = file.metadata()?;
        if meta.permissions().mode() & 0o777 != 0o600 {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        io::Result::Ok(meta.len() == 0)
    };
    let fresh = prepared().map_err(|source| match source.kind() {
        io::ErrorKind::StorageFull => StoreError::Full { path: path.to_owned() },
        _ => StoreError::File { path: path.to_owned(), source },
    })?;
    // SQLite would take the file for a new one and throw the log away, with what may be the only copy.
    if fresh && fs::metadata(wal(path)).is_ok_and(|log| log.len() > 0) {
        let reason = "the file is empty although its log is not".to_owned();
        return Err(StoreError::Corrupt { path: path.to_owned(), reason });
    }
    Ok(fresh)
}

fn settings(db: &Connection, fresh: bool) -> rusqlite::Result<()> {
    db.busy_timeout(BUSY)?;
    // Nobody has been told of anything in a fresh database, so its making need not wait for the disk.
    db.pragma_update(None, "synchronous", if fresh { "OFF" } else { "NORMAL" })?;
    db.pragma_update(None, "temp_store", "MEMORY")?;
    db.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    db.pragma_update(None, "journal_size_limit", WAL_BYTES)?;
    // The writer does it itself, after its callers have their answers.
    db.pragma_update(None, "wal_autocheckpoint", 0)
}

fn wal(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
