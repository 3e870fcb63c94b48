//! The tables and their versions: a database is brought from the version it has to the newest one, step by step.

use rusqlite::{Connection, TransactionBehavior};

/// The steps in order. The first makes the tables of version 1 out of nothing; a released step never changes again.
const STEPS: [&str; 5] = [VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5];

/// The newest version.
pub(super) const NEWEST: i64 = STEPS.len() as i64;

const VERSION_1: &str = "
    CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE terminals (number INTEGER PRIMARY KEY, meta TEXT NOT NULL) STRICT;
    CREATE TABLE records (
        terminal INTEGER NOT NULL,
        number INTEGER NOT NULL,
        json TEXT NOT NULL,
        PRIMARY KEY (terminal, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE pending (terminal INTEGER PRIMARY KEY, run TEXT NOT NULL) STRICT;
    CREATE TABLE audit (
        seq INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        call INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        actor TEXT NOT NULL,
        surface TEXT NOT NULL,
        command TEXT NOT NULL,
        args TEXT NOT NULL,
        decision TEXT NOT NULL,
        rule TEXT NOT NULL,
        reason TEXT NOT NULL,
        result TEXT NOT NULL,
        error TEXT,
        duration_us INTEGER,
        trace TEXT,
        terminal TEXT,
        hash BLOB NOT NULL
    ) STRICT;
    -- Only beginnings and ends (kinds 1 and 2) look for each other, so other entries cost no page more.
    CREATE INDEX audit_call ON audit (call) WHERE kind < 3;
    -- The notes of pruning: verifying begins at the last of them.
    CREATE INDEX audit_pruned ON audit (kind) WHERE kind = 5;
";

/// Conversations with agents: how each stands, what was said, and what is on its way to the agent.
const VERSION_2: &str = "
    CREATE TABLE conversations (number INTEGER PRIMARY KEY, head TEXT NOT NULL) STRICT;
    CREATE TABLE entries (
        conversation INTEGER NOT NULL,
        number INTEGER NOT NULL,
        json TEXT NOT NULL,
        PRIMARY KEY (conversation, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE outgoing (
        conversation INTEGER NOT NULL,
        start INTEGER NOT NULL,
        line TEXT NOT NULL,
        PRIMARY KEY (conversation, start)
    ) STRICT, WITHOUT ROWID;
";

/// Requests that came over the bridge: what each asks for, and how it ended.
const VERSION_3: &str = "
    CREATE TABLE errands (
        client TEXT NOT NULL,
        request TEXT NOT NULL,
        digest TEXT NOT NULL,
        response TEXT,
        lasting INTEGER NOT NULL DEFAULT 0,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (client, request)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX errands_at ON errands (at_ms);
";

/// What conversations keep of terminals that are gone.
const VERSION_4: &str = "
    CREATE TABLE keepsakes (
        conversation INTEGER NOT NULL,
        terminal INTEGER NOT NULL,
        json TEXT NOT NULL,
        PRIMARY KEY (conversation, terminal)
    ) STRICT, WITHOUT ROWID;
";

/// What agents of conversations have asked and were not answered.
const VERSION_5: &str = "
    CREATE TABLE requests (
        conversation INTEGER NOT NULL,
        id TEXT NOT NULL,
        json TEXT NOT NULL,
        PRIMARY KEY (conversation, id)
    ) STRICT, WITHOUT ROWID;
";

/// The version of a database; 0 is an empty one.
pub(super) fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Takes the steps after version `from`, all in one transaction: a crash leaves the old version or the newest.
pub(super) fn migrate(db: &mut Connection, from: i64) -> rusqlite::Result<()> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in STEPS.iter().skip(from.max(0) as usize) {
        tx.execute_batch(step)?;
    }
    tx.pragma_update(None, "user_version", NEWEST)?;
    tx.commit()
}

/// Reads a little of every table, so that damage to the smaller ones shows at once and not in the middle of the work.
pub(super) fn probe(db: &Connection) -> rusqlite::Result<()> {
    for table in [
        "facts",
        "terminals",
        "records",
        "pending",
        "audit",
        "conversations",
        "entries",
        "outgoing",
        "errands",
        "keepsakes",
        "requests",
    ] {
        db.query_row(&format!("SELECT count(*) FROM (SELECT * FROM {table} LIMIT 1)"), [], |_| Ok(()))?;
    }
    Ok(())
}
