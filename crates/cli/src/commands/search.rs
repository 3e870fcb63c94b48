//! `flightdeck search`: lines of any terminal's output.

use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::terminal::{Found, Match, Search};

use super::print_json;
use crate::args;
use crate::style;

pub async fn run(client: &Client, args: args::Search) -> anyhow::Result<ExitCode> {
    let request = Search {
        pattern: args.pattern,
        id: args.terminal,
        literal: args.literal,
        ignore_case: args.ignore_case,
        context: Some(args.context),
        max_matches: Some(args.max),
        from: None,
    };
    let found: Found = client.call("flightdeck.terminal.search", &request).await?;
    if args.json {
        print_json(&found)?;
    } else {
        let style = style::stdout();
        let mut last: Option<&Match> = None;
        for matched in &found.matches {
            if last.is_some_and(|last| args.context > 0 && is_apart(last, matched, args.context)) {
                outln!("{}", style.dim("--"))?;
            }
            last = Some(matched);
            let place = format!("{}@{}:", matched.id, matched.cursor);
            for line in &matched.before {
                outln!("{}", style.dim(line))?;
            }
            outln!("{} {}", style.green(&place), matched.line)?;
            for line in &matched.after {
                outln!("{}", style.dim(line))?;
            }
        }
        if found.truncated {
            eprintln!("{}", style::stderr().yellow("[there is more: narrow the search, or raise --max]"));
        }
    }
    Ok(if found.matches.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Whether lines between two matches are left out. Each line is told once.
fn is_apart(last: &Match, next: &Match, context: usize) -> bool {
    last.id != next.id || (last.after.len() == context && next.before.len() == context)
}
