//! What may be done where nobody can be asked: allowed or blocked, nothing between.
//!
//! It runs only when all of this holds: nothing but simple commands whose words are known; no danger at all, not even one
//! that a rule allows; no rule that asks or blocks; no variable set that could change what it does; a folder that is known
//! and below the workspace; and every command is built in or allowed by a rule for headless runs.

mod expand;
mod unfold;

pub(crate) use expand::{matches, signs};

use std::path::Path;

use crate::builtin::readable;
use crate::decide::{Unproven, Watched, allowed, blocked, cited, decision, fixed, reasons, shell_quoted, variables};
use crate::offer::pattern_for;
use crate::rules::{Effect, Rules};
use crate::{Assessment, Decision, Place, Verdict, builtin};

/// The rule of everything that is blocked because nothing proves it.
const RULE: &str = "default:headless";

/// What may be done where nobody can be asked. Never anything but allowed or blocked.
pub fn headless(a: &Assessment, rules: &Rules, place: &Place) -> Decision {
    if let Some(decision) = fixed(a).or_else(|| blocked(a, rules)) {
        return decision;
    }
    if let Some((rule, piece)) = rules.touching(Effect::Ask, a) {
        let reason = format!(
            "the rule {} wants a person to be asked about {}, and nobody can be asked headless; run it with mode \
             interactive",
            rule.name,
            cited(piece)
        );
        return decision(Verdict::Blocked, rule.id(), reason);
    }
    if let Some(danger) = a.dangers.first() {
        let reason = format!(
            "{}; dangerous commands never run headless, so run it with mode interactive, where a person can allow it",
            reasons(a)
        );
        return decision(Verdict::Blocked, danger.kind.rule().to_owned(), reason);
    }
    if let Some(reason) = misplaced(place) {
        return decision(Verdict::Blocked, RULE.to_owned(), reason);
    }
    match proof(a, rules, place) {
        Ok(ids) => {
            let reason = format!("every command in it is allowed by {}", ids.join(", "));
            decision(Verdict::Allowed, ids.join(", "), reason)
        }
        Err(unproven) => decision(Verdict::Blocked, RULE.to_owned(), why(&unproven, place)),
    }
}

/// What allows each command: `builtin:…` and `rule:…`, each once, in the order of the text.
fn proof(a: &Assessment, rules: &Rules, place: &Place) -> Result<Vec<String>, Unproven> {
    let steps = a.steps.as_ref().map_err(|why| Unproven::NotPlain(why.reason.clone()))?;
    variables(place)?;
    let acts = unfold::unfold(steps, place).map_err(Unproven::NotPlain)?;
    let mut ids: Vec<String> = Vec::new();
    for act in &acts {
        variables(&act.place)?;
        if let Some(input) = act.inputs.iter().find(|input| !readable(input, &act.place)) {
            return Err(Unproven::NotPlain(format!("it reads {input}")));
        }
        // A rule says what its words are, and nothing of what a pattern stands for.
        let id = if act.literal {
            allowed(&act.words, rules, &act.place, Watched::No)?
        } else {
            let id = builtin(&act.words, &act.place);
            id.ok_or_else(|| Unproven::Expanded(act.words.clone()))?.to_owned()
        };
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    // Changing the folder alone is nothing to run.
    if ids.is_empty() { Err(Unproven::Empty) } else { Ok(ids) }
}

/// What is wrong with the folder.
fn misplaced(place: &Place) -> Option<String> {
    let workspace = place.workspace.display();
    match &place.cwd {
        None => Some(format!("the folder it would run in is not known; give a cwd in the workspace {workspace}")),
        Some(cwd) if is_below(cwd, &place.workspace) => None,
        Some(cwd) => Some(format!(
            "the folder {} is outside of the workspace {workspace}; give a cwd in the workspace, or run it with mode \
             interactive",
            cwd.display()
        )),
    }
}

fn is_below(cwd: &Path, workspace: &Path) -> bool {
    use std::path::Component::{CurDir, ParentDir};
    let straight =
        |path: &Path| path.is_absolute() && !path.components().any(|part| matches!(part, CurDir | ParentDir));
    straight(cwd) && straight(workspace) && cwd.starts_with(workspace)
}

/// Options with which some commands write nothing.
const WRITES_NOTHING: [&str; 2] = ["--locked", "--offline"];

/// Why it may not run, and what to do.
fn why(unproven: &Unproven, place: &Place) -> String {
    let remedy = match unproven {
        Unproven::Command(words) if runs_with(words, &WRITES_NOTHING, place) => {
            return format!("{unproven}, which may write; with {} it runs", WRITES_NOTHING.join(" "));
        }
        Unproven::Command(words) => match pattern_for(words) {
            Some(pattern) => format!("ask a person to add it: flightdeck policy add {}", shell_quoted(pattern.text())),
            None => return format!("{unproven}, and no narrow rule could; run it with mode interactive"),
        },
        Unproven::Empty => return format!("{unproven}; {}", unproven.remedy()),
        Unproven::OnlyWatched(_) | Unproven::Expanded(_) => return format!("{unproven}; run it with mode interactive"),
        Unproven::NotPlain(_) | Unproven::Variable(_) => unproven.remedy().to_owned(),
    };
    format!("{unproven}; {remedy}, or run it with mode interactive")
}

fn runs_with(words: &[String], options: &[&str], place: &Place) -> bool {
    let more: Vec<String> = words.iter().cloned().chain(options.iter().map(ToString::to_string)).collect();
    builtin(&more, place).is_some()
}

#[cfg(test)]
mod everyday;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
