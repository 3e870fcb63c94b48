//! Listings of folders and trees.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Command;

use flightdeck_files::{Kind, ListRequest, ListResult, Resolver, Rules};
use rustix::process::{Resource, Rlimit};

use super::desk::{Desk, code, open};

fn paths(list: &ListResult) -> Vec<&str> {
    list.entries.iter().map(|entry| entry.path.as_str()).collect()
}

#[test]
fn a_folder() {
    let desk = Desk::new();
    for path in ["b.txt", "a.txt", "z/x", ".env", ".git/config", ".gitignore"] {
        desk.put(path, "text");
    }
    desk.put(".gitignore", "b.txt\n");
    desk.link("in", "z");
    desk.link("out", "../outside");
    desk.link("broken", "nowhere");
    desk.link("to_env", ".env");
    std::fs::write(desk.at("").join(OsStr::from_bytes(b"bad\xff")), "x").unwrap();
    let list = desk.list(".").unwrap();
    let expected =
        [".git", "z", ".env", ".gitignore", "a.txt", "b.txt", "bad\u{fffd}", "broken", "in", "out", "to_env"];
    assert_eq!(paths(&list), expected);
    let entry = |name: &str| list.entries.iter().find(|entry| entry.name == name).unwrap();
    assert_eq!((entry("z").kind, entry("a.txt").kind, entry("a.txt").size), (Kind::Folder, Kind::File, 4));
    assert!(entry("a.txt").modified_ms > 1_600_000_000_000);
    for (name, sensitive) in [(".git", true), (".env", true), ("to_env", true), ("a.txt", false), ("in", false)] {
        assert_eq!(entry(name).sensitive, sensitive, "{name}");
    }
    for name in ["in", "out", "broken"] {
        assert_eq!(entry(name).kind, Kind::Symlink, "{name}");
    }
    for (path, expected) in
        [("a.txt", "not_a_folder"), (".git", "sensitive"), ("none", "not_found"), ("out", "outside_workspace")]
    {
        assert_eq!(code(&desk.list(path)), expected, "{path}");
    }
}

#[test]
fn a_tree_without_what_git_ignores() {
    let desk = Desk::new();
    for path in
        ["src/a/x.rs", "src/b.rs", "target/debug/y", "keep.log", "drop.log", "sub/drop.log", "sub/own.tmp", "top.txt"]
    {
        desk.put(path, "x");
    }
    desk.put(".git/config", "x");
    desk.put(".gitignore", "target/\n*.log\n!/keep.log\n");
    desk.put("sub/.gitignore", "*.tmp\n");
    desk.link("src/loop", "..");
    let list = desk.tree(".").unwrap();
    let all = [
        "src",
        "src/a",
        "src/a/x.rs",
        "src/b.rs",
        "src/loop",
        "sub",
        "sub/.gitignore",
        ".gitignore",
        "keep.log",
        "top.txt",
    ];
    assert_eq!(paths(&list), all);
    assert!(!list.truncated);
    // From below, what is ignored above still holds.
    assert_eq!(paths(&desk.tree("sub").unwrap()), ["sub/.gitignore"]);
    // Whoever names an ignored folder sees it.
    assert_eq!(paths(&desk.tree("target").unwrap()), ["target/debug", "target/debug/y"]);
    let few = ListRequest { recursive: true, max_entries: 5, ..ListRequest::default() };
    let few = desk.files.list(&few).unwrap();
    assert!(few.truncated);
    assert_eq!(paths(&few), ["src", "sub", ".gitignore", "keep.log", "top.txt"], "the top comes first");
}

#[test]
fn what_git_ignores_is_marked_in_a_folder() {
    let desk = Desk::new();
    desk.put(".gitignore", "target\n*.log\n!keep.log\n");
    for path in ["target/debug/y", "top.txt", "a.log", "keep.log", "sub/b.log", "sub/c.txt"] {
        desk.put(path, "x");
    }
    desk.put("sub/.gitignore", "c.txt\n");
    let ignored = |path: &str| {
        let list = desk.list(path).unwrap();
        list.entries.iter().filter(|entry| entry.ignored).map(|entry| entry.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ignored("."), ["target", "a.log"]);
    assert_eq!(ignored("sub"), ["sub/b.log", "sub/c.txt"]);
    assert_eq!(ignored("target/debug"), ["target/debug/y"], "with its folder");
    assert!(desk.tree("target").unwrap().entries.iter().all(|entry| !entry.ignored), "a tree has no such entries");
}

/// A wide tree is listed with few descriptors: the process that does it may have no more.
#[test]
#[ignore = "it is run by the test below"]
fn with_few_descriptors() {
    let Some(dir) = std::env::var_os(WIDE).map(PathBuf::from) else { return };
    let files = open(&dir, Resolver::Openat2, Rules::default());
    let limit = Rlimit { current: Some(64), maximum: Some(64) };
    rustix::process::setrlimit(Resource::Nofile, limit).unwrap();
    let tree = files.list(&ListRequest { recursive: true, max_entries: 10_000, ..ListRequest::default() }).unwrap();
    assert_eq!((tree.entries.len(), tree.truncated, tree.unreadable), (900, false, 0));
}

const WIDE: &str = "FLIGHTDECK_FILES_WIDE";

#[test]
fn a_wide_tree() {
    let desk = Desk::new();
    for at in 0..300 {
        desk.put(&format!("d{at}/e/f"), "x");
    }
    let desk_dir = desk.dir;
    drop(desk.files);
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "list::with_few_descriptors", "--ignored", "--nocapture"])
        .env(WIDE, desk_dir.path())
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"));
}

#[test]
fn what_can_not_be_listed_is_counted() {
    let desk = Desk::new();
    desk.put("a/f", "x");
    let odd = desk.at("").join(OsStr::from_bytes(b"odd\xff"));
    std::fs::create_dir(&odd).unwrap();
    let tree = desk.tree(".").unwrap();
    assert_eq!((paths(&tree), tree.unreadable), (vec!["a", "a/f", "odd\u{fffd}"], 1));
    assert_eq!(desk.list(".").unwrap().unreadable, 0, "nobody asked for what is in it");
    std::fs::remove_dir(odd).unwrap();
    // Deeper than a walk goes.
    desk.put(&format!("{}f", "d/".repeat(130)), "x");
    let tree = desk.tree(".").unwrap();
    assert!(tree.truncated);
    assert_eq!(tree.unreadable, 0);
}

#[test]
fn a_pipe_as_ignore_file_holds_nobody_up() {
    let desk = Desk::new();
    desk.put("f", "needle");
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(rustix::fs::CWD, desk.at(".gitignore"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert_eq!(paths(&desk.tree(".").unwrap()), [".gitignore", "f"]);
    assert_eq!(desk.search(&flightdeck_files::SearchRequest::new("needle")).unwrap().matches.len(), 1);
}
