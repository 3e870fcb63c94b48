//! A disk that is full: whoever writes is told, what was answered stays, and it goes on when there is room.

use std::path::PathBuf;
use std::process::Command;

use super::super::{Change, StoreError, Surroundings, Terminal, TerminalNumber};
use super::{folder, intact, open, single};

/// A small disk of its own, unmounted when it goes.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where mounting is not permitted.
    fn mount(at: PathBuf, size: &str) -> Option<Self> {
        std::fs::create_dir_all(&at).unwrap();
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

fn is_full(error: &StoreError) -> bool {
    matches!(error, StoreError::Full { path } if path.ends_with("flightdeck.db"))
}

#[tokio::test]
async fn a_full_disk_is_told_and_writing_goes_on_when_there_is_room() {
    let dir = folder();
    let Some(disk) = SmallDisk::mount(dir.path().join("disk"), "1m") else { return };
    let store = open(&disk.0);
    let mut large = single(1);
    large.args = "x".repeat(20_000);
    let mut answered = 0;
    let error = loop {
        match store.write(large.clone()) {
            Ok(seq) => answered = seq.0,
            Err(error) => break error,
        }
        assert!(answered < 1000, "the disk never fills");
    };
    assert!(is_full(&error) && answered > 5, "{answered}: {error}");
    // A whole group, too: each caller is told.
    let group: Vec<_> = (0..20).map(|_| store.append(large.clone())).collect();
    for committed in group {
        match committed.await {
            Ok(seq) => answered = seq.0,
            Err(error) => assert!(is_full(&error), "{error}"),
        }
    }
    // What was answered is there, and nothing else.
    assert_eq!(intact(&store).last_seq.0, answered);

    disk.grow("16m");
    for next in answered + 1..answered + 100 {
        assert_eq!(store.write(large.clone()).unwrap().0, next);
    }
    let terminal = Terminal { number: TerminalNumber(1), meta: "{}".to_owned() };
    store.write(Change::PutTerminal(terminal)).unwrap();
    drop(store);
    let store = open(&disk.0);
    assert_eq!(intact(&store).entries, answered + 99);
    assert_eq!(store.terminals().unwrap().len(), 1);
}

#[test]
fn a_disk_that_is_full_from_the_beginning_is_told() {
    let dir = folder();
    let Some(disk) = SmallDisk::mount(dir.path().join("disk"), "64k") else { return };
    let filler = disk.0.join("filler");
    // Writing stops where the room does.
    let _ = std::fs::write(&filler, vec![0; 1 << 20]);
    let error = super::super::Store::open(&disk.0, &Surroundings::default()).unwrap_err();
    assert!(is_full(&error), "{error:?}");
    std::fs::remove_file(filler).unwrap();
    disk.grow("16m");
    assert_eq!(open(&disk.0).write(single(1)).unwrap().0, 1);
}
