//! Policy files that are read, that are refused with exact words, and that rules are added to.

use proptest::prelude::*;

use crate::{Defaults, Destructive, Effect, NewRule, PolicyError, Problem, Rules, Stance, SurfaceKind};

const FULL: &str = r#"
[defaults]
interactive = "strict"
tabs = "open"
destructive = "block"

# The project's own tests.
[[rule]]
name = "tests"
allow = ["cargo test *", "npm test"]
network = true
reason = "the project's own tests"
match = ["cargo test --workspace"]
not_match = ["cargo publish"]

[[rule]]
name = "seen"
allow = ["deploy staging"]
headless = false

[[rule]]
name = "asks"
ask = ["cargo install *"]

[[rule]]
name = "trunk"
block = ["git push * main"]
"#;

#[test]
fn a_full_file_is_read() {
    let rules = Rules::parse(FULL).unwrap();
    let stances = SurfaceKind::ALL.map(|surface| rules.defaults().stance(surface));
    assert_eq!(stances, [Stance::Strict, Stance::Guard, Stance::Guard, Stance::Open, Stance::Guard]);
    assert_eq!(rules.defaults().destructive(), Destructive::Block);
    let told: Vec<_> =
        rules.rules().iter().map(|rule| (rule.name.as_str(), rule.effect, rule.headless, rule.network)).collect();
    let expected = [
        ("tests", Effect::Allow, true, true),
        ("seen", Effect::Allow, false, false),
        ("asks", Effect::Ask, false, false),
        ("trunk", Effect::Block, false, false),
    ];
    assert_eq!(told, expected);
    assert_eq!(rules.rules()[0].reason.as_deref(), Some("the project's own tests"));
}

#[test]
fn nothing_is_a_policy_too() {
    assert_eq!(Rules::parse("").unwrap(), Rules::default());
    assert_eq!(Defaults::default().stance(SurfaceKind::Interactive), Stance::Ask);
    assert_eq!(Defaults::default().stance(SurfaceKind::Acp), Stance::Guard);
    assert_eq!(Defaults::default().destructive(), Destructive::Ask);
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("[[rule]]\nname = \"a\"\n", "line 1, rule a: it does nothing; give it one of allow, ask or block"),
        ("[[rule]]\nname = \"a\"\nallow = [\"x\"]\nblock = [\"y\"]\n", "line 4, rule a: it has allow and block"),
        ("[[rule]]\nname = \"a\"\nallow = []\n", "line 3, rule a, allow: the list is empty"),
        ("\n[[rule]]\nname = \"a b\"\nask = [\"x\"]\n", "line 3, rule a b, name: \"a b\" is no name"),
        (
            "[[rule]]\nname=\"a\"\nask=[\"x\"]\n[[rule]]\nname=\"a\"\nask=[\"y\"]\n",
            "line 5, rule a, name: another rule has this name",
        ),
        (
            "[[rule]]\nname = \"a\"\nallow = [\n  \"x\",\n  \"sudo *\",\n]\n",
            "line 5, rule a, allow: pattern \"sudo *\" allows too much: sudo runs whatever stands behind it",
        ),
        (
            "[[rule]]\nname = \"a\"\nblock = [\"x 'y\"]\n",
            "line 3, rule a, block: pattern \"x 'y\": the quote ' is not closed",
        ),
        ("[[rule]]\nname = \"a\"\nask = [\"x\"]\nheadless = true\n", "line 4, rule a, headless: only allow rules"),
        (
            "[[rule]]\nname = \"a\"\nallow = [\"x\"]\nmatch = [\"y\"]\n",
            "line 4, rule a, match: \"y\" should match and does not",
        ),
        (
            "[[rule]]\nname = \"a\"\nallow = [\"x *\"]\nnot_match = [\"x y\"]\n",
            "line 4, rule a, not_match: \"x y\" should not match and does",
        ),
        ("[defaults]\ninteractive = \"lax\"\n", "line 2: unknown variant `lax`"),
        (
            "[[rule]]\nname = \"a\"\nallow = [\"x\"]\n[[rule]]\nname = \"b\"\nallwo = [\"x\"]\n",
            "line 6, rule #2: unknown field `allwo`",
        ),
        ("[[rule]]\nallow = [\"x\"]\n", "line 1, rule #1: missing field `name`"),
        ("nonsense", "line 1: "),
        ("[other]\n", "line 1: unknown field `other`"),
    ];
    for (text, expected) in cases {
        let error = Rules::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}\n{error}");
    }
}

