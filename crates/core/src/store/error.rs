//! What can go wrong with the database, told with the file's name.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use super::incident::{Incident, IncidentKind};
use super::writer::Damage;

/// Why the database can't be used, or why a write did not happen.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk has no room. What was to be written is not there; later writes work again when there is room.
    #[error("the disk is full, {path} can't be written: make room and try again")]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// The file is no database any more, or parts of it are gone.
    #[error("{path} is damaged ({reason}): stop the hub and move the file away, the next start begins a new one")]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What SQLite found.
        reason: String,
    },
    /// A newer Flightdeck has written it.
    #[error(
        "{path} was written by a newer Flightdeck (its format is {found}, this version knows {known}): use that \
         version, or move the file away to begin a new one"
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The format in the file.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// A damaged database could not be moved aside, or a fresh file could not be made.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Anything else that SQLite reports.
    #[error("{path}: {source}")]
    Failed {
        /// The database.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The writer has ended, so nothing can be written any more.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// The same, after damage was remembered for people: whoever met it may have told only one caller.
    pub(super) fn seen_by(self, damage: &Damage) -> Self {
        if let StoreError::Corrupt { reason, .. } = &self
            && damage.set(Incident { detail: Some(reason.clone()), ..Incident::now(IncidentKind::Damaged) }).is_ok()
        {
            tracing::error!(error = %self, "a part of the database can't be read");
        }
        self
    }

    /// Sorts what SQLite reports about `path`.
    pub(super) fn new(path: &Path, error: rusqlite::Error) -> Self {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, SqliteFailure, Utf8Error,
        };
        let path = path.to_owned();
        match &error {
            SqliteFailure(failure, _) => match (failure.code, failure.extended_code) {
                // The second is the index of the write-ahead log that could not grow.
                (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => StoreError::Full { path },
                (ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase, _)
                | (_, ffi::SQLITE_IOERR_SHORT_READ | ffi::SQLITE_IOERR_CORRUPTFS) => {
                    StoreError::Corrupt { path, reason: error.to_string() }
                }
                _ => StoreError::Failed { path, source: error },
            },
            // Values that this module never wrote.
            FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..) => {
                StoreError::Corrupt { path, reason: error.to_string() }
            }
            _ => StoreError::Failed { path, source: error },
        }
    }
}
