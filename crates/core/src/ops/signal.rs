//! `terminal.signal`: one signal to the program in the foreground.

use std::sync::Arc;

use flightdeck_contract::terminal::SendSignal;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Target;
use flightdeck_term::session::Kind;
use serde_json::{Value, json};

use crate::convert;
use crate::hub::Hub;

pub(crate) fn call(hub: &Arc<Hub>, request: &SendSignal) -> Result<Value, Error> {
    let session = hub.session(request.id)?;
    let number = convert::signal_number(&request.signal)?;
    let target = if matches!(session.kind(), Kind::Piped) { Target::Group } else { Target::Foreground };
    session.signal(number, target).map_err(|error| Error::new(ErrorCode::TerminalEnded, error.to_string()))?;
    Ok(json!({}))
}
