//! `flightdeck.policy.test`: what the rules in force say of a command, without running it.

use flightdeck_contract::policy::{PolicyAnswer, PolicyMode, TestPolicy};
use flightdeck_policy::{Assessment, Deed, Dialect};

use super::sight;
use crate::approvals::intent::{Intent, Sight};
use crate::approvals::whole;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::start::absolute;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.test",
        Effects::READS,
        "Test the policy",
        "Says what the policy decides about a command, by which rule and why, without running it. Ask before you run \
         something that may be refused. What is no text for a shell fails with syntax_error, as it would there.",
    )
    .handle(|hub, _, request: TestPolicy| async move {
        let cwd = Some(absolute(&hub, request.cwd.as_deref()));
        let shell = match request.mode {
            PolicyMode::Headless => Some(Dialect::Posix),
            _ => whole::fresh(),
        };
        whole::check_line(&request.command, shell)?;
        let intent = Intent { shell, ..Intent::certain(Deed::Line(request.command), sight(request.mode), cwd) };
        let ruling = hub.policy().rule_on(&intent);
        Ok(PolicyAnswer {
            decision: ruling.decision.verdict.name().to_owned(),
            rule: ruling.decision.rules_text(),
            reason: ruling.decision.reason.clone(),
            pieces: ruling.pieces(),
            unproven: unproven(&ruling.assessment, intent.sight),
            offer: ruling.offered(),
        })
    })
}

/// Why nothing can be proven of it where it would run.
fn unproven(assessment: &Assessment, sight: Sight) -> Option<String> {
    let refused = match sight {
        Sight::Headless => assessment.steps.as_ref().err(),
        Sight::Shared(_) => assessment.plain.as_ref().err(),
    };
    refused.map(|not| not.reason.clone())
}
