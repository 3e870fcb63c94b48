//! What "always" offers: narrow, readable, and enough for what was asked.

use proptest::prelude::*;

use super::{NewRule, offer};
use crate::samples::{any_assessment, place, plain};
use crate::{Assessment, DangerKind, Rules, Severity, Stance, Verdict, decide};

fn texts(rule: &NewRule) -> Vec<&str> {
    rule.patterns.iter().map(crate::Pattern::text).collect()
}

fn dangerous(commands: &[&str], piece: usize) -> Assessment {
    plain(commands).danger(DangerKind::DeletesTree, Severity::Ask, Some(piece))
}

#[test]
fn offers_are_narrow() {
    let cases: [(&[&str], &[&str]); 9] = [
        (&["cargo test --workspace"], &["cargo test *"]),
        (&["cargo nextest run -p x"], &["cargo nextest run *"]),
        (&["python3 -m pytest -x"], &["python3 -m pytest *"]),
        (&["make install"], &["make install"]),
        (&["git push origin main"], &["git push origin main"]),
        (&["./run.sh a"], &["./run.sh a"]),
        (&["bash run.sh"], &["bash run.sh"]),
        (&["make a", "make b", "make a"], &["make a", "make b"]),
        (&["cargo test", "cargo test x"], &["cargo test *"]),
    ];
    for (commands, expected) in cases {
        let rule = offer(&plain(commands), &place()).unwrap();
        assert_eq!(texts(&rule), expected);
        assert!(rule.headless && !rule.network);
    }
}

#[test]
fn what_is_dangerous_is_offered_word_by_word_and_never_headless() {
    let rule = offer(&dangerous(&["rm -rf build", "cargo test x"], 0), &place()).unwrap();
    assert_eq!(texts(&rule), ["rm -rf build", "cargo test x"]);
    assert!(!rule.headless);
    assert_eq!(
        rule.toml(),
        "[[rule]]\nname = \"rm-rf-build\"\nallow = [\"rm -rf build\", \"cargo test x\"]\nheadless = false\n"
    );
    assert_eq!(rule.words(), "allow exactly `rm -rf build` and exactly `cargo test x`, only where a person can see it");
}

#[test]
fn what_no_narrow_rule_could_allow_is_not_offered() {
    let long = format!("x {}", "y".repeat(500));
    let never = plain(&["rm -rf x"]).danger(DangerKind::DeletesRoot, Severity::Never, Some(0));
    let nowhere = plain(&["rm -rf x"]).danger(DangerKind::DeletesTree, Severity::Ask, None);
    let input = plain(&["x", "y"]).danger(DangerKind::RunsInput, Severity::Ask, Some(1));
    let not = [
        plain(&["sudo apt update"]),
        plain(&["bash"]),
        plain(&["bash -c ls"]),
        plain(&["bash -lc ls"]),
        plain(&["env A=1 ls"]),
        plain(&["xargs grep x"]),
        plain(&["eval ls"]),
        plain(&["python3"]),
        plain(&["make a", "sudo ls"]),
        plain(&["x \u{202e}y"]),
        plain(&["x y\nz"]),
        plain(&[&long]),
        plain(&[]),
        plain(&["make a"]).not_plain(),
        never,
        nowhere,
        input,
    ];
    for a in not {
        assert_eq!(offer(&a, &place()), None, "{a:?}");
    }
    let mut place = place();
    place.env = vec![("SOME_OWN_THING".to_owned(), "1".to_owned())];
    assert_eq!(offer(&plain(&["make a"]), &place), None);
}

#[test]
fn grants_cover_what_was_asked_and_no_more() {
    let rule = offer(&plain(&["make a", "make b"]), &place()).unwrap();
    for (commands, covered) in [
        (vec!["make a", "make b"], true),
        (vec!["make b", "make a", "make a"], true),
        (vec!["make a"], true),
        (vec!["make c"], false),
        (vec!["make a", "make c"], false),
        (vec!["make a x"], false),
        (vec![], false),
    ] {
        assert_eq!(rule.covers(&plain(&commands)), covered, "{commands:?}");
    }
    assert!(!rule.covers(&plain(&["make a"]).not_plain()));
    assert!(!rule.covers(&plain(&["make a"]).danger(DangerKind::Environment, Severity::Ask, None)));
    assert!(!rule.covers(&plain(&["make a"]).danger(DangerKind::RunsInput, Severity::Ask, Some(0))));
}

#[test]
fn rules_of_people_say_what_they_allow() {
    let rule = NewRule::allow(&["cargo test *", "make a*"]).unwrap();
    assert_eq!(rule.words(), "allow `cargo test` with any further words and `make a*`");
    assert_eq!(rule.toml(), "[[rule]]\nname = \"cargo-test\"\nallow = [\"cargo test *\", \"make a*\"]\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn what_is_offered_is_enough_and_not_too_much(a in any_assessment()) {
        if let Some(rule) = offer(&a, &place()) {
            prop_assert!(rule.covers(&a));
            prop_assert!(rule.patterns.iter().all(|pattern| pattern.overbroad().is_none()));
            let rules = Rules::parse(&Rules::add("", &rule).unwrap()).unwrap();
            let decision = decide(&a, &rules, &place(), Stance::Ask);
            let expected = if a.dangers.is_empty() { Verdict::Allowed } else { Verdict::AllowedWithWarning };
            prop_assert_eq!(decision.verdict, expected, "{:?}", decision);
            // Another command beside it is not covered.
            let mut more = a.clone();
            more.plain.as_mut().unwrap().push(vec!["unheard-of".to_owned()]);
            prop_assert!(!rule.covers(&more));
            // Nor is a danger that was not there.
            prop_assert!(!rule.covers(&a.danger(DangerKind::Environment, Severity::Ask, Some(0))));
        }
    }
}
