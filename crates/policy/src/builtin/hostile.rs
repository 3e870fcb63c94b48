//! Real git in a repository whose settings name a program wherever they can: with the environment none of them runs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use super::{GIT_ENVIRONMENT, without_diff_helpers};
use crate::Deed;

/// Git with the settings of this test alone.
fn git(folder: &Path, args: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new("git");
    command.current_dir(folder).args(args).env_clear().env("PATH", std::env::var("PATH").unwrap_or_default());
    command.env("HOME", folder).env("GIT_CONFIG_NOSYSTEM", "1").env("MARKS", folder.join("marks"));
    command.envs(environment.iter().copied());
    command.output().expect("git can be started")
}

/// Git as it is run headless.
fn headless(folder: &Path, args: &[&str]) -> Output {
    let words = std::iter::once("git").chain(args.iter().copied()).map(str::to_owned).collect();
    let Ok(Deed::Argv(words)) = without_diff_helpers(&Deed::Argv(words)) else { panic!("{args:?} stay words") };
    git(folder, &words[1..].iter().map(String::as_str).collect::<Vec<_>>(), GIT_ENVIRONMENT)
}

fn hostile(folder: &Path) {
    let script = folder.join("mark.sh");
    // Each helper leaves a file with its name behind.
    fs::write(&script, "#!/bin/sh\nmkdir -p \"$MARKS\"\n: > \"$MARKS/$1\"\nexit 0\n").expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a mode");
    let helper = |name: &str| format!("{} {name}", script.display());
    let repo = folder.join("repo");
    fs::create_dir_all(&repo).expect("a folder");
    for args in [&["init", "-q"][..], &["config", "user.name", "x"], &["config", "user.email", "x@example.org"]] {
        git(&repo, args, &[]);
    }
    fs::write(repo.join("a"), "one\n").expect("a file");
    git(&repo, &["add", "a"], &[]);
    git(&repo, &["commit", "-qm", "one"], &[]);
    git(&repo, &["tag", "v1"], &[]);
    fs::write(repo.join("a"), "two\n").expect("a file");
    git(&repo, &["commit", "-qam", "two"], &[]);
    // The first commit looks signed.
    let settings = [
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("diff.external", "external"),
        ("diff.evil.textconv", "textconv"),
        ("diff.evil.command", "driver"),
        ("filter.evil.clean", "clean"),
        ("filter.evil.smudge", "smudge"),
        ("gpg.program", "gpg"),
        ("core.sshCommand", "ssh"),
        ("core.editor", "editor"),
        ("core.askPass", "askpass"),
    ];
    for (key, name) in settings {
        git(&repo, &["config", key, &helper(name)], &[]);
    }
    git(&repo, &["config", "log.showSignature", "true"], &[]);
    git(&repo, &["config", "format.pretty", "format:%h %G?"], &[]);
    let hooks = folder.join("hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    let hook = hooks.join("post-index-change");
    fs::write(&hook, format!("#!/bin/sh\n{}\n", helper("hook"))).expect("a hook");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("a mode");
    git(&repo, &["config", "core.hooksPath", &hooks.display().to_string()], &[]);
    fs::write(repo.join(".gitattributes"), "* diff=evil filter=evil\n").expect("attributes");
    fs::write(repo.join("a"), "three\n").expect("a file");
}

fn marks(folder: &Path) -> Vec<String> {
    let mut marks: Vec<String> = fs::read_dir(folder.join("repo/marks"))
        .map(|entries| {
            entries.filter_map(Result::ok).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        })
        .unwrap_or_default();
    marks.sort();
    marks
}

const READS: &[&[&str]] = &[
    &["status"],
    &["diff"],
    &["diff", "HEAD"],
    &["diff", "--stat"],
    &["log", "--oneline"],
    &["log", "-p"],
    &["log"],
    &["show"],
    &["show", "HEAD"],
    &["blame", "a"],
    &["branch", "-vv"],
    &["describe", "--tags", "--dirty"],
    &["stash", "list"],
    &["ls-files", "-m"],
    &["tag", "-l"],
    &["remote", "-v"],
    &["rev-parse", "HEAD"],
    &["reflog"],
    &["grep", "one"],
    &["grep", "-n", "t", "--", "a"],
    &["-C", ".", "status"],
    &["-C", ".", "diff"],
    &["branch", "--sort=-committerdate"],
    &["stash", "show"],
];

#[test]
fn settings_of_a_repository_run_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    hostile(folder.path());
    let repo = folder.path().join("repo");
    for args in READS {
        let output = headless(&repo, args);
        assert_eq!(marks(folder.path()), [""; 0], "git {args:?} ran a helper");
        // Finding nothing is no failure.
        assert!(output.status.code().is_some_and(|code| code < 128), "git {args:?}: {output:?}");
    }
    // The same without the environment: otherwise this test would prove nothing.
    for args in READS {
        git(&repo, args, &[]);
    }
    let ran = marks(folder.path());
    for name in ["fsmonitor", "hook", "clean"] {
        assert!(ran.iter().any(|mark| mark == name), "{name} did not run in {ran:?}");
    }
    assert!(ran.iter().any(|mark| mark == "driver" || mark == "external"), "no driver ran in {ran:?}");
    assert!(ran.iter().any(|mark| mark == "textconv"), "no conversion ran in {ran:?}");
}

