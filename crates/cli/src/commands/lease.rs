//! `flightdeck lease` and `flightdeck keep`: who holds the controls, and what stays.

use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::terminal::{LeaseAction, LeaseRequest, LeaseState, Pin};

use super::each::Each;
use super::print_json;
use super::visible::visible;
use crate::args;

pub async fn run(client: &Client, args: args::Lease) -> anyhow::Result<ExitCode> {
    let action = match args.action {
        args::LeaseAction::Show => LeaseAction::Show,
        args::LeaseAction::Take => LeaseAction::Take,
        args::LeaseAction::Release => LeaseAction::Release,
    };
    let request = LeaseRequest { id: args.id, action, reason: args.reason, timeout_ms: None };
    let state: LeaseState = client.call("flightdeck.terminal.lease", &request).await?;
    if args.json {
        print_json(&state)?;
        return Ok(ExitCode::SUCCESS);
    }
    match state.holder {
        Some(holder) => {
            let why = holder.reason.map_or_else(String::new, |reason| format!(": {}", visible(&reason)));
            outln!("{} holds the controls of {}{why}", visible(&holder.actor), args.id)?;
        }
        None => outln!("nobody holds the controls of {}: everybody may type", args.id)?,
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn keep(client: &Client, args: args::Keep) -> anyhow::Result<ExitCode> {
    let keep = async |id| Ok(client.call("flightdeck.terminal.pin", &Pin { id, keep: true }).await?);
    Ok(Each::of(args.ids, keep).await.code())
}
