//! `flightdeck approve ID`: one answer.

use std::process::ExitCode;

use anyhow::bail;
use flightdeck_client::Client;
use flightdeck_contract::approval::{
    AnswerApproval, Answered, Approval, Approvals, Choice, ListApprovals, Outcome, Scope,
};
use flightdeck_contract::{ApprovalId, Error, ErrorCode};
use flightdeck_core::Workspace;

use super::editor;
use crate::args;
use crate::commands::print_json;
use crate::commands::visible::visible;
use crate::find;
use crate::style;

/// The exit code of an answer that came too late.
const SETTLED: u8 = 3;
/// The exit code when nothing waits under the id.
const NOT_FOUND: u8 = 4;

pub async fn run(
    workspace: &Workspace,
    client: &Client,
    id: ApprovalId,
    args: args::Approve,
) -> anyhow::Result<ExitCode> {
    let answered = match answer(workspace, client, id, &args).await {
        Ok(answered) => answered,
        Err(error) => return late(error, args.json),
    };
    if args.json {
        print_json(&answered)?;
    } else {
        outln!("{}", words(&answered, args.scope.map(Scope::from).unwrap_or_default()))?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn answer(
    workspace: &Workspace,
    client: &Client,
    id: ApprovalId,
    args: &args::Approve,
) -> anyhow::Result<Answered> {
    let mut request =
        AnswerApproval { id, choice: Choice::Approve, scope: None, command: None, option: None, reason: None };
    if let Some(named) = &args.option {
        let approval = waiting(client, id).await?;
        let Some(option) = approval.subject.options().iter().find(|option| option.id == *named) else {
            bail!("{id} has no option {named:?}: `flightdeck approve --list --json` has their ids");
        };
        request.choice = option.kind.choice();
        request.option = Some(option.id.clone());
        request.reason.clone_from(&args.reason);
    } else if args.decline {
        request.choice = Choice::Decline;
        request.reason.clone_from(&args.reason);
    } else if args.edit {
        let approval = waiting(client, id).await?;
        let Some(command) = approval.subject.command() else {
            bail!("{id} is no command that could be edited: approve or decline it");
        };
        let Some(edited) = editor::edit(workspace, &command.text)? else {
            bail!("nothing was changed, so {id} still waits: approve it without --edit, or decline it");
        };
        request.command = Some(edited);
    } else {
        request.scope = args.scope.map(Scope::from);
        request.command.clone_from(&args.command);
    }
    Ok(client.call("flightdeck.approval.answer", &request).await?)
}

/// What waits under an id. What does not is left to the hub to say.
async fn waiting(client: &Client, id: ApprovalId) -> anyhow::Result<Approval> {
    let listed: Approvals = client.call("flightdeck.approval.list", &ListApprovals {}).await?;
    listed.approvals.into_iter().find(|approval| approval.id == id).ok_or_else(|| {
        Error::new(ErrorCode::ApprovalNotFound, format!("nothing waits under the id {id}"))
            .hint("`flightdeck approve --list` lists what waits")
            .into()
    })
}

/// An answer that reached nothing has an exit code of its own.
pub fn late(error: anyhow::Error, json: bool) -> anyhow::Result<ExitCode> {
    let Some(error) = find::refusal(&error).cloned() else { return Err(error) };
    let code = match error.code {
        ErrorCode::ApprovalSettled => SETTLED,
        ErrorCode::ApprovalNotFound => NOT_FOUND,
        _ => return Err(error.into()),
    };
    if json {
        print_json(&serde_json::json!({ "error": error }))?;
    }
    eprintln!("{} {}", style::stderr().red("flightdeck:"), visible(&error.message));
    Ok(ExitCode::from(code))
}

/// What became of it, in words.
pub fn words(answered: &Answered, scope: Scope) -> String {
    let style = style::stdout();
    match (answered.outcome, &answered.rule) {
        (Outcome::Approved, Some(rule)) => {
            format!("{} {}; the rule {} is in the policy file now", answered.id, style.green("approved"), visible(rule))
        }
        (Outcome::Approved, None) => {
            let reach = match scope {
                Scope::Once | Scope::Always => "",
                Scope::Terminal => " for this terminal",
                Scope::Session => " for this agent's session",
            };
            format!("{} {}{reach}", answered.id, style.green("approved"))
        }
        (outcome, _) => format!("{} {}", answered.id, outcome.name()),
    }
}
