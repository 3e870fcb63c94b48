//! Whatever is done to the log past the store is found.

use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::super::chain::{self, ChainHash, Head, columns};
use super::super::verify::TamperKind;
use super::super::{EntryKind, NewEntry, Seq, Verdict};
use crate::store::tests::{directly, entry, folder, intact, open, single};

/// What verifying finds, after the log was meddled with.
fn found(dir: &Path) -> Option<(u64, TamperKind)> {
    match open(dir).verify().unwrap() {
        Verdict::Intact(_) => None,
        Verdict::Tampered(tampered) => {
            assert!(tampered.to_string().contains(&format!("entry {}", tampered.seq.0)), "{tampered}");
            Some((tampered.seq.0, tampered.kind))
        }
    }
}

/// A log of singles, beginnings and ends.
fn fill(dir: &Path, entries: u64) {
    let store = open(dir);
    for n in 1..=entries {
        let kind = [EntryKind::Single, EntryKind::Begin, EntryKind::End, EntryKind::Single][n as usize % 4];
        store.write(entry(kind, n / 2)).unwrap();
    }
    intact(&store);
}

/// Meddles with a log of ten entries and says what is found.
fn after(sql: &str) -> Option<(u64, TamperKind)> {
    let dir = folder();
    fill(dir.path(), 10);
    directly(dir.path(), |db| db.execute_batch(sql));
    found(dir.path())
}

#[test]
fn an_untouched_log_is_intact() {
    assert_eq!(after(""), None);
    let dir = folder();
    let verified = intact(&open(dir.path()));
    assert_eq!((verified.entries, verified.last_seq), (0, Seq(0)));
}

#[test]
fn every_column_of_every_entry_is_guarded() {
    let texts = ["actor", "surface", "command", "args", "decision", "rule", "reason", "result"];
    let mut edits: Vec<(String, TamperKind)> = Vec::new();
    for column in texts {
        edits.push((format!("{column} = {column} || ' '"), TamperKind::Changed));
        edits.push((format!("{column} = iif({column} = '', 'x', '')"), TamperKind::Changed));
        edits.push((format!("{column} = CAST(x'ff00fe' AS TEXT)"), TamperKind::Changed));
    }
    for column in ["error", "trace", "terminal"] {
        edits.push((format!("{column} = coalesce({column}, '') || 'x'"), TamperKind::Changed));
        edits.push((format!("{column} = iif({column} IS NULL, '', NULL)"), TamperKind::Changed));
    }
    for column in ["kind", "call", "at_ms"] {
        edits.push((format!("{column} = {column} + 1"), TamperKind::Changed));
    }
    edits.push(("duration_us = coalesce(duration_us + 1, 0)".into(), TamperKind::Changed));
    edits.push(("duration_us = iif(duration_us IS NULL, 0, NULL)".into(), TamperKind::Changed));
    edits.push(("hash = randomblob(32)".into(), TamperKind::Changed));
    edits.push(("hash = x''".into(), TamperKind::Changed));
    // The same text, cut elsewhere.
    edits.push(("actor = actor || substr(surface, 1, 1), surface = substr(surface, 2)".into(), TamperKind::Changed));
    edits.push(("seq = 99".into(), TamperKind::Missing));
    for seq in [1, 5, 10] {
        let dir = folder();
        fill(dir.path(), 10);
        for (edit, kind) in &edits {
            directly(dir.path(), |db| {
                db.execute_batch("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT * FROM audit")?;
                db.execute(&format!("UPDATE audit SET {edit} WHERE seq = {seq}"), [])
            });
            assert_eq!(found(dir.path()), Some((seq, *kind)), "{edit} of {seq}");
            directly(dir.path(), |db| db.execute_batch("DELETE FROM audit; INSERT INTO audit SELECT * FROM kept"));
            assert_eq!(found(dir.path()), None, "{edit}: undone");
        }
    }
}

#[test]
fn removed_entries_are_missed() {
    for seq in [1, 2, 5, 9, 10] {
        assert_eq!(after(&format!("DELETE FROM audit WHERE seq = {seq}")), Some((seq, TamperKind::Missing)));
    }
    assert_eq!(after("DELETE FROM audit WHERE seq < 4"), Some((1, TamperKind::Missing)), "the front");
    assert_eq!(after("DELETE FROM audit WHERE seq > 7"), Some((8, TamperKind::Missing)), "the end");
    assert_eq!(after("DELETE FROM audit"), Some((1, TamperKind::Missing)), "all");
    // Closing the gap does not help. That it was moved can't be told: what it stood on is gone.
    let closed = "DELETE FROM audit WHERE seq = 5; UPDATE audit SET seq = seq - 1 WHERE seq > 5";
    assert_eq!(after(closed), Some((5, TamperKind::Changed)));
}

#[test]
fn entries_that_changed_places_are_found() {
    for (a, b) in [(1, 2), (4, 5), (9, 10), (2, 8), (1, 10)] {
        let swap = format!(
            "UPDATE audit SET seq = -1 WHERE seq = {a}; UPDATE audit SET seq = {a} WHERE seq = {b};
             UPDATE audit SET seq = {b} WHERE seq = -1"
        );
        assert_eq!(after(&swap), Some((a, TamperKind::Reordered)), "{a} and {b}");
    }
}

const COPY: &str = concat!("SELECT ", columns!(), ", hash FROM audit WHERE seq = 3");

