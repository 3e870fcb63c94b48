//! Opening: fresh, existing, older, newer and damaged files.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{FileExt, PermissionsExt};

use super::super::{Change, IncidentKind, Opened, Store, StoreError, Surroundings, Terminal, TerminalNumber, schema};
use super::{directly, file, folder, intact, open, single};

fn put_terminals(store: &Store, count: u32) {
    for number in 1..=count {
        let meta = format!("{{\"number\":{number},\"cwd\":\"{}\"}}", "x".repeat(200));
        store.write(Change::PutTerminal(Terminal { number: TerminalNumber(number), meta })).unwrap();
    }
}

#[test]
fn everything_is_there_again_after_a_restart() {
    let dir = folder();
    let store = open(dir.path());
    put_terminals(&store, 3);
    store.write(single(1)).unwrap();
    store.write(Change::PutFact("last-terminal".into(), "3".into())).unwrap();
    drop(store);
    assert!(!dir.path().join("flightdeck.db-wal").exists(), "a store that is closed leaves no log");
    let store = open(dir.path());
    assert_eq!(store.terminals().unwrap().len(), 3);
    assert_eq!(store.fact("last-terminal").unwrap().as_deref(), Some("3"));
    assert_eq!(store.write(single(2)).unwrap().0, 2);
    assert_eq!(intact(&store).entries, 2);
}

#[test]
fn all_files_are_private() {
    let dir = folder();
    fs::write(file(dir.path()), "").unwrap();
    fs::set_permissions(file(dir.path()), fs::Permissions::from_mode(0o644)).unwrap();
    let store = open(dir.path());
    store.write(single(1)).unwrap();
    // And no other: the index of the log is in memory.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    for name in ["flightdeck.db", "flightdeck.db-wal", "flightdeck.witness"] {
        let mode = fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn nobody_else_gets_at_an_open_store() {
    let dir = folder();
    let store = open(dir.path());
    store.write(single(1)).unwrap();
    let script = format!(
        "import sqlite3; sqlite3.connect('{}', timeout=0).execute('DELETE FROM audit')",
        file(dir.path()).display()
    );
    let other = std::process::Command::new("python3").args(["-c", &script]).output().unwrap();
    assert!(String::from_utf8_lossy(&other.stderr).contains("database is locked"), "{other:?}");
    store.write(single(2)).unwrap();
    assert_eq!(intact(&store).entries, 2);
}

#[test]
fn an_empty_database_gets_the_tables() {
    let dir = folder();
    directly(dir.path(), |db| db.execute_batch("CREATE TABLE other (x); INSERT INTO other VALUES (7)"));
    assert_eq!(directly(dir.path(), schema::version), 0);
    let store = open(dir.path());
    put_terminals(&store, 1);
    drop(store);
    assert_eq!(directly(dir.path(), schema::version), schema::NEWEST);
    let kept: i64 = directly(dir.path(), |db| db.query_row("SELECT x FROM other", [], |row| row.get(0)));
    assert_eq!(kept, 7, "a migration keeps what is there");
}

#[test]
fn a_newer_database_is_refused_and_left_alone() {
    let dir = folder();
    put_terminals(&open(dir.path()), 1);
    directly(dir.path(), |db| db.pragma_update(None, "user_version", 99));
    let error = Store::open(dir.path(), &Surroundings::default()).unwrap_err();
    assert!(matches!(&error, StoreError::Newer { found: 99, path, .. } if *path == file(dir.path())), "{error}");
    assert!(error.to_string().contains("newer Flightdeck"), "{error}");
    let kept: i64 = directly(dir.path(), |db| db.query_row("SELECT count(*) FROM terminals", [], |row| row.get(0)));
    assert_eq!(kept, 1);
}

/// Opens a damaged database: it is set aside as it was, and the new one works.
fn expect_set_aside(dir: &std::path::Path, what: &str) {
    let damaged = fs::read(file(dir)).unwrap();
    let Opened { store, incident } =
        Store::open(dir, &Surroundings::default()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let incident = incident.unwrap_or_else(|| panic!("{what}: not noticed"));
    assert_eq!(incident.kind, IncidentKind::Damaged, "{what}");
    let aside = incident.aside.unwrap_or_else(|| panic!("{what}: not kept"));
    let name = aside.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("flightdeck.db.broken-"), "{what}: {name}");
    assert_eq!(fs::read(&aside).unwrap(), damaged, "{what}");
    assert_eq!(store.terminals().unwrap(), [], "{what}");
    put_terminals(&store, 1);
    store.write(single(1)).unwrap();
    drop(store);
    assert_eq!(open(dir).terminals().unwrap().len(), 1, "{what}");
}

type Damage<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

#[test]
fn a_damaged_file_is_set_aside() {
    let garbage: Vec<u8> = (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let damages: [(&str, Damage<'_>); 5] = [
        ("garbage", &|_| garbage.clone()),
        ("a few bytes", &|_| b"hello".to_vec()),
        ("half of it", &half),
        ("the header alone", &|bytes| bytes[..100].to_vec()),
        ("a first page of zeros", &|bytes| [&[0; 4096], &bytes[4096..]].concat()),
    ];
    for (what, damage) in damages {
        let dir = folder();
        put_terminals(&open(dir.path()), 200);
        let bytes = fs::read(file(dir.path())).unwrap();
        fs::write(file(dir.path()), damage(&bytes)).unwrap();
        expect_set_aside(dir.path(), what);
    }
}

#[test]
fn an_empty_file_with_a_full_log_is_set_aside_with_it() {
    let dir = folder();
    let copy = folder();
    let store = open(dir.path());
    put_terminals(&store, 3);
    // As after a crash: the log has it all. Nothing is written at this moment.
    fs::copy(dir.path().join("flightdeck.db-wal"), copy.path().join("flightdeck.db-wal")).unwrap();
    fs::write(file(copy.path()), "").unwrap();
    expect_set_aside(copy.path(), "empty");
    let names: Vec<_> = fs::read_dir(copy.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().any(|name| name.to_string_lossy().ends_with("-wal")), "the log was kept: {names:?}");
}

#[test]
fn two_damaged_files_in_one_second_are_both_kept() {
    let dir = folder();
    for _ in 0..3 {
        fs::write(file(dir.path()), "no database at all").unwrap();
        assert!(Store::open(dir.path(), &Surroundings::default()).unwrap().incident.is_some());
    }
    let kept = fs::read_dir(dir.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("flightdeck.db.broken-"));
    assert_eq!(kept.count(), 3);
}

#[test]
fn damage_in_the_middle_is_told_by_whoever_reads_it() {
    let dir = folder();
    put_terminals(&open(dir.path()), 200);
    let size = fs::metadata(file(dir.path())).unwrap().len();
    let raw = OpenOptions::new().write(true).open(file(dir.path())).unwrap();
    raw.write_all_at(&[0xff; 4096], size - 4096).unwrap();
    drop(raw);
    let store = open(dir.path());
    let error = store.terminals().unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt { path, .. } if *path == file(dir.path())), "{error}");
    assert!(error.to_string().contains("flightdeck.db"), "{error}");
    store.write(single(1)).unwrap();
    intact(&store);
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let dir = folder();
    let error = Store::open(&dir.path().join("gone"), &Surroundings::default()).unwrap_err();
    assert!(matches!(error, StoreError::File { .. }), "{error}");
}
