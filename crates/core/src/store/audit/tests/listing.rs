//! One row for each call, and the choice among them.

use std::collections::HashSet;

use rusqlite::params_from_iter;
use rusqlite::types::Value;

use super::super::{AuditCall, AuditPage, CallNumber, EntryKind, Filter, NewEntry, Outcome, Seq};
use crate::store::Store;
use crate::store::tests::{directly, entry, folder, open, single};

fn list(store: &Store, filter: &Filter) -> AuditPage {
    store.calls(filter, &HashSet::new()).unwrap()
}

fn numbers(page: &AuditPage) -> Vec<u64> {
    page.calls.iter().map(|call| call.entry.call.0).collect()
}

#[test]
fn a_beginning_and_its_end_are_one_row() {
    let dir = folder();
    let store = open(dir.path());
    store.write(entry(EntryKind::Begin, 1)).unwrap();
    store.write(entry(EntryKind::Begin, 2)).unwrap();
    store.write(single(3)).unwrap();
    let end = NewEntry {
        kind: EntryKind::End,
        call: CallNumber(1),
        at_ms: 9999,
        result: "no_prompt".into(),
        error: Some("the shell did not answer".into()),
        duration_us: Some(77),
        terminal: Some("t9".into()),
        run: Some(r#"{"exitCode":128}"#.into()),
        ..NewEntry::default()
    };
    store.write(end.clone()).unwrap();
    store.write(NewEntry { command: "hub.start".into(), ..NewEntry::default() }).unwrap();

    let page = list(&store, &Filter::default());
    assert_eq!(numbers(&page), [2, 3, 1, 0], "in the order of their last entries");
    assert_eq!(page.next, Seq(5));
    let begun = entry(EntryKind::Begin, 1);
    let (result, error, terminal, run) = (end.result, end.error, end.terminal, end.run);
    let joined = NewEntry { kind: EntryKind::End, result, error, duration_us: Some(77), terminal, run, ..begun };
    assert_eq!(page.calls[2], AuditCall { seq: Seq(1), last_seq: Seq(4), entry: joined });
    assert_eq!(
        (page.calls[0].entry.result.as_str(), page.calls[3].entry.command.as_str()),
        ("interrupted", "hub.start")
    );
    let alive = HashSet::from([CallNumber(2)]);
    assert_eq!(store.calls(&Filter::default(), &alive).unwrap().calls[0].entry.result, "running");
    assert_eq!(store.last_call().unwrap(), CallNumber(2), "of those that begin and end");
}

#[test]
fn an_end_whose_beginning_was_pruned_stands_alone() {
    let dir = folder();
    let store = open(dir.path());
    store.write(NewEntry { at_ms: 1, ..entry(EntryKind::Begin, 1) }).unwrap();
    store.write(entry(EntryKind::End, 1)).unwrap();
    assert_eq!(store.prune(2).unwrap(), 1);
    let page = list(&store, &Filter::default());
    assert_eq!(
        (page.calls[0].seq, page.calls[0].last_seq, page.calls[0].entry.result.as_str()),
        (Seq(2), Seq(2), "ok")
    );
}

#[test]
fn a_number_that_was_given_twice_joins_nothing_wrong() {
    let dir = folder();
    let store = open(dir.path());
    for kind in [EntryKind::Begin, EntryKind::Begin, EntryKind::End, EntryKind::Begin] {
        store.write(entry(kind, u64::MAX)).unwrap();
    }
    let page = list(&store, &Filter::default());
    let rows: Vec<_> =
        page.calls.iter().map(|call| (call.seq.0, call.last_seq.0, call.entry.result.as_str())).collect();
    assert_eq!(rows, [(1, 1, "interrupted"), (2, 3, "ok"), (4, 4, "interrupted")]);
    let alive = HashSet::from([CallNumber(u64::MAX)]);
    assert_eq!(store.calls(&Filter::default(), &alive).unwrap().calls[2].entry.result, "running");
}

#[test]
fn a_follower_sees_a_call_when_it_begins_and_when_it_ends() {
    let dir = folder();
    let store = open(dir.path());
    store.write(entry(EntryKind::Begin, 1)).unwrap();
    store.write(single(2)).unwrap();
    let follow = |after| list(&store, &Filter { after: Some(after), limit: 2, ..Filter::default() });
    let page = follow(Seq(0));
    assert_eq!((numbers(&page), page.next), (vec![1, 2], Seq(2)));
    let page = follow(page.next);
    assert_eq!((numbers(&page), page.next), (vec![], Seq(2)));
    for n in 3..=5 {
        store.write(single(n)).unwrap();
    }
    store.write(entry(EntryKind::End, 1)).unwrap();
    let page = follow(page.next);
    assert_eq!((numbers(&page), page.next), (vec![3, 4], Seq(4)));
    let page = follow(page.next);
    assert_eq!((numbers(&page), page.next), (vec![5, 1], Seq(6)));
    assert_eq!(page.calls[1].seq, Seq(1));
    assert_eq!(numbers(&list(&store, &Filter { limit: 2, ..Filter::default() })), [5, 1], "the newest");
}

#[test]
fn filters_narrow_the_choice() {
    let dir = folder();
    let store = open(dir.path());
    let add = |n: u64, actor: &str, command: &str, result: &str, error: Option<&str>| {
        let entry = NewEntry {
            kind: EntryKind::Single,
            call: CallNumber(n),
            at_ms: n as i64 * 10,
            actor: actor.into(),
            command: command.into(),
            args: format!("{{\"say\":\"100% _{n}_ '☃'\"}}"),
            result: result.into(),
            error: error.map(Into::into),
            terminal: Some(format!("t{}", n % 2)),
            ..NewEntry::default()
        };
        store.write(entry).unwrap();
    };
    add(1, "person Ada", "flightdeck.terminal.run", "ok", None);
    add(2, "agent:one", "flightdeck.terminal.read", "ok", None);
    add(3, "agent:two", "flightdeck.terminal.run", "terminal_busy", Some("another Command runs"));
    add(4, "agent:two", "flightdeck.hub.stop", "denied", None);
    store.write(NewEntry { at_ms: 50, ..entry(EntryKind::Begin, 5) }).unwrap();
    store.write(NewEntry { at_ms: 60, ..NewEntry::default() }).unwrap();

    let some = |filter: Filter| numbers(&list(&store, &filter));
    let text = |text: &str| some(Filter { text: Some(text.into()), ..Filter::default() });
    let command = |command: &str| some(Filter { command: Some(command.into()), ..Filter::default() });
    let outcome = |outcome| some(Filter { outcome: Some(outcome), ..Filter::default() });
    assert_eq!(some(Filter::default()), [1, 2, 3, 4, 5, 0]);
    assert_eq!(some(Filter { since_ms: Some(20), until_ms: Some(40), ..Filter::default() }), [2, 3]);
    assert_eq!(some(Filter { actor: Some("ADA".into()), ..Filter::default() }), [1]);
    assert_eq!(some(Filter { actor: Some("agent:".into()), ..Filter::default() }), [2, 3, 4]);
    assert_eq!(some(Filter { terminal: Some("t1".into()), ..Filter::default() }), [1, 3]);
    assert_eq!(command("flightdeck.terminal.r"), [1, 2, 3, 5]);
    assert_eq!(command("*.run"), [1, 3, 5]);
    assert_eq!(command("flightdeck.h?b.*"), [4]);
    assert_eq!(command("flightdeck.terminal.r%"), [] as [u64; 0], "no pattern of SQL");
    assert_eq!(outcome(Outcome::Ok), [1, 2]);
    assert_eq!(outcome(Outcome::Failed), [3, 4, 5], "an interrupted call failed");
    assert_eq!(outcome(Outcome::Code("denied".into())), [4]);
    assert_eq!(outcome(Outcome::Code("interrupted".into())), [5]);
    assert_eq!(text("COMMAND runs"), [3]);
    assert_eq!(text("_2_"), [2]);
    assert_eq!(text("100% _"), [1, 2, 3, 4]);
    assert_eq!(text("☃"), [1, 2, 3, 4]);
    assert_eq!(text("'; DROP TABLE audit; --"), [] as [u64; 0]);
    let both = Filter { actor: Some("two".into()), outcome: Some(Outcome::Failed), limit: 1, ..Filter::default() };
    assert_eq!(some(both), [4], "the newest of them");
}

#[test]
fn listing_walks_only_as_far_as_it_must() {
    let dir = folder();
    drop(open(dir.path()));
    for sql in super::super::list::QUERIES {
        let plan: Vec<String> = directly(dir.path(), |db| {
            let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let nothing = vec![Value::Null; explain.parameter_count()];
            explain.query_map(params_from_iter(nothing), |row| row.get(3))?.collect()
        });
        let plan = plan.join("\n");
        assert!(plan.starts_with("SEARCH e USING INTEGER PRIMARY KEY"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        assert_eq!(plan.matches("USING INDEX audit_call (call=? AND rowid").count(), 2, "{plan}");
        assert_eq!(plan.matches("SCAN").count(), plan.matches("SCAN json_each").count(), "{plan}");
    }
}
