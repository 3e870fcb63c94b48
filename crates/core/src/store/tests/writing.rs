//! Writing: the plain tables, groups of writes, and many writers at once.

use std::collections::HashSet;
use std::fs;
use std::sync::mpsc;
use std::thread;

use super::super::writer::Ledger;
use super::super::{Change, Filter, Seq, Store, StoreError, StoredRecord, Terminal, TerminalNumber, Work};
use super::{folder, intact, open, single};

fn record(number: u64, json: &str) -> StoredRecord {
    StoredRecord { number, json: json.to_owned() }
}

#[test]
fn the_plain_tables_keep_what_they_are_given() {
    let dir = folder();
    let store = open(dir.path());
    let [one, two] = [TerminalNumber(7), TerminalNumber(u32::MAX)];
    let meta = "{\"title\":\"quote ' \\\" NUL \0 snow ☃ 𝄞\"}".to_owned();
    for (number, meta) in [(two, "{}".to_owned()), (one, "old".to_owned()), (one, meta.clone())] {
        store.write(Change::PutTerminal(Terminal { number, meta })).unwrap();
    }
    let all = store.terminals().unwrap();
    assert_eq!(all[0], Terminal { number: one, meta });
    assert_eq!(all[1].number, two);

    store.write(Change::AddRecords(one, vec![record(10, "c"), record(2, "b")])).unwrap();
    store.write(Change::AddRecords(one, vec![record(1, "a"), record(10, "d"), record(1 << 40, "e")])).unwrap();
    store.write(Change::AddRecords(two, vec![record(1, "other")])).unwrap();
    let kept = [record(1, "a"), record(2, "b"), record(10, "d"), record(1 << 40, "e")];
    assert_eq!(store.records(one).unwrap(), kept, "oldest first, the same number replaced");

    assert_eq!(store.pending(one).unwrap(), None);
    for run in ["first", "second"] {
        store.write(Change::PutPending(one, run.to_owned())).unwrap();
    }
    assert_eq!(store.pending(one).unwrap().as_deref(), Some("second"));

    store.write(Change::RemoveTerminal(one)).unwrap();
    assert_eq!(store.terminals().unwrap().len(), 1);
    assert_eq!((store.records(one).unwrap(), store.pending(one).unwrap()), (vec![], None));
    assert_eq!(store.records(two).unwrap().len(), 1);

    assert_eq!(store.fact("x").unwrap(), None);
    for value in ["1", ""] {
        store.write(Change::PutFact("x".to_owned(), value.to_owned())).unwrap();
        assert_eq!(store.fact("x").unwrap().as_deref(), Some(value));
    }
}

/// Holds the writer until the other end is dropped, so that what comes meanwhile is one group.
struct Hold(std::sync::Mutex<mpsc::Receiver<()>>);

impl Work for Hold {
    type Done = ();

    fn run(&self, _: &mut Ledger<'_>) -> rusqlite::Result<()> {
        let _ = self.0.lock().unwrap().recv();
        Ok(())
    }
}

/// A write that can't be.
struct Wrong;

impl Work for Wrong {
    type Done = ();

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        ledger.db.execute("INSERT INTO facts (key, value) VALUES ('wrong', 'half')", [])?;
        ledger.db.execute("INSERT INTO facts (key, value) VALUES ('wrong', NULL)", []).map(drop)
    }
}

#[tokio::test]
async fn a_write_that_fails_spoils_no_other_in_its_group() {
    let dir = folder();
    let store = open(dir.path());
    let (release, held) = mpsc::channel::<()>();
    let hold = store.send(Hold(held.into()));
    let before: Vec<_> = (1..=5).map(|n| store.append(single(n))).collect();
    let wrong = store.send(Wrong);
    let after: Vec<_> = (6..=9).map(|n| store.append(single(n))).collect();
    drop(release);
    hold.await.unwrap();
    let error = wrong.await.unwrap_err();
    assert!(matches!(error, StoreError::Failed { .. }), "{error}");
    for (expected, committed) in (1..).zip(before.into_iter().chain(after)) {
        assert_eq!(committed.await.unwrap(), Seq(expected));
    }
    assert_eq!(store.fact("wrong").unwrap(), None, "nothing of it is left");
    assert_eq!(intact(&store).entries, 9);
}

