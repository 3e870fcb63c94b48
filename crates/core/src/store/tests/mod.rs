//! Tests of the store on real files, and what the tests of the audit log share with them.

mod full_disk;
mod incidents;
mod kill;
mod open;
mod writing;

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use super::audit::Verified;
use super::{CallNumber, EntryKind, NewEntry, Opened, Store, Surroundings, Verdict};

pub(super) fn folder() -> TempDir {
    TempDir::with_prefix("store").unwrap()
}

/// Opens a database that is expected to be sound.
pub(super) fn open(dir: &Path) -> Store {
    let Opened { store, incident } = Store::open(dir, &this_boot()).unwrap();
    assert_eq!(incident.and_then(|incident| incident.aside), None, "it was set aside");
    store
}

/// The machine is not booted anew between two openings.
pub(super) fn this_boot() -> Surroundings {
    Surroundings { runtime: None, boot: Some("this-boot".to_owned()) }
}

pub(super) fn file(dir: &Path) -> PathBuf {
    dir.join("flightdeck.db")
}

/// Looks into a closed database, or meddles with it, past the store.
pub(super) fn directly<T>(dir: &Path, meddle: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> T {
    meddle(&Connection::open(file(dir)).unwrap()).unwrap()
}

/// An entry with something in every column.
pub(super) fn entry(kind: EntryKind, call: u64) -> NewEntry {
    let over = kind != EntryKind::Begin;
    NewEntry {
        kind,
        call: CallNumber(call),
        at_ms: 1000 + call as i64,
        actor: format!("agent {call}"),
        surface: "mcp".to_owned(),
        command: "flightdeck.terminal.run".to_owned(),
        args: format!(r#"{{"n":{call}}}"#),
        decision: "allow".to_owned(),
        rule: "default".to_owned(),
        reason: "no rule said otherwise".to_owned(),
        result: if over { "ok" } else { "" }.to_owned(),
        error: over.then(|| "none".to_owned()),
        duration_us: over.then_some(call),
        trace: Some(format!("trace {call}")),
        terminal: Some(format!("t{call}")),
        run: (kind == EntryKind::End).then(|| format!(r#"{{"exitCode":{call}}}"#)),
    }
}

pub(super) fn single(call: u64) -> NewEntry {
    entry(EntryKind::Single, call)
}

/// A chain that is expected to be whole.
pub(super) fn intact(store: &Store) -> Verified {
    match store.verify().unwrap() {
        Verdict::Intact(verified) => verified,
        Verdict::Tampered(tampered) => panic!("{tampered}"),
    }
}
