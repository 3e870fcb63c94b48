//! What conversations keep of terminals that are gone, so that their tool calls still show something.

use rusqlite::{OptionalExtension, params};

use super::error::StoreError;
use super::writer::{Ledger, Work};
use super::{ConversationNumber, Store, TerminalNumber};

/// So many terminals of one conversation are kept of, the newest.
const MOST: i64 = 1000;

/// What is kept of a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keepsake {
    /// The conversation that shows it.
    pub conversation: ConversationNumber,
    /// Which it was.
    pub terminal: TerminalNumber,
    /// What is kept, JSON.
    pub json: String,
}

impl Work for Keepsake {
    type Done = ();

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        let (db, Keepsake { conversation, terminal, json }) = (ledger.db, self);
        db.prepare_cached("INSERT OR REPLACE INTO keepsakes (conversation, terminal, json) VALUES (?, ?, ?)")?
            .execute(params![conversation.0, terminal.0, json])?;
        db.prepare_cached(
            "DELETE FROM keepsakes WHERE conversation = ?1 AND terminal <=
             (SELECT terminal FROM keepsakes WHERE conversation = ?1 ORDER BY terminal DESC LIMIT 1 OFFSET ?2)",
        )?
        .execute(params![conversation.0, MOST])?;
        Ok(())
    }
}

impl Store {
    /// What is kept of a terminal. It may wait for the disk: async callers do it aside.
    pub fn keepsake(&self, of: ConversationNumber, terminal: TerminalNumber) -> Result<Option<String>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT json FROM keepsakes WHERE conversation = ? AND terminal = ?")?
                .query_row([of.0, terminal.0], |row| row.get(0))
                .optional()
        })
    }
}