#[test]
fn asking_and_blocking_may_be_as_broad_as_one_likes() {
    assert!(Rules::parse("[[rule]]\nname = \"a\"\nblock = [\"sudo *\", \"* --force\"]\n").is_ok());
}

#[test]
fn an_example_is_read_as_the_command_that_it_is() {
    let block = |example: &str| {
        Rules::parse(&format!("[[rule]]\nname = \"a\"\nblock = [\"git push *\"]\nmatch = [{example:?}]\n"))
    };
    assert!(block("cd x && git push").is_ok());
    assert!(block("git pull").is_err());
    let allow = |example: &str| {
        Rules::parse(&format!("[[rule]]\nname = \"a\"\nallow = [\"cargo test *\"]\nmatch = [{example:?}]\n"))
    };
    assert!(allow("cargo test 'a b'").is_ok());
    assert!(allow("cargo test && ls").is_err(), "an allow rule has to cover all of it");
}

#[test]
fn the_nearer_file_wins_but_never_by_not_blocking() {
    let far = Rules::parse("[defaults]\ninteractive = \"open\"\nacp = \"ask\"\ndestructive = \"block\"\n").unwrap();
    let near = Rules::parse("[defaults]\ninteractive = \"strict\"\ndestructive = \"ask\"\n").unwrap();
    let both = far.merged(&near);
    assert_eq!(both.defaults().stance(SurfaceKind::Interactive), Stance::Strict);
    assert_eq!(both.defaults().stance(SurfaceKind::Acp), Stance::Ask);
    assert_eq!(both.defaults().destructive(), Destructive::Block);
    let rules = Rules::parse(FULL).unwrap();
    assert_eq!(rules.merged(&Rules::default()), rules);
    assert_eq!(Rules::default().merged(&rules), rules);
}

#[test]
fn added_rules_leave_the_file_as_it_is() {
    let new = NewRule::allow(&["make check", "note 'two words' \"it's\""]).unwrap();
    for text in ["", "# mine\n", FULL, FULL.trim_end(), "\n\n"] {
        let added = Rules::add(text, &new).unwrap();
        assert!(added.starts_with(text), "{added}");
        let (before, after) = (Rules::parse(text).unwrap(), Rules::parse(&added).unwrap());
        assert_eq!(after.defaults(), before.defaults());
        assert_eq!(after.rules()[..before.rules().len()], before.rules()[..]);
        assert_eq!(after.rules().last().unwrap().patterns, new.patterns);
        assert_eq!(Rules::add(&added, &new).unwrap(), added, "twice is once");
    }
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let text = "[[rule]]\nname = \"make-check\"\nask = [\"make check\"]\n";
    let mut text = Rules::add(text, &NewRule::allow(&["make check"]).unwrap()).unwrap();
    text = Rules::add(&text, &NewRule::allow(&["make  check 'x'", "make check"]).unwrap()).unwrap();
    let names: Vec<_> = Rules::parse(&text).unwrap().rules().iter().map(|rule| rule.name.clone()).collect();
    assert_eq!(names, ["make-check", "make-check-2", "make-check-x"]);
}

#[test]
fn a_rule_that_differs_is_not_there_yet() {
    let new = NewRule::allow(&["deploy staging"]).unwrap();
    let added = Rules::add(FULL, &new).unwrap();
    assert!(added.len() > FULL.len(), "the rule that is there is not for headless runs");
    let mut networked = NewRule::allow(&["cargo test *"]).unwrap();
    networked.network = true;
    assert_eq!(Rules::add(FULL, &networked).unwrap(), FULL);
}

#[test]
fn files_that_can_not_be_added_to_say_so() {
    let new = NewRule::allow(&["make check"]).unwrap();
    let inline = "rule = [{ name = \"a\", ask = [\"x\"] }]\n";
    assert!(Rules::parse(inline).is_ok());
    assert!(Rules::add(inline, &new).is_err());
    assert!(Rules::add("nonsense", &new).is_err());
    assert!(matches!(NewRule::allow(&["sudo *"]), Err(Problem::Overbroad { .. })));
    assert!(matches!(NewRule::allow(&[]), Err(Problem::NoPatterns)));
    assert!(matches!(NewRule::allow(&["'"]), Err(Problem::Pattern { .. })));
}

const THREE: &str = "# All of ours.

