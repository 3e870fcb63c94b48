//! `flightdeck.terminal.exec`: one process per command, awaited, with its output as a result or as a stream.

use std::sync::Arc;

use flightdeck_contract::terminal::{Exec, Ran, TerminalEvent};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_term::exec::{Ending, wait_for_exit};
use flightdeck_term::kill::GRACE;
use flightdeck_term::log::Offset;
use flightdeck_term::session::Session;
use rustix::process::Signal;

use super::kill::check_gone;
use super::new::{Purpose, Start, start};
use super::run::{narrate, rendered, result};
use super::timeout;
use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::output::{Rendered, budget};
use crate::terminals::stream::{Form, Until, stream};
use crate::registry::{Command, Effects, define};
use crate::stream::Emit;

pub(crate) fn command() -> Command {
    define(
        "flightdeck.terminal.exec",
        Effects::EXECUTES,
        "Run a program",
        "Starts one program with its arguments, on a terminal or on pipes, and waits for its end; its output comes in \
         the result or as a stream.",
    )
    .for_front_ends()
    .events::<TerminalEvent>()
    .handle_executing(|hub, request, exec| async move { call(&hub, request, exec).await })
}

pub(crate) async fn call(hub: &Arc<Hub>, call: Call, exec: Exec) -> Result<Ran, Error> {
    if exec.terminal.command.is_none() {
        return Err(Error::invalid("terminal.command", "it is required: the program and its arguments"));
    }
    let session = start(hub, &call.caller, Start::of(exec.terminal.clone(), Purpose::Transient)).await?;
    wait_for(call, exec, session).await
}

/// Waits for a program that was started, as it was asked.
pub(crate) async fn wait_for(call: Call, exec: Exec, session: Arc<Session>) -> Result<Ran, Error> {
    let id = convert::terminal_id(session.id())
        .ok_or_else(|| Error::new(ErrorCode::Internal, "the new terminal has no id"))?;
    // Streamed runs are for people, who end them by hand: no time limit unless one is asked for.
    let limit = if exec.stream {
        exec.timeout_ms.map(std::time::Duration::from_millis)
    } else {
        Some(timeout(exec.timeout_ms, &call.caller))
    };
    let waiting = wait_for_exit(&session, limit, Box::pin(call.cancelled.clone().wait()));
    let mut outcome = if exec.stream {
        let emit = Emit::of(&call);
        let streaming = stream(&session, Offset::ZERO, Until::Ended, Form::Raw, &emit);
        tokio::pin!(waiting, streaming);
        tokio::select! {
            outcome = &mut waiting => {
                if matches!(outcome.ending, Ending::Process(_)) {
                    // The rest of the output: it is on disk already.
                    streaming.await?;
                }
                outcome
            }
            streamed = &mut streaming => {
                streamed?;
                waiting.await
            }
        }
    } else {
        tokio::select! {
            outcome = waiting => outcome,
            never = narrate(&session, id, &call.progress) => match never {},
        }
    };
    if outcome.ending == Ending::TimedOut && exec.kill_on_timeout {
        end_tree(Arc::clone(&session)).await?;
        outcome.end = session.log().bounds().map_or(outcome.end, |(_, end)| end);
    }
    let rendered = if exec.stream {
        Rendered::default()
    } else {
        rendered(&session, &outcome, budget(exec.max_bytes, &call.caller), exec.raw).await?
    };
    let mut ran = result(id, &outcome, rendered)?;
    ran.running &= session.progress().running();
    Ok(ran)
}

async fn end_tree(session: Arc<Session>) -> Result<(), Error> {
    check_gone(&aside(move || session.tree().kill(Signal::TERM, GRACE)).await?)
}
