//! `terminal.run`: a bounded command in a live shell.

use std::sync::Arc;

use flightdeck_contract::terminal::{Ran, Run};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_term::exec::{Ending, Outcome, run_in_shell};
use flightdeck_term::session::{PendingRun, Session};
use flightdeck_term::shell::RunId;

use super::timeout;
use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::output::{DEFAULT_BUDGET, Rendered, render};
use crate::running;

pub(crate) async fn call(hub: &Arc<Hub>, call: Call, run: Run) -> Result<Ran, Error> {
    let session = hub.session(run.id)?;
    let pending = PendingRun {
        run: RunId::random().map_err(|error| convert::io_error("no random number", &error))?,
        text: run.command,
        actor: Some(call.actor),
        from: session.progress().seen,
    };
    let dir = hub.dir(run.id);
    let note = |pending: &PendingRun| running::save(&dir, pending);
    let cancel = Box::pin(call.cancelled.wait());
    let outcome = run_in_shell(&session, pending, note, Some(timeout(run.timeout_ms)), cancel)
        .await
        .map_err(|error| convert::run_error(&error))?;
    let budget = run.max_bytes.unwrap_or(DEFAULT_BUDGET);
    let rendered = rendered(&session, &outcome, budget, run.raw).await?;
    result(run.id, &outcome, rendered)
}

/// Output of this length is rendered at once; more of it goes to a thread of its own, so that no other caller waits.
const SHORT: u64 = 64 * 1024;

pub(crate) async fn rendered(
    session: &Session,
    outcome: &Outcome,
    budget: usize,
    raw: bool,
) -> Result<Rendered, Error> {
    let (log, start, end) = (session.log().clone(), outcome.start, outcome.end);
    let rendered = if end.since(start) <= SHORT {
        render(&log, start, end, budget, raw)
    } else {
        aside(move || render(&log, start, end, budget, raw)).await?
    };
    rendered.map_err(|error| convert::io_error("the output can't be read", &error))
}

/// The contract's view of a bounded run.
pub(crate) fn result(id: TerminalId, outcome: &Outcome, rendered: Rendered) -> Result<Ran, Error> {
    let (exit_code, signal, running) = match outcome.ending {
        Ending::Code(code) => (Some(code), None, false),
        Ending::Process(exit) => (Some(exit.shell_code()), convert::signal_of(exit), false),
        Ending::TimedOut | Ending::Cancelled { running: true } => (None, None, true),
        Ending::Cancelled { running: false } => {
            return Err(Error::new(ErrorCode::Cancelled, "the call was given up and its command stopped"));
        }
        Ending::Lost => {
            return Err(Error::new(ErrorCode::KeeperLost, "the keeper is gone, and the terminal with it")
                .hint(format!("what it printed is still there: `flightdeck logs {id}`")));
        }
    };
    Ok(Ran {
        id,
        output: rendered.text,
        stderr: rendered.stderr,
        exit_code,
        signal,
        stages: if outcome.stages.len() > 1 { outcome.stages.clone() } else { Vec::new() },
        timed_out: outcome.ending == Ending::TimedOut,
        running,
        shell_ended: outcome.record.is_some() && matches!(outcome.ending, Ending::Process(_)),
        duration_ms: outcome.duration.as_millis() as u64,
        start: outcome.start.0,
        end: outcome.end.0,
        omitted_bytes: rendered.omitted,
    })
}
