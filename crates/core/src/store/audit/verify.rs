//! Verifying: walks the whole chain and says whether it is as it was written.

use std::fmt;

use rusqlite::{Connection, OptionalExtension as _};

use super::super::error::StoreError;
use super::super::{Store, file};
use super::Seq;
use super::chain::{COLUMNS, ChainHash, Head, columns, content, link};
use super::prune;

/// What verifying found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is as it was written.
    Intact(Verified),
    /// Something is not. This is the first place.
    Tampered(Tampered),
}

/// A chain that is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many entries there are.
    pub entries: u64,
    /// The oldest one that is kept; 0 if there is none.
    pub first_seq: Seq,
    /// The newest one; 0 if there is none.
    pub last_seq: Seq,
    /// The newest one's hash. Noted elsewhere, it shows later that nothing up to here was written anew.
    pub head: ChainHash,
}

/// The first place where the chain is not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tampered {
    /// Which entry.
    pub seq: Seq,
    /// What happened to it.
    pub kind: TamperKind,
}

/// What happened to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TamperKind {
    /// Its content or its hash is another one.
    Changed,
    /// It is gone.
    Missing,
    /// It was written here, but as another number.
    Reordered,
    /// It was not written here.
    Added,
    /// It is the last one, but the head that is kept apart is another one, or gone.
    HeadMismatch,
}

impl fmt::Display for Tampered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seq = self.seq.0;
        match self.kind {
            TamperKind::Changed => write!(f, "entry {seq} of the audit log was changed after it was written"),
            TamperKind::Missing => write!(f, "entry {seq} of the audit log was removed"),
            TamperKind::Reordered => write!(f, "entry {seq} of the audit log was moved there from another place"),
            TamperKind::Added => write!(f, "entry {seq} of the audit log was not written by Flightdeck"),
            TamperKind::HeadMismatch => {
                write!(f, "the audit log ends with entry {seq}, which is not the end that was noted")
            }
        }
    }
}

impl Store {
    /// Walks the whole audit log, in constant memory, and looks whether it goes as far as it was written since the hub began. It reads on a connection of its own, so nobody waits for it; only
    /// the write-ahead log grows meanwhile.
    pub fn verify(&self) -> Result<Verdict, StoreError> {
        let mut db = file::open_reading(&self.path)?;
        let written = self.writer.written();
        let mut walk = || {
            // A transaction, so that the head and the entries are of one moment.
            let tx = db.transaction()?;
            Ok(match walk(&tx)? {
                // The head in the file may have been written anew with the entries; the one in memory was not.
                Ok(verified) if position(&tx, written)? == Position::Same => Verdict::Intact(verified),
                Ok(verified) => Verdict::Tampered(Tampered { seq: verified.last_seq, kind: TamperKind::HeadMismatch }),
                Err(tampered) => Verdict::Tampered(tampered),
            })
        };
        walk().map_err(|error| StoreError::new(&self.path, error).seen_by(&self.damage))
    }
}

/// What stands at a position that the log had once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Position {
    /// The entry that was written there, or the note that it was pruned.
    Same,
    /// Another entry, or none although the log goes on behind it.
    Other,
    /// Nothing: the log ends before it.
    Beyond,
}

/// Looks at one position alone. Whether the entries before it are as they were written is for [`Store::verify`].
pub(in super::super) fn position(db: &Connection, at: Head) -> rusqlite::Result<Position> {
    if at == Head::default() {
        return Ok(Position::Same);
    }
    let there = db
        .query_row("SELECT hash FROM audit WHERE seq = ?", [at.seq.0 as i64], |row| {
            Ok(ChainHash::stored(row.get_ref(0)?))
        })
        .optional()?;
    if let Some(hash) = there {
        return Ok(if hash == Some(at.hash) { Position::Same } else { Position::Other });
    }
    // Pruning goes no further than the position that the witness has on the disk.
    if prune::last_note(db)?.is_some_and(|(_, pruned)| pruned == Some(at)) {
        return Ok(Position::Same);
    }
    let last: Option<i64> = db.query_row("SELECT max(seq) FROM audit", [], |row| row.get(0))?;
    Ok(if last.unwrap_or(0) < at.seq.0 as i64 { Position::Beyond } else { Position::Other })
}

fn walk(db: &Connection) -> rusqlite::Result<Result<Verified, Tampered>> {
    let found = |seq: u64, kind| Ok(Err(Tampered { seq: Seq(seq), kind }));
    // Where the chain begins: after what was pruned last, if anything was. The note that says so is a part of the
    // chain itself, so a forged one is found further on.
    let mut last = match prune::last_note(db)? {
        None => Head::default(),
        Some((_, Some(pruned))) => pruned,
        Some((seq, None)) => return found(seq.0, TamperKind::Changed),
    };
    let mut verified = Verified::default();
    let mut walk = db.prepare(concat!("SELECT seq, hash, ", columns!(), " FROM audit ORDER BY seq"))?;
    let mut rows = walk.query([])?;
    while let Some(row) = rows.next()? {
        let expected = last.seq.0 + 1;
        let seq = row.get::<_, i64>(0)?.max(0) as u64;
        if seq < expected {
            return found(seq, TamperKind::Added);
        }
        if seq > expected {
            return found(expected, TamperKind::Missing);
        }
        let mut values = [rusqlite::types::ValueRef::Null; COLUMNS];
        for (at, value) in values.iter_mut().enumerate() {
            *value = row.get_ref(at + 2)?;
        }
        let content = content(values.into_iter());
        let hash = link(&last.hash, Seq(seq), &content);
        let stored = ChainHash::stored(row.get_ref(1)?);
        if stored != Some(hash) {
            let moved =
                stored.is_some_and(|stored| belongs_elsewhere(db, Seq(seq), &content, &stored).unwrap_or(false));
            return found(seq, if moved { TamperKind::Reordered } else { TamperKind::Changed });
        }
        last = Head { seq: Seq(seq), hash };
        if verified.entries == 0 {
            verified.first_seq = last.seq;
        }
        verified.entries += 1;
    }
    verified.last_seq = last.seq;
    verified.head = last.hash;
    match Head::noted(db)? {
        None if verified.entries == 0 => Ok(Ok(verified)),
        Some(head) if head == last => Ok(Ok(verified)),
        Some(head) if head.seq > last.seq => found(last.seq.0 + 1, TamperKind::Missing),
        Some(head) if head.seq < last.seq => found(head.seq.0 + 1, TamperKind::Added),
        _ => found(last.seq.0, TamperKind::HeadMismatch),
    }
}

/// Whether an entry that does not fit at `seq` fits after another one, or in the place of another one.
fn belongs_elsewhere(db: &Connection, seq: Seq, content: &[u8; 32], hash: &ChainHash) -> rusqlite::Result<bool> {
    let mut others = db.prepare("SELECT seq, hash FROM audit")?;
    let mut rows = others.query([])?;
    while let Some(row) = rows.next()? {
        let other = row.get::<_, i64>(0)?.max(0) as u64;
        let Some(before) = ChainHash::stored(row.get_ref(1)?) else { continue };
        // When two neighbours change places, the hash that was before the second is now in the second's place.
        for place in [other + 1, other].map(Seq) {
            if place != seq && link(&before, place, content) == *hash {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
