//! `flightdeck policy accept`, `reject` and `edit`: a person's word on policy files that something else than the hub wrote.

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use flightdeck_client::Client;
use flightdeck_contract::policy::{
    AcceptPolicy, ListPolicyChanges, PolicyAccepted, PolicyChange, PolicyChanges, PolicyRejected, PolicyState,
    RejectPolicy, RuleDifference,
};
use flightdeck_core::Workspace;
use serde_json::json;

use super::{check, show};
use crate::args;
use crate::commands::approve::open_editor;
use crate::commands::print_json;
use crate::commands::visible::visible;
use crate::{style, window};

pub async fn accept(client: &Client, args: &args::Accept) -> anyhow::Result<ExitCode> {
    let PolicyChanges { changes } = client.call("flightdeck.policy.changes", &ListPolicyChanges {}).await?;
    if !args.json {
        print(&changes)?;
    }
    if changes.is_empty() {
        return if args.json { told(&changes, &[]) } else { Ok(ExitCode::SUCCESS) };
    }
    let can = changes.iter().all(|change| change.problem.is_none());
    let yes = match (args.yes, args.json) {
        // The hub says what is wrong with a file that is broken.
        (true, _) => true,
        (false, true) => false,
        (false, false) if !can => bail!("a broken file can't be accepted: mend it, or `flightdeck policy reject`"),
        (false, false) if !window::is_interactive() => bail!("nobody can be asked here: say --yes to accept that"),
        (false, false) => ask()?,
    };
    let accepted = if yes {
        let versions = changes.iter().map(|change| change.version.clone()).collect();
        client.call("flightdeck.policy.accept", &AcceptPolicy { versions }).await?
    } else {
        PolicyAccepted { files: Vec::new() }
    };
    if args.json {
        return told(&changes, &accepted.files);
    }
    for file in &accepted.files {
        outln!("{} {}", style::stdout().green("in force:"), visible(file))?;
    }
    if !yes {
        outln!("nothing was accepted; `flightdeck policy reject` puts the last good rules back into the file")?;
    }
    Ok(if yes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub async fn reject(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let PolicyRejected { files } = client.call("flightdeck.policy.reject", &RejectPolicy {}).await?;
    if json {
        print_json(&PolicyRejected { files })?;
        return Ok(ExitCode::SUCCESS);
    }
    if files.is_empty() {
        outln!("{NOTHING}")?;
    }
    for file in &files {
        outln!("{} is again as it was accepted", visible(&file.file))?;
        if let Some(aside) = &file.aside {
            outln!("  what it said is kept in {}", visible(aside))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the file itself, and then asks about all that is different: what somebody else wrote meanwhile is seen too.
pub async fn edit(workspace: &Workspace, client: &Client, args: &args::PolicyPath) -> anyhow::Result<ExitCode> {
    let file = check::file(workspace, args.everywhere);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    open_editor(&file)?;
    accept(client, &args::Accept { yes: false, json: false }).await
}

const NOTHING: &str = "nothing waits: what the files say is in force";

fn told(changes: &[PolicyChange], accepted: &[String]) -> anyhow::Result<ExitCode> {
    print_json(&json!({ "changes": changes, "accepted": accepted }))?;
    Ok(if changes.len() == accepted.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(changes: &[PolicyChange]) -> std::io::Result<()> {
    let style = style::stdout();
    if changes.is_empty() {
        return outln!("{NOTHING}");
    }
    for change in changes {
        let what = match change.state {
            PolicyState::Changed => style.yellow("was changed from outside"),
            PolicyState::Removed => style.yellow("was removed from outside"),
            PolicyState::Broken => style.red("is broken"),
        };
        outln!("{} {what}", style.bold(&visible(&change.file)))?;
        for line in change.problem.iter().flat_map(|problem| problem.trim_end().lines()) {
            outln!("  {}", style.red(&visible(line)))?;
        }
        for rule in &change.rules {
            let what = match rule.change {
                RuleDifference::Added => style.green("added  "),
                RuleDifference::Removed => style.red("removed"),
                RuleDifference::Changed => style.yellow("changed"),
            };
            outln!("  {what}  {}", show::rule(&rule.rule, style))?;
        }
        if change.defaults {
            outln!("  {}  how careful surfaces are", style.yellow("changed"))?;
        }
        for line in change.diff.lines() {
            let shown = visible(line);
            let shown = match line.as_bytes().first() {
                Some(b'+') => style.green(&shown),
                Some(b'-') => style.red(&shown),
                _ => style.dim(&shown),
            };
            outln!("    {shown}")?;
        }
    }
    Ok(())
}

/// Anything but a clear yes is a no.
fn ask() -> anyhow::Result<bool> {
    print!("Let it count? [y/N] ");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}
