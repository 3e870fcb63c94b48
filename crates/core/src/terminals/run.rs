//! Bounded runs: a command in a live shell or as a process of its own, awaited, with what it printed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Exec, New, Ran, Run};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_term::exec::{Ending, Outcome, Patience, Placed, RunError, run_in_shell, wait_for_exit};
use flightdeck_term::facts::Input;
use flightdeck_term::kill::GRACE;
use flightdeck_term::session::{Kind, PendingRun, Session};
use flightdeck_term::shell::RunId;
use rustix::process::Signal;

use super::afterwards::{self, Telling};
use super::default_shell;
use super::end::check_gone;
use super::excerpt::last;
use super::output::{Look, Rendered, budget, render, text_of, whole_output};
use super::plumbing::Plumbing;
use super::running;
use super::start::{Purpose, Start, Started, start};
use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::progress::Progress;

/// Why a command has no exit code although it has ended, and what to do.
pub(crate) const UNTOLD: &str = "its exit code is not known: the shell is at its prompt, but something has replaced what \
                                 tells us how commands end (PROMPT_COMMAND, PS1, precmd_functions). The next command \
                                 works as usual; run what you need the code of once more. Only a function that asks by \
                                 `read -e` looks the same, and is given up by the next command";

/// How long a caller waits for a command. An agent has to answer its questions, and is told at once; a person sees the
/// question, and can make room.
fn patience(call: &Call, asked_ms: Option<u64>) -> Patience {
    let is_agent = !call.caller.actor.is_human();
    Patience { time: Some(call.caller.time_limit(asked_ms)), until_asked: is_agent, until_stalled: is_agent }
}

/// Runs a command in the shell of a terminal.
pub(crate) async fn in_shell(hub: &Arc<Hub>, call: Call, id: TerminalId, run: Run) -> Result<Ran, Error> {
    if run.cwd.is_some() || !run.env.is_empty() {
        let field = if run.cwd.is_some() { "cwd" } else { "env" };
        return Err(Error::invalid(field, "a running shell has its own: leave it out, or leave out `id`"));
    }
    let session = hub.session(id)?;
    hub.leases().check(id, &call.caller.actor)?;
    let pending = PendingRun {
        run: RunId::random().map_err(|error| convert::io_error("no random number", &error))?,
        text: run.command,
        actor: Some(call.actor()),
        from: session.progress().seen,
    };
    let noted = hub.typing().noted(id);
    let note = |pending: &PendingRun| {
        hub.typing().replaced(id, &session, &noted);
        running::note(hub.store(), id, pending)
    };
    let decided = call.permit.decided.as_ref().and_then(|intent| intent.cwd.clone());
    // As the kernel tells it: without links.
    let decided = decided.map(|cwd| cwd.canonicalize().unwrap_or(cwd));
    // It may have waited for another command, which went elsewhere.
    let is_there = || decided.is_none() || session.cwd() == decided;
    let may_type = || hub.leases().check(id, &call.caller.actor).is_ok() && is_there();
    // Something that was typed while a command ran may have come to the prompt.
    let is_obscure = || hub.typing().is_obscure(id, &session);
    let placed = |placed| match placed {
        Placed::InLine => call.caller.stands_in_line(),
        Placed::Begun => call.caller.took_effect(),
    };
    let cancel = Box::pin(call.cancelled.clone().wait());
    let patience = patience(&call, run.timeout_ms);
    let outcome = tokio::select! {
        outcome = run_in_shell(&session, pending, (may_type, is_obscure), (note, placed), patience, cancel) => outcome,
        never = narrate(&session, id, &call.progress) => match never {},
    };
    let outcome = match outcome {
        // With who holds them, if they still do.
        Err(RunError::Refused) => {
            hub.leases().check(id, &call.caller.actor)?;
            if !is_there() {
                let text = format!("the shell of {id} has gone to another folder meanwhile: nothing was run");
                return Err(Error::new(ErrorCode::TerminalBusy, text).hint("look where it is and try again"));
            }
            return Err(convert::run_error(&RunError::Refused));
        }
        other => other.map_err(|error| convert::run_error(&error))?,
    };
    let rendered = rendered(&session, &outcome, budget(run.max_bytes, &call.caller), run.raw).await?;
    let mut ran = result(id, &outcome, rendered)?;
    ran.stalled |= ran.running && session.progress().stalled;
    note_question(&session, &mut ran);
    call.report.ran(&ran, outcome.record);
    if let Some(number) = outcome.record.filter(|_| !ran.running) {
        hub.reading().told(id, &call.caller.reader(), number);
    }
    Ok(ran)
}