#[test]
fn added_entries_are_found() {
    let add = |seq: i64| format!("INSERT INTO audit SELECT {seq}, * FROM ({COPY})");
    assert_eq!(after(&add(0)), Some((0, TamperKind::Added)), "before the first");
    assert_eq!(after(&add(11)), Some((11, TamperKind::Reordered)), "a copy after the last");
    let middle = format!(
        "UPDATE audit SET seq = -seq WHERE seq > 5; UPDATE audit SET seq = 1 - seq WHERE seq < 0; {};
         UPDATE audit SET actor = 'somebody' WHERE seq = 6",
        add(6)
    );
    assert_eq!(after(&middle), Some((6, TamperKind::Changed)));
    // One that fits the chain, made by someone who knows how, but without the head.
    let dir = folder();
    fill(dir.path(), 10);
    directly(dir.path(), |db| chain::insert(db, Head::noted(db)?.unwrap(), 3, &single(99)));
    assert_eq!(found(dir.path()), Some((11, TamperKind::Added)));
}

#[test]
fn the_head_is_guarded() {
    assert_eq!(after("DELETE FROM facts"), Some((10, TamperKind::HeadMismatch)));
    assert_eq!(after("UPDATE facts SET value = 'x'"), Some((10, TamperKind::HeadMismatch)));
    let other = format!("UPDATE facts SET value = '10 {}'", ChainHash::default());
    assert_eq!(after(&other), Some((10, TamperKind::HeadMismatch)));
}

type Meddle<'a> = &'a dyn Fn(&Connection) -> rusqlite::Result<()>;

#[test]
fn going_on_does_not_heal_the_chain() {
    let forged = |db: &Connection| chain::insert(db, Head::noted(db)?.unwrap(), 3, &single(99)).map(drop);
    let meddles: [(&str, Meddle<'_>); 4] = [
        ("the newest removed", &|db| db.execute_batch("DELETE FROM audit WHERE seq > 8")),
        ("the head removed", &|db| db.execute_batch("DELETE FROM facts")),
        ("both", &|db| db.execute_batch("DELETE FROM audit WHERE seq > 8; DELETE FROM facts")),
        ("one added", &forged),
    ];
    for (what, meddle) in meddles {
        let dir = folder();
        fill(dir.path(), 10);
        directly(dir.path(), meddle);
        let store = open(dir.path());
        for n in 100..103 {
            store.write(single(n)).unwrap_or_else(|error| panic!("{what}: {error}"));
        }
        drop(store);
        assert!(found(dir.path()).is_some(), "{what}");
    }
}

/// Something done to the table.
#[derive(Clone, Debug)]
enum Meddling {
    Edit { at: usize, column: usize, value: Value },
    Remove { at: usize },
    Swap { a: usize, b: usize },
    Insert { at: usize, copied: usize, actor: String },
}

fn meddling() -> impl Strategy<Value = Meddling> {
    let text = ".{0,6}|\u{0}|ok";
    let value = prop_oneof![
        Just(Value::Null),
        (-2_i64..2000).prop_map(Value::Integer),
        any::<i64>().prop_map(Value::Integer),
        text.prop_map(Value::Text),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Value::Blob),
        prop::collection::vec(any::<u8>(), 32).prop_map(Value::Blob),
    ];
    prop_oneof![
        6 => (any::<usize>(), 0..17_usize, value).prop_map(|(at, column, value)| Meddling::Edit { at, column, value }),
        1 => any::<usize>().prop_map(|at| Meddling::Remove { at }),
        2 => (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Meddling::Swap { a, b }),
        2 => (any::<usize>(), any::<usize>(), text).prop_map(|(at, copied, actor)| Meddling::Insert { at, copied, actor }),
    ]
}

fn table(db: &Connection) -> rusqlite::Result<Vec<Vec<Value>>> {
    db.prepare("SELECT * FROM audit ORDER BY seq")?
        .query_map([], |row| (0..17).map(|at| row.get(at)).collect())?
        .collect()
}

/// Does it to the rows, and puts them in place of the table's.
fn meddle(rows: &mut Vec<Vec<Value>>, meddling: &Meddling) {
    let count = rows.len();
    match meddling {
        Meddling::Edit { at, column, value } => rows[at % count][*column] = value.clone(),
        Meddling::Remove { at } => drop(rows.remove(at % count)),
        Meddling::Swap { a, b } => {
            rows.swap(a % count, b % count);
            let seqs = [a, b].map(|at| rows[at % count][0].clone());
            rows[a % count][0] = seqs[1].clone();
            rows[b % count][0] = seqs[0].clone();
        }
        Meddling::Insert { at, copied, actor } => {
            let mut row = rows[copied % count].clone();
            row[4] = Value::Text(actor.clone());
            rows.insert(at % (count + 1), row);
            for (row, seq) in rows.iter_mut().zip(1..) {
                row[0] = Value::Integer(seq);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_meddling_is_found(texts in prop::collection::vec(".{0,8}|\u{0}", 1..7), meddling in meddling()) {
        let dir = folder();
        let store = open(dir.path());
        for (n, text) in (0..).zip(&texts) {
            let kind = [EntryKind::Begin, EntryKind::End, EntryKind::Single][n as usize % 3];
            let mut entry = NewEntry { actor: text.clone(), ..entry(kind, n) };
            entry.error = (n % 2 == 0).then(|| text.clone());
            store.write(entry).unwrap();
        }
        intact(&store);
        drop(store);
        let (before, replaced) = directly(dir.path(), |db| {
            let before = table(db)?;
            let mut rows = before.clone();
            meddle(&mut rows, &meddling);
            db.execute("DELETE FROM audit", [])?;
            let mut insert = db.prepare("INSERT INTO audit VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")?;
            // The table takes no value of another type, and no number twice.
            let taken = rows.into_iter().all(|row| insert.execute(rusqlite::params_from_iter(row)).is_ok());
            // SQLite gives a number to a row without one, and that may be the one it had.
            let replaced = taken && table(db)? != before;
            Ok((before, replaced))
        });
        prop_assume!(replaced);
        prop_assert!(found(dir.path()).is_some(), "{before:?}");
    }
}
