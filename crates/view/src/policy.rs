//! Answers of the policy as a person reads them.

use flightdeck_contract::policy::{PolicyAnswer, PolicyChanges, Rehearsed, RuleDifference};
use serde_json::{Value, json};

use crate::shown::{hidden, spans, visible};
use crate::words;

/// What would become of a command.
pub fn tested(command: &str, answer: &PolicyAnswer) -> Value {
    let (verdict, tone) = words::decision(&answer.decision);
    json!({
        "verdict": verdict,
        "tone": tone,
        "spans": spans(command, &answer.pieces),
        "unseen": hidden(command) > 0,
        "reason": visible(&answer.reason),
        "rule": visible(&answer.rule),
        "unproven": answer.unproven.as_deref().map(visible),
        "offer": answer.offer.as_ref().map(|offer| visible(&offer.words)),
    })
}

/// What a rule would have changed, newest first.
pub fn rehearsed(found: &Rehearsed) -> Value {
    let changed = found.changed.iter().rev().map(|one| {
        json!({
            "command": words::short(&visible(&one.command), 200),
            "before": words::short_decision(&one.before),
            "after": words::short_decision(&one.after),
            "times": one.times,
            "actor": words::actor(&one.actor, &[]),
        })
    });
    json!({"words": words::rehearsed(found.looked_at, found.changed.len()), "changed": changed.collect::<Vec<_>>()})
}

/// What was changed from outside.
pub fn changes(found: &PolicyChanges) -> Value {
    let rule = |one: &flightdeck_contract::policy::RuleChange| {
        let (verb, tone) = words::action(one.rule.action);
        let how = match one.change {
            RuleDifference::Added => "comes",
            RuleDifference::Removed => "goes",
            RuleDifference::Changed => "is another",
        };
        json!({"how": how, "verb": verb, "tone": tone, "name": visible(&one.rule.name), "patterns": one.rule.patterns})
    };
    let change = |one: &flightdeck_contract::policy::PolicyChange| {
        json!({
            "file": visible(&one.file),
            "version": one.version,
            "problem": one.problem.as_deref().map(visible),
            "rules": one.rules.iter().map(rule).collect::<Vec<_>>(),
            "defaults": one.defaults,
            "diff": one.diff,
        })
    };
    json!({"changes": found.changes.iter().map(change).collect::<Vec<_>>()})
}

/// One pattern a line; empty lines are nothing.
pub fn patterns(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_in_words() {
        let answer = PolicyAnswer {
            decision: "needs_approval".into(),
            rule: "danger:deletes-tree".into(),
            reason: "it deletes".into(),
            pieces: vec![],
            unproven: None,
            offer: None,
        };
        let shown = tested("rm -rf x", &answer);
        assert_eq!((&shown["verdict"], &shown["tone"]), (&json!("You would be asked"), &json!("warn")));
    }

    #[test]
    fn patterns_are_lines() {
        assert_eq!(patterns(" cargo test * \n\n ls\n"), ["cargo test *", "ls"]);
    }
}
