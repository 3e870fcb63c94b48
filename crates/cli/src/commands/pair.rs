//! `flightdeck pair`: makes a pairing code in a window of a person's, and uses it in one that is not known to be theirs.

use std::io::Write as _;
use std::process::ExitCode;

use flightdeck_client::{Client, Error};
use flightdeck_contract::ErrorCode;
use flightdeck_contract::hub::{Empty, Pair, Paired, PairingCode};

use super::print_json;
use super::visible::visible;
use crate::args;
use crate::{style, window};

pub async fn run(client: &Client, args: &args::Pair) -> anyhow::Result<ExitCode> {
    match client.call::<PairingCode>("flightdeck.hub.pairing_code", &Empty {}).await {
        Ok(made) => show(&made, args.json),
        // Whoever is not known yet has a code from somewhere else.
        Err(Error::Hub(error)) if error.code == ErrorCode::NotAllowed => match ask()? {
            Some(code) => redeem(client, code, args.json).await,
            None => Err(Error::Hub(error).into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// Reads the code from standard input. Other processes can read the words of a command line.
fn ask() -> anyhow::Result<Option<String>> {
    if window::is_interactive() {
        eprintln!(
            "Flightdeck does not recognise this window as yours. To pair it, run `flightdeck pair` in a window that"
        );
        eprintln!("is yours, or choose “Pair a program” in the page, and type the code here.");
        eprint!("Code: ");
        std::io::stderr().flush()?;
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(Some(line.trim().to_owned()).filter(|code| !code.is_empty()))
}

fn show(made: &PairingCode, json: bool) -> anyhow::Result<ExitCode> {
    if json {
        print_json(made)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    outln!("{}", style.bold(&made.code))?;
    eprintln!(
        "Run `flightdeck pair` in the window that is not recognised, and type this code there. It works once, within {} \
         minutes.",
        made.expires_in_seconds / 60
    );
    eprintln!("What runs there can then approve commands in your name: do not give the code to an agent.");
    Ok(ExitCode::SUCCESS)
}

async fn redeem(client: &Client, code: String, json: bool) -> anyhow::Result<ExitCode> {
    let paired: Paired = client.call("flightdeck.hub.pair", &Pair { code }).await?;
    if json {
        print_json(&paired)?;
        return Ok(ExitCode::SUCCESS);
    }
    match (&paired.program, paired.pid) {
        (Some(program), Some(pid)) => {
            outln!("paired: {} (process {pid}) and what it starts are yours until it ends", visible(program))?;
        }
        (None, Some(pid)) => outln!("paired: process {pid} and what it starts are yours until it ends")?,
        (_, None) => outln!("paired for this connection only: the kernel does not identify programs")?,
    }
    Ok(ExitCode::SUCCESS)
}
