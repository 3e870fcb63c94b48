//! `flightdeck agents`: what each agent does or waits for.

use std::process::ExitCode;
use std::time::Duration;

use flightdeck_client::Client;
use flightdeck_contract::agents::{AgentState, ListAgents, ListedAgents, Standing};

use super::approve::{now_ms, span};
use super::print_json;
use super::table::{Cell, print_table};
use super::visible::visible;
use crate::args;
use crate::style::{self, Style};

pub async fn run(client: &Client, args: &args::Json) -> anyhow::Result<ExitCode> {
    let listed: ListedAgents = client.call("flightdeck.agent.list", &ListAgents {}).await?;
    if args.json {
        print_json(&listed.agents)?;
        return Ok(ExitCode::SUCCESS);
    }
    if listed.agents.is_empty() {
        eprintln!("no agents are here");
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let rows: Vec<_> = listed.agents.iter().map(|agent| row(agent, now_ms(), style)).collect();
    print_table(&["AGENT", "STATE", "SINCE", "COMMAND", "WHY"], &rows, style)?;
    Ok(ExitCode::SUCCESS)
}

fn row(agent: &AgentState, now_ms: i64, style: Style) -> Vec<Cell> {
    let number = agent.number.map_or_else(String::new, |number| format!("#{number}"));
    let name = visible(&format!("{}{number}", agent.name));
    let state = match agent.approval {
        Some(id) => format!("{} {id}", agent.state.name()),
        None => agent.state.name().to_owned(),
    };
    let shown = match agent.state {
        Standing::Working => style.green(&state),
        Standing::WaitsForApproval | Standing::WaitsForInput => style.yellow(&state),
        Standing::Failed => style.red(&state),
        Standing::Idle | Standing::Done | Standing::Gone => style.dim(&state),
    };
    let since = span(Duration::from_millis(u64::try_from(now_ms - agent.since_ms).unwrap_or(0)));
    vec![
        Cell::new(&name, style.bold(&name)),
        Cell::new(&state, shown),
        Cell::plain(&since),
        Cell::plain(agent.command.as_deref().unwrap_or_default()),
        Cell::plain(&visible(&agent.reason)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use flightdeck_contract::ApprovalId;

    #[test]
    fn a_row_tells_what_waits_and_hides_nothing() {
        let mut agent = AgentState {
            name: "codex".into(),
            number: Some(3),
            state: Standing::WaitsForApproval,
            reason: "it deletes\x1b[2J".into(),
            since_ms: 1000,
            command: Some("flightdeck.terminal.run".into()),
            approval: Some(ApprovalId::new(7)),
            terminal: None,
            asks: None,
        };
        let plain = style::plain();
        let cells =
            |agent: &AgentState, now| row(agent, now, plain).into_iter().map(|cell| cell.shown).collect::<Vec<_>>();
        let shown = cells(&agent, 66_000);
        assert_eq!(shown[..4], ["codex#3", "waits for approval a7", "1m05s", "flightdeck.terminal.run"]);
        assert!(!shown[4].contains('\x1b'), "{shown:?}");
        (agent.state, agent.number, agent.approval) = (Standing::Gone, None, None);
        assert_eq!(cells(&agent, 0)[..3], ["codex", "gone", "0s"]);
    }
}
