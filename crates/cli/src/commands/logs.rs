//! `flightdeck logs`: what a terminal printed, as it was or as plain text.

use std::io::IsTerminal;
use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::terminal::{Follow, Output, Read};

use super::print_json;
use crate::args;
use crate::out::ProgramOutput;
use crate::style;

/// How much a JSON answer holds at most; the cursor in it says where to go on.
const JSON_BYTES: usize = 1 << 20;

pub async fn run(client: Client, args: &args::Logs) -> anyhow::Result<ExitCode> {
    if args.json {
        let lines = args.from.is_none().then_some(args.lines);
        let read = Read { id: args.id, lines, from: args.from, to: None, max_bytes: Some(JSON_BYTES), raw: args.raw };
        let output: Output = client.call("flightdeck.terminal.read", &read).await?;
        print_json(&output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines = (!args.all && args.from.is_none()).then_some(args.lines);
    let plain = args.plain || (!args.raw && !std::io::stdout().is_terminal());
    let follow = Follow { id: args.id, from: args.from, lines, follow: args.follow, plain };
    let mut stream = client.stream(&follow).await?;
    let mut output = if args.raw { ProgramOutput::raw() } else { ProgramOutput::readable() };
    while let Some((event, bytes)) = stream.next().await? {
        output.print(&event, &bytes)?;
    }
    output.end()?;
    let followed = stream.end().await?;
    if followed.truncated {
        let note = format!("[output before byte {} is gone: the log's size limit was reached]", followed.from);
        eprintln!("{}", style::stderr().yellow(&note));
    }
    Ok(ExitCode::SUCCESS)
}
