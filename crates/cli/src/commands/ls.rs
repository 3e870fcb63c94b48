//! `flightdeck ls` and `flightdeck history`: tables for people, JSON for programs.

use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use flightdeck_client::Client;
use flightdeck_contract::terminal::{Commands, History, List, Listed, TerminalInfo};

use super::print_json;
use super::table::{Cell, print_table};
use super::visible::visible;
use crate::args;
use crate::style::{self, Style};

/// How many terminals are asked for at once.
const PAGE: usize = 500;
/// How much of one command's output is shown.
const OUTPUT: usize = 8 << 20;

pub async fn run(client: &Client, args: &args::Ls) -> anyhow::Result<ExitCode> {
    let terminals = all(client, args.all).await?;
    if args.json {
        print_json(&terminals)?;
        return Ok(ExitCode::SUCCESS);
    }
    if terminals.is_empty() {
        let more = if args.all { "" } else { "; `flightdeck ls --all` shows those that have ended" };
        eprintln!("no terminals: `flightdeck new` starts one{more}");
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let rows: Vec<_> = terminals.iter().map(|info| row(info, style)).collect();
    print_table(&["ID", "STATE", "TITLE", "FOLDER", "AGE"], &rows, style)?;
    Ok(ExitCode::SUCCESS)
}

/// All pages of the list, the oldest terminal first.
async fn all(client: &Client, ended: bool) -> anyhow::Result<Vec<TerminalInfo>> {
    let mut wanted = List { all: ended, limit: Some(PAGE), after: None };
    let mut terminals = Vec::new();
    loop {
        let listed: Listed = client.call("flightdeck.terminal.list", &wanted).await?;
        terminals.extend(listed.terminals);
        wanted.after = listed.next;
        if wanted.after.is_none() {
            break;
        }
    }
    // One that has ended between two pages is on both.
    terminals.sort_by_key(|info| info.id);
    terminals.dedup_by_key(|info| info.id);
    Ok(terminals)
}

pub async fn history(client: &Client, args: &args::History) -> anyhow::Result<ExitCode> {
    let request = History {
        id: args.id,
        limit: Some(args.limit.unwrap_or(usize::MAX)),
        before: None,
        number: args.number,
        diff: args.diff,
        max_bytes: Some(OUTPUT),
    };
    let commands: Commands = client.call("flightdeck.terminal.history", &request).await?;
    if let Some(output) = &commands.output {
        if args.diff && commands.compared_with.is_none() && !args.json {
            let number = args.number.unwrap_or_default();
            bail!("the command {number} of {} did not run there before: there is nothing to compare it with", args.id);
        }
        if args.json {
            print_json(&commands)?;
        } else {
            crate::out::print_text(output)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        print_json(&commands.commands)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let rows: Vec<_> = commands
        .commands
        .iter()
        .map(|command| {
            let exit = match (command.exit_code, command.end) {
                (Some(0), _) => Cell::new("0", style.green("0")),
                (Some(code), _) => Cell::new(&code.to_string(), style.red(&code.to_string())),
                (None, Some(_)) => Cell::plain("?"),
                (None, None) => Cell::new("runs", style.yellow("runs")),
            };
            let took = command.duration_ms.map_or_else(String::new, |ms| short(Duration::from_millis(ms)));
            let text = command.text.as_deref().unwrap_or("?").trim_end();
            let text = match text.split_once('\n') {
                Some((first, _)) => format!("{first} …"),
                None => text.to_owned(),
            };
            vec![
                Cell::plain(&command.number.to_string()),
                exit,
                Cell::plain(&took),
                Cell::plain(command.actor.as_deref().unwrap_or("keyboard")),
                Cell::plain(&text),
            ]
        })
        .collect();
    print_table(&["#", "EXIT", "TIME", "BY", "COMMAND"], &rows, style)?;
    Ok(ExitCode::SUCCESS)
}

fn row(info: &TerminalInfo, style: Style) -> Vec<Cell> {
    let state = match (info.running, &info.signal, info.exit_code) {
        (true, ..) if info.stalled => Cell::new("disk full", style.red("disk full")),
        (true, ..) => {
            let text = visible(info.foreground.as_deref().unwrap_or("running"));
            Cell::new(&text, style.green(&text))
        }
        (false, Some(signal), _) => Cell::new(signal, style.red(signal)),
        (false, None, Some(0)) => Cell::new("exit 0", style.dim("exit 0")),
        (false, None, Some(code)) => {
            let text = format!("exit {code}");
            Cell::new(&text, style.red(&text))
        }
        (false, None, None) => Cell::new("lost", style.red("lost")),
    };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
    let age = Duration::try_from_secs_f64(now - info.created_at).unwrap_or_default();
    vec![
        Cell::new(&info.id.to_string(), style.bold(&info.id.to_string())),
        state,
        Cell::plain(&info.title),
        Cell::plain(&info.cwd),
        Cell::plain(&short(age)),
    ]
}

fn short(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 => format!("{}ms", time.as_millis()),
        1..60 => format!("{:.1}s", time.as_secs_f64()),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3600..86400 => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{}d{:02}h", seconds / 86400, seconds / 3600 % 24),
    }
}
