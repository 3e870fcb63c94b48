//! A full disk and a read-only one: errors that say so, and nothing lost.

use std::path::{Path, PathBuf};

use flightdeck_files::{Expected, Resolver, Rules, UndoRequest, Which};
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_remount, unmount};

use super::desk::{code, open, request};

/// A small file system of its own, gone at the end.
struct Disk {
    dir: tempfile::TempDir,
    at: PathBuf,
}

impl Disk {
    fn new(folder: &str, size: &std::ffi::CStr) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        for name in ["ws", "backups"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        let at = dir.path().join(folder);
        if let Err(errno) = mount("tmpfs", &at, "tmpfs", MountFlags::empty(), size) {
            println!("skipped: no tmpfs can be mounted here: {errno}");
            return None;
        }
        Some(Self { dir, at })
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = unmount(&self.at, UnmountFlags::DETACH);
    }
}

#[test]
fn a_full_workspace() {
    let Some(disk) = Disk::new("ws", c"size=256k") else { return };
    let files = open(disk.path(), Resolver::Openat2, Rules::default());
    let old = "old\n".repeat(20_000);
    files.write(&request("f", &old, Expected::Any)).unwrap();
    for content in ["x".repeat(400_000), "y".repeat(200_000)] {
        let written = files.write(&request("f", &content, Expected::Any));
        assert_eq!(code(&written), "no_space");
        assert_eq!(std::fs::read_to_string(disk.at.join("f")).unwrap(), old);
        assert_eq!(std::fs::read_dir(&disk.at).unwrap().count(), 1, "a temporary file stayed");
    }
    let new = flightdeck_files::WriteRequest {
        create_parents: true,
        ..request("a/b/g", &"z".repeat(300_000), Expected::Any)
    };
    assert_eq!(code(&files.write(&new)), "no_space");
    assert_eq!(std::fs::read_dir(&disk.at).unwrap().count(), 1, "a folder stayed");
    files.write(&request("f", "small", Expected::Any)).unwrap();
    let undone = files.undo(&UndoRequest { which: Which::Last, actor: "t".to_owned() });
    assert_eq!(code(&undone), "ok");
    assert_eq!(std::fs::read_to_string(disk.at.join("f")).unwrap(), old);
}

#[test]
fn full_backups() {
    let Some(disk) = Disk::new("backups", c"size=128k") else { return };
    let files = open(disk.path(), Resolver::Openat2, Rules::default());
    let f = disk.path().join("ws/f");
    std::fs::write(&f, "a".repeat(60_000)).unwrap();
    files.write(&request("f", &"b".repeat(200_000), Expected::Any)).unwrap();
    // The old content does not fit, so nothing is changed.
    let refused = files.write(&request("f", "c", Expected::Any));
    assert_eq!(code(&refused), "no_space");
    assert_eq!(std::fs::metadata(&f).unwrap().len(), 200_000);
    // There is no half line in the journal, and what was kept can still be restored.
    drop(files);
    let files = open(disk.path(), Resolver::Openat2, Rules::default());
    assert_eq!(files.backups().entries(10).len(), 1);
}

#[test]
fn a_read_only_workspace() {
    let Some(disk) = Disk::new("ws", c"size=256k") else { return };
    std::fs::write(disk.at.join("f"), "old").unwrap();
    let files = open(disk.path(), Resolver::Openat2, Rules::default());
    mount_remount(&disk.at, MountFlags::RDONLY, "").unwrap();
    for path in ["f", "new"] {
        let error = files.write(&request(path, "x", Expected::Any)).unwrap_err();
        assert_eq!(error.code(), "read_only", "{error}");
        assert!(error.to_string().contains("mounted read-only"), "{error}");
    }
}
