//! `flightdeck open`: this workspace in a browser.

use std::process::{Command, ExitCode, Stdio};

use flightdeck_client::Client;
use flightdeck_contract::hub::{Empty, Link};

use crate::args;

pub async fn run(client: &Client, args: &args::Open) -> anyhow::Result<ExitCode> {
    let link: Link = client.call("flightdeck.hub.link", &Empty {}).await?;
    if args.print || !open(&link.url) {
        outln!("{}", link.url)?;
        if !args.print {
            eprintln!("no browser could be started: open the link by hand within two minutes; it works once");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn open(url: &str) -> bool {
    let opened =
        Command::new("xdg-open").arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    opened.is_ok_and(|status| status.success())
}
