//! The audit log: who called what, when, and how it ended, in a chain of hashes.
//!
//! Entries are numbered 1, 2, 3… Each carries the SHA-256 of the entry before it and of all its own columns, and the
//! last number and hash are kept apart as well. So [`Store::verify`] finds every entry that was changed, removed, added
//! or moved. The hashes hold no secret: someone who may write the file can compute the whole chain anew. Against that,
//! note the head that `verify` reports somewhere else.
//!
//! A call that only reads is one `Single` entry, written when it is over. Any other is a `Begin`, committed before
//! anything happens, and an `End`. A `Begin` without an `End` is a call that the hub did not live to finish.

mod chain;
mod list;
mod prune;
mod verify;

#[cfg(test)]
mod tests;

use tokio::sync::watch;

pub(super) use chain::{ChainHash, Head};
pub use list::{AuditCall, AuditPage, Filter, Outcome, RUNNING};
pub use verify::Verdict;
#[cfg(test)]
pub(super) use verify::Verified;
pub(super) use verify::{Position, position};

use super::Store;
use super::writer::{Committed, Ledger, Work};

/// The number of an entry: 1, 2, 3… without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(pub u64);

/// Ties the two entries of one call together. The caller gives it, each number once; [`Store::last_call`] tells where
/// to go on after a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallNumber(pub u64);

/// What an entry says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntryKind {
    /// A call begins. There is no result yet.
    Begin,
    /// The call of that number has ended. What it leaves empty is taken from its beginning.
    End,
    /// A whole call.
    #[default]
    Single,
}

/// An entry to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEntry {
    /// What it says.
    pub kind: EntryKind,
    /// Which call it belongs to; 0 for what pruning notes.
    pub call: CallNumber,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// Who.
    pub actor: String,
    /// By which way in.
    pub surface: String,
    /// What was called.
    pub command: String,
    /// With which arguments: JSON, with secrets masked and cut to a sensible size.
    pub args: String,
    /// Whether it was allowed.
    pub decision: String,
    /// By which rule.
    pub rule: String,
    /// Why, in words.
    pub reason: String,
    /// `ok`, an error code, or nothing.
    pub result: String,
    /// What went wrong, in words.
    pub error: Option<String>,
    /// How long it took, in microseconds.
    pub duration_us: Option<u64>,
    /// What it is a part of.
    pub trace: Option<String>,
    /// Which terminal it was about.
    pub terminal: Option<String>,
    /// What the call ran and how that ended, as JSON. Only an end has it: it stands where a beginning has its arguments,
    /// which an end leaves empty.
    pub run: Option<String>,
}

impl Work for NewEntry {
    type Done = Seq;

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<Seq> {
        ledger.head = chain::insert(ledger.db, ledger.head, chain::code(self.kind), self)?;
        Ok(ledger.head.seq)
    }
}

impl Store {
    /// Appends an entry, here and now if nobody else writes; resolves to its number when it is committed.
    /// [`Store::write`] is the same for callers that block.
    pub fn append(&self, entry: NewEntry) -> Committed<Seq> {
        self.writer.send_now(entry)
    }

    /// The newest entry's number, now and whenever it changes: who follows the log waits here and then reads what came
    /// after what it has seen.
    pub fn follow(&self) -> watch::Receiver<Seq> {
        self.writer.newest()
    }
}

/// Puts an entry into the chain past the store, as somebody does who knows how.
#[cfg(test)]
pub(super) fn insert_for_test(db: &rusqlite::Connection, head: Head, entry: &NewEntry) -> rusqlite::Result<Head> {
    chain::insert(db, head, chain::code(EntryKind::Single), entry)
}

/// The same with a note of pruning.
#[cfg(test)]
pub(super) fn insert_note_for_test(db: &rusqlite::Connection, head: Head, note: &NewEntry) -> rusqlite::Result<Head> {
    chain::insert(db, head, chain::PRUNED, note)
}
