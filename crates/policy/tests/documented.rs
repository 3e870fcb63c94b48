//! What the manual says is what the library does.

use std::path::Path;

use flightdeck_policy::{Pattern, Rules};

fn manual() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/policy.md"))
        .expect("the manual is there")
}

#[test]
fn every_policy_in_the_manual_is_right() {
    let manual = manual();
    let policies: Vec<_> =
        manual.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    assert!(policies.len() >= 2);
    for policy in policies {
        let rules = Rules::parse(&policy).unwrap_or_else(|error| panic!("{error}\n{policy}"));
        assert!(!rules.rules().is_empty());
    }
}

#[test]
fn the_error_in_the_manual_is_what_is_said() {
    let text = "[[rule]]\nname = \"a\"\nask = [\"x\"]\n\n# More.\n[[rule]]\nname = \"tests\"\n# Too much.\nallow = [\"sudo *\"]\n";
    let error = Rules::parse(text).unwrap_err().to_string();
    let manual = manual().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(manual.contains(&error), "{error}");
}

#[test]
fn patterns_that_the_manual_refuses_are_refused() {
    for broad in ["sudo *", "bash *", "env *", "xargs *", "python3 *", "npx *"] {
        assert!(manual().contains(&format!("`{broad}`")), "{broad}");
        assert!(Pattern::parse(broad).unwrap().overbroad().is_some(), "{broad}");
    }
    for narrow in ["sudo systemctl restart web", "python3 -m pytest *"] {
        assert!(manual().contains(&format!("`{narrow}`")), "{narrow}");
        assert_eq!(Pattern::parse(narrow).unwrap().overbroad(), None, "{narrow}");
    }
}
