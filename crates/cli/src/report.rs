//! How failures are told: in words on standard error, and for programs that asked for JSON as a value on standard output too.

use clap::ArgMatches;
use flightdeck_contract::{Error, TerminalId};
use serde_json::{Value, json};

use crate::{find, hints, style};

/// What of the command line counts for how a failure is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// The result is wanted as JSON.
    pub json: bool,
    /// The terminal that it is about, if it is about one.
    pub terminal: Option<TerminalId>,
    /// A command of the hub was called by its name, so that its own words are the right ones.
    pub as_agent: bool,
}

impl Asked {
    /// From the arguments of the innermost command.
    pub fn of(matches: &ArgMatches) -> Self {
        match matches.subcommand() {
            Some(("call", inner)) => Asked { as_agent: true, ..Asked::of(inner) },
            Some((_, inner)) => Asked::of(inner),
            None => Asked {
                as_agent: false,
                json: matches.try_get_one("json").ok().flatten().is_some_and(|json| *json),
                // Other things than terminals have ids, too.
                terminal: ["id", "terminal"].iter().find_map(|name| matches.try_get_one(name).ok().flatten().copied()),
            },
        }
    }
}

/// Tells why everything failed.
pub fn whole(error: &anyhow::Error, asked: Asked) -> std::io::Result<()> {
    words(error, asked);
    if asked.json {
        // On one line: so it fits among results that are one line each.
        outln!("{}", json!({ "error": as_json(error, asked) }))?;
    }
    Ok(())
}

/// Tells a failure to people.
pub fn words(error: &anyhow::Error, asked: Asked) {
    let style = style::stderr();
    eprintln!("{} {error:#}", style.red("flightdeck:"));
    if let Some(hint) = find::refusal(error).and_then(|refusal| hint(refusal, asked)) {
        eprintln!("{} {hint}", style.dim("hint:"));
    }
}

/// The same for programs. Only what the hub has said has a code.
pub fn as_json(error: &anyhow::Error, asked: Asked) -> Value {
    match find::refusal(error) {
        Some(refusal) => json!(Error { hint: hint(refusal, asked), ..refusal.clone() }),
        None => json!({ "message": format!("{error:#}") }),
    }
}

fn hint(error: &Error, asked: Asked) -> Option<String> {
    if asked.as_agent { error.hint.clone() } else { hints::of(error, asked.terminal) }
}
