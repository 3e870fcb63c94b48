//! `flightdeck screen`: what a person would see, as text, with colours, or as a picture.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context;
use flightdeck_contract::terminal::{LookAtScreen, ScreenShown};

use super::print_json;
use crate::args;
use crate::client::{Answer, Client};

pub async fn run(mut client: Client, args: &args::Screen) -> anyhow::Result<ExitCode> {
    let look = LookAtScreen { id: args.id, ansi: args.ansi, image: args.png.is_some() };
    client.write.begin("flightdeck.terminal.screen", &look).await?;
    let mut picture = Vec::new();
    let shown: ScreenShown = loop {
        match client.read.next().await? {
            Answer::Data(_, bytes) => picture.extend(bytes),
            Answer::Done(value) => break serde_json::from_value(value)?,
        }
    };
    if let Some(path) = &args.png {
        std::fs::write(path, &picture).with_context(|| format!("{} can't be written", path.display()))?;
        if !args.json {
            return Ok(ExitCode::SUCCESS);
        }
    }
    if args.json {
        print_json(&shown)?;
    } else if args.ansi {
        std::io::stdout().write_all(shown.text.as_bytes())?;
    } else {
        outln!("{}", shown.text)?;
    }
    Ok(ExitCode::SUCCESS)
}
