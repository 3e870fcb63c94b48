//! Requests that came over the bridge, so that each is carried out once, whichever side was started anew.

use rusqlite::{OptionalExtension, params};

use super::writer::{Ledger, Work};

/// So long a request is remembered.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// And so many of them at most.
const MOST: i64 = 10_000;

/// Whose request, and which.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ErrandKey {
    /// Whose.
    pub client: String,
    /// Its own name for it.
    pub request: String,
}

/// What is known of a request that is about to be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// Nothing: it is noted now.
    Fresh,
    /// How it ended.
    Answered(String),
    /// A hub has begun it and was ended in the middle.
    Interrupted,
    /// Another request had this name.
    Other,
}

/// Notes a request before it is carried out.
#[derive(Clone, Debug)]
pub struct BeginErrand {
    /// Which.
    pub key: ErrandKey,
    /// What it asks for, as a hash.
    pub digest: String,
    /// When.
    pub at_ms: i64,
}

impl Work for BeginErrand {
    type Done = Begun;

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<Begun> {
        let (db, ErrandKey { client, request }) = (ledger.db, &self.key);
        db.prepare_cached("DELETE FROM errands WHERE at_ms < ?")?.execute([self.at_ms - KEPT_MS])?;
        let known = db
            .prepare_cached("SELECT digest, response FROM errands WHERE client = ? AND request = ?")?
            .query_row([client, request], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))
            .optional()?;
        match known {
            Some((digest, _)) if digest != self.digest => return Ok(Begun::Other),
            Some((_, Some(response))) => return Ok(Begun::Answered(response)),
            Some((_, None)) => return Ok(Begun::Interrupted),
            None => {}
        }
        db.prepare_cached("INSERT INTO errands (client, request, digest, at_ms) VALUES (?, ?, ?, ?)")?
            .execute(params![client, request, self.digest, self.at_ms])?;
        db.prepare_cached(
            "DELETE FROM errands WHERE response IS NOT NULL AND at_ms <
             (SELECT at_ms FROM errands ORDER BY at_ms DESC LIMIT 1 OFFSET ?)",
        )?
        .execute([MOST])?;
        Ok(Begun::Fresh)
    }
}

/// Notes how a request ended, or that its asker knows.
#[derive(Clone, Debug)]
pub enum ErrandChange {
    /// How it ended.
    End {
        /// Which.
        key: ErrandKey,
        /// The response, JSON.
        response: String,
        /// Whether it did something: then it is remembered even when its asker knows how it ended.
        lasting: bool,
    },
    /// Its asker has the response.
    Delivered(ErrandKey),
}

impl Work for ErrandChange {
    type Done = ();

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        match self {
            ErrandChange::End { key: ErrandKey { client, request }, response, lasting } => ledger
                .db
                .prepare_cached("UPDATE errands SET response = ?, lasting = ? WHERE client = ? AND request = ?")?
                .execute(params![response, lasting, client, request])
                .map(drop),
            ErrandChange::Delivered(ErrandKey { client, request }) => ledger
                .db
                .prepare_cached(
                    "DELETE FROM errands WHERE client = ? AND request = ? AND response IS NOT NULL AND NOT lasting",
                )?
                .execute([client, request])
                .map(drop),
        }
    }
}
