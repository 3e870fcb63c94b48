use super::*;
use crate::store::Surroundings;
use flightdeck_contract::policy::RuleDifference;
use std::fs;

struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        Folder { dir: tempfile::tempdir().unwrap() }
    }

    fn open(&self) -> Files {
        let store = Arc::new(Store::open(self.dir.path(), &Surroundings::default()).unwrap().store);
        Files::open(self.dir.path().join("config/policy.toml"), self.path(), store)
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("policy.toml")
    }

    fn write(&self, text: &str) {
        text::replace(&self.path(), text).unwrap();
    }
}

fn names(files: &Files) -> Vec<String> {
    files.rules().rules().iter().map(|rule| rule.name.clone()).collect()
}

fn versions(files: &Files) -> Vec<String> {
    files.changes().into_iter().map(|change| change.version).collect()
}

const GOOD: &str = "[[rule]]\nname = \"tests\"\nallow = [\"cargo test *\"]\n";

#[test]
fn what_is_saved_counts_when_it_was_accepted() {
    let folder = Folder::new();
    let files = folder.open();
    let accept = |files: &Files| files.accept(&versions(files)).unwrap();
    assert!(names(&files).is_empty() && files.notices().is_empty());
    folder.write(GOOD);
    assert!(names(&files).is_empty());
    assert_eq!(files.notices()[0].state, PolicyState::Changed);
    let change = files.changes().remove(0);
    assert_eq!((change.rules[0].change, change.rules[0].rule.name.as_str()), (RuleDifference::Added, "tests"));
    assert!(change.diff.contains("+allow = [\"cargo test *\"]"), "{}", change.diff);
    assert_eq!(accept(&files), [folder.path()]);
    assert_eq!(names(&files), ["tests"]);
    assert!(files.notices().is_empty() && accept(&files).is_empty());
    // Another one waits, and so does one that is gone.
    folder.write(&GOOD.replace("tests", "other"));
    let change = files.changes().remove(0);
    let what: Vec<_> = change.rules.iter().map(|rule| (rule.change, rule.rule.name.as_str())).collect();
    assert_eq!(what, [(RuleDifference::Removed, "tests"), (RuleDifference::Added, "other")]);
    fs::remove_file(folder.path()).unwrap();
    assert_eq!((names(&files), files.notices()[0].state), (vec!["tests".to_owned()], PolicyState::Removed));
    accept(&files);
    assert!(names(&files).is_empty());
}

#[test]
fn what_waits_does_so_after_a_restart_and_only_the_first_hub_takes_what_is_there() {
    let folder = Folder::new();
    folder.write(GOOD);
    let files = folder.open();
    assert_eq!(names(&files), ["tests"], "a person wrote it before the first start");
    drop(files);
    folder.write(&GOOD.replace("tests", "other"));
    for _ in 0..2 {
        let files = folder.open();
        assert_eq!((names(&files), files.notices().len()), (vec!["tests".to_owned()], 1));
    }
    fs::remove_file(folder.path()).unwrap();
    let files = folder.open();
    assert_eq!((names(&files), files.notices()[0].state), (vec!["tests".to_owned()], PolicyState::Removed));
    // The user's own was not there at the first start; one that comes later waits as well.
    fs::create_dir(folder.dir.path().join("config")).unwrap();
    fs::write(folder.dir.path().join("config/policy.toml"), GOOD.replace("tests", "mine")).unwrap();
    assert_eq!((names(&files), files.notices().len()), (vec!["tests".to_owned()], 2));
}

#[test]
fn only_what_was_seen_is_accepted() {
    let folder = Folder::new();
    let files = folder.open();
    folder.write(GOOD);
    let seen = versions(&files);
    folder.write(&GOOD.replace("cargo", "npm"));
    assert_eq!(files.accept(&seen).unwrap_err().code, ErrorCode::StaleVersion);
    assert!(names(&files).is_empty());
    folder.write(GOOD);
    files.accept(&seen).unwrap();
    assert_eq!(names(&files), ["tests"]);
}

#[test]
fn other_comments_need_nobody() {
    let folder = Folder::new();
    folder.write(GOOD);
    let files = folder.open();
    folder.write(&format!("# mine\n{GOOD}"));
    assert!(files.notices().is_empty());
    // What is put back later has them.
    folder.write("");
    files.reject().unwrap();
    assert!(fs::read_to_string(folder.path()).unwrap().starts_with("# mine\n"));
}

