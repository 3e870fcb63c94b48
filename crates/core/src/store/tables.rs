//! The plain tables: terminals, their command records, the run under way in each, and single facts.

use rusqlite::{Connection, OptionalExtension, params};

use super::error::StoreError;
use super::writer::{Ledger, Work};
use super::{Store, TerminalNumber};

/// A terminal's description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Its number.
    pub number: TerminalNumber,
    /// Its description, JSON.
    pub meta: String,
}

/// A command that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// Its number within the terminal.
    pub number: u64,
    /// What is known of it, JSON.
    pub json: String,
}

/// A change of the plain tables.
#[derive(Clone, Debug)]
pub enum Change {
    /// Keeps a terminal's description, in place of the one before.
    PutTerminal(Terminal),
    /// Forgets a terminal with its records and its run.
    RemoveTerminal(TerminalNumber),
    /// Keeps records; one with a number that is there already takes its place.
    AddRecords(TerminalNumber, Vec<StoredRecord>),
    /// Keeps what was handed to a terminal's shell last, in place of the one before.
    PutPending(TerminalNumber, String),
    /// Keeps a fact, in place of the one before. Names that begin with `audit.` are the audit log's.
    PutFact(String, String),
}

impl Work for Change {
    type Done = ();

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        let db = ledger.db;
        match self {
            Change::PutTerminal(Terminal { number, meta }) => db
                .prepare_cached("INSERT OR REPLACE INTO terminals (number, meta) VALUES (?, ?)")?
                .execute(params![number.0, meta])
                .map(drop),
            Change::RemoveTerminal(terminal) => {
                for sql in [
                    "DELETE FROM terminals WHERE number = ?",
                    "DELETE FROM records WHERE terminal = ?",
                    "DELETE FROM pending WHERE terminal = ?",
                ] {
                    db.prepare_cached(sql)?.execute([terminal.0])?;
                }
                Ok(())
            }
            Change::AddRecords(terminal, records) => {
                let mut add =
                    db.prepare_cached("INSERT OR REPLACE INTO records (terminal, number, json) VALUES (?, ?, ?)")?;
                for record in records {
                    add.execute(params![terminal.0, record.number as i64, record.json])?;
                }
                Ok(())
            }
            Change::PutPending(terminal, run) => db
                .prepare_cached("INSERT OR REPLACE INTO pending (terminal, run) VALUES (?, ?)")?
                .execute(params![terminal.0, run])
                .map(drop),
            Change::PutFact(key, value) => put_fact(db, key, value),
        }
    }
}

/// Reading. These may wait for the disk and for each other: async callers do it aside.
impl Store {
    /// All terminals, by number.
    pub fn terminals(&self) -> Result<Vec<Terminal>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT number, meta FROM terminals ORDER BY number")?
                .query_map([], |row| Ok(Terminal { number: TerminalNumber(row.get(0)?), meta: row.get(1)? }))?
                .collect()
        })
    }

    /// A terminal's records, oldest first.
    pub fn records(&self, terminal: TerminalNumber) -> Result<Vec<StoredRecord>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT number, json FROM records WHERE terminal = ? ORDER BY number")?
                .query_map([terminal.0], |row| {
                    Ok(StoredRecord { number: row.get::<_, i64>(0)? as u64, json: row.get(1)? })
                })?
                .collect()
        })
    }

    /// What was handed to a terminal's shell last.
    pub fn pending(&self, terminal: TerminalNumber) -> Result<Option<String>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT run FROM pending WHERE terminal = ?")?
                .query_row([terminal.0], |row| row.get(0))
                .optional()
        })
    }

    /// A single fact.
    pub fn fact(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|db| fact(db, key))
    }
}

pub(super) fn fact(db: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    db.prepare_cached("SELECT value FROM facts WHERE key = ?")?.query_row([key], |row| row.get(0)).optional()
}

pub(super) fn put_fact(db: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)")?.execute([key, value]).map(drop)
}
