//! `terminal.remove`: forgets a terminal that has ended, and its log.

use std::sync::Arc;

use flightdeck_contract::terminal::Remove;
use flightdeck_contract::{Error, ErrorCode};
use serde_json::{Value, json};

use crate::convert;
use crate::hub::Hub;

pub(crate) fn call(hub: &Arc<Hub>, remove: &Remove) -> Result<Value, Error> {
    let session = hub.session(remove.id)?;
    if session.progress().running() {
        return Err(Error::new(ErrorCode::StillRunning, format!("{} still runs", remove.id))
            .hint(format!("end it first: `flightdeck kill {}`", remove.id)));
    }
    session.let_go();
    hub.discard(remove.id).map_err(|error| convert::io_error("the terminal's files can't be removed", &error))?;
    Ok(json!({}))
}