#[test]
fn what_is_rejected_is_kept_beside() {
    let folder = Folder::new();
    folder.write(GOOD);
    let files = folder.open();
    let other = GOOD.replace("tests", "other");
    folder.write(&other);
    let rejected = files.reject().unwrap();
    assert_eq!(fs::read_to_string(rejected[0].aside.as_ref().unwrap()).unwrap(), other);
    assert_eq!(fs::read_to_string(folder.path()).unwrap(), GOOD);
    assert!(files.notices().is_empty() && files.reject().unwrap().is_empty());
    fs::remove_file(folder.path()).unwrap();
    assert_eq!(files.reject().unwrap()[0].aside, None);
    assert_eq!(fs::read_to_string(folder.path()).unwrap(), GOOD);
}

#[test]
fn a_broken_file_keeps_the_last_good_rules_and_says_so() {
    let folder = Folder::new();
    folder.write(GOOD);
    let files = folder.open();
    for broken in ["[[rule", "[[rule]]\nname = \"x\"\nallow = [\"sudo *\"]\n", "\0", "defaults = 3"] {
        folder.write(broken);
        assert_eq!(names(&files), ["tests"], "{broken:?}");
        assert!(files.states()[1].problem.is_some(), "{broken:?}");
        assert_eq!(files.accept(&versions(&files)).unwrap_err().code, ErrorCode::PolicyInvalid, "{broken:?}");
    }
    drop(files);
    // So it is after a restart: the file is still broken.
    let files = folder.open();
    assert_eq!(names(&files), ["tests"]);
    assert_eq!(files.notices()[0].state, PolicyState::Broken);
    folder.write(GOOD);
    assert_eq!(files.states()[1].problem, None);
}

#[test]
fn rules_are_added_without_touching_what_is_there() {
    let folder = Folder::new();
    folder.write("# mine\n");
    let files = folder.open();
    let rule = NewRule::allow(&["npm test"]).unwrap();
    let (path, known) = files.add(Whose::Workspace, &rule).unwrap();
    assert!(!known && fs::read_to_string(&path).unwrap().starts_with("# mine\n"));
    assert!(files.add(Whose::Workspace, &rule).unwrap().1, "the second time it is there");
    assert_eq!(names(&files).len(), 1);
    files.add(Whose::User, &NewRule::allow(&["make check"]).unwrap()).unwrap();
    assert_eq!(names(&files).len(), 2);
    assert!(files.notices().is_empty(), "what the hub writes waits for nobody");
    // Nothing is added to a file that can't be read: it would be lost or hidden.
    folder.write("[[rule");
    let refused = files.add(Whose::Workspace, &NewRule::allow(&["ls -l"]).unwrap()).unwrap_err();
    assert_eq!(refused.code, ErrorCode::PolicyInvalid);
    assert_eq!(fs::read_to_string(&path).unwrap(), "[[rule");
}

#[test]
fn a_rule_that_is_added_brings_nothing_else_into_force() {
    let folder = Folder::new();
    let files = folder.open();
    folder.write(GOOD);
    let rule = NewRule::allow(&["npm test"]).unwrap();
    assert!(!files.add(Whose::Workspace, &rule).unwrap().1);
    assert_eq!(names(&files), std::slice::from_ref(&rule.name));
    assert_eq!(files.changes()[0].rules.len(), 1, "the rule from outside still waits, and alone");
    // One that came from outside is in force when it is added.
    assert!(!files.add(Whose::Workspace, &NewRule::allow(&["cargo test *"]).unwrap()).unwrap().1);
    assert_eq!(names(&files).len(), 2);
    drop(files);
    assert_eq!(names(&folder.open()).len(), 2);
}

#[test]
fn many_add_at_once_and_none_is_lost() {
    let folder = Folder::new();
    let files = folder.open();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let files = &files;
            scope.spawn(move || {
                files.add(Whose::Workspace, &NewRule::allow(&[&format!("npm run job{number}")]).unwrap()).unwrap();
            });
        }
    });
    assert_eq!(names(&files).len(), 8);
    let left: Vec<_> = fs::read_dir(folder.dir.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains(".new")), "{left:?}");
}
