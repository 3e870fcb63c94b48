//! What may be done on a surface where a person can be asked. The first line that fits decides:
//!
//! | what is found                                   | strict  | ask   | guard | open    |
//! |-------------------------------------------------|---------|-------|-------|---------|
//! | a danger that nobody can allow                  | blocked | blocked | blocked | blocked |
//! | a `block` rule matches any piece                | blocked | blocked | blocked | blocked |
//! | an `ask` rule matches any piece                 | asks    | asks  | asks  | asks    |
//! | a danger that no `allow` rule covers            | blocked | asks¹ | asks¹ | warns   |
//! | dangers, all covered; the rest proven           | warns   | warns | warns | warns   |
//! | dangers, all covered; the rest not proven       | blocked | asks  | warns | warns   |
//! | no danger, proven                               | allowed | allowed | allowed | allowed |
//! | no danger, not proven                           | blocked | asks  | allowed | allowed |
//!
//! ¹ blocked when the policy says `destructive = "block"`.
//!
//! Proven: nothing but simple commands of literal words, each of them built in or allowed by a rule, with no variable
//! set for it that could change what it does.

mod cover;
mod proof;
mod words;

pub(crate) use cover::{coverable, covers};
use proof::proof;
pub(crate) use proof::{Unproven, Watched, allowed, variables};
pub(crate) use words::{cited, shell_quoted};

use crate::rule_id::listed;
use crate::rules::{Destructive, Effect, Rules};
use crate::{Assessment, Danger, Decision, Place, Remedy, RuleId, Severity, Stance, Verdict};

/// What may be done where a person can be asked.
pub fn decide(a: &Assessment, rules: &Rules, place: &Place, stance: Stance) -> Decision {
    if let Some(decision) = fixed(a).or_else(|| blocked(a, rules)) {
        return decision;
    }
    if let Some((rule, piece)) = rules.touching(Effect::Ask, a) {
        let reason =
            format!("the rule {} asks a person about {}{}", rule.name, cited(piece), because(rule.reason.as_deref()));
        return decision(Verdict::NeedsApproval, rule.id(), reason);
    }
    let proof = proof(a, rules, place);
    let Some(worst) = a.dangers.first() else {
        return harmless(proof, stance);
    };
    let covering: Option<Vec<RuleId>> = a.dangers.iter().map(|danger| cover::covering(a, danger, rules)).collect();
    match covering {
        None => dangerous(a, rules, stance),
        Some(ids) => covered(worst, &ids, proof, stance),
    }
}

/// Blocked by what nobody can allow.
pub(crate) fn fixed(a: &Assessment) -> Option<Decision> {
    let danger = a.dangers.iter().find(|danger| danger.severity == Severity::Never)?;
    Some(Decision {
        verdict: Verdict::Blocked,
        rules: vec![danger.kind.into()],
        reason: format!("{}; nobody can allow this, so reach the goal another way", danger.reason),
        remedy: Remedy::Nothing,
    })
}

/// Blocked by a rule of the user.
pub(crate) fn blocked(a: &Assessment, rules: &Rules) -> Option<Decision> {
    let (rule, piece) = rules.touching(Effect::Block, a)?;
    let reason = format!("the rule {} blocks {}{}", rule.name, cited(piece), because(rule.reason.as_deref()));
    Some(Decision { remedy: Remedy::Said, ..decision(Verdict::Blocked, rule.id(), reason) })
}

/// No danger was found.
fn harmless(proof: Result<Vec<RuleId>, Unproven>, stance: Stance) -> Decision {
    let unproven = match proof {
        Ok(ids) => {
            let reason = format!("every command in it is allowed by {}", listed(&ids));
            return Decision { verdict: Verdict::Allowed, rules: ids, reason, remedy: Remedy::Person };
        }
        Err(unproven) => unproven,
    };
    let id = RuleId::Default(stance);
    match stance {
        Stance::Strict => {
            let reason = format!("{unproven}, and here only what is proven safe runs; {}", unproven.remedy());
            decision(Verdict::Blocked, id, reason)
        }
        Stance::Ask => decision(Verdict::NeedsApproval, id, format!("{unproven}, so a person is asked first")),
        Stance::Guard | Stance::Open => decision(Verdict::Allowed, id, "nothing dangerous was found in it".to_owned()),
    }
}

/// A danger was found that no rule covers.
fn dangerous(a: &Assessment, rules: &Rules, stance: Stance) -> Decision {
    let open = a.dangers.iter().find(|danger| cover::covering(a, danger, rules).is_none());
    let danger = open.unwrap_or(&a.dangers[0]);
    let id = RuleId::from(danger.kind);
    let reasons = reasons(a);
    match (stance, rules.defaults().destructive()) {
        (Stance::Open, _) => decision(Verdict::AllowedWithWarning, RuleId::Default(Stance::Open), reasons),
        (Stance::Strict, _) => decision(
            Verdict::Blocked,
            id,
            format!("{reasons}; here only what is proven safe runs, so reach the goal another way"),
        ),
        (Stance::Ask | Stance::Guard, Destructive::Block) => {
            let reason = format!("{reasons}; the policy blocks what is dangerous, so reach the goal another way");
            decision(Verdict::Blocked, id, reason)
        }
        (Stance::Ask | Stance::Guard, Destructive::Ask) => {
            decision(Verdict::NeedsApproval, id, format!("{reasons}; a person has to allow it"))
        }
    }
}

/// Rules cover every danger; what else is in the text still has to pass.
fn covered(worst: &Danger, ids: &[RuleId], proof: Result<Vec<RuleId>, Unproven>, stance: Stance) -> Decision {
    let passes = matches!(stance, Stance::Guard | Stance::Open);
    match proof {
        Err(unproven) if !passes => harmless(Err(unproven), stance),
        _ => {
            let mut ids = ids.to_vec();
            ids.dedup();
            let reason = format!("{}; {} allows it", worst.reason, listed(&ids));
            Decision { verdict: Verdict::AllowedWithWarning, rules: ids, reason, remedy: Remedy::Person }
        }
    }
}

/// What is dangerous, each said once; beyond three the rest is counted.
#[must_use]
pub fn reasons(a: &Assessment) -> String {
    let mut all: Vec<&str> = Vec::new();
    for danger in &a.dangers {
        if !all.contains(&danger.reason.as_str()) {
            all.push(&danger.reason);
        }
    }
    match all.len() {
        0..=3 => all.join("; "),
        len => format!("{}; and {} more", all[..3].join("; "), len - 3),
    }
}

fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(": {reason}")).unwrap_or_default()
}

/// A decision that a person can change.
pub(crate) fn decision(verdict: Verdict, rule: RuleId, reason: String) -> Decision {
    Decision { verdict, rules: vec![rule], reason, remedy: Remedy::Person }
}

#[cfg(test)]
mod tests;
