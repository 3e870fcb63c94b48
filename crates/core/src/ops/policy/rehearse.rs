//! `flightdeck.policy.rehearse`: what a proposed rule would have changed, over everything that agents asked for so far.

use std::collections::HashSet;
use std::sync::Arc;

use flightdeck_contract::policy::{Changed, Rehearse, Rehearsed};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::Rules;
use serde_json::Value;

use super::{new_rule, whose};
use crate::actor::Caller;
use crate::approvals::authorise::PERSON;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Draft, Effects, Family, define};
use crate::store::{CallNumber, Filter};

/// How many calls of the log are looked at.
const MOST: usize = 10_000;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.rehearse",
        Effects::READS,
        "Rehearse a rule",
        "Replays a proposed rule over the audit log: which commands of agents it would have decided otherwise.",
    )
    .for_people()
    .aside(|hub, _, request: Rehearse| rehearse(hub, &request))
}

/// The rules as they would be.
fn proposed(hub: &Hub, request: &Rehearse) -> Result<Rules, Error> {
    let rest = match &request.instead_of {
        Some(gone) => hub.policy().files().without(whose(gone.everywhere), &gone.name)?,
        None => Rules::clone(&hub.policy().rules()),
    };
    if request.rule.patterns.is_empty() && request.instead_of.is_some() {
        return Ok(rest);
    }
    let rule = new_rule(&request.rule)?;
    let invalid = |error: flightdeck_policy::PolicyError| Error::new(ErrorCode::PolicyInvalid, error.to_string());
    let added = Rules::parse(&Rules::add("", &rule).map_err(invalid)?).map_err(invalid)?;
    Ok(rest.merged(&added))
}

fn rehearse(hub: &Arc<Hub>, request: &Rehearse) -> Result<Rehearsed, Error> {
    let now = hub.policy().rules();
    let with = proposed(hub, request)?;
    let calls = hub
        .store()
        .calls(&Filter { since_ms: request.since_ms, limit: MOST, ..Filter::default() }, &HashSet::new())
        .map_err(|error| convert::store_error(&error))?
        .calls;
    let nobody = Caller::human("rehearsal");
    let mut rehearsed = Rehearsed { looked_at: 0, changed: Vec::new() };
    // The rules are for agents; of what people have run, none of it was put to them.
    for call in calls.into_iter().map(|call| call.entry).filter(|call| call.rule != PERSON) {
        // Some calls can't be replayed: what they asked for was hidden, or their terminal is gone.
        let Some(command) = hub.registry().get(&call.command).filter(|command| command.effects.executes) else {
            continue;
        };
        let Ok(args) = serde_json::from_str::<Value>(&call.args) else { continue };
        let draft = Draft { hub, caller: &nobody, call: CallNumber(0) };
        let Ok(Some(intent)) = command.prepare(args, &draft).and_then(|job| job.intent(hub)) else { continue };
        rehearsed.looked_at += 1;
        let before = hub.policy().rule_by(&now, &intent).decision.verdict;
        let after = hub.policy().rule_by(&with, &intent).decision.verdict;
        if before == after {
            continue;
        }
        let text = intent.text();
        let known = rehearsed
            .changed
            .iter_mut()
            .find(|changed| changed.command == text && changed.actor == call.actor && changed.before == before.name());
        if let Some(changed) = known {
            changed.times += 1;
            changed.at_ms = call.at_ms;
        } else {
            rehearsed.changed.push(Changed {
                at_ms: call.at_ms,
                actor: call.actor,
                command: text,
                times: 1,
                before: before.name().to_owned(),
                after: after.name().to_owned(),
            });
        }
    }
    Ok(rehearsed)
}