# Tests are fine.
[[rule]]
name = \"tests\"
allow = [\"cargo test *\"]

# Nobody pushes.
# Ever.
[[rule]]
name = \"push\"
block = [
    \"git push *\", # [[rule]]
]
match = [\"git push origin\"]

# How careful.
[defaults]
tabs = \"strict\"

[[rule]]
name = \"last\"
ask = [\"make *\"]
";

#[test]
fn a_rule_is_taken_out_with_its_comment() {
    let without = |name| Rules::remove(THREE, name).unwrap().unwrap();
    assert_eq!(
        without("push"),
        THREE.replace(&THREE[THREE.find("# Nobody").unwrap()..THREE.find("# How").unwrap()], "")
    );
    assert_eq!(without("last"), THREE[..THREE.rfind("\n[[rule]]").unwrap()].to_owned());
    assert!(without("tests").starts_with("# All of ours.\n\n# Nobody pushes."));
    assert_eq!(Rules::remove(THREE, "none").unwrap(), None);
    let alone = "[[rule]]\nname = \"a\"\nask = [\"x\"]";
    assert_eq!(Rules::remove(alone, "a").unwrap().unwrap(), "");
}

#[test]
fn a_rule_is_replaced_where_it_stands() {
    let mut new = NewRule::of(Effect::Ask, &["git push *"]).unwrap();
    new.name = "push".to_owned();
    new.examples.hits = vec!["git push --force".to_owned()];
    let text = Rules::replace(THREE, "push", &new).unwrap().unwrap();
    assert!(
        text.contains("[[rule]]\nname = \"push\"\nask = [\"git push *\"]\nmatch = [\"git push --force\"]\n\n# How"),
        "{text}"
    );
    let rules = Rules::parse(&text).unwrap();
    assert_eq!(rules.rules()[1].effect, Effect::Ask);
    assert_eq!(rules.rules()[1].examples, new.examples);
    assert_eq!(Rules::replace(THREE, "none", &new).unwrap(), None);
    // Its examples are checked, and a name that another rule has is refused.
    new.examples.misses = vec!["git push".to_owned()];
    assert!(matches!(Rules::replace(THREE, "push", &new), Err(PolicyError { problem: Problem::ExampleHit(_), .. })));
    new.examples.misses.clear();
    new.name = "tests".to_owned();
    assert!(matches!(Rules::replace(THREE, "push", &new), Err(PolicyError { problem: Problem::NameTwice, .. })));
}

#[test]
fn files_that_can_not_be_changed_in_part_say_so() {
    let inline = "rule = [{ name = \"a\", ask = [\"x\"] }, { name = \"b\", ask = [\"y\"] }]\n";
    assert!(Rules::remove(inline, "a").is_err());
    assert!(Rules::remove("nonsense", "a").is_err());
}

#[test]
fn a_file_that_is_far_too_long_is_refused_at_once() {
    let error = Rules::parse(&"#".repeat(super::LONGEST + 1)).unwrap_err();
    assert!(matches!(error, PolicyError { problem: Problem::TooLong(_), .. }));
}

proptest! {
    #[test]
    fn any_rule_can_be_added_and_read_back(
        lists in prop::collection::vec(prop::collection::vec("[a-z '\"*\\\\$#=é-]{0,8}", 1..5), 1..4),
        reason in prop::option::of("\\PC{0,20}|[\n\t\"\\\\]{0,5}"),
        headless: bool,
        network: bool,
    ) {
        let patterns: Vec<_> = lists.iter().map(|words| {
            let words: Vec<_> = std::iter::once("x".to_owned()).chain(words.iter().cloned()).collect();
            crate::pattern::Pattern::exact(&words).unwrap()
        }).collect();
        let texts: Vec<_> = patterns.iter().map(crate::Pattern::text).collect();
        let mut new = NewRule::allow(&texts).unwrap();
        (new.reason, new.headless, new.network) = (reason, headless, network);
        let added = Rules::add(FULL, &new).unwrap();
        let read = Rules::parse(&added).unwrap();
        let rule = read.rules().last().unwrap();
        prop_assert_eq!(&rule.patterns, &new.patterns);
        prop_assert_eq!((&rule.reason, rule.headless, rule.network), (&new.reason, headless, network));
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_line(text in "([\\[\\]a-z_=\" *'{},#.\n]|rule|name|allow|block|defaults){0,60}") {
        if let Err(error) = Rules::parse(&text) {
            prop_assert!(error.line >= 1 && error.line <= text.lines().count() + 1);
            prop_assert!(error.to_string().len() > 8);
        }
    }
}
