//! What may be done where nobody can be asked: allowed or blocked, nothing between.
//!
//! It runs only when all of this holds: nothing but simple commands whose words are known; no danger at all, not even one
//! that a rule allows; no rule that asks or blocks; no variable set that could change what it does; a folder that is known
//! and below the workspace; and every command is built in or allowed by a rule for headless runs.

mod expand;
mod unfold;
mod why;

pub(crate) use expand::{matches, signs};

use std::path::Path;

use self::unfold::Act;
use crate::builtin::readable;
use crate::decide::{Unproven, Watched, allowed, blocked, cited, decision, fixed, reasons, variables};
use crate::rule_id::listed;
use crate::rules::{Effect, Rules};
use crate::{Assessment, Decision, Place, Remedy, RuleId, Verdict, builtin};

/// What may be done where nobody can be asked. Never anything but allowed or blocked.
pub fn headless(a: &Assessment, rules: &Rules, place: &Place) -> Decision {
    if let Some(decision) = fixed(a).or_else(|| blocked(a, rules)) {
        return decision;
    }
    if let Some((rule, piece)) = rules.touching(Effect::Ask, a) {
        let reason = format!("the rule {} wants a person to be asked about {}", rule.name, cited(piece));
        return decision(Verdict::Blocked, rule.id(), reason);
    }
    if let Some(danger) = a.dangers.first() {
        let reason = format!("{}; dangerous commands never run headless", reasons(a));
        return decision(Verdict::Blocked, danger.kind.into(), reason);
    }
    let refused =
        |remedy, reason| Decision { verdict: Verdict::Blocked, rules: vec![RuleId::Headless], reason, remedy };
    if let Some(reason) = misplaced(place) {
        return refused(Remedy::Said, reason);
    }
    match proof(a, rules, place) {
        Ok(ids) => {
            let reason = format!("every command in it is allowed by {}", listed(&ids));
            Decision { verdict: Verdict::Allowed, rules: ids, reason, remedy: Remedy::Person }
        }
        Err(Refused { unproven, place }) => {
            let (remedy, reason) = why::why(&unproven, &place);
            refused(remedy, reason)
        }
    }
}

/// A command that is not proven, and where it would run.
struct Refused {
    unproven: Unproven,
    place: Box<Place>,
}

/// What allows each command, each rule once, in the order of the text.
fn proof(a: &Assessment, rules: &Rules, place: &Place) -> Result<Vec<RuleId>, Refused> {
    let refused = |unproven, place: &Place| Refused { unproven, place: Box::new(place.clone()) };
    let steps = a.steps.as_ref().map_err(|why| refused(Unproven::NotPlain(why.reason.clone()), place))?;
    variables(place).map_err(|unproven| refused(unproven, place))?;
    let acts = unfold::unfold(steps, place).map_err(|reason| refused(Unproven::Unfit(reason), place))?;
    let mut ids: Vec<RuleId> = Vec::new();
    for act in &acts {
        let id = allows(act, rules).map_err(|unproven| refused(unproven, &act.place))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if !ids.is_empty() {
        return Ok(ids);
    }
    let unproven = if steps.is_empty() {
        Unproven::Empty
    } else {
        let reason = "it only changes the folder, and no headless command keeps that; join the next one to it with &&";
        Unproven::Unfit(reason.to_owned())
    };
    Err(refused(unproven, place))
}

/// What allows one command.
fn allows(act: &Act, rules: &Rules) -> Result<RuleId, Unproven> {
    variables(&act.place)?;
    if let Some(input) = act.inputs.iter().find(|input| !readable(input, &act.place)) {
        return Err(Unproven::Unfit(why::unreadable(input, &act.place)));
    }
    // A rule says what its words are, and nothing of what a pattern stands for.
    if act.literal {
        return allowed(&act.words, rules, &act.place, Watched::No);
    }
    let id = builtin(&act.words, &act.place).ok_or_else(|| Unproven::Expanded(act.words.clone()))?;
    Ok(RuleId::Builtin(id))
}

/// What is wrong with the folder.
fn misplaced(place: &Place) -> Option<String> {
    let workspace = place.workspace.display();
    match &place.cwd {
        None => Some(format!("the folder it would run in is not known; give a cwd in the workspace {workspace}")),
        Some(cwd) if is_below(cwd, &place.workspace) => None,
        Some(cwd) => {
            let cwd = cwd.display();
            Some(format!("the folder {cwd} is outside of the workspace {workspace}; give a cwd in the workspace"))
        }
    }
}

fn is_below(cwd: &Path, workspace: &Path) -> bool {
    use std::path::Component::{CurDir, ParentDir};
    let straight =
        |path: &Path| path.is_absolute() && !path.components().any(|part| matches!(part, CurDir | ParentDir));
    straight(cwd) && straight(workspace) && cwd.starts_with(workspace)
}

#[cfg(test)]
mod everyday;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
