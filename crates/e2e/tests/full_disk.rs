//! A disk that is full: programs wait, it is told, and when there is room again nothing was lost.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use flightdeck_contract::ErrorCode;
use flightdeck_e2e::{Deck, SOON};
use serde_json::json;
use tempfile::TempDir;

/// A small disk of its own, unmounted when it goes.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where mounting is not permitted.
    fn mount(at: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir_all(&at).unwrap();
        let options = format!("size={size},mode=700");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&at).output().ok()?;
        if !mounted.status.success() {
            eprintln!("skipped: no tmpfs can be mounted here: {}", String::from_utf8_lossy(&mounted.stderr).trim());
            return None;
        }
        Some(SmallDisk(at))
    }

    fn grow(&self, size: &str) {
        let done = Command::new("mount").args(["-o", &format!("remount,size={size}")]).arg(&self.0).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: whoever still has a file open there does not keep the test's folder.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Both programs begin when both are there: on a full disk none can be started.
const WHEN_TOLD: &str = "until [ -e go ]; do sleep 0.01; done";

/// A deck whose state is on a small disk. It goes first, then its disk, and the folder that held it last.
struct Small {
    deck: Deck,
    disk: SmallDisk,
    _folder: TempDir,
}

fn deck_on(size: &str) -> Option<Small> {
    let folder = TempDir::with_prefix("fd").unwrap();
    let state = folder.path().join("s");
    let disk = SmallDisk::mount(state.clone(), size)?;
    Some(Small { deck: Deck::with_state(state), disk, _folder: folder })
}

#[test]
fn a_full_disk_stalls_the_program_and_loses_nothing() {
    let Some(small) = deck_on("512k") else { return };
    let Small { deck, disk, .. } = &small;
    let filler = deck.state().join("filler");
    fs::write(&filler, vec![0; 100 << 10]).unwrap();
    // More than the disk, a pipe and the keeper's own memory hold together.
    let wanted: String = (1..=900_000).map(|n| format!("{n}\n")).collect();
    let ids: Vec<_> = [&[][..], &["--pipes"]]
        .iter()
        .map(|kind| {
            deck.new_terminal(&[*kind, &["--", "sh", "-c", &format!("{WHEN_TOLD}; seq 900000; exit 3")]].concat())
        })
        .collect();
    fs::write(deck.workspace().join("go"), "").unwrap();
    for id in &ids {
        let info = deck.wait_until("the stall is told", SOON, || Some(deck.info(id)).filter(|info| info.stalled));
        assert!(info.running, "the program waits: {info:?}\n{}", deck.dump());
    }
    let table = deck.cli(&["ls"]).expect(0).text();
    assert_eq!(table.matches("disk full").count(), 2, "{table}");
    // What there is can be read, and everything else still answers. One of the two may have had all the room.
    let said: String = ids.iter().map(|id| deck.cli(&["logs", id, "-n", "3"]).expect(0).text()).collect();
    assert!(said.contains('\n'));
    let refused = deck.socket().call("flightdeck.terminal.new", json!({ "command": ["true"] }));
    if let Err(error) = refused {
        assert_eq!(error.code, ErrorCode::Storage, "{error:?}");
    }
    // Room for what a person deletes is not enough for all, so the rest comes from a larger disk.
    fs::remove_file(&filler).unwrap();
    disk.grow("32m");
    for id in &ids {
        assert_eq!(deck.ended(id, SOON), 3, "{id}");
        assert!(!deck.info(id).stalled, "{id}");
        let log = String::from_utf8(deck.raw_log(id)).unwrap().replace("\r\n", "\n");
        assert!(log == wanted, "{id}: {} of {} bytes", log.len(), wanted.len());
    }
}

#[test]
fn a_program_that_ended_during_the_stall_loses_nothing() {
    let Some(small) = deck_on("512k") else { return };
    let Small { deck, disk, .. } = &small;
    // So much that the rest may still fit into the pipe when the disk is full: the program is through then.
    let wanted: String = (1..=90_000).map(|n| format!("{n}\n")).collect();
    let filler = deck.state().join("filler");
    fs::write(&filler, vec![0; 200 << 10]).unwrap();
    let ids: Vec<_> = [&[][..], &["--pipes"]]
        .iter()
        .map(|kind| {
            deck.new_terminal(&[*kind, &["--", "sh", "-c", &format!("{WHEN_TOLD}; seq 90000; exit 3")]].concat())
        })
        .collect();
    fs::write(deck.workspace().join("go"), "").unwrap();
    deck.wait_until("a stall is told", SOON, || ids.iter().any(|id| deck.info(id).stalled).then_some(()));
    disk.grow("16m");
    for id in &ids {
        assert_eq!(deck.ended(id, SOON), 3, "{id}");
        deck.wait_until("everything is on disk", SOON, || {
            let log = String::from_utf8(deck.log_on_disk(id)).unwrap().replace("\r\n", "\n");
            (log == wanted).then_some(())
        });
        assert!(!deck.info(id).stalled, "{id}");
    }
}

#[test]
fn deleting_a_file_lets_a_stalled_program_go_on() {
    let Some(small) = deck_on("4m") else { return };
    let deck = &small.deck;
    let filler = deck.state().join("filler");
    fs::write(&filler, vec![0; 3300 << 10]).unwrap();
    let wanted: String = (1..=300_000).map(|n| format!("{n}\n")).collect();
    let id = deck.new_terminal(&["--pipes", "--", "seq", "300000"]);
    deck.wait_until("the stall is told", SOON, || deck.info(&id).stalled.then_some(()));
    fs::remove_file(&filler).unwrap();
    assert_eq!(deck.ended(&id, SOON), 0);
    assert!(deck.raw_log(&id) == wanted.as_bytes());
}

#[test]
fn a_stalled_terminal_survives_the_hub_and_can_be_killed() {
    let Some(small) = deck_on("512k") else { return };
    let deck = &small.deck;
    let id = deck.new_terminal(&["--", "seq", "1000000"]);
    deck.wait_until("the stall is told", SOON, || deck.info(&id).stalled.then_some(()));
    deck.kill_hub();
    deck.wait_until("the next hub knows it too", SOON, || deck.info(&id).stalled.then_some(()));
    deck.cli(&["kill", &id, "--grace", "200ms"]).expect(0);
    deck.nothing_left_of(&id);
}
