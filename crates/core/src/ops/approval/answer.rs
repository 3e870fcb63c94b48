//! `flightdeck.approval.answer`: a person's yes or no.

use std::sync::Arc;

use flightdeck_contract::approval::{
    AnswerApproval, Answered, Choice, CommandSubject, OptionKind, Outcome, PermissionOption, Scope, Subject,
};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{Deed, SurfaceKind};

use crate::approvals::Answer;
use crate::approvals::intent::{Intent, Sight};
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
        "Approves what waits (a command once, for its terminal, for the agent's session, or always by a rule), with \
         another text in a command's place if wanted; or declines it with a reason for the agent. An agent's own question \
         is answered with one of its options. The first answer counts.",
    )
    .for_people()
    .handle(|hub, request, answer| async move { call(&hub, request, answer).await })
}

async fn call(hub: &Arc<Hub>, call: Call, request: AnswerApproval) -> Result<Answered, Error> {
    check(&request)?;
    let approval = hub.approvals().get(request.id)?;
    let (id, by) = (request.id, call.actor());
    call.report.answered(match &approval.subject {
        Subject::Command(command) => &command.text,
        Subject::Permission(permission) => &permission.title,
        Subject::FileWrite(write) => &write.path,
    });
    let (answer, outcome, rule) = match (&approval.subject, request.choice) {
        (Subject::Permission(permission), _) => {
            let (option, choice) = chosen(&permission.options, &request)?;
            let outcome = if choice == Choice::Approve { Outcome::Approved } else { Outcome::Declined };
            (Answer::Chosen { by, option, choice, reason: request.reason }, outcome, None)
        }
        (_, _) if request.option.is_some() => {
            return Err(Error::invalid("option", "there is none to choose from: answer with a yes or a no"));
        }
        (_, Choice::Decline) => (Answer::Declined { by, reason: request.reason }, Outcome::Declined, None),
        (subject, Choice::Approve) => {
            let scope = request.scope.unwrap_or_default();
            if !approval.scopes.contains(&scope) {
                let can: Vec<_> = approval.scopes.iter().map(|scope| scope.name()).collect();
                return Err(Error::invalid("scope", format!("{id} can be approved {} only", can.join(", "))));
            }
            let rule = approve_command(hub, subject.command(), &request, scope).await?;
            (Answer::Approved { by, scope, command: request.command }, Outcome::Approved, rule)
        }
    };
    // Somebody may have answered while a rule was written; it stays, and whoever asked for it is told.
    hub.approvals().settle(id, answer)?;
    Ok(Answered { id, outcome, rule })
}

/// What only commands have: another text in their place, and a rule for later. Gives the rule's name.
async fn approve_command(
    hub: &Arc<Hub>,
    subject: Option<&CommandSubject>,
    request: &AnswerApproval,
    scope: Scope,
) -> Result<Option<String>, Error> {
    if let Some(edited) = &request.command {
        let Some(subject) = subject.filter(|subject| subject.editable) else {
            return Err(Error::invalid("command", "what this call runs can't be edited: approve or decline it"));
        };
        may_be_run(hub, edited, &subject.cwd)?;
    }
    match subject.filter(|_| scope == Scope::Always) {
        Some(subject) => add_rule(hub, &subject.text, &subject.cwd).await.map(Some),
        None => Ok(None),
    }
}

/// The option that an answer means, and whether it is a yes. The choice and the option must agree, so that no front end
/// says yes by mistake.
fn chosen(options: &[PermissionOption], request: &AnswerApproval) -> Result<(String, Choice), Error> {
    if request.scope.is_some_and(|scope| scope != Scope::Once) || request.command.is_some() {
        return Err(Error::invalid("option", "an agent's own question is answered with one of its options alone"));
    }
    let fits = |option: &&PermissionOption| option.kind.choice() == request.choice;
    let for_once = |option: &PermissionOption| matches!(option.kind, OptionKind::AllowOnce | OptionKind::RejectOnce);
    let option = match &request.option {
        Some(id) => options.iter().find(|option| option.id == *id).filter(fits),
        // What reaches further has to be named.
        None => options.iter().filter(fits).find(|option| for_once(option)),
    };
    option.map(|option| (option.id.clone(), request.choice)).ok_or_else(|| {
        let ids: Vec<_> = options.iter().filter(fits).map(|option| option.id.as_str()).collect();
        Error::invalid("option", format!("with this choice it has to be one of: {}", ids.join(", ")))
    })
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
    Intent::certain(Deed::Line(command.to_owned()), Sight::Shared(SurfaceKind::Interactive), Some(cwd.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flightdeck_contract::ApprovalId;

    #[test]
    fn an_option_is_chosen_by_name_and_never_against_the_choice() {
        use OptionKind::{AllowAlways, AllowOnce, RejectOnce};
        let option = |id: &str, kind| PermissionOption { id: id.into(), name: id.into(), kind };
        let options = [option("always", AllowAlways), option("once", AllowOnce), option("no", RejectOnce)];
        let ask = |choice, named: Option<&str>, scope| {
            let option = named.map(str::to_owned);
            let request = AnswerApproval { id: ApprovalId::new(1), choice, scope, command: None, option, reason: None };
            chosen(&options, &request).ok().map(|(id, _)| id)
        };
        for (choice, named, expected) in [
            (Choice::Approve, None, Some("once")),
            (Choice::Approve, Some("always"), Some("always")),
            (Choice::Approve, Some("no"), None),
            (Choice::Approve, Some("other"), None),
            (Choice::Decline, None, Some("no")),
            (Choice::Decline, Some("no"), Some("no")),
            (Choice::Decline, Some("once"), None),
        ] {
            assert_eq!(ask(choice, named, None).as_deref(), expected, "{choice:?} {named:?}");
        }
        assert_eq!(ask(Choice::Approve, None, Some(Scope::Session)), None);
    }
}
