//! `read_output`: what a session has printed, while it runs and after it has ended.

use std::sync::Arc;

use flightdeck_contract::canonical::{Mode, Outcome, Status};
use flightdeck_contract::{Error, TerminalId};
use flightdeck_term::log::Offset;
use flightdeck_term::session::Session;

use super::execute::left_out;
use super::state::{State, state};
use super::{Success, identity, mode_of};
use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::output::{Look, budget, render, whole_output};
use crate::terminals::plumbing::Plumbing;

pub(super) async fn call(hub: &Arc<Hub>, call: &Call, id: TerminalId) -> Result<Success, Error> {
    let (session, mode) = (hub.session(id)?, mode_of(hub, id));
    let budget = budget(None, &call.caller);
    let result = aside(move || read(&session, (id, mode), budget)).await??;
    let status = if result.running == Some(true) { Status::Accepted } else { Status::Completed };
    Ok(Success { status, identity: identity(id, mode), result })
}

fn read(session: &Session, (id, mode): (TerminalId, Mode), budget: usize) -> Result<Outcome, Error> {
    let unreadable = |error| convert::io_error("the output can't be read", &error);
    let (start, end) = session.log().bounds().map_err(unreadable)?;
    let State { last, running, exit_code, .. } = state(session);
    let (from, to) = match &last {
        Some(record) => (record.start.max(start), record.end.unwrap_or(end)),
        None => (start, end),
    };
    let rendered = render(session.log(), from, Offset::max(to, from), budget, Look::Plain).map_err(unreadable)?;
    Ok(Outcome {
        stdout: Some(Plumbing::of(session).remove(rendered.text)),
        stderr: Some(rendered.stderr).filter(|text| !text.is_empty() || mode == Mode::Headless),
        exit_code,
        running: Some(running),
        warning: left_out(id, rendered.omitted),
        truncated: rendered.omitted > 0,
        omitted_bytes: rendered.omitted,
        whole_output: whole_output(id, from, Offset::max(to, from), rendered.omitted > 0),
        ..Outcome::default()
    })
}
