//! The everyday table of the policy, run for real: what is proven changes nothing in the workspace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use flightdeck_policy::{
    Deed, Disk, GIT_ENVIRONMENT, PACKAGES_ENVIRONMENT, Place, Rules, Verdict, assess, headless, without_diff_helpers,
};
use sha2::{Digest, Sha256};

use super::disk::LocalDisk;

fn table(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../policy/tests/everyday").join(name);
    fs::read_to_string(path).expect("the table of the policy")
}

fn sh(folder: &Path, line: &str) -> std::process::Output {
    Command::new("/bin/sh")
        .args(["-c", line])
        .current_dir(folder)
        .envs(GIT_ENVIRONMENT.iter().chain(PACKAGES_ENVIRONMENT).copied())
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

fn workspace(root: &Path) {
    for line in table("workspace.txt").lines() {
        let (path, text) = line.split_once('\t').expect("a path and a text");
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text.replace('⏎', "\n")).expect("a file");
    }
    let made = Command::new("/bin/sh")
        .args([
            "-ec",
            "tar czf /tmp/archive.$$ src && mv /tmp/archive.$$ archive.tar.gz; git init -q; git config user.name demo
             git config user.email demo@example.org; git add .; git commit -qm first; echo more >> README.md
             git commit -qam second; echo again >> README.md",
        ])
        .current_dir(root)
        .status();
    assert!(made.expect("a shell").success());
}

/// What is in each file and when it was changed last. Reading may change the time of access, and nothing else.
fn state(root: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let files = LocalDisk.files_below(root).expect("a small tree");
    let look = |file: PathBuf| {
        let path = root.join(&file);
        let changed = fs::metadata(&path).and_then(|found| found.modified()).expect("a time");
        (file, (Sha256::digest(fs::read(path).expect("a file")).to_vec(), changed))
    };
    files.into_iter().map(look).collect()
}

#[test]
fn what_is_proven_runs_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("its path");
    workspace(&root);
    let place = Place {
        workspace: root.clone(),
        cwd: Some(root.clone()),
        home: std::env::home_dir(),
        temp: Vec::new(),
        env: Vec::new(),
        disk: Some(Arc::new(LocalDisk)),
    };
    let before = state(&root);
    let mut ran = 0;
    for line in table("commands.txt").lines().filter(|line| line.starts_with("run\t")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let command = fields[1];
        let decision = headless(&assess(&Deed::Line(command.to_owned()), &place), &Rules::default(), &place);
        assert_eq!(decision.verdict, Verdict::Allowed, "{command}: {}", decision.reason);
        let installed = |program: &&str| sh(&root, &format!("command -v {program}")).status.success();
        if fields.get(2).is_some_and(|program| !installed(program)) {
            continue;
        }
        let Ok(Deed::Line(guarded)) = without_diff_helpers(&Deed::Line(command.to_owned())) else {
            panic!("{command} stays a line")
        };
        let output = sh(&root, &guarded);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!matches!(output.status.code(), None | Some(126..)), "{command}: {said}");
        assert!(!said.contains("usage") && !said.contains("unrecognized"), "{command}: {said}");
        assert_eq!(state(&root), before, "{command} has changed something");
        ran += 1;
    }
    assert!(ran >= 140, "only {ran} were run");
}
