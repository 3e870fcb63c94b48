//! The chain itself: what is hashed, and how an entry is put at its end.

use std::{fmt, iter};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};
use sha2::{Digest, Sha256};

use super::super::tables::{fact, put_fact};
use super::{EntryKind, NewEntry, Seq};

/// The fact that holds the last number and hash.
const HEAD: &str = "audit.head";

/// The kind of a note that pruning leaves, and nothing else. (4 was once for other notes.)
pub(super) const PRUNED: i64 = 5;

pub(super) const fn code(kind: EntryKind) -> i64 {
    match kind {
        EntryKind::Begin => 1,
        EntryKind::End => 2,
        EntryKind::Single => 3,
    }
}

/// Every column that is hashed, in the order of hashing.
macro_rules! columns {
    () => {
        "kind, call, at_ms, actor, surface, command, args, decision, rule, reason, result, error, duration_us, \
         trace, terminal"
    };
}
pub(super) use columns;

/// How many these are.
pub(super) const COLUMNS: usize = 15;

/// The hash of an entry and thereby of all before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainHash(pub [u8; 32]);

impl ChainHash {
    pub(in super::super) fn parse(hex: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&hex[at..at + 2], 16).ok()?;
        }
        Some(ChainHash(bytes))
    }

    /// As it is in its column; `None` if it can't be one.
    pub(super) fn stored(value: ValueRef<'_>) -> Option<Self> {
        value.as_blob().ok()?.try_into().ok().map(ChainHash)
    }
}

impl fmt::Display for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Where the log stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Head {
    pub(in super::super) seq: Seq,
    pub(in super::super) hash: ChainHash,
}

impl Head {
    /// Where the next entry goes.
    ///
    /// If someone removed the newest entries, or added some, or removed the note of the head, then the entries written
    /// from now on don't fit the ones that are there: nothing here heals the chain, so `verify` goes on to find it.
    pub(in super::super) fn load(db: &Connection) -> rusqlite::Result<Self> {
        let noted = Head::noted(db)?.unwrap_or_default();
        let last: Option<i64> = db.query_row("SELECT max(seq) FROM audit", [], |row| row.get(0))?;
        Ok(Head { seq: noted.seq.max(Seq(last.unwrap_or(0).max(0) as u64)), hash: noted.hash })
    }

    /// What was noted of it; `None` if there is no note, or none that makes sense.
    pub(super) fn noted(db: &Connection) -> rusqlite::Result<Option<Self>> {
        Ok(fact(db, HEAD)?.and_then(|text| {
            let (seq, hash) = text.split_once(' ')?;
            Some(Head { seq: Seq(seq.parse().ok()?), hash: ChainHash::parse(hash)? })
        }))
    }

    /// Notes it, in the transaction that moved it.
    pub(in super::super) fn save(&self, db: &Connection) -> rusqlite::Result<()> {
        put_fact(db, HEAD, &format!("{} {}", self.seq.0, self.hash))
    }

    /// Writes the note once more as it is, if there is one.
    pub(in super::super) fn touch(db: &Connection) -> rusqlite::Result<()> {
        db.prepare_cached("UPDATE facts SET value = value WHERE key = ?")?.execute([HEAD]).map(drop)
    }
}

/// Puts an entry after `head`. What it gives is the new head.
pub(super) fn insert(db: &Connection, head: Head, kind: i64, entry: &NewEntry) -> rusqlite::Result<Head> {
    let columns = values(kind, entry);
    let seq = Seq(head.seq.0 + 1);
    let hash = link(&head.hash, seq, &content(columns.iter().copied()));
    let number = ValueRef::Integer(seq.0 as i64);
    let all = iter::once(number).chain(columns).chain([ValueRef::Blob(&hash.0)]).map(Bound);
    db.prepare_cached(concat!(
        "INSERT INTO audit (seq, ",
        columns!(),
        ", hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ))?
    .execute(params_from_iter(all))?;
    Ok(Head { seq, hash })
}

fn values<'a>(kind: i64, entry: &'a NewEntry) -> [ValueRef<'a>; COLUMNS] {
    fn text(text: &str) -> ValueRef<'_> {
        ValueRef::Text(text.as_bytes())
    }
    let maybe = |maybe: &'a Option<String>| maybe.as_deref().map_or(ValueRef::Null, text);
    [
        ValueRef::Integer(kind),
        ValueRef::Integer(entry.call.0 as i64),
        ValueRef::Integer(entry.at_ms),
        text(&entry.actor),
        text(&entry.surface),
        text(&entry.command),
        text(match entry.kind {
            EntryKind::End => entry.run.as_deref().unwrap_or_default(),
            EntryKind::Begin | EntryKind::Single => &entry.args,
        }),
        text(&entry.decision),
        text(&entry.rule),
        text(&entry.reason),
        text(&entry.result),
        maybe(&entry.error),
        entry.duration_us.map_or(ValueRef::Null, |duration| ValueRef::Integer(duration as i64)),
        maybe(&entry.trace),
        maybe(&entry.terminal),
    ]
}

/// The hash of an entry's columns. Every value goes in with its type, and text with its length in front, so that no two
/// different entries are the same bytes.
pub(super) fn content<'a>(columns: impl Iterator<Item = ValueRef<'a>>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for value in columns {
        match value {
            ValueRef::Null => hash.update([0]),
            ValueRef::Integer(number) => {
                hash.update([1]);
                hash.update(number.to_le_bytes());
            }
            // Never written here; hashed all the same, so that putting one in is found.
            ValueRef::Real(number) => {
                hash.update([2]);
                hash.update(number.to_bits().to_le_bytes());
            }
            ValueRef::Text(bytes) => {
                hash.update([3]);
                hash.update((bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            }
            ValueRef::Blob(bytes) => {
                hash.update([4]);
                hash.update((bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            }
        }
    }
    hash.finalize().into()
}

/// The hash of an entry with this content, at this place.
pub(super) fn link(before: &ChainHash, seq: Seq, content: &[u8; 32]) -> ChainHash {
    let mut hash = Sha256::new();
    hash.update(before.0);
    hash.update(seq.0.to_le_bytes());
    hash.update(content);
    ChainHash(hash.finalize().into())
}

/// A value that is bound as it is.
struct Bound<'a>(ValueRef<'a>);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.0))
    }
}
