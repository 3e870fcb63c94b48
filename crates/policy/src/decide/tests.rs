//! Every line of the table of decisions, under every stance.

use proptest::prelude::*;

use super::decide;
use crate::samples::{any_assessment, place, plain, rules};
use crate::{Assessment, DangerKind, Rules, Severity, Stance, Verdict};

const STANCES: [Stance; 4] = [Stance::Strict, Stance::Ask, Stance::Guard, Stance::Open];

/// The verdicts under every stance, in letters: allowed, warned, needs approval, blocked.
fn verdicts(a: &Assessment, rules: &Rules) -> String {
    let letter = |stance| match decide(a, rules, &place(), stance).verdict {
        Verdict::Allowed => 'A',
        Verdict::AllowedWithWarning => 'W',
        Verdict::NeedsApproval => 'N',
        Verdict::Blocked => 'B',
    };
    STANCES.into_iter().map(letter).collect()
}

/// What the text is, what is found in it, and the verdicts under strict, ask, guard and open.
#[test]
fn the_table_of_decisions() {
    use DangerKind::{DeletesTree, Environment, Privilege, RunsInput, Unreadable};
    let ask = |a: Assessment, kind, piece| a.danger(kind, Severity::Ask, piece);
    let never = |a: Assessment| a.danger(DangerKind::DeletesRoot, Severity::Never, Some(0));
    let other = || plain(&["other x"]);
    let ok = || plain(&["ok x"]);
    let table = [
        ("nothing", plain(&[]), "BNAA"),
        ("not proven", other(), "BNAA"),
        ("proven", ok(), "AAAA"),
        ("proven where a person can see it", plain(&["seen"]), "AAAA"),
        ("proven in part", plain(&["ok", "other"]), "BNAA"),
        ("allowed words in text that is not plain", ok().not_plain(), "BNAA"),
        ("never", never(other()), "BBBB"),
        ("never, allowed by a rule", never(ok()), "BBBB"),
        ("never, asked by a rule", never(plain(&["asked"])), "BBBB"),
        ("never, beside a danger that is covered", ask(never(ok()), DeletesTree, Some(0)), "BBBB"),
        ("blocked by a rule", plain(&["never x"]), "BBBB"),
        ("blocked in one piece", plain(&["ok", "never x"]), "BBBB"),
        ("blocked in a nested piece", ok().nested(0, "never x"), "BBBB"),
        ("blocked in text that is not plain", plain(&["never"]).not_plain(), "BBBB"),
        ("blocked and asked", plain(&["asked", "never"]), "BBBB"),
        ("blocked and dangerous", ask(plain(&["never"]), DeletesTree, Some(0)), "BBBB"),
        ("asked by a rule", plain(&["asked x"]), "NNNN"),
        ("asked in one piece", plain(&["ok", "asked"]), "NNNN"),
        ("asked and dangerous", ask(plain(&["asked"]), DeletesTree, Some(0)), "NNNN"),
        ("dangerous", ask(other(), DeletesTree, Some(0)), "BNNW"),
        ("dangerous, in no piece", ask(ok(), DeletesTree, None), "BNNW"),
        ("dangerous, in a piece that is not there", ask(ok(), DeletesTree, Some(9)), "BNNW"),
        ("dangerous, covered", ask(ok(), DeletesTree, Some(0)), "WWWW"),
        ("dangerous, covered, not plain", ask(ok().not_plain(), DeletesTree, Some(0)), "BNWW"),
        ("dangerous, covered, beside what is not proven", ask(plain(&["ok", "other"]), DeletesTree, Some(0)), "BNWW"),
        ("dangerous in the piece that is not covered", ask(plain(&["ok", "other"]), DeletesTree, Some(1)), "BNNW"),
        (
            "two dangers, one covered",
            ask(ask(plain(&["ok", "other"]), Privilege, Some(0)), DeletesTree, Some(1)),
            "BNNW",
        ),
        ("nested in a word of a pattern with a star", ask(ok().nested(0, "rm -rf x"), DeletesTree, Some(1)), "BNNW"),
        // These do not show in words, so no pattern covers them.
        ("input that is run", ask(ok(), RunsInput, Some(0)), "BNNW"),
        ("a variable", ask(ok(), Environment, Some(0)), "BNNW"),
        ("what can't be read", ask(ok(), Unreadable, Some(0)), "BNNW"),
    ];
    for (what, a, expected) in table {
        assert_eq!(verdicts(&a, &rules()), expected, "{what}");
    }
}

#[test]
fn every_kind_of_danger_asks_and_says_its_rule() {
    for kind in DangerKind::ALL {
        let a = plain(&["other"]).danger(kind, Severity::Ask, Some(0));
        assert_eq!(verdicts(&a, &rules()), "BNNW", "{kind:?}");
        let decision = decide(&a, &rules(), &place(), Stance::Guard);
        assert_eq!(decision.rules, [kind.into()]);
        assert!(decision.reason.contains(kind.rule()) && !decision.fixed(), "{decision:?}");
        let a = plain(&["ok"]).danger(kind, Severity::Never, Some(0));
        for stance in STANCES {
            let decision = decide(&a, &rules(), &place(), stance);
            assert_eq!(
                (decision.verdict, decision.rules_text().as_str(), decision.fixed()),
                (Verdict::Blocked, kind.rule(), true)
            );
        }
    }
}

