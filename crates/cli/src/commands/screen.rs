//! `flightdeck screen`: what a person would see, as text, with colours, or as a picture.

use std::process::ExitCode;

use anyhow::Context;
use flightdeck_client::Client;
use flightdeck_contract::terminal::LookAtScreen;

use super::print_json;
use crate::args;

pub async fn run(client: Client, args: &args::Screen) -> anyhow::Result<ExitCode> {
    let look = LookAtScreen { id: args.id, ansi: args.ansi, image: args.png.is_some() };
    let mut stream = client.stream(&look).await?;
    let picture = stream.next().await?.map(|(_, png)| png).unwrap_or_default();
    let shown = stream.end().await?;
    if let Some(path) = &args.png {
        std::fs::write(path, &picture).with_context(|| format!("{} can't be written", path.display()))?;
        if !args.json {
            return Ok(ExitCode::SUCCESS);
        }
    }
    if args.json {
        print_json(&shown)?;
    } else if args.ansi {
        crate::out::print_text(&shown.text)?;
    } else {
        outln!("{}", shown.text)?;
    }
    Ok(ExitCode::SUCCESS)
}
