//! `flightdeck.terminal.signal`: one signal to the program in the foreground.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{Done, SendSignal};
use flightdeck_keeper::Target;
use flightdeck_term::session::Kind;

use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.signal",
        Effects { idempotent: false, ..Effects::DESTROYS },
        "Send a signal",
        "Sends a signal (INT, TERM, HUP, …) to the program in the foreground of a terminal and nothing else: the shell \
         goes on.",
    )
    .handle(|hub, request, signal| async move { call(&hub, &request, &signal) })
}

fn call(hub: &Arc<Hub>, call: &Call, request: &SendSignal) -> Result<Done, Error> {
    let session = hub.session(request.id)?;
    hub.leases().check(request.id, &call.caller.actor)?;
    let number = convert::signal_number(&request.signal)?;
    // A shell drops its line when it is interrupted.
    hub.typing().redrawn(request.id, &session);
    let target = if matches!(session.kind(), Kind::Piped) { Target::Group } else { Target::Foreground };
    session.signal(number, target).map_err(|error| convert::ended(&error.to_string()))?;
    Ok(Done {})
}
