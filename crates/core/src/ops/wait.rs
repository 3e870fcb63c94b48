//! `flightdeck.terminal.wait`: the first of several conditions.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Wait, WaitReason, Waited};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Exit;
use flightdeck_term::log::Offset;
use flightdeck_term::wait::{Conditions, Met, wait};
use regex::RegexBuilder;

use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::run::narrate;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.wait",
        Effects::READS,
        "Wait for a condition",
        "Waits for the first of several conditions in a terminal: its exit, a line that matches `pattern`, a question \
         (`input`), the shell prompt, silence (`quietMs`), an open TCP `port`. Says which one it was and returns a \
         cursor. Better than polling.",
    )
    .handle(|hub, request, wait| async move { call(&hub, request, wait).await })
}

/// A pattern that needs more than this is not worth its memory.
const PATTERN_LIMIT: usize = 1 << 20;

async fn call(hub: &Arc<Hub>, call: Call, request: Wait) -> Result<Waited, Error> {
    let session = hub.session(request.id)?;
    let pattern = match &request.pattern {
        Some(text) => Some(
            RegexBuilder::new(text)
                .size_limit(PATTERN_LIMIT)
                .build()
                .map_err(|error| Error::invalid("pattern", error))?,
        ),
        None => None,
    };
    let conditions = Conditions {
        exit: request.exit,
        pattern,
        input: request.input,
        prompt: request.prompt,
        quiet: request.quiet_ms.map(Duration::from_millis),
        port: request.port,
    };
    let from = request.from.map_or(session.progress().seen, Offset);
    call.caller.took_effect();
    let waited = tokio::select! {
        waited = wait(&session, &conditions, from, call.caller.time_limit(request.timeout_ms)) => waited,
        never = narrate(&session, request.id, &call.progress) => match never {},
        () = call.cancelled.clone().wait() => return Err(Error::new(ErrorCode::Cancelled, "the wait was given up")),
    };
    let mut result = Waited {
        reason: WaitReason::Timeout,
        cursor: waited.cursor.0,
        line: None,
        exit_code: session.progress().exit.map(Exit::shell_code),
        input: None,
    };
    result.reason = match waited.met {
        Met::Exit(_) => WaitReason::Exit,
        Met::Pattern(line) => {
            result.line = Some(line);
            WaitReason::Pattern
        }
        Met::Input(input) => {
            result.input = Some(convert::input_state(input));
            WaitReason::Input
        }
        Met::Prompt => WaitReason::Prompt,
        Met::Quiet => WaitReason::Quiet,
        Met::Port(_) => WaitReason::Port,
        Met::TimedOut => WaitReason::Timeout,
        Met::Lost => WaitReason::Lost,
    };
    Ok(result)
}
