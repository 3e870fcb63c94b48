//! Pruning: old entries go from the front, and a note in the chain says up to where.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::Store;
use super::super::error::StoreError;
use super::super::writer::{Ledger, Work};
use super::chain::{ChainHash, Head, PRUNED, insert};
use super::{NewEntry, Seq};

/// How many entries go in one transaction, so that other writers need not wait long.
const AT_ONCE: i64 = 10_000;

/// What the note says, JSON in its arguments.
#[derive(Serialize, Deserialize)]
struct Note {
    /// The last entry that went.
    through: u64,
    /// Its hash, so that the first one that stayed can be verified.
    hash: String,
}

/// One step of pruning.
struct Prune {
    older_than_ms: i64,
}

impl Store {
    /// Removes the oldest entries up to the first that is not older than `older_than_ms`, and says how many went. Blocks
    /// until it is done. None go while the disk can't be written.
    pub fn prune(&self, older_than_ms: i64) -> Result<u64, StoreError> {
        // The witness names an entry that has to be there after a cut of power. So it goes ahead of what is removed.
        if !self.writer.settle() {
            return Ok(0);
        }
        let mut removed = 0;
        loop {
            let step = self.write(Prune { older_than_ms })?;
            removed += step;
            if step < AT_ONCE as u64 {
                return Ok(removed);
            }
        }
    }
}

impl Work for Prune {
    type Done = u64;

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<u64> {
        let db = ledger.db;
        let first: Option<i64> = db.query_row("SELECT min(seq) FROM audit", [], |row| row.get(0))?;
        let Some(first) = first else { return Ok(0) };
        let most = first.saturating_add(AT_ONCE).min(ledger.head.seq.0 as i64 + 1);
        let young = db
            .query_row(
                "SELECT seq FROM audit WHERE seq < ? AND at_ms >= ? ORDER BY seq LIMIT 1",
                [most, self.older_than_ms],
                |row| row.get(0),
            )
            .optional()?;
        let stays = young.unwrap_or(most);
        // A note goes with what it stands before; alone it would only make room for the next one.
        let any = db.query_row("SELECT EXISTS (SELECT 1 FROM audit WHERE seq < ? AND kind <> 5)", [stays], |row| {
            row.get::<_, bool>(0)
        })?;
        if !any {
            return Ok(0);
        }
        // What is stored, right or wrong: if it was tampered with, the first entry that stays does not fit it.
        let note =
            db.query_row("SELECT seq, hash FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT 1", [stays], |row| {
                let hash = ChainHash::stored(row.get_ref(1)?).unwrap_or_default();
                Ok(Note { through: row.get::<_, i64>(0)?.max(0) as u64, hash: hash.to_string() })
            })?;
        let removed = db.execute("DELETE FROM audit WHERE seq < ?", [stays])?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let entry = NewEntry {
            at_ms: now.as_millis() as i64,
            actor: "hub".to_owned(),
            command: "audit.prune".to_owned(),
            args: json!(note).to_string(),
            result: "ok".to_owned(),
            ..NewEntry::default()
        };
        ledger.head = insert(db, ledger.head, PRUNED, &entry)?;
        Ok(removed as u64)
    }
}

/// The last note of pruning: its number, and what it says was the last entry before the chain begins; `None` if it
/// can't be read.
pub(super) fn last_note(db: &Connection) -> rusqlite::Result<Option<(Seq, Option<Head>)>> {
    db.query_row("SELECT seq, args FROM audit WHERE kind = 5 ORDER BY seq DESC LIMIT 1", [], |row| {
        let seq = Seq(row.get::<_, i64>(0)?.max(0) as u64);
        let note = row.get_ref(1)?.as_bytes().ok().and_then(|args| serde_json::from_slice::<Note>(args).ok());
        let head = note.and_then(|note| Some(Head { seq: Seq(note.through), hash: ChainHash::parse(&note.hash)? }));
        Ok((seq, head))
    })
    .optional()
}
