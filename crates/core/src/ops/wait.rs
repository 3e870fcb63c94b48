//! `flightdeck.terminal.wait`: the first of several conditions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::terminal::{Wait, WaitReason, Waited};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_keeper::Exit;
use flightdeck_term::facts::Process;
use flightdeck_term::log::Offset;
use flightdeck_term::session::{Kind, Prompt, Record, RecordNumber, Session};
use flightdeck_term::wait::{Conditions, Met, first_match, wait};
use regex::{Regex, RegexBuilder};
use serde_json::json;

use crate::aside::in_place;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::reading::begin;
use crate::terminals::run::narrate;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.wait",
        Effects::READS,
        "Wait for a condition",
        "Waits for the first of several conditions in a terminal: its exit, a line that matches `pattern`, a question \
         (`input`), the shell prompt, silence (`quietMs`), a TCP `port` that its processes listen on. With none of them \
         it waits for the end of the command that runs in its shell and gives the `exitCode`, at once if that has ended \
         already, and for the prompt if nothing runs. Says which one it was and \
         returns a cursor; fails with timed_out, with port_taken when another program has the port, and with \
         terminal_ended when the process ends before anything that was asked for. Better than polling.",
    )
    .handle(|hub, request, wait| async move { call(&hub, request, wait).await })
}

/// A pattern that needs more than this is not worth its memory.
const PATTERN_LIMIT: usize = 1 << 20;

/// How many characters of a line a hint shows.
const QUOTED: usize = 80;

/// How long a shell may take to begin with what was typed when nothing tells that it has not.
const BEGINS: Duration = Duration::from_secs(1);

/// How often a shell is looked at that may have read what was typed and not begun with it.
const LOOK: Duration = Duration::from_millis(50);

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
    let mut conditions = Conditions {
        exit: request.exit,
        pattern,
        input: request.input,
        prompt: request.prompt,
        quiet: request.quiet_ms.map(Duration::from_millis),
        port: request.port,
        command: None,
    };
    let reader = call.caller.reader();
    let from = request.from.map_or_else(|| hub.reading().from(request.id, &reader, &session), Offset);
    call.caller.took_effect();
    let limit = call.caller.time_limit(request.timeout_ms);
    let is_met_by_exit = conditions.is_met_by_exit();
    let waiting = async {
        let began = Instant::now();
        if conditions.is_none() {
            conditions.command = meant(hub, &session, request.id, &reader, limit).await;
            // What was typed was no command, or there was none yet.
            conditions.prompt = conditions.command.is_none();
        }
        wait(&session, &conditions, from, limit.saturating_sub(began.elapsed())).await
    };
    let waited = tokio::select! {
        waited = waiting => waited,
        never = narrate(&session, request.id, &call.progress) => match never {},
        () = call.cancelled.clone().wait() => return Err(Error::new(ErrorCode::Cancelled, "the wait was given up")),
    };
    let mut result = Waited {
        reason: WaitReason::Exit,
        cursor: waited.cursor.0,
        line: None,
        exit_code: session.progress().exit.map(Exit::shell_code),
        input: None,
    };
    result.reason = match waited.met {
        Met::Exit(exit) if !is_met_by_exit => return Err(ended(request.id, exit, waited.cursor)),
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
        Met::PortTaken { port, process } => return Err(port_taken(request.id, port, process, waited.cursor)),
        Met::Command(code) => {
            if let Some(number) = conditions.command {
                hub.reading().told(request.id, &reader, number);
            }
            result.exit_code = code;
            WaitReason::Command
        }
        Met::TimedOut => {
            let earlier = conditions.pattern.as_ref().filter(|_| request.from.is_none());
            let earlier = earlier.and_then(|pattern| printed_earlier(&session, pattern, from));
            return Err(timed_out(&session, request.id, limit, from, earlier));
        }
        Met::Lost(lost) => return Err(convert::lost(request.id, lost)),
    };
    // One that has failed has shown nothing of what was printed meanwhile.
    hub.reading().noted(request.id, &reader, waited.cursor);
    Ok(result)
}

