//! `flightdeck` alone: what is there, and the next thing to do.

use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::approval::Approvals;
use flightdeck_contract::hub::{Empty, Status};
use flightdeck_contract::terminal::{List, Listed, TerminalKind};
use flightdeck_core::Workspace;

use unicode_width::UnicodeWidthStr as _;

use super::absent;
use super::visible::visible;
use crate::{find, style};

/// What our own lines fit into.
const COLUMNS: usize = 80;

pub async fn run(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let style = style::stdout();
    let attach = match find::running(workspace).await? {
        None => {
            let root = workspace.root().to_string_lossy();
            match absent::left(workspace) {
                Some(left) => {
                    outln!("{} does not serve {} now", style.bold("Flightdeck"), style.bold(&root))?;
                    outln!("  {}", style.yellow(&format!("{left}: flightdeck restart")))?;
                }
                None => outln!("{} does not serve {} yet", style.bold("Flightdeck"), style.bold(&root))?,
            }
            None
        }
        Some(client) => {
            standing(&client).await?;
            running(&client).await?
        }
    };
    outln!()?;
    for (command, what) in next(attach.as_deref()) {
        outln!("  {command:<20} {}", style.dim(what))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells what the hub has.
async fn standing(client: &Client) -> anyhow::Result<()> {
    let style = style::stdout();
    let status: Status = client.call("flightdeck.hub.status", &Empty {}).await?;
    let waiting: Approvals = client.call("flightdeck.approval.list", &Empty {}).await?;
    outln!("{} {} serves {}", style.bold("Flightdeck"), status.version, style.bold(&status.workspace))?;
    let terminals = format!("  {} of {} terminals run", status.running, status.terminals);
    let agents: Vec<String> = status.agents.iter().map(|name| visible(name)).collect();
    let agents = if agents.is_empty() { "no agents".to_owned() } else { agents.join(", ") };
    match format!("{terminals} \u{b7} {agents}") {
        line if line.width() <= COLUMNS => outln!("{line}")?,
        _ => outln!("{terminals} \u{b7} {} agents: flightdeck agents", status.agents.len())?,
    }
    match waiting.approvals.len() {
        0 => {}
        1 => outln!("  {}", style.yellow("1 request waits for you: flightdeck approve --watch"))?,
        many => outln!("  {}", style.yellow(&format!("{many} requests wait for you: flightdeck approve --watch")))?,
    }
    if let Some(problem) = &status.settings_problem {
        outln!("  {} {problem}", style.yellow("settings:"))?;
    }
    for problem in &status.database {
        outln!("  {} {}", style.red("database:"), visible(&format!("{}: {}", problem.text, problem.hint)))?;
    }
    Ok(())
}

/// How the newest terminal that runs in a window of its own is taken over.
async fn running(client: &Client) -> anyhow::Result<Option<String>> {
    let listed: Listed = client.call("flightdeck.terminal.list", &List::default()).await?;
    let newest = listed
        .terminals
        .iter()
        .filter(|info| info.running && info.kind != TerminalKind::Pipes)
        .max_by_key(|info| info.id);
    Ok(newest.map(|info| format!("flightdeck attach {}", info.id)))
}

/// What can be done next. Each line fits into a window of 80 columns.
fn next(attach: Option<&str>) -> Vec<(&str, &'static str)> {
    let take_over = match attach {
        Some(attach) => (attach, "take that terminal over in this window"),
        None => ("flightdeck new -a", "a shell that stays, in this window"),
    };
    vec![
        ("flightdeck open", "the workbench in a browser: terminals, files, agents"),
        ("flightdeck run CMD", "a command whose output is kept"),
        take_over,
        ("flightdeck mcp", "what an agent is told to start (README: For agents)"),
        ("flightdeck --help", "everything else"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_into_a_narrow_window() {
        for attach in [None, Some("flightdeck attach t99999")] {
            for (command, what) in next(attach) {
                let line = format!("  {command:<20} {what}");
                assert!(line.chars().count() <= COLUMNS, "{line}");
            }
        }
    }
}
