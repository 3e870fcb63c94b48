//! Conversations: how each stands, its entries, and the lines that are on their way to its agent. What belongs together is
//! written together: a message that was handled, what it changed, and what it is answered with.

use rusqlite::params;

use super::Store;
use super::error::StoreError;
use super::writer::{Ledger, Work};

/// A conversation's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConversationNumber(pub u32);

/// A conversation as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredConversation {
    /// Its number.
    pub number: ConversationNumber,
    /// How it stands, JSON.
    pub head: String,
}

/// Something that was said or done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// Its number within the conversation.
    pub number: u64,
    /// What it is, JSON.
    pub json: String,
}

/// A line for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLine {
    /// Where it begins in all that is written to the agent.
    pub start: u64,
    /// With its end.
    pub line: String,
}

/// A request of an agent's that was not answered. Each has a row of its own: with many of them open, one more costs no more
/// than the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRequest {
    /// The id that the agent gave it, as JSON.
    pub id: String,
    /// What it asks, JSON; `None` when it was answered.
    pub json: Option<String>,
}

/// A change of one conversation, all of it or nothing.
#[derive(Clone, Debug)]
pub enum ConversationChange {
    /// Keeps what has changed.
    Put {
        /// How it stands.
        conversation: StoredConversation,
        /// Entries that are new or take the place of others.
        entries: Vec<StoredEntry>,
        /// Entries before this one are forgotten.
        oldest: u64,
        /// Lines that are to be written to the agent.
        lines: Vec<StoredLine>,
        /// Requests that came or were answered.
        requests: Vec<StoredRequest>,
        /// Lines that were to be written to another process, and what that has asked, are forgotten.
        anew: bool,
        /// Lines that end before this were written.
        written: u64,
    },
    /// Forgets it.
    Remove(ConversationNumber),
}

impl Work for ConversationChange {
    type Done = ();

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        let db = ledger.db;
        match self {
            ConversationChange::Put {
                conversation: StoredConversation { number, head },
                entries,
                oldest,
                lines,
                requests,
                anew,
                written,
            } => {
                db.prepare_cached("INSERT OR REPLACE INTO conversations (number, head) VALUES (?, ?)")?
                    .execute(params![number.0, head])?;
                let mut put =
                    db.prepare_cached("INSERT OR REPLACE INTO entries (conversation, number, json) VALUES (?, ?, ?)")?;
                for entry in entries {
                    put.execute(params![number.0, entry.number as i64, entry.json])?;
                }
                if *oldest > 1 {
                    db.prepare_cached("DELETE FROM entries WHERE conversation = ? AND number < ?")?
                        .execute(params![number.0, *oldest as i64])?;
                }
                db.prepare_cached(
                    "DELETE FROM outgoing WHERE conversation = ?1 AND (?2 OR start + length(CAST(line AS BLOB)) <= ?3)",
                )?
                .execute(params![number.0, anew, *written as i64])?;
                let mut put =
                    db.prepare_cached("INSERT OR REPLACE INTO outgoing (conversation, start, line) VALUES (?, ?, ?)")?;
                for line in lines {
                    put.execute(params![number.0, line.start as i64, line.line])?;
                }
                if *anew {
                    db.prepare_cached("DELETE FROM requests WHERE conversation = ?")?.execute([number.0])?;
                }
                let mut put =
                    db.prepare_cached("INSERT OR REPLACE INTO requests (conversation, id, json) VALUES (?, ?, ?)")?;
                let mut answered = db.prepare_cached("DELETE FROM requests WHERE conversation = ? AND id = ?")?;
                for request in requests {
                    match &request.json {
                        Some(json) => put.execute(params![number.0, request.id, json])?,
                        None => answered.execute(params![number.0, request.id])?,
                    };
                }
                Ok(())
            }
            ConversationChange::Remove(number) => {
                for sql in [
                    "DELETE FROM conversations WHERE number = ?",
                    "DELETE FROM entries WHERE conversation = ?",
                    "DELETE FROM outgoing WHERE conversation = ?",
                    "DELETE FROM keepsakes WHERE conversation = ?",
                    "DELETE FROM requests WHERE conversation = ?",
                ] {
                    db.prepare_cached(sql)?.execute([number.0])?;
                }
                Ok(())
            }
        }
    }
}

/// Reading. These may wait for the disk and for each other: async callers do it aside.
impl Store {
    /// All conversations, by number.
    pub fn conversations(&self) -> Result<Vec<StoredConversation>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT number, head FROM conversations ORDER BY number")?
                .query_map([], |row| {
                    Ok(StoredConversation { number: ConversationNumber(row.get(0)?), head: row.get(1)? })
                })?
                .collect()
        })
    }

    /// The last `limit` entries before the one with this number, oldest first.
    pub fn entries_before(
        &self,
        conversation: ConversationNumber,
        before: u64,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, StoreError> {
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        self.read(|db| {
            let mut entries: Vec<StoredEntry> = db
                .prepare_cached(
                    "SELECT number, json FROM entries WHERE conversation = ? AND number < ? ORDER BY number DESC LIMIT ?",
                )?
                .query_map(params![conversation.0, before, limit as i64], |row| {
                    Ok(StoredEntry { number: row.get::<_, i64>(0)? as u64, json: row.get(1)? })
                })?
                .collect::<rusqlite::Result<_>>()?;
            entries.reverse();
            Ok(entries)
        })
    }

    /// What a conversation's agent has asked and was not answered.
    pub fn requests(&self, conversation: ConversationNumber) -> Result<Vec<StoredRequest>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT id, json FROM requests WHERE conversation = ? ORDER BY id")?
                .query_map([conversation.0], |row| Ok(StoredRequest { id: row.get(0)?, json: row.get(1)? }))?
                .collect()
        })
    }

    /// The lines that are on their way to a conversation's agent, in order.
    pub fn outgoing(&self, conversation: ConversationNumber) -> Result<Vec<StoredLine>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT start, line FROM outgoing WHERE conversation = ? ORDER BY start")?
                .query_map([conversation.0], |row| {
                    Ok(StoredLine { start: row.get::<_, i64>(0)? as u64, line: row.get(1)? })
                })?
                .collect()
        })
    }
}
