//! Somebody swaps files and folders for links to the outside while they are read, written, listed and searched.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flightdeck_files::{Expected, Kind, Resolver, SearchRequest};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::desk::Desk;

/// Five scenes, ten seconds in all.
const SCENE: Duration = Duration::from_secs(2);

/// What is exchanged with what, over and over.
struct Swap {
    a: PathBuf,
    b: PathBuf,
}

#[test]
fn a_file_swapped_for_a_link() {
    race(Resolver::Openat2, Path::new("/dev/shm"), |desk| {
        desk.link("evil", "../outside/secret");
        vec![Swap { a: desk.at("top/mid/file"), b: desk.at("evil") }]
    });
}

#[test]
fn a_middle_folder_swapped_for_a_link() {
    race(Resolver::Openat2, &std::env::temp_dir(), |desk| {
        desk.link("evil", desk.dir.path().join("outside"));
        vec![Swap { a: desk.at("top/mid"), b: desk.at("evil") }]
    });
}

#[test]
fn a_child_of_the_root_swapped_for_a_link() {
    race(Resolver::Walk, Path::new("/dev/shm"), |desk| {
        desk.link("evil", "../outside");
        vec![Swap { a: desk.at("top"), b: desk.at("evil") }]
    });
}

#[test]
fn links_swapped_while_walking() {
    race(Resolver::Walk, Path::new("/dev/shm"), |desk| {
        desk.link("evil", "../outside/secret");
        desk.link("evil2", "../../outside");
        vec![
            Swap { a: desk.at("top/mid/file"), b: desk.at("evil") },
            Swap { a: desk.at("top/mid/secret"), b: desk.at("evil2") },
        ]
    });
}

#[test]
fn folders_renamed_into_each_other() {
    race(Resolver::Openat2, Path::new("/dev/shm"), |desk| {
        // A folder that moves to another depth while `..` in a link is followed through it.
        desk.put("deep/a/b/c/file", "inside");
        desk.link("deep/a/b/c/up", "../../../../outside/secret");
        desk.link("shallow", "deep/a/b/c/up");
        desk.link("evil", "../outside");
        vec![Swap { a: desk.at("deep/a/b/c"), b: desk.at("top/mid") }, Swap { a: desk.at("top"), b: desk.at("evil") }]
    });
}

#[test]
fn a_replaced_root_changes_nothing() {
    for resolver in [Resolver::Openat2, Resolver::Walk] {
        let desk = Desk::on(Path::new("/dev/shm"), resolver);
        desk.put("secret", "inside");
        let moved = desk.dir.path().join("moved");
        std::fs::rename(desk.at(""), &moved).unwrap();
        std::os::unix::fs::symlink("outside", desk.dir.path().join("ws")).unwrap();
        let absolute = desk.at("secret");
        for path in ["secret", absolute.to_str().unwrap()] {
            assert_eq!(desk.read(path).unwrap().content, "inside");
            desk.write(path, "inside, written", Expected::Any).unwrap();
            desk.write(path, "inside", Expected::Any).unwrap();
        }
        assert_eq!(desk.list(".").unwrap().entries[0].size, 6);
        assert!(desk.search(&SearchRequest::new("SECRET")).unwrap().matches.is_empty());
        desk.outside_is_untouched();
    }
}

fn race(resolver: Resolver, parent: &Path, scene: impl Fn(&Desk) -> Vec<Swap>) {
    let desk = Desk::on(parent, resolver);
    for path in ["top/mid/file", "top/mid/secret", "top/other/file"] {
        desk.put(path, "inside");
    }
    let swaps = scene(&desk);
    let (over, swapped, worked) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for swap in &swaps {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    // While a writer is at work one of them can be missing for a moment.
                    if renameat_with(CWD, &swap.a, CWD, &swap.b, RenameFlags::EXCHANGE).is_ok() {
                        swapped.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        let workers = [
            scope.spawn(|| repeat(&over, &worked, || read(&desk))),
            scope.spawn(|| repeat(&over, &worked, || write(&desk))),
            scope.spawn(|| repeat(&over, &worked, || list_and_search(&desk))),
        ];
        let end = Instant::now() + SCENE;
        while Instant::now() < end && !workers.iter().any(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::park_timeout(Duration::from_millis(20));
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(swapped.load(Ordering::Relaxed) > 100, "the swaps did not happen");
    assert!(worked.load(Ordering::Relaxed) > 100, "the work did not happen");
    desk.outside_is_untouched();
}

fn repeat(over: &AtomicBool, worked: &AtomicU64, work: impl Fn()) {
    while !over.load(Ordering::Relaxed) {
        work();
        worked.fetch_add(1, Ordering::Relaxed);
    }
}

const PATHS: [&str; 6] = ["top/mid/file", "top/mid/secret", "top/secret", "evil", "evil/secret", "shallow"];

fn read(desk: &Desk) {
    for path in PATHS {
        if let Ok(read) = desk.read(path) {
            assert!(!read.content.contains("SECRET"), "{path} was read");
        }
    }
}

fn write(desk: &Desk) {
    for path in PATHS {
        if path != "evil" && path != "shallow" {
            let _ = desk.write(path, "inside, written", Expected::Any);
        }
    }
    let _ = desk.write("top/mid/new", "inside, new", Expected::Absent);
    let _ = std::fs::remove_file(desk.at("top/other/new"));
}

fn list_and_search(desk: &Desk) {
    for path in ["top/mid", "evil", "."] {
        if let Ok(list) = desk.tree(path) {
            // The folder outside has one file of a size that no file inside has.
            let leaked = list
                .entries
                .iter()
                .find(|entry| entry.size == 14 && entry.name == "secret" && entry.kind != Kind::Symlink);
            assert!(leaked.is_none(), "{path} was listed: {leaked:?}");
        }
        let request = SearchRequest { path: Some(path.to_owned()), ..SearchRequest::new("SECRET") };
        if let Ok(found) = desk.search(&request) {
            assert!(found.matches.is_empty(), "{path} was searched: {:?}", found.matches);
        }
    }
}
