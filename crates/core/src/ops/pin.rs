//! `flightdeck.terminal.pin`: whether a terminal stays when the agent that started it leaves.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{Done, Pin};

use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::known;

pub(crate) fn command() -> Command {
    define(Family::Terminal, "flightdeck.terminal.pin",
        Effects::WRITES,
        "Keep a terminal",
        "Keeps a terminal, and what runs in it, after the agent that started it has disconnected; `keep: false` lets it \
         go with its agent again.",
    )
    .aside(|hub, request, pin| call(hub, request, &pin))
}

fn call(hub: &Arc<Hub>, call: &Call, pin: &Pin) -> Result<Done, Error> {
    let session = hub.session(pin.id)?;
    // What a command has left in the background can be kept after its end.
    if pin.keep && !session.progress().running() && session.tree().members().is_empty() {
        return Err(convert::ended(&format!("{} has ended: nothing runs there that could be kept", pin.id)));
    }
    hub.leases().check(pin.id, &call.caller.actor)?;
    known::pin(hub, pin.id, pin.keep, &call.caller.actor)?;
    Ok(Done {})
}