/// The command whose end is waited for when no condition was given: the one that runs, that was just typed and is about to,
/// or that has ended: at once if nothing follows it, and else without the caller having been told.
async fn meant(hub: &Hub, session: &Session, id: TerminalId, reader: &str, limit: Duration) -> Option<RecordNumber> {
    let last = || session.records().pop();
    let typed = hub.reading().just_typed(id);
    let is_answered =
        |record: Option<&Record>, typed: Offset| record.is_some_and(|it| it.end.is_none_or(|end| end >= typed));
    if let Some(typed) = typed
        && matches!(session.kind(), Kind::Shell(_))
    {
        let mut milestones = session.follow_milestones();
        let is_open = || session.progress().running() && !session.is_at_rest();
        let settled = async {
            while !is_answered(last().as_ref(), typed) && is_open() {
                let _ = tokio::time::timeout(LOOK, milestones.changed()).await;
            }
        };
        // Elsewhere there are no marks that would tell, and what was typed may have been no command, or none yet.
        let at_prompt = matches!(session.prompt(), Prompt::Ready { .. });
        let _ = tokio::time::timeout(if at_prompt { limit } else { BEGINS.min(limit) }, settled).await;
    }
    let record = last()?;
    let is_answered = typed.is_none_or(|typed| is_answered(Some(&record), typed));
    // Nothing comes after it that could be waited for: its shell tells of each command, or is at its prompt.
    let tells = matches!(session.kind(), Kind::Shell(setup) if setup.kind.announces());
    let is_last = || tells || session.prompt() == Prompt::Ready { typed: false };
    let is_news = || !hub.reading().knows(id, reader, record.number);
    (record.end.is_none() || is_answered && (is_last() || is_news())).then_some(record.number)
}

fn port_taken(id: TerminalId, port: u16, process: Option<Process>, cursor: Offset) -> Error {
    let whose = process.map(|process| format!("{} (process {})", process.command(), process.pid));
    let whose = whose.unwrap_or_else(|| "a process of another user".to_owned());
    Error::new(ErrorCode::PortTaken, format!("port {port} is not {id}'s: {whose} listens on it"))
        .hint("start your server on another port, or use the one that is there if it is what you want")
        .details(json!({ "port": port, "listener": whose, "cursor": cursor.0 }))
}

fn ended(id: TerminalId, exit: Exit, cursor: Offset) -> Error {
    let code = exit.shell_code();
    let text = format!("{id} ended with exit code {code} before anything that was waited for");
    Error::new(ErrorCode::TerminalEnded, text)
        .hint(if code == 0 {
            "flightdeck.terminal.read shows what it printed: it may have said what you wait for in other words"
        } else {
            "flightdeck.terminal.read shows why; then start it again in a new terminal"
        })
        .details(json!({ "exitCode": code, "cursor": cursor.0 }))
}

/// A line that the command printed before its caller read last, which a wait for news passes by.
fn printed_earlier(session: &Session, pattern: &Regex, read: Offset) -> Option<String> {
    in_place(|| first_match(session, pattern, (begin(session, read), read)))
        .map(|line| line.chars().take(QUOTED).collect())
}

fn timed_out(session: &Session, id: TerminalId, limit: Duration, from: Offset, earlier: Option<String>) -> Error {
    let text = format!("nothing of what was waited for happened in {id} within {} ms", limit.as_millis());
    let hint = if let Some(line) = earlier {
        format!("{line:?} matches, and was printed before you read last: give `from` to look further back")
    } else if matches!(session.prompt(), Prompt::Ready { .. }) {
        "nothing runs there: its shell waits for a command, and flightdeck.terminal.run gives it one".to_owned()
    } else {
        format!("what runs there goes on: look at its screen, or wait on with from: {}", from.0)
    };
    Error::new(ErrorCode::TimedOut, text).hint(hint).details(json!({ "cursor": from.0 }))
}
