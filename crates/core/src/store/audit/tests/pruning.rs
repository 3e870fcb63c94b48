//! Old entries go from the front, and the chain stays whole.

use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

use super::super::verify::TamperKind;
use super::super::{Filter, Seq, Verdict};
use crate::store::tests::{directly, folder, intact, open, single};
use crate::store::{NewEntry, Store};

/// Writes entries whose time is their number.
fn fill(store: &Store, numbers: std::ops::RangeInclusive<u64>) {
    for n in numbers {
        drop(store.append(NewEntry { at_ms: n as i64, ..single(n) }));
    }
}

#[test]
fn pruning_keeps_the_chain_whole() {
    let dir = folder();
    let store = open(dir.path());
    fill(&store, 1..=20);
    assert_eq!(store.prune(1).unwrap(), 0, "nothing is that old");
    assert_eq!(store.prune(8).unwrap(), 7);
    let verified = intact(&store);
    assert_eq!((verified.entries, verified.first_seq, verified.last_seq), (14, Seq(8), Seq(21)));
    assert_eq!(store.prune(8).unwrap(), 0, "and no second note");
    fill(&store, 22..=30);
    assert_eq!(store.prune(15).unwrap(), 7);
    drop(store);
    let store = open(dir.path());
    let verified = intact(&store);
    assert_eq!((verified.first_seq, verified.last_seq), (Seq(15), Seq(31)));
    // The rest, both notes included: they are of today.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    assert_eq!(store.prune(now + 60_000).unwrap(), 17);
    assert_eq!(store.prune(now + 60_000).unwrap(), 0);
    let verified = intact(&store);
    assert_eq!((verified.entries, verified.first_seq), (1, Seq(32)));
    let page = store.calls(&Filter::default(), &HashSet::new()).unwrap();
    assert!(page.calls[0].entry.args.contains("\"through\":31"), "{page:?}");
    fill(&store, 33..=40);
    drop(store);
    assert_eq!(intact(&open(dir.path())).last_seq, Seq(40));
}

#[test]
fn only_a_whole_front_goes() {
    let dir = folder();
    let store = open(dir.path());
    // The clock went back: an old time after a new one.
    for at_ms in [1, 2, 100, 3, 4] {
        store.write(NewEntry { at_ms, ..single(1) }).unwrap();
    }
    assert_eq!(store.prune(50).unwrap(), 2);
    assert_eq!(intact(&store).first_seq, Seq(3));
}

#[test]
fn much_goes_in_steps() {
    let dir = folder();
    let store = open(dir.path());
    fill(&store, 1..=25_000);
    assert_eq!(store.prune(24_001).unwrap(), 24_000);
    let verified = intact(&store);
    assert_eq!((verified.first_seq, verified.entries), (Seq(24_001), 1000 + 3));
}

fn after(sql: &str) -> Option<(u64, TamperKind)> {
    let dir = folder();
    let store = open(dir.path());
    fill(&store, 1..=20);
    store.prune(8).unwrap();
    drop(store);
    directly(dir.path(), |db| db.execute_batch(sql));
    match open(dir.path()).verify().unwrap() {
        Verdict::Intact(_) => None,
        Verdict::Tampered(tampered) => Some((tampered.seq.0, tampered.kind)),
    }
}

#[test]
fn a_front_that_somebody_else_removed_is_missed() {
    assert_eq!(after(""), None);
    assert_eq!(after("DELETE FROM audit WHERE seq <= 9"), Some((8, TamperKind::Missing)));
    // Neither does it help to change the note, or to remove it.
    let note = "DELETE FROM audit WHERE seq <= 9;
        UPDATE audit SET args = replace(args, '\"through\":7', '\"through\":9') WHERE kind = 5";
    assert!(matches!(after(note), Some((10 | 21, TamperKind::Changed))));
    assert_eq!(after("UPDATE audit SET args = 'x' WHERE kind = 5"), Some((21, TamperKind::Changed)));
    assert_eq!(after("DELETE FROM audit WHERE kind = 5"), Some((1, TamperKind::Missing)));
    assert_eq!(after("UPDATE audit SET kind = 4 WHERE kind = 5"), Some((1, TamperKind::Missing)));
    assert_eq!(
        after(
            "INSERT INTO audit SELECT 7, kind, call, at_ms, actor, surface, command, args, decision, rule,
        reason, result, error, duration_us, trace, terminal, hash FROM audit WHERE seq = 8"
        ),
        Some((7, TamperKind::Added))
    );
}

#[test]
fn pruning_hides_nothing_that_stays() {
    let dir = folder();
    let store = open(dir.path());
    fill(&store, 1..=20);
    drop(store);
    // The last entry that will go is removed, so the first that stays has nothing to stand on.
    directly(dir.path(), |db| db.execute("DELETE FROM audit WHERE seq = 7", []));
    let store = open(dir.path());
    assert_eq!(store.prune(8).unwrap(), 6);
    assert!(matches!(store.verify().unwrap(), Verdict::Tampered(found) if found.seq == Seq(7)));
}
