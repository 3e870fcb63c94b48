//! What a policy file would change, for the person who is to accept it.

use std::path::Path;
use std::time::Duration;

use flightdeck_contract::policy::{PolicyChange, PolicyState, RuleAction, RuleChange, RuleDifference, RuleShown};
use flightdeck_policy::{Effect, Rule, Rules};
use sha2::{Digest, Sha256};
use similar::TextDiff;

use super::file::{Accepted, Outside};

/// Two long texts that have nothing in common are compared no longer; then the diff is only less tidy.
const LONGEST: Duration = Duration::from_millis(500);

pub(super) fn between(path: &Path, state: PolicyState, accepted: &Accepted, outside: &Outside) -> PolicyChange {
    let file = path.to_string_lossy().into_owned();
    let text = outside.text.as_deref().unwrap_or_default();
    let none = Rules::default();
    let (rules, defaults) = match &outside.rules {
        Ok(rules) => (changes(&accepted.rules, rules), accepted.rules.defaults() != rules.defaults()),
        Err(_) => (changes(&none, &none), false),
    };
    PolicyChange {
        version: version(&file, outside.text.as_deref()),
        problem: outside.rules.as_ref().err().cloned(),
        rules,
        defaults,
        diff: TextDiff::configure()
            .timeout(LONGEST)
            .diff_lines(accepted.text.as_str(), text)
            .unified_diff()
            .header("in force", &file)
            .to_string(),
        file,
        state,
    }
}

/// Which file, and exactly what it says.
fn version(file: &str, text: Option<&str>) -> String {
    let mut hash = Sha256::new();
    // Lengths apart, so that no path runs into a text.
    hash.update((file.len() as u64).to_le_bytes());
    hash.update(file);
    hash.update([u8::from(text.is_some())]);
    hash.update(text.unwrap_or_default());
    hash.finalize().iter().fold(String::from("sha256:"), |mut text, byte| {
        use std::fmt::Write;
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn changes(before: &Rules, after: &Rules) -> Vec<RuleChange> {
    let named = |rules: &Rules, name: &str| rules.rules().iter().find(|rule| rule.name == name).cloned();
    let change = |change, rule: &Rule| RuleChange { change, rule: rule_shown(rule) };
    let gone = before.rules().iter().filter(|rule| named(after, &rule.name).is_none());
    let mut changes: Vec<_> = gone.map(|rule| change(RuleDifference::Removed, rule)).collect();
    for rule in after.rules() {
        match named(before, &rule.name) {
            None => changes.push(change(RuleDifference::Added, rule)),
            Some(old) if old != *rule => changes.push(change(RuleDifference::Changed, rule)),
            Some(_) => {}
        }
    }
    changes
}

/// A rule, for people.
pub(crate) fn rule_shown(rule: &Rule) -> RuleShown {
    RuleShown {
        name: rule.name.clone(),
        action: match rule.effect {
            Effect::Allow => RuleAction::Allow,
            Effect::Ask => RuleAction::Ask,
            Effect::Block => RuleAction::Block,
        },
        patterns: rule.patterns.iter().map(ToString::to_string).collect(),
        everywhere: false,
        interactive_only: rule.effect == Effect::Allow && !rule.headless,
        network: rule.network,
        reason: rule.reason.clone(),
        matches: rule.examples.hits.clone(),
        not_matches: rule.examples.misses.clone(),
    }
}
