//! `flightdeck.terminal.exec`: one process per command, awaited, with its output as a result or as a stream.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Exec, Ran};
use flightdeck_contract::{Error, ErrorCode, Streams};
use flightdeck_term::exec::{Ending, Patience, wait_for_exit};
use flightdeck_term::kill::GRACE;
use flightdeck_term::log::Offset;
use flightdeck_term::session::{InputError, Kind, Session};
use rustix::process::Signal;

use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Emit, Received};
use crate::terminals::output::Rendered;
use crate::terminals::run::{awaited, finished, over};
use crate::terminals::start::{Purpose, Start, Started, start};
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

async fn call(hub: &Arc<Hub>, mut call: Call, exec: Exec) -> Result<Ran, Error> {
    if exec.terminal.command.is_none() {
        return Err(Error::invalid("terminal.command", "it is required: the program and its arguments"));
    }
    let within = Some(call.caller.time_limit(exec.timeout_ms));
    let begin = Start { within, ..Start::of(exec.terminal.clone(), Purpose::Transient) };
    let started = start(hub, &call.caller, begin).await?;
    let session = Arc::clone(&started.session);
    let (input, is_human) = (call.input.take(), call.caller.actor.is_human());
    let feeding = async {
        if is_human { convert::input_error(&feed(&session, input).await) } else { refuse(&session, input).await }
    };
    tokio::select! {
        ran = async { if exec.stream { streamed(call, exec, started).await } else { awaited(call, exec, started).await } } => ran,
        failed = feeding => {
            let _ = aside(move || session.tree().kill(Signal::TERM, GRACE)).await;
            Err(failed)
        }
    }
}

/// What a shell reads there could not be seen to, so a program of an agent gives nothing to another one. Resolves when it does.
async fn refuse(session: &Session, mut input: Received) -> Error {
    if input.recv().await.is_some() {
        let text = "a program of an agent can't stream into another one: it was ended";
        return Error::new(ErrorCode::NotAllowed, text)
            .hint("have the command read a file itself, as in `sh -c 'command < file'`");
    }
    end(session, b'\n').await;
    std::future::pending().await
}

/// Gives a program what its caller sends, up to the end of that. Never resolves unless it is lost on the way.
async fn feed(session: &Session, mut input: Received) -> InputError {
    let mut last = b'\n';
    while let Some(bytes) = input.recv().await {
        last = bytes.last().copied().unwrap_or(last);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            match session.write(rest).await {
                Ok(()) => rest = &[],
                // It has other things to do first.
                Err(InputError::NotRead { written, .. }) => rest = &rest[written..],
                // It reads no more, as `head` does.
                Err(InputError::Ended | InputError::Closed) => return std::future::pending().await,
                Err(error) => return error,
            }
        }
    }
    end(session, last).await;
    std::future::pending().await
}

/// Ends the input of a program. `last`: what it was given last.
async fn end(session: &Session, last: u8) {
    // On a terminal, the first ends a line that was begun.
    let ends: &[u8] = if last == b'\n' { b"\x04" } else { b"\x04\x04" };
    let _gone = match session.kind() {
        Kind::Piped => session.close_input().await,
        _ => session.write(ends).await,
    };
}

async fn streamed(call: Call, exec: Exec, started: Started) -> Result<Ran, Error> {
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
    finished(&started, &outcome, Rendered::default()).inspect(|ran| call.report.ran(ran, None))
}
