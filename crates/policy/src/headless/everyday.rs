//! What developers run all day to look around: the table, with the rules and variables that may come with it.

use super::headless;
use crate::drawn::Drawn;
use crate::{Decision, Deed, Place, Remedy, Rules, Verdict, assess};

/// The fewest that have to run.
const FEWEST: usize = 140;

/// What is decided without any rule.
pub(super) fn decided(command: &str, place: &Place) -> Decision {
    headless(&assess(&Deed::Line(command.to_owned()), place), &Rules::default(), place)
}

#[test]
fn looking_around_runs() {
    let place = Drawn::everyday().place();
    let (mut runs, mut wrong) = (0, Vec::new());
    for line in include_str!("../../tests/everyday/commands.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let expected = match fields[0] {
            "run" => Verdict::Allowed,
            "refuse" => Verdict::Blocked,
            other => panic!("neither run nor refuse: {other}"),
        };
        let decision = decided(fields[1], &place);
        runs += usize::from(decision.verdict == Verdict::Allowed);
        if decision.verdict != expected {
            wrong.push(format!("{line}: {}", decision.reason));
        }
        assert!(fields[0] == "run" || fields.len() == 3, "{line}: the reason is missing");
    }
    assert!(wrong.is_empty(), "{} are decided otherwise:\n{}", wrong.len(), wrong.join("\n"));
    assert!(runs >= FEWEST, "only {runs} run");
}

#[test]
fn what_would_run_with_other_options_is_told() {
    let place = Drawn::everyday().place();
    let reason = decided("cargo tree", &place).reason;
    assert!(reason.contains("with --locked --offline it runs"), "{reason}");
    assert_eq!(decided("cargo tree --locked --offline", &place).verdict, Verdict::Allowed);
    assert!(!decided("cargo build", &place).reason.contains("--locked"));
}

/// A rule of the user says what its words are, and nothing of patterns.
#[test]
fn rules_are_not_about_patterns() {
    let rules = Rules::parse("[[rule]]\nname = \"all\"\nallow = [\"lint *\"]\n").expect("valid rules");
    let place = Drawn::everyday().place();
    for (command, verdict) in [
        ("lint src/main.rs", Verdict::Allowed),
        ("cd sub && lint x", Verdict::Allowed),
        ("lint src/*.rs", Verdict::Blocked),
        ("lint < README.md", Verdict::Blocked),
        ("LANG=C lint x", Verdict::Blocked),
    ] {
        let assessed = assess(&Deed::Line(command.to_owned()), &place);
        assert_eq!(headless(&assessed, &rules, &place).verdict, verdict, "{command}");
    }
}

#[test]
fn variables_are_judged_by_name_and_value() {
    let with = |name: &str, value: &str| {
        let mut place = Drawn::everyday().place();
        place.env.push((name.to_owned(), value.to_owned()));
        decided("ls", &place)
    };
    for (name, value) in [("LANG", "C"), ("TZ", "UTC"), ("NO_COLOR", "1"), ("CI", "true"), ("COLUMNS", "80")] {
        assert_eq!(with(name, value).verdict, Verdict::Allowed, "{name}={value}");
    }
    for (name, value) in [
        ("PATH", "/tmp"),
        ("LD_PRELOAD", "x"),
        ("GIT_DIR", "x"),
        ("PAGER", "cat"),
        ("EDITOR", "true"),
        ("PYTHONPATH", "src"),
        ("NODE_OPTIONS", "--no-warnings"),
        ("BASH_ENV", "x"),
        ("IFS", ","),
        ("MY_OWN", "1"),
        ("LANG", "/tmp/x"),
        ("TZ", "/etc/shadow"),
    ] {
        let decision = with(name, value);
        assert_eq!(decision.verdict, Verdict::Blocked, "{name}={value}");
        assert!(decision.reason.contains(name), "{}", decision.reason);
    }
}

/// Who reads a refusal does what it says.
#[test]
fn what_is_not_plain_is_told_with_what_to_write_instead() {
    let place = Drawn::everyday().place();
    for (command, way) in [
        ("echo hi > made", "leave that out"),
        ("cat <<EOF\nhi\nEOF", "leave that out"),
        ("ls &", "leave the & out"),
        ("echo $HOME", "write what it stands for"),
        ("echo `date`", "write what it stands for"),
        ("ls ~", "nothing outside of the workspace"),
        ("x=5; echo $x", "write its value where it is used"),
        ("umask", "leave it out"),
        ("for i in 1 2; do ls; done", "send the commands in it by themselves"),
        ("cd / && ls", "leaves the workspace"),
        ("cat /etc/hosts", "outside of the workspace"),
    ] {
        let decision = decided(command, &place);
        assert!(decision.reason.contains(way), "{command}: {}", decision.reason);
        assert_eq!(decision.remedy, Remedy::Said, "{command}");
    }
}