#[test]
fn a_policy_can_block_what_is_dangerous() {
    let blocking = Rules::parse("[defaults]\ndestructive = \"block\"\n").unwrap().merged(&rules());
    let dangerous = |words: &str| plain(&[words]).danger(DangerKind::DeletesTree, Severity::Ask, Some(0));
    assert_eq!(verdicts(&dangerous("other"), &blocking), "BBBW");
    assert_eq!(verdicts(&dangerous("ok"), &blocking), "WWWW", "a rule that a person wrote still covers it");
    assert_eq!(verdicts(&plain(&["other"]), &blocking), "BNAA");
}

#[test]
fn a_redirection_and_a_variable_in_front_are_not_covered() {
    for text in ["ok x > /etc/hosts", "ok x >> ~/.bashrc", "PATH=/tmp ok x", "X=1 ok x", "ok x < /etc/shadow"] {
        let mut a = plain(&["ok x"]).danger(DangerKind::WritesOutside, Severity::Ask, Some(0));
        text.clone_into(&mut a.pieces[0].text);
        assert_eq!(verdicts(&a, &rules()), "BNNW", "{text}");
    }
}

#[test]
fn every_word_written_out_covers_what_is_nested_in_it() {
    let text = "[[rule]]\nname = \"exact\"\nallow = [\"timeout 9 rm -rf build\"]\n";
    let rules = Rules::parse(text).unwrap();
    let a = plain(&["timeout 9 rm -rf build"]).nested(0, "rm -rf build");
    let a = a.danger(DangerKind::DeletesTree, Severity::Ask, Some(1));
    assert_eq!(verdicts(&a, &rules), "WWWW");
    let hidden = plain(&["timeout 9 rm -rf build"]).nested(0, "rm -rf other");
    assert_eq!(verdicts(&hidden.danger(DangerKind::DeletesTree, Severity::Ask, Some(1)), &rules), "BNNW");
    let beside = plain(&["timeout 9 rm -rf build", "rm -rf x"]).danger(DangerKind::DeletesTree, Severity::Ask, Some(1));
    assert_eq!(verdicts(&beside, &rules), "BNNW");
}

#[test]
fn a_rule_is_about_the_command_here_not_elsewhere() {
    let cases = [("timeout 9 ok x", "BNWW"), ("nice ok x", "BNWW"), ("ssh host ok x", "BNNW"), ("echo x", "BNNW")];
    for (outer, expected) in cases {
        let a = plain(&[outer]).nested(0, "ok x").danger(DangerKind::DeletesTree, Severity::Ask, Some(1));
        assert_eq!(verdicts(&a, &rules()), expected, "{outer}");
    }
}

#[test]
fn a_variable_that_could_change_a_command_leaves_nothing_proven() {
    let mut place = place();
    place.env = vec![("SOME_OWN_THING".to_owned(), "1".to_owned())];
    let decision = decide(&plain(&["ok x"]), &rules(), &place, Stance::Ask);
    assert_eq!(decision.verdict, Verdict::NeedsApproval);
    assert!(decision.reason.contains("SOME_OWN_THING"), "{}", decision.reason);
}

#[test]
fn reasons_are_sentences_to_act_on() {
    let reason = |a: &Assessment, stance| decide(a, &rules(), &place(), stance).reason;
    let cases = [
        (plain(&["ok x"]), Stance::Ask, "every command in it is allowed by rule:ok"),
        (plain(&["other x"]), Stance::Ask, "nothing allows `other x`, so a person is asked first"),
        (
            plain(&["other x"]),
            Stance::Strict,
            "nothing allows `other x`, and here only what is proven safe runs; ask a person to allow it in the policy",
        ),
        (
            plain(&["ok x"]).not_plain(),
            Stance::Ask,
            "nothing can be proven of it, because it holds the expansion $X, so a person is asked first",
        ),
        (plain(&["other x"]), Stance::Guard, "nothing dangerous was found in it"),
        (plain(&["never x"]), Stance::Open, "the rule never blocks `never x`: it broke things"),
        (plain(&["asked x"]), Stance::Open, "the rule asked asks a person about `asked x`"),
    ];
    for (a, stance, expected) in cases {
        assert_eq!(reason(&a, stance), expected);
    }
}

proptest! {
    #[test]
    fn stances_only_ever_get_stricter(a in any_assessment()) {
        let ranks: Vec<_> = STANCES.map(|stance| match decide(&a, &rules(), &place(), stance).verdict {
            Verdict::Allowed | Verdict::AllowedWithWarning => 0,
            Verdict::NeedsApproval => 1,
            Verdict::Blocked => 2,
        }).into();
        prop_assert!(ranks.is_sorted_by(|stricter, laxer| stricter >= laxer), "{ranks:?}");
    }

    #[test]
    fn what_nobody_can_allow_never_runs(a in any_assessment(), at in 0..4usize) {
        let a = a.danger(DangerKind::ForkBomb, Severity::Never, Some(0));
        let decision = decide(&a, &rules(), &place(), STANCES[at]);
        prop_assert!(decision.verdict == Verdict::Blocked && decision.fixed());
    }

    /// A warning goes with every danger that runs, and with nothing else.
    #[test]
    fn warnings_are_for_dangers(a in any_assessment(), at in 0..4usize) {
        let decision = decide(&a, &rules(), &place(), STANCES[at]);
        match decision.verdict {
            Verdict::Allowed => prop_assert!(a.dangers.is_empty()),
            Verdict::AllowedWithWarning => prop_assert!(!a.dangers.is_empty()),
            Verdict::NeedsApproval | Verdict::Blocked => {}
        }
        prop_assert!(!decision.reason.is_empty() && !decision.rules.is_empty());
    }
}
