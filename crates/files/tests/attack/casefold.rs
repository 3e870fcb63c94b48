//! A file system that takes `.GIT` for `.git`, where the kernel has one.

use std::process::Command;

use flightdeck_files::{Backups, Files, Limits, ReadRequest, Resolver, Root, Rules};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use super::desk::code;

#[test]
fn rules_hold_where_case_does_not_matter() {
    let dir = tempfile::tempdir().unwrap();
    let disk = dir.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    if let Err(errno) = mount("tmpfs", &disk, "tmpfs", MountFlags::empty(), c"size=1m,casefold") {
        println!("skipped: no file system without case can be mounted here: {errno}");
        return;
    }
    let ws = disk.join("ws");
    let ready = std::fs::create_dir(&ws).is_ok()
        && Command::new("chattr").arg("+F").arg(&ws).status().is_ok_and(|status| status.success());
    let result = std::panic::catch_unwind(|| {
        if !ready {
            println!("skipped: a folder can't be made to fold case here");
            return;
        }
        std::fs::create_dir(ws.join(".git")).unwrap();
        std::fs::write(ws.join(".git/config"), "SECRET").unwrap();
        std::fs::write(ws.join("secrets.yaml"), "SECRET").unwrap();
        for resolver in [Resolver::Openat2, Resolver::Walk] {
            let backups = Backups::open(&dir.path().join(format!("{resolver:?}")), Limits::default()).unwrap();
            let files = Files::new(Root::open_with(&ws, resolver).unwrap(), Rules::default(), backups);
            for path in [".GIT/config", ".Git/CONFIG", ".g\u{ad}it/config", "ſecrets.yaml", "SECRETS.YAML"] {
                assert_eq!(code(&files.read(&ReadRequest::new(path))), "sensitive", "{path}");
            }
        }
    });
    let _ = unmount(&disk, UnmountFlags::DETACH);
    result.unwrap();
}
