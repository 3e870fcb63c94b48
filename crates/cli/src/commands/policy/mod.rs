//! `flightdeck policy`: what agents may run without asking, and how to change it.

mod accept;
mod check;
mod explain;
mod rule;
mod show;
mod test;

use std::process::ExitCode;

use flightdeck_core::Workspace;

use crate::args::PolicyAction;
use crate::find;
use crate::style::Style;

pub async fn run(workspace: &Workspace, action: PolicyAction) -> anyhow::Result<ExitCode> {
    let action = match action {
        PolicyAction::Path(args) => return check::path(workspace, &args),
        PolicyAction::Check(args) => return check::run(workspace, &args),
        other => other,
    };
    let client = find::hub(workspace).await?;
    match action {
        PolicyAction::Test(args) => test::run(&client, &args).await,
        PolicyAction::Explain(args) => explain::run(&client, &args).await,
        PolicyAction::Show(json) => show::run(&client, json.json).await,
        PolicyAction::Accept(args) => accept::accept(&client, &args).await,
        PolicyAction::Reject(json) => accept::reject(&client, json.json).await,
        PolicyAction::Edit(args) => accept::edit(workspace, &client, &args).await,
        PolicyAction::Add(args) => rule::add(workspace, &client, args).await,
        PolicyAction::Remove(args) => rule::remove(&client, args).await,
        PolicyAction::Rehearse(args) => rule::rehearse(&client, args).await,
        PolicyAction::Path(_) | PolicyAction::Check(_) => unreachable!("handled before a hub was needed"),
    }
}

/// A decision, in the colour of what it means.
fn coloured(decision: &str, style: Style) -> String {
    match decision {
        "allowed" => style.green(decision),
        "blocked" => style.red(decision),
        _ => style.yellow(decision),
    }
}
