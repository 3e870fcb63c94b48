//! `flightdeck.terminal.remove`: forgets a terminal that has ended, and its log.

use std::sync::Arc;

use flightdeck_contract::terminal::{Done, Remove};
use flightdeck_contract::{Error, ErrorCode};

use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::known;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.remove",
        Effects::DESTROYS,
        "Remove a terminal",
        "Forgets a terminal that has ended, with its log and its records.",
    )
    .for_front_ends()
    .aside(|hub, _, remove| call(hub, &remove))
}

fn call(hub: &Arc<Hub>, remove: &Remove) -> Result<Done, Error> {
    let session = hub.session(remove.id)?;
    if session.progress().running() {
        return Err(Error::new(ErrorCode::StillRunning, format!("{} still runs", remove.id))
            .hint(format!("end it first: `flightdeck kill {}`", remove.id)));
    }
    session.let_go();
    known::discard(hub, remove.id)
        .map_err(|error| convert::io_error("the terminal's files can't be removed", &error))?;
    Ok(Done {})
}