#[test]
fn what_was_queued_is_written_although_nobody_waits() {
    let dir = folder();
    let store = open(dir.path());
    let (release, held) = mpsc::channel::<()>();
    drop(store.send(Hold(held.into())));
    for n in 1..=100 {
        drop(store.append(single(n)));
    }
    drop(release);
    drop(store);
    assert_eq!(intact(&open(dir.path())).entries, 100);
}

#[test]
fn a_full_queue_makes_callers_wait_and_loses_nothing() {
    let dir = folder();
    let store = open(dir.path());
    let (release, held) = mpsc::channel::<()>();
    let hold = store.send(Hold(held.into()));
    let (told, queued) = mpsc::channel();
    thread::scope(|scope| {
        let store = &store;
        scope.spawn(move || {
            for n in 1..=5000 {
                drop(store.append(single(n)));
                // Nobody listens any more after the first few.
                let _ = told.send(n);
            }
        });
        // So many fit while the writer is held; the thread waits soon after.
        assert!(queued.iter().any(|n| n == 1000));
        drop(release);
    });
    drop(hold);
    drop(store);
    assert_eq!(intact(&open(dir.path())).entries, 5000);
}

#[test]
fn two_writers_at_once_leave_no_gap() {
    let dir = folder();
    let store = open(dir.path());
    let follow = store.follow();
    let write = |store: &Store, from: u64| -> Vec<Seq> {
        (from..from + 5000).map(|n| store.write(single(n)).unwrap()).collect()
    };
    let (mut all, more) = thread::scope(|scope| {
        let other = scope.spawn(|| write(&store, 5001));
        (write(&store, 1), other.join().unwrap())
    });
    assert!(all.is_sorted() && more.is_sorted());
    all.extend(more);
    all.sort_unstable();
    assert!(all.iter().copied().eq((1..=10_000).map(Seq)));
    assert_eq!(*follow.borrow(), Seq(10_000));
    let verified = intact(&store);
    assert_eq!((verified.entries, verified.first_seq, verified.last_seq), (10_000, Seq(1), Seq(10_000)));
    let log = fs::metadata(dir.path().join("flightdeck.db-wal")).unwrap().len();
    assert!(log < 16 << 20, "the write-ahead log is kept short: {log}");
}

#[tokio::test]
async fn a_follower_sees_each_entry_once() {
    let dir = folder();
    let store = open(dir.path());
    let mut follow = store.follow();
    let mut seen = Vec::new();
    let mut next = Seq(0);
    thread::scope(|scope| {
        let store = &store;
        scope.spawn(move || (1..=300).for_each(|n| assert_eq!(store.write(single(n)).unwrap(), Seq(n))));
        while seen.len() < 300 {
            let newest = *follow.borrow_and_update();
            let filter = Filter { after: Some(next), limit: 7, ..Filter::default() };
            let page = store.calls(&filter, &HashSet::new()).unwrap();
            seen.extend(page.calls.iter().map(|call| call.seq));
            assert!(page.next >= next && (page.next >= newest || page.calls.len() == 7), "{page:?}");
            next = page.next;
        }
    });
    assert!(seen.iter().copied().eq((1..=300).map(Seq)), "{seen:?}");
    assert_eq!(*follow.borrow(), Seq(300));
}

#[test]
fn large_arguments_are_kept_whole() {
    let dir = folder();
    let store = open(dir.path());
    let mut entry = single(1);
    entry.args = "x\0y☃".repeat(200_000);
    store.write(entry.clone()).unwrap();
    let page = store.calls(&Filter::default(), &HashSet::new()).unwrap();
    assert!(page.calls[0].entry.args == entry.args);
    intact(&store);
}
