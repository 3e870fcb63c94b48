//! `flightdeck.terminal.resize`: another window size.

use std::sync::Arc;

use flightdeck_contract::terminal::{Done, Resize};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_term::session::Kind;

use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::end::check_ours;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.resize",
        Effects::WRITES,
        "Resize a terminal",
        "Changes the rows and columns of a terminal, for programs that draw on the whole screen.",
    )
    .handle(|hub, request, resize| async move { call(&hub, &request, &resize) })
}

fn call(hub: &Arc<Hub>, call: &Call, resize: &Resize) -> Result<Done, Error> {
    let session = hub.session(resize.id)?;
    hub.leases().check(resize.id, &call.caller.actor)?;
    let size = convert::size(resize.size)?;
    if matches!(session.kind(), Kind::Piped) {
        return Err(Error::new(ErrorCode::NoTerminal, format!("{} runs on pipes and has no window", resize.id)));
    }
    check_ours(&session, "resized")?;
    hub.typing().redrawn(resize.id, &session);
    if let Some(viewer) = resize.viewer {
        if hub.viewers().resized(resize.id, &session, viewer, &call.caller.actor, resize.size) {
            return Ok(Done {});
        }
        let text = format!("you are not attached to {} as viewer {}", resize.id, viewer.0);
        return Err(Error::invalid("viewer", text).hint("it is in the first event of flightdeck.terminal.attach"));
    }
    session.resize(size).map_err(|error| Error::new(ErrorCode::TerminalEnded, error.to_string()))?;
    hub.viewers().set(resize.id, resize.size);
    Ok(Done {})
}
