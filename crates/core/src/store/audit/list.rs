//! Reading the audit log: one row for each call, with its beginning and its end put together.

use std::collections::HashSet;

use rusqlite::{Row, named_params};
use serde_json::json;

use super::super::Store;
use super::super::error::StoreError;
use super::{CallNumber, EntryKind, NewEntry, Seq};

/// Which calls to list. Every part that is given narrows the choice.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Calls that began at this time or later, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Calls that began before this time.
    pub until_ms: Option<i64>,
    /// A part of the actor's name; upper and lower case are the same.
    pub actor: Option<String>,
    /// How the command begins, or a pattern with `*`, `?` or `[…]` for all of it.
    pub command: Option<String>,
    /// The terminal it was about.
    pub terminal: Option<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// A part of any of the texts; upper and lower case are the same.
    pub text: Option<String>,
    /// How many at most; at least one.
    pub limit: usize,
    /// The first ones with an entry after this one, instead of the newest.
    pub after: Option<Seq>,
}

impl Default for Filter {
    fn default() -> Self {
        Filter {
            since_ms: None,
            until_ms: None,
            actor: None,
            command: None,
            terminal: None,
            outcome: None,
            text: None,
            limit: 100,
            after: None,
        }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Well, and so did the command that it ran.
    Ok,
    /// With any error, interrupted, or with a command that ended with another exit code than 0.
    Failed,
    /// With this result: an error code, `running` or `interrupted`.
    Code(String),
}

/// A part of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPage {
    /// The calls, in the order of their last entries, newest last.
    pub calls: Vec<AuditCall>,
    /// What to give as [`Filter::after`] to go on from here. A call that was running is listed again when it has ended.
    pub next: Seq,
}

/// A call, with everything that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditCall {
    /// Its first entry.
    pub seq: Seq,
    /// Its last entry, which is the same one unless it has a beginning and an end.
    pub last_seq: Seq,
    /// What its entries say together, of the kind of the last one. The result is `running` while it runs, and
    /// `interrupted` if it began and nobody is left to end it.
    pub entry: NewEntry,
}

/// The result of a call that is under way.
pub const RUNNING: &str = "running";

impl AuditCall {
    /// It began, and nobody was left to end it.
    pub fn is_interrupted(&self) -> bool {
        self.entry.kind == EntryKind::Begin && self.entry.result != RUNNING
    }
}

/// One row for each call, at the place of its last entry. An end belongs to the entry of its call before it if that is
/// a beginning; so a number that was given twice joins nothing wrong.
///
/// The columns that are sorted and limited by are the table's own, so that SQLite walks it backwards and stops early.
macro_rules! calls {
    ($order:literal) => {
        concat!(
            "WITH calls AS (
                SELECT e.seq AS last_seq, coalesce(b.seq, e.seq) AS seq, e.kind AS kind, e.call AS call,
                    coalesce(b.at_ms, e.at_ms) AS at_ms,
                    coalesce(nullif(e.actor, ''), b.actor, '') AS actor,
                    coalesce(nullif(e.surface, ''), b.surface, '') AS surface,
                    coalesce(nullif(e.command, ''), b.command, '') AS command,
                    CASE WHEN e.kind = 2 THEN coalesce(b.args, '') ELSE e.args END AS args,
                    coalesce(nullif(e.decision, ''), b.decision, '') AS decision,
                    coalesce(nullif(e.rule, ''), b.rule, '') AS rule,
                    coalesce(nullif(e.reason, ''), b.reason, '') AS reason,
                    CASE WHEN e.kind <> 1 THEN e.result
                        WHEN e.call IN (SELECT value FROM json_each(:alive)) THEN 'running'
                        ELSE 'interrupted' END AS result,
                    e.error AS error, e.duration_us AS duration_us,
                    coalesce(e.trace, b.trace) AS trace, coalesce(e.terminal, b.terminal) AS terminal,
                    CASE WHEN e.kind = 2 THEN nullif(e.args, '') END AS run,
                    CASE WHEN e.kind = 2 AND json_valid(e.args) THEN coalesce(e.args ->> 'exitCode', 0) ELSE 0 END
                        AS exit_code
                FROM audit e LEFT JOIN audit b ON e.kind = 2 AND b.kind = 1 AND b.seq = (
                    SELECT seq FROM audit
                    WHERE call = e.call AND kind < 3 AND seq < e.seq ORDER BY seq DESC LIMIT 1)
                WHERE e.seq > :after AND (e.kind <> 1 OR (
                    SELECT kind FROM audit
                    WHERE call = e.call AND kind < 3 AND seq > e.seq ORDER BY seq LIMIT 1) IS NOT 2)
            )
            SELECT * FROM calls
            WHERE (:since IS NULL OR at_ms >= :since) AND (:until IS NULL OR at_ms < :until)
                AND (:actor IS NULL OR instr(lower(actor), :actor))
                AND (:prefix IS NULL OR substr(command, 1, length(:prefix)) = :prefix)
                AND (:pattern IS NULL OR command GLOB :pattern)
                AND (:terminal IS NULL OR terminal = :terminal)
                AND (:code IS NULL OR result = :code)
                AND (NOT :well OR exit_code = 0)
                AND (NOT :failed OR exit_code <> 0 OR result NOT IN ('ok', 'running', ''))
                AND (:text IS NULL OR instr(lower(concat_ws(char(10), actor, surface, command, args, decision, rule,
                    reason, result, error, trace, terminal, run)), :text))
            ORDER BY last_seq ",
            $order,
            " LIMIT :limit"
        )
    };
}

