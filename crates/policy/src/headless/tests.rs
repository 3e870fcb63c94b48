//! What runs with nobody there to ask, and the words for what does not.

use proptest::prelude::*;

use super::headless;
use crate::samples::{any_assessment, place, plain, rules};
use crate::{Assessment, DangerKind, Remedy, Rules, Severity, Verdict};

#[test]
fn only_what_is_proven_runs() {
    let dangerous = |a: Assessment| a.danger(DangerKind::DeletesTree, Severity::Ask, Some(0));
    let table = [
        (plain(&["ok x"]), Verdict::Allowed, "rule:ok"),
        (plain(&["ok x", "ok y"]), Verdict::Allowed, "rule:ok"),
        (plain(&["ok x", "other"]), Verdict::Blocked, "default:headless"),
        (plain(&["seen x"]), Verdict::Blocked, "default:headless"),
        (plain(&["other"]), Verdict::Blocked, "default:headless"),
        (plain(&[]), Verdict::Blocked, "default:headless"),
        (plain(&["ok x"]).not_plain(), Verdict::Blocked, "default:headless"),
        (dangerous(plain(&["ok x"])), Verdict::Blocked, "danger:deletes-tree"),
        (plain(&["asked x"]), Verdict::Blocked, "rule:asked"),
        (plain(&["never x"]), Verdict::Blocked, "rule:never"),
        (plain(&["ok x"]).nested(0, "asked"), Verdict::Blocked, "rule:asked"),
    ];
    for (a, verdict, rule) in table {
        let decision = headless(&a, &rules(), &place());
        assert_eq!((decision.verdict, decision.rules_text().as_str()), (verdict, rule), "{a:?}");
        assert!(!decision.fixed());
    }
}

#[test]
fn each_rule_that_was_used_is_named_once() {
    let more = Rules::parse("[[rule]]\nname = \"more\"\nallow = [\"more\"]\n").unwrap().merged(&rules());
    let decision = headless(&plain(&["ok x", "more", "ok y", "more"]), &more, &place());
    assert_eq!((decision.verdict, decision.rules_text().as_str()), (Verdict::Allowed, "rule:ok, rule:more"));
}

#[test]
fn the_folder_has_to_be_known_and_in_the_workspace() {
    let cases = [
        (Some("/w"), true),
        (Some("/w/sub/sub"), true),
        (None, false),
        (Some("/"), false),
        (Some("/ww"), false),
        (Some("/tmp"), false),
        (Some("/w/../etc"), false),
        (Some("w"), false),
    ];
    for (cwd, runs) in cases {
        let mut place = place();
        place.cwd = cwd.map(Into::into);
        let decision = headless(&plain(&["ok x"]), &rules(), &place);
        assert_eq!(decision.verdict == Verdict::Allowed, runs, "{cwd:?}");
        assert!(runs || decision.reason.contains("cwd"), "{}", decision.reason);
    }
}

#[test]
fn reasons_say_what_to_do() {
    let cases = [
        (
            plain(&["cargo test --workspace"]),
            Remedy::Said,
            "nothing allows `cargo test --workspace`; a person can: flightdeck policy add 'cargo test *'",
        ),
        (
            plain(&["npm install"]),
            Remedy::Said,
            "nothing allows `npm install`; a person can: flightdeck policy add --network 'npm install'",
        ),
        (
            plain(&["other it's"]),
            Remedy::Said,
            "nothing allows `other it's`; a person can: flightdeck policy add 'other \
             '\\''it'\\''\"'\\''\"'\\''s'\\'''",
        ),
        (
            plain(&["cat /etc/hosts"]),
            Remedy::Said,
            "`/etc/hosts` is outside of the workspace /w, and headless commands read nothing else",
        ),
        (plain(&["cat a .env"]), Remedy::Said, "`.env` usually holds secrets, which headless commands do not read"),
        (plain(&["bash"]), Remedy::Person, "nothing allows `bash`, and no narrow rule could"),
        (plain(&["seen x"]), Remedy::Person, "rule:seen allows it only where a person can see it"),
        (plain(&["never x"]), Remedy::Said, "the rule never blocks `never x`: it broke things"),
        (
            plain(&["ok x"]).not_plain(),
            Remedy::Said,
            "nothing can be proven of it, because it holds the expansion $X; write what it stands for",
        ),
        (
            plain(&["ok x"]).danger(DangerKind::DeletesTree, Severity::Ask, Some(0)),
            Remedy::Person,
            "it is danger:deletes-tree; dangerous commands never run headless",
        ),
    ];
    for (a, remedy, expected) in cases {
        let decision = headless(&a, &rules(), &place());
        assert_eq!((decision.remedy, decision.reason.as_str()), (remedy, expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn it_is_allowed_or_blocked_and_never_allowed_in_danger(a in any_assessment()) {
        let decision = headless(&a, &rules(), &place());
        match decision.verdict {
            Verdict::Allowed => {
                prop_assert!(a.dangers.is_empty() && a.plain.is_ok() && !a.pieces.is_empty());
                prop_assert!(a.pieces.iter().all(|piece| piece.text.starts_with("ok") || piece.text.starts_with("pwd")));
            }
            verdict => prop_assert_eq!(verdict, Verdict::Blocked),
        }
    }
}