/// Notes what a command that took too long asks for: nothing else would tell why it does not end. One that takes single keys
/// is an editor, a pager or a REPL, and ends by them.
fn note_question(session: &Session, ran: &mut Ran) {
    if ran.timed_out && ran.running {
        let facts = session.facts();
        let shell = matches!(session.kind(), Kind::Shell(_)).then(|| session.leader()).flatten();
        let takes_keys = facts.input == Input::Raw && facts.group.is_some() && facts.group != shell;
        ran.input = (facts.is_asked() || takes_keys).then(|| convert::input_state(facts.input));
    }
}

/// Runs a command in a shell of its own, whose exit code is the command's.
pub(crate) async fn fresh(hub: &Arc<Hub>, call: Call, run: Run) -> Result<Ran, Error> {
    let shell = default_shell::of(&call.caller.actor);
    let telling = Telling::of(Path::new(&shell), &run.command);
    let (script, command) = if run.command.len() > LONGEST_ARGUMENT {
        if run.command.contains('\0') {
            return Err(Error::invalid("command", "it holds a NUL byte, which no shell can take: remove it"));
        }
        let shown = format!("{}…", &run.command[..run.command.floor_char_boundary(SHOWN)]);
        (Some(run.command), shown)
    } else {
        (None, run.command)
    };
    let terminal =
        New { command: Some(vec![shell, "-c".to_owned(), command]), cwd: run.cwd, env: run.env, ..New::default() };
    let exec = Exec { terminal, timeout_ms: run.timeout_ms, max_bytes: run.max_bytes, raw: run.raw, ..Exec::default() };
    // A person sees the pages and can turn them.
    let pages = call.caller.actor.is_human();
    let within = Some(call.caller.time_limit(exec.timeout_ms));
    let begin = Start { telling, script, pages, within, ..Start::of(exec.terminal.clone(), Purpose::Transient) };
    let tells = begin.telling.is_some();
    let started = start(hub, &call.caller, begin).await?;
    let (id, session) = (started.id, Arc::clone(&started.session));
    let mut ran = awaited(call, exec, started).await?;
    if tells && !ran.running {
        let told = afterwards::told(hub.dir(id), session).await;
        (ran.stages, ran.background) = (told.stages, told.background);
    }
    Ok(ran)
}

/// Waits for a program that was started, as it was asked.
pub(crate) async fn awaited(call: Call, exec: Exec, started: Started) -> Result<Ran, Error> {
    let Started { id, session } = &started;
    let patience = patience(&call, exec.timeout_ms);
    let outcome = tokio::select! {
        outcome = wait_for_exit(session, patience, Box::pin(call.cancelled.clone().wait())) => outcome,
        never = narrate(session, *id, &call.progress) => match never {},
    };
    let outcome = over(session, outcome, &exec).await?;
    let rendered = rendered(session, &outcome, budget(exec.max_bytes, &call.caller), exec.raw).await?;
    finished(&started, &outcome, rendered).inspect(|ran| call.report.ran(ran, None))
}

/// The time is up: ends the program, if that was asked for.
pub(crate) async fn over(session: &Arc<Session>, mut outcome: Outcome, exec: &Exec) -> Result<Outcome, Error> {
    if outcome.ending == Ending::TimedOut && exec.kill_on_timeout {
        let killing = Arc::clone(session);
        check_gone(&aside(move || killing.tree().kill(Signal::TERM, GRACE)).await?)?;
        outcome.end = session.log().bounds().map_or(outcome.end, |(_, end)| end);
    }
    Ok(outcome)
}

