//! `terminal.resize`: another window size.

use std::sync::Arc;

use flightdeck_contract::terminal::Resize;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_term::session::Kind;
use serde_json::{Value, json};

use crate::convert;
use crate::hub::Hub;

pub(crate) fn call(hub: &Arc<Hub>, resize: &Resize) -> Result<Value, Error> {
    let session = hub.session(resize.id)?;
    let size = convert::size(resize.size)?;
    if matches!(session.kind(), Kind::Piped) {
        return Err(Error::new(ErrorCode::NoTerminal, format!("{} runs on pipes and has no window", resize.id)));
    }
    session.resize(size).map_err(|error| Error::new(ErrorCode::TerminalEnded, error.to_string()))?;
    Ok(json!({}))
}
