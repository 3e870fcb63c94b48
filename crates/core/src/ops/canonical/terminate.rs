//! `terminate`: ends a session with everything that it started. Ending one that has ended is fine.

use std::sync::Arc;

use flightdeck_contract::canonical::{Outcome, Status};
use flightdeck_contract::{Error, TerminalId};
use flightdeck_term::kill::GRACE;
use rustix::process::Signal;

use super::{Success, identity, mode_of};
use crate::call::Call;
use crate::hub::Hub;
use crate::terminals::end::end;

pub(super) async fn call(hub: &Arc<Hub>, call: &Call, id: TerminalId) -> Result<Success, Error> {
    let (session, mode) = (hub.session(id)?, mode_of(hub, id));
    if session.progress().running() {
        hub.leases().check(id, &call.caller.actor)?;
    }
    let killed = end(session, Signal::HUP, GRACE).await?;
    let result = Outcome { exit_code: killed.exit_code, running: Some(false), ..Outcome::default() };
    Ok(Success { status: Status::Completed, identity: identity(id, mode), result })
}
