//! `hub.stop`: ends the hub, with or without its terminals.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_term::kill::{GRACE, kill_all};
use rustix::process::Signal;
use serde::Deserialize;
use serde_json::{Value, json};

use super::kill;
use crate::aside::aside;
use crate::hub::{Hub, Stop};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Request {
    all: bool,
}

pub(crate) async fn call(hub: &Arc<Hub>, request: Request) -> Result<Value, Error> {
    let mut ended = 0;
    if request.all {
        let trees: Vec<_> = hub.terminals().all().iter().map(|session| session.tree()).collect();
        ended = trees.len();
        kill::check_gone(&aside(move || kill_all(&trees, Signal::HUP, GRACE)).await?)?;
        // It may be gone before it answers.
        let _ = hub.terminals().keeper().shutdown();
    }
    hub.ask_to_stop(if request.all { Stop::All } else { Stop::Hub });
    Ok(json!({ "pid": std::process::id(), "ended": ended }))
}
