//! `flightdeck.terminal.exec`: one process per command, awaited, with its output as a result or as a stream.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Exec, Ran};
use flightdeck_contract::{Error, Streams};
use flightdeck_term::exec::{Ending, Patience, wait_for_exit};
use flightdeck_term::log::Offset;

use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::Emit;
use crate::terminals::output::Rendered;
use crate::terminals::run::{finished, over, program};
use crate::terminals::start::{Purpose, Start, start};
use crate::terminals::stream::{Form, Until, stream};

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        Exec::COMMAND,
        Effects::EXECUTES,
        "Run a program",
        "Starts one program with its arguments, on a terminal or on pipes, and waits for its end; its output comes in \
         the result or as a stream.",
    )
    .for_front_ends()
    .events::<Exec>()
    .handle_executing(|hub, request, exec| async move { call(&hub, request, exec).await })
}

async fn call(hub: &Arc<Hub>, call: Call, exec: Exec) -> Result<Ran, Error> {
    if exec.terminal.command.is_none() {
        return Err(Error::invalid("terminal.command", "it is required: the program and its arguments"));
    }
    if exec.stream { streamed(hub, call, exec).await } else { program(hub, call, exec).await }
}

async fn streamed(hub: &Arc<Hub>, call: Call, exec: Exec) -> Result<Ran, Error> {
    let started = start(hub, &call.caller, Start::of(exec.terminal.clone(), Purpose::Transient)).await?;
    let session = &started.session;
    // For people, who end it by hand: no time limit unless one is asked for.
    let limit = exec.timeout_ms.map(Duration::from_millis);
    let waiting = wait_for_exit(
        session,
        Patience { time: limit, ..Patience::default() },
        Box::pin(call.cancelled.clone().wait()),
    );
    let emit = Emit::of(&call);
    let streaming = stream(session, Offset::ZERO, Until::Ended, Form::Raw, &emit);
    tokio::pin!(waiting, streaming);
    let outcome = tokio::select! {
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
    };
    let outcome = over(session, outcome, &exec).await?;
    finished(&started, &outcome, Rendered::default())
}
