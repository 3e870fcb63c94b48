//! `flightdeck` alone: what is there, and the next thing to do.

use std::process::ExitCode;

use flightdeck_contract::approval::Approvals;
use flightdeck_contract::hub::{Empty, Status};
use flightdeck_core::Workspace;

use crate::{find, style};

const NEXT: [(&str, &str); 5] = [
    ("flightdeck open", "the workbench in a browser: every terminal, file and agent, live"),
    ("flightdeck run CMD", "a command whose output is kept"),
    ("flightdeck attach", "take a terminal over in this window"),
    ("flightdeck mcp", "what an agent is told to start (README: how to connect Claude Code, Codex, \u{2026})"),
    ("flightdeck --help", "everything else"),
];

pub async fn run(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let style = style::stdout();
    match find::running(workspace).await? {
        None => outln!("{} does not serve {} yet", style.bold("Flightdeck"), style.bold(&root(workspace)))?,
        Some(client) => {
            let status: Status = client.call("flightdeck.hub.status", &Empty {}).await?;
            let waiting: Approvals = client.call("flightdeck.approval.list", &Empty {}).await?;
            let served = style.bold(&status.workspace);
            outln!("{} {} serves {served}", style.bold("Flightdeck"), status.version)?;
            let agents = if status.agents.is_empty() { "no agents".to_owned() } else { status.agents.join(", ") };
            outln!("  {} of {} terminals run \u{b7} {agents}", status.running, status.terminals)?;
            match waiting.approvals.len() {
                0 => {}
                1 => outln!("  {}", style.yellow("1 request waits for you: flightdeck approve"))?,
                many => outln!("  {}", style.yellow(&format!("{many} requests wait for you: flightdeck approve")))?,
            }
            if let Some(problem) = &status.settings_problem {
                outln!("  {} {problem}", style.yellow("settings:"))?;
            }
        }
    }
    outln!()?;
    for (command, what) in NEXT {
        outln!("  {command:<20} {}", style.dim(what))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn root(workspace: &Workspace) -> String {
    workspace.root().to_string_lossy().into_owned()
}
