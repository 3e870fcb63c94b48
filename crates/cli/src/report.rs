//! How failures are told: in words on standard error, and for programs that asked for JSON as a value on standard output too.

use clap::ArgMatches;
use serde_json::{Value, json};

use crate::{find, style};

/// What of the command line counts for how a failure is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// The result is wanted as JSON.
    pub json: bool,
}

impl Asked {
    /// From the arguments of the innermost command.
    pub fn of(matches: &ArgMatches) -> Self {
        match matches.subcommand() {
            Some((_, inner)) => Asked::of(inner),
            None => Asked { json: matches.try_get_one("json").ok().flatten().is_some_and(|json| *json) },
        }
    }
}

/// Tells why everything failed.
pub fn whole(error: &anyhow::Error, asked: Asked) -> std::io::Result<()> {
    words(error);
    if asked.json {
        // On one line: so it fits among results that are one line each.
        outln!("{}", json!({ "error": as_json(error) }))?;
    }
    Ok(())
}

/// Tells a failure to people.
pub fn words(error: &anyhow::Error) {
    let style = style::stderr();
    eprintln!("{} {error:#}", style.red("flightdeck:"));
    if let Some(hint) = find::refusal(error).and_then(|error| error.hint.as_ref()) {
        eprintln!("{} {hint}", style.dim("hint:"));
    }
}

/// The same for programs. Only what the hub has said has a code.
pub fn as_json(error: &anyhow::Error) -> Value {
    match find::refusal(error) {
        Some(refusal) => json!(refusal),
        None => json!({ "message": format!("{error:#}") }),
    }
}