/// The contract's view of a program that was awaited.
pub(crate) fn finished(started: &Started, outcome: &Outcome, rendered: Rendered) -> Result<Ran, Error> {
    let mut ran = result(started.id, outcome, rendered)?;
    let now = started.session.progress();
    ran.running &= now.running();
    ran.stalled |= ran.running && now.stalled;
    note_question(&started.session, &mut ran);
    Ok(ran)
}

/// The kernel's limit for one argument. A longer command is handed over in a file.
const LONGEST_ARGUMENT: usize = 128 * 1024 - 1;
/// How much of such a command is shown where terminals are listed.
const SHOWN: usize = 1000;

/// How often a caller is told what a command does.
const NARRATED: Duration = Duration::from_secs(1);
/// How much of the last line is told.
const LAST_LINE: usize = 120;

/// Tells the caller what a command prints, for as long as it is polled.
pub(crate) async fn narrate(session: &Session, id: TerminalId, progress: &Progress) -> std::convert::Infallible {
    let begin = session.progress().seen;
    loop {
        tokio::time::sleep(NARRATED).await;
        let printed = session.progress().seen.since(begin);
        let last = last(session, (1, None), 4 * LAST_LINE, Look::Plain, |bytes| text_of(bytes, Look::Plain));
        let last = last.map(|(_, text)| Plumbing::of(session).remove(text));
        let last: String = last.unwrap_or_default().trim().chars().take(LAST_LINE).collect();
        let last = if last.is_empty() { last } else { format!("; {last}") };
        progress.say_of(id, format!("has printed {printed} bytes{last}"));
    }
}

/// Output of this length is rendered at once; more of it goes to a thread of its own, so that no other caller waits.
const SHORT: u64 = 64 * 1024;

async fn rendered(session: &Session, outcome: &Outcome, budget: usize, raw: bool) -> Result<Rendered, Error> {
    let (log, start, end) = (session.log().clone(), outcome.start, outcome.end);
    let look = Look::of_run(session, raw);
    let rendered = if end.since(start) <= SHORT {
        render(&log, start, end, budget, look)
    } else {
        aside(move || render(&log, start, end, budget, look)).await?
    };
    let rendered = rendered.map_err(|error| convert::io_error("the output can't be read", &error))?;
    Ok(Rendered { text: Plumbing::of(session).remove(rendered.text), ..rendered })
}

/// The contract's view of a bounded run.
fn result(id: TerminalId, outcome: &Outcome, rendered: Rendered) -> Result<Ran, Error> {
    let (exit_code, signal, running) = match outcome.ending {
        // A shell gives 128 + N for a signal, and for a plain `exit 139` as well: only the kernel knows which it was.
        Ending::Code(code) => (Some(code), None, false),
        Ending::Process(exit) => (Some(exit.shell_code()), convert::signal_of(exit), false),
        Ending::InnerShellEnded | Ending::Untold => (None, None, false),
        Ending::TimedOut | Ending::Asks(_) | Ending::Stalled | Ending::Cancelled { running: true } => {
            (None, None, true)
        }
        Ending::Cancelled { running: false } => {
            return Err(Error::new(ErrorCode::Cancelled, "the call was given up and its command stopped"));
        }
        Ending::Lost(lost) => return Err(convert::lost(id, lost)),
    };
    Ok(Ran {
        id,
        output: rendered.text,
        stderr: rendered.stderr,
        exit_code,
        signal,
        stages: if outcome.stages.len() > 1 { outcome.stages.clone() } else { Vec::new() },
        background: Vec::new(),
        timed_out: outcome.ending == Ending::TimedOut,
        running,
        input: match outcome.ending {
            Ending::Asks(input) => Some(convert::input_state(input)),
            _ => None,
        },
        stalled: outcome.ending == Ending::Stalled,
        hint: None,
        untold: outcome.ending == Ending::Untold,
        shell_ended: outcome.record.is_some() && matches!(outcome.ending, Ending::Process(_)),
        duration_ms: outcome.duration.as_millis() as u64,
        start: outcome.start.0,
        end: outcome.end.0,
        omitted_bytes: rendered.omitted,
        whole_output: whole_output(id, outcome.start, outcome.end, rendered.omitted > 0),
    })
}
