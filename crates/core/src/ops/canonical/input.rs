//! `execute` in a terminal whose program waits for input: what is sent is the answer to it, and no command.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::canonical::{Mode, Outcome, Request, Status};
use flightdeck_contract::terminal::Send;
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_term::log::Offset;
use flightdeck_term::session::{Kind, Session};
use flightdeck_term::wait::{Conditions, wait};

use super::execute::{authorised, line};
use super::{Known, Success, identity};
use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::input;
use crate::terminals::output::{Look, budget, render, whole_output};
use crate::terminals::plumbing::Plumbing;
use crate::terminals::typing::Onto;

/// When nothing was printed for so long after an answer, the program is taken to wait for more.
const QUIET: Duration = Duration::from_millis(500);

/// What would be typed, when the terminal's program waits for input.
pub(super) fn of(hub: &Hub, request: &Request, id: TerminalId) -> Option<Send> {
    request.execution.command.as_ref()?;
    hub.session(id).ok().filter(|session| session.asks()).map(|_| keystrokes(request, id))
}

fn keystrokes(request: &Request, id: TerminalId) -> Send {
    let text = Some(line(request)).filter(|text| !text.is_empty());
    Send { text, keys: vec!["Enter".to_owned()], ..Send::to(id) }
}

/// Whether what was decided about is input. What was let through as an answer to a program must not become a command,
/// nor the other way round.
pub(super) fn is_meant(hub: &Hub, call: &Call, id: TerminalId) -> Result<bool, Error> {
    let asks = hub.session(id)?.asks();
    if call.caller.actor.is_human() {
        return Ok(asks);
    }
    let as_input = call.permit.decided.as_ref().is_none_or(|intent| !intent.is_certain());
    if as_input && !asks {
        let text = format!("the program in {id} does not wait for input any more: nothing was typed");
        return Err(Error::new(ErrorCode::TerminalBusy, text).hint("read_output tells what it did; then try again"));
    }
    Ok(as_input)
}

/// Types it, and gives what the program prints until it is done or silent.
pub(super) async fn send(
    hub: &Arc<Hub>,
    call: Call,
    request: &Request,
    id: TerminalId,
    known: &Known,
) -> Result<Success, Error> {
    let session = hub.session(id)?;
    let sent = input::send(hub, &call, keystrokes(request, id), Onto::Line).await?;
    known.warn(format!("A program in {id} waits for input: this was typed into it, and not run as a command."));
    let conditions = Conditions { prompt: true, quiet: Some(QUIET), ..Conditions::default() };
    let limit = call.caller.time_limit(Some(request.runtime.timeout_ms));
    wait(&session, &conditions, Offset(sent.cursor), limit).await;
    let (outcome, budget) = (authorised(&call.permit), budget(None, &call.caller));
    let result = aside(move || printed(&session, id, Offset(sent.cursor), budget, outcome)).await??;
    let status = if result.running == Some(true) { Status::Accepted } else { Status::Completed };
    Ok(Success { status, identity: identity(id, Mode::Interactive), result })
}

fn printed(session: &Session, id: TerminalId, from: Offset, budget: usize, outcome: Outcome) -> Result<Outcome, Error> {
    let unreadable = |error| convert::io_error("the output can't be read", &error);
    let progress = session.progress();
    let last = matches!(session.kind(), Kind::Shell(_)).then(|| session.records().pop()).flatten();
    let ended = last.as_ref().and_then(|record| record.end);
    let end = ended.map_or_else(|| session.log().bounds().map(|(_, end)| end), Ok).map_err(unreadable)?;
    let rendered = render(session.log(), from, end.max(from), budget, Look::Plain).map_err(unreadable)?;
    Ok(Outcome {
        stdout: Some(Plumbing::of(session).remove(rendered.text)),
        exit_code: last
            .and_then(|record| record.exit)
            .or_else(|| progress.exit.map(flightdeck_keeper::Exit::shell_code)),
        running: Some(ended.is_none() && progress.running()),
        truncated: rendered.omitted > 0,
        omitted_bytes: rendered.omitted,
        whole_output: whole_output(id, from, end.max(from), rendered.omitted > 0),
        ..outcome
    })
}
