//! What ARCHITECTURE.md says of who may know whom, where the compiler does not see to it.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The sources below these folders, with their paths from the root on. Tests are not asked.
fn sources(folders: &[&str]) -> Vec<(String, String)> {
    let root = root();
    let mut found = Vec::new();
    let mut left: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                if !name.contains("/tests") {
                    found.push((name, fs::read_to_string(path).unwrap()));
                }
            }
        }
    }
    assert!(found.len() > 3, "{folders:?}: {found:?}");
    found
}

/// The files, but for those that begin so, in which any of the words stands.
fn naming(words: &[&str], folders: &[&str], but: &[&str]) -> Vec<String> {
    let sources = sources(folders);
    for known in but {
        assert!(sources.iter().any(|(name, _)| name.starts_with(known)), "{known} is gone");
    }
    let others = sources.into_iter().filter(|(name, _)| !but.iter().any(|known| name.starts_with(known)));
    others.filter(|(_, text)| words.iter().any(|word| text.contains(word))).map(|(name, _)| name).collect()
}

#[test]
fn services_import_no_operation() {
    let but = ["crates/core/src/ops/", "crates/core/src/registry/mod.rs"];
    assert_eq!(naming(&["crate::ops", "super::ops", "use ops"], &["crates/core/src"], &but), [""; 0]);
}

/// From the log upwards a tab in tmux is a terminal like any other: one file of `core` knows where it runs.
#[test]
fn tmux_is_known_to_one() {
    let but = ["crates/core/src/terminals/ground.rs"];
    let folders = ["core", "server", "cli", "client", "contract", "keeper"].map(|name| format!("crates/{name}/src"));
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    assert_eq!(naming(&["flightdeck_term::tmux"], &folders, &but), [""; 0]);
    // A start that fails there is a start that fails.
    let inside = ["crates/term/src/tmux/", "crates/term/src/terminals.rs"];
    assert_eq!(naming(&["crate::tmux", "super::tmux"], &["crates/term/src"], &inside), [""; 0]);
}

#[test]
fn frames_are_made_and_read_in_two_places() {
    let folders =
        ["crates/client/src", "crates/server/src", "crates/cli/src", "crates/core/src", "crates/e2e/src", "bench/src"];
    let words = ["encode_message", "encode_event", "encode_input", "frame_length", "control::decode"];
    assert_eq!(naming(&words, &folders, &["crates/client/src/", "crates/server/src/control/"]), [""; 0]);
}

#[test]
fn the_map_is_short() {
    let words = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap().split_whitespace().count();
    assert!(words < 1500, "ARCHITECTURE.md has {words} words");
}
