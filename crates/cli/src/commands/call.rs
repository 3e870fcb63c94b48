//! `flightdeck call`: any command of the hub by its id, with the result that an agent would get.

use std::process::ExitCode;

use anyhow::Context;
use flightdeck_client::Client;
use flightdeck_contract::hub::{CommandInfo, CommandList, Empty};
use flightdeck_core::{Registry, Workspace};
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::{print_as_it_is, print_json};
use crate::args;
use crate::{find, style};

pub async fn run(client: &Client, args: &args::Call) -> anyhow::Result<ExitCode> {
    let id = args.command.as_deref().unwrap_or_default();
    let arguments: Value = serde_json::from_str(&args.args).context("the arguments are not JSON")?;
    let result = match client.call::<Value>(id, &arguments).await {
        Ok(value) => Ok(value),
        Err(flightdeck_client::Error::Hub(error)) => Err(error),
        Err(error) => return Err(error.into()),
    };
    let Some(command) = Registry::new().get(id) else {
        // Not one of this version's: the hub may be another one.
        print_as_it_is(&result?)?;
        return Ok(ExitCode::SUCCESS);
    };
    print_as_it_is(&command.outcome(&result))?;
    if command.failed(&result) {
        result?;
        // Its own form tells what went wrong.
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether this version knows the command as one that changes nothing.
pub fn only_reads(args: &args::Call) -> bool {
    let registry = Registry::new();
    let command = args.command.as_deref().and_then(|id| registry.get(id));
    command.is_some_and(|command| !command.effects.writes && !command.effects.executes)
}

pub async fn list(workspace: &Workspace, as_json: bool) -> anyhow::Result<ExitCode> {
    // A hub that runs knows what an IDE has brought. One of an earlier version can't tell.
    let told = match find::running(workspace).await? {
        Some(client) => client.call::<CommandList>("flightdeck.hub.commands", &Empty {}).await.ok(),
        None => None,
    };
    let commands = told.unwrap_or_else(|| Registry::new().describe()).commands;
    if as_json {
        print_json(&commands)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let widest = |text: fn(&CommandInfo) -> &str| commands.iter().map(|one| text(one).width()).max().unwrap_or(0);
    let (ids, titles) = (widest(|one| &one.id), widest(|one| &one.title));
    for command in commands {
        let fields = command.input.get("properties").and_then(Value::as_object);
        let required = command.input.get("required").and_then(Value::as_array);
        let needs = |name: &String| required.is_some_and(|required| required.iter().any(|field| field == name));
        let fields: Vec<_> = fields
            .into_iter()
            .flat_map(|fields| fields.keys())
            .map(|name| if needs(name) { name.clone() } else { format!("{name}?") })
            .collect();
        let id = format!("{:<ids$}", command.id);
        let line = format!("{}  {:<titles$}  {}", style.bold(&id), command.title, style.dim(&fields.join(", ")));
        outln!("{}", line.trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}