/// Forwards from an entry, and backwards from the newest.
pub(super) const QUERIES: [&str; 2] = [calls!("ASC"), calls!("DESC")];

impl Store {
    /// The calls that fit, newest last: the newest ones, or with [`Filter::after`] the first ones after that entry.
    /// `alive` are the calls that run at this moment.
    pub fn calls(&self, filter: &Filter, alive: &HashSet<CallNumber>) -> Result<AuditPage, StoreError> {
        let lower = |text: &Option<String>| text.as_ref().map(|text| text.to_ascii_lowercase());
        let wild = |command: &&String| command.contains(['*', '?', '[']);
        let alive: Vec<i64> = alive.iter().map(|call| call.0 as i64).collect();
        let limit = filter.limit.max(1);
        // Noted before the look, so that nothing that comes during it is left out the next time.
        let newest = *self.writer.newest().borrow();
        let mut calls: Vec<AuditCall> = self.read(|db| {
            let [forwards, backwards] = QUERIES;
            let sql = if filter.after.is_some() { forwards } else { backwards };
            db.prepare_cached(sql)?
                .query_map(
                    named_params! {
                        ":alive": json!(alive).to_string(),
                        ":after": filter.after.map_or(i64::MIN, |seq| seq.0 as i64),
                        ":since": filter.since_ms,
                        ":until": filter.until_ms,
                        ":actor": lower(&filter.actor),
                        ":prefix": filter.command.as_ref().filter(|command| !wild(command)),
                        ":pattern": filter.command.as_ref().filter(wild),
                        ":terminal": filter.terminal,
                        ":code": match &filter.outcome {
                            Some(Outcome::Ok) => Some("ok"),
                            Some(Outcome::Code(code)) => Some(code.as_str()),
                            Some(Outcome::Failed) | None => None,
                        },
                        ":well": filter.outcome == Some(Outcome::Ok),
                        ":failed": filter.outcome == Some(Outcome::Failed),
                        ":text": lower(&filter.text),
                        ":limit": i64::try_from(limit).unwrap_or(i64::MAX),
                    },
                    call,
                )?
                .collect()
        })?;
        let last = calls.iter().map(|call| call.last_seq).max();
        let next = match last {
            // There may be more.
            Some(last) if filter.after.is_some() && calls.len() >= limit => last,
            // Everything up to here was looked at.
            _ => newest.max(last.unwrap_or_default()).max(filter.after.unwrap_or_default()),
        };
        if filter.after.is_none() {
            calls.reverse();
        }
        Ok(AuditPage { calls, next })
    }

    /// The highest number that a call with a beginning has had.
    pub fn last_call(&self) -> Result<CallNumber, StoreError> {
        self.read(|db| {
            let last: Option<i64> = db.query_row("SELECT max(call) FROM audit WHERE kind < 3", [], |row| row.get(0))?;
            Ok(CallNumber(last.unwrap_or(0) as u64))
        })
    }
}

fn call(row: &Row<'_>) -> rusqlite::Result<AuditCall> {
    let entry = NewEntry {
        kind: match row.get::<_, i64>(2)? {
            1 => EntryKind::Begin,
            2 => EntryKind::End,
            _ => EntryKind::Single,
        },
        call: CallNumber(row.get::<_, i64>(3)? as u64),
        at_ms: row.get(4)?,
        actor: row.get(5)?,
        surface: row.get(6)?,
        command: row.get(7)?,
        args: row.get(8)?,
        decision: row.get(9)?,
        rule: row.get(10)?,
        reason: row.get(11)?,
        result: row.get(12)?,
        error: row.get(13)?,
        duration_us: row.get::<_, Option<i64>>(14)?.map(|duration| duration as u64),
        trace: row.get(15)?,
        terminal: row.get(16)?,
        run: row.get(17)?,
    };
    Ok(AuditCall { last_seq: Seq(row.get::<_, i64>(0)? as u64), seq: Seq(row.get::<_, i64>(1)? as u64), entry })
}