/// Attributes in `.git` hold whatever the variables say; the flags keep their drivers and conversions away all the same.
#[test]
fn differences_are_shown_without_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    hostile(folder.path());
    let repo = folder.path().join("repo");
    fs::remove_file(repo.join(".gitattributes")).expect("attributes");
    fs::write(repo.join(".git/info/attributes"), "* diff=evil\n").expect("attributes");
    let differences: &[(&[&str], &str)] = &[
        (&["diff"], "+three"),
        (&["diff", "HEAD^"], "+three"),
        (&["-C", ".", "--no-pager", "diff", "--", "a"], "+three"),
        (&["log", "-p"], "+two"),
        (&["log", "-Gtwo", "--format=%s"], "two"),
        (&["show"], "+two"),
        (&["whatchanged", "-p"], "+two"),
        (&["reflog", "-p"], "+two"),
        (&["reflog", "show", "-p"], "+two"),
        (&["blame", "a"], "three"),
        (&["annotate", "a"], "three"),
        (&["diff-tree", "-p", "HEAD"], "+two"),
        (&["stash", "show", "-p"], "+staged"),
        (&["stash", "list", "-p"], "+staged"),
    ];
    fs::write(repo.join("a"), "staged\n").expect("a file");
    git(&repo, &["stash", "-q"], GIT_ENVIRONMENT);
    fs::write(repo.join("a"), "three\n").expect("a file");
    // What the tests themselves did does not count.
    let _ = fs::remove_dir_all(repo.join("marks"));
    for (args, shown) in differences {
        let output = headless(&repo, args);
        assert_eq!(marks(folder.path()), [""; 0], "git {args:?} ran a helper");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(shown), "git {args:?}: {output:?}");
    }
    // The same without the flags: an external program is not run, but conversions are, and `git diff` fails.
    for (args, _) in differences {
        git(&repo, args, GIT_ENVIRONMENT);
    }
    let ran = marks(folder.path());
    assert!(ran.iter().any(|mark| mark == "textconv") && !ran.iter().any(|mark| mark == "external"), "{ran:?}");
    fs::remove_file(repo.join(".git/info/attributes")).expect("attributes");
    assert!(!git(&repo, &["diff"], GIT_ENVIRONMENT).status.success());
}

#[test]
fn objects_that_are_missing_are_not_fetched() {
    let folder = tempfile::tempdir().expect("a folder");
    hostile(folder.path());
    let repo = folder.path().join("repo");
    fs::remove_file(repo.join(".gitattributes")).expect("attributes");
    let upload = format!("{} upload", folder.path().join("mark.sh").display());
    for (key, value) in [
        ("extensions.partialClone", "evil"),
        ("core.repositoryFormatVersion", "1"),
        ("remote.evil.url", "./"),
        ("remote.evil.promisor", "true"),
        ("remote.evil.uploadpack", &upload),
        ("diff.external", ""),
    ] {
        git(&repo, &["config", key, value], &[]);
    }
    // Takes the object of the first version away.
    let output = Command::new("git")
        .current_dir(&repo)
        .args(["rev-parse", "v1:a"])
        .env("GIT_NO_LAZY_FETCH", "1")
        .output()
        .expect("git can be started");
    let id = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    fs::remove_file(repo.join(".git/objects").join(&id[..2]).join(&id[2..])).expect("an object");
    git(&repo, &["show", "v1:a"], GIT_ENVIRONMENT);
    assert_eq!(marks(folder.path()), [""; 0]);
    git(&repo, &["show", "v1:a"], &[]);
    assert!(marks(folder.path()).iter().any(|mark| mark == "upload"), "{:?}", marks(folder.path()));
}
