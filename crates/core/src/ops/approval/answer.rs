//! `flightdeck.approval.answer`: a person's yes or no.

use std::sync::Arc;

use flightdeck_contract::approval::{AnswerApproval, Answered, Choice, Outcome, Scope};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{Deed, SurfaceKind};

use crate::approvals::Answer;
use crate::approvals::intent::{Certainty, Intent, Sight};
use crate::approvals::policy::Whose;
use crate::aside::aside;
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.approval.answer",
        Effects { idempotent: false, ..Effects::WRITES },
        "Answer an approval",
        "Approves a command that waits (once, for its terminal, for the agent's session, or always by a rule), with \
         another text in its place if wanted; or declines it with a reason for the agent. The first answer counts.",
    )
    .for_people()
    .handle(|hub, request, answer| async move { call(&hub, request, answer).await })
}

async fn call(hub: &Arc<Hub>, call: Call, request: AnswerApproval) -> Result<Answered, Error> {
    check(&request)?;
    let approval = hub.approvals().get(request.id)?;
    let by = call.actor();
    if request.choice == Choice::Decline {
        hub.approvals().settle(request.id, Answer::Declined { by, reason: request.reason })?;
        return Ok(Answered { id: request.id, outcome: Outcome::Declined, rule: None });
    }
    let scope = request.scope.unwrap_or_default();
    if !approval.scopes.contains(&scope) {
        let can: Vec<_> = approval.scopes.iter().map(|scope| scope.name()).collect();
        let problem = format!("{} can be approved {} only", request.id, can.join(", "));
        return Err(Error::invalid("scope", problem));
    }
    if let Some(command) = &request.command {
        if !approval.editable {
            return Err(Error::invalid("command", "what this call runs can't be edited: approve or decline it"));
        }
        may_be_run(hub, command, &approval.cwd)?;
    }
    let rule = match scope {
        Scope::Always => Some(add_rule(hub, &approval.command, &approval.cwd).await?),
        _ => None,
    };
    // Somebody may have answered while the rule was written; it stays, and whoever asked for it is told.
    hub.approvals().settle(request.id, Answer::Approved { by, scope, command: request.command })?;
    Ok(Answered { id: request.id, outcome: Outcome::Approved, rule })
}

fn check(request: &AnswerApproval) -> Result<(), Error> {
    let wrong = |field, problem| Err(Error::invalid(field, problem));
    match request.choice {
        Choice::Decline if request.scope.is_some() => wrong("scope", "a no has none"),
        Choice::Decline if request.command.is_some() => wrong("command", "a no runs nothing: leave it out"),
        Choice::Approve if request.reason.is_some() => wrong("reason", "a yes needs none"),
        Choice::Approve if request.command.is_some() && request.scope.is_some_and(|scope| scope != Scope::Once) => {
            wrong("scope", "a command that was edited is approved once")
        }
        Choice::Approve if request.command.as_ref().is_some_and(|command| command.trim().is_empty()) => {
            wrong("command", "it is empty: decline instead")
        }
        _ => Ok(()),
    }
}

/// What a person writes may run, but not what nobody can allow.
fn may_be_run(hub: &Hub, command: &str, cwd: &str) -> Result<(), Error> {
    let ruling = hub.policy().rule_on(&line(command, cwd));
    if !ruling.forbidden() {
        return Ok(());
    }
    let reason = ruling.warning().unwrap_or_default();
    Err(Error::new(ErrorCode::Blocked, format!("the edited command can't be approved: {reason}"))
        .hint("nobody can allow that; if you are sure, run it in your own shell"))
}

/// Adds the rule that was offered. Gives its name.
async fn add_rule(hub: &Arc<Hub>, command: &str, cwd: &str) -> Result<String, Error> {
    let Some(rule) = hub.policy().rule_on(&line(command, cwd)).offer else {
        return Err(Error::invalid("scope", "no rule describes this command: approve it for once or for the session"));
    };
    let hub = Arc::clone(hub);
    aside(move || hub.policy().files().add(Whose::Workspace, &rule).map(|_| rule.name)).await?
}

fn line(command: &str, cwd: &str) -> Intent {
    Intent {
        deed: Deed::Line(command.to_owned()),
        sight: Sight::Shared(SurfaceKind::Interactive),
        cwd: Some(cwd.into()),
        env: Vec::new(),
        terminal: None,
        certainty: Certainty::Certain,
    }
}
