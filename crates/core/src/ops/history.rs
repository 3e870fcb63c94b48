//! `flightdeck.terminal.history`: the commands that ran in a shell, what one printed, and what changed since its last run.

use std::sync::Arc;

use flightdeck_contract::terminal::{CommandRecord, Commands, History};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Exit;
use flightdeck_term::log::Offset;
use flightdeck_term::session::Session;
use similar::TextDiff;

use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::output::{Look, Rendered, budget, render};
use crate::terminals::plumbing::Plumbing;

const DEFAULT_LIMIT: usize = 50;
/// Longer outputs are compared by their beginnings and ends.
const COMPARED: usize = 512 * 1024;
/// Unchanged lines around a change.
const CONTEXT: usize = 3;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.history",
        Effects::READS,
        "Command history",
        "Lists the commands that ran in a shell terminal with exit codes, times and where their output is. With \
         `number` it returns that command's output, and with `diff` only what changed since the same command ran \
         before: the short way to see what a second test run says differently.",
    )
    .aside(|hub, request, history| call(hub, request, &history))
}

fn call(hub: &Arc<Hub>, call: &Call, history: &History) -> Result<Commands, Error> {
    if history.diff && history.number.is_none() {
        return Err(Error::invalid("diff", "say which command to compare: give its `number`"));
    }
    let session = hub.session(history.id)?;
    let all = commands(hub, history, &session);
    if let Some(number) = history.number {
        return one(&session, &all, number, history, budget(history.max_bytes, &call.caller));
    }
    let before = history.before.unwrap_or(u64::MAX);
    let mut commands: Vec<_> = all.into_iter().filter(|command| command.number < before).collect();
    let surplus = commands.len().saturating_sub(history.limit.unwrap_or(DEFAULT_LIMIT));
    commands.drain(..surplus);
    Ok(Commands { commands, more: surplus > 0, output: None, omitted_bytes: None, compared_with: None })
}

fn commands(hub: &Hub, history: &History, session: &Session) -> Vec<CommandRecord> {
    let mut commands: Vec<_> = session.records().iter().map(convert::record).collect();
    // A shell that is gone runs nothing, even if its terminal is still held open.
    let progress = session.progress();
    if let Some(last) = commands.last_mut().filter(|last| last.end.is_none() && !progress.running()) {
        last.end = Some(progress.seen.0);
        last.exit_code = progress.exit.map(Exit::shell_code);
    }
    // The first command runs where the shell was started; from then on the shell tells.
    if let Some(first) = commands.first_mut().filter(|command| command.number == 1 && command.cwd.is_none()) {
        first.cwd = hub.meta(history.id).map(|meta| meta.cwd.to_string_lossy().into_owned());
    }
    commands
}

fn one(
    session: &Session,
    all: &[CommandRecord],
    number: u64,
    history: &History,
    budget: usize,
) -> Result<Commands, Error> {
    let record = all.iter().find(|command| command.number == number).ok_or_else(|| {
        let newest = all.last().map_or_else(|| "none ran yet".into(), |last| format!("the newest is {}", last.number));
        Error::new(
            ErrorCode::InvalidArgument,
            format!("number: there is no command {number} in {}: {newest}", history.id),
        )
    })?;
    let earlier =
        all.iter().rev().find(|other| other.number < number && other.text.is_some() && other.text == record.text);
    let (text, omitted, compared_with) = if let Some(earlier) = earlier.filter(|_| history.diff) {
        let (old, new) = (printed(session, earlier, COMPARED)?, printed(session, record, COMPARED)?);
        let (text, omitted) = difference(&old.text, &new.text, earlier.number, number, budget);
        (text, omitted + old.omitted + new.omitted, Some(earlier.number))
    } else {
        let printed = printed(session, record, budget)?;
        (printed.text, printed.omitted, None)
    };
    Ok(Commands {
        commands: vec![record.clone()],
        more: false,
        output: Some(text),
        omitted_bytes: Some(omitted).filter(|omitted| *omitted > 0),
        compared_with,
    })
}

fn printed(session: &Session, record: &CommandRecord, budget: usize) -> Result<Rendered, Error> {
    let end = record.end.map_or(session.progress().seen, Offset);
    let rendered = render(session.log(), Offset(record.start), end, budget, Look::Plain)
        .map_err(|error| convert::io_error("the output can't be read", &error))?;
    Ok(Rendered { text: Plumbing::of(session).remove(rendered.text), ..rendered })
}

/// The lines that changed, and how many bytes of them did not fit.
fn difference(old: &str, new: &str, old_number: u64, new_number: u64, budget: usize) -> (String, u64) {
    let diff = TextDiff::from_lines(old, new);
    let (before, after) = (format!("run {old_number}"), format!("run {new_number}"));
    let mut text = diff.unified_diff().context_radius(CONTEXT).header(&before, &after).to_string();
    if text.len() <= budget {
        return (text, 0);
    }
    let kept = text.floor_char_boundary(budget);
    let omitted = (text.len() - kept) as u64;
    text.truncate(kept);
    (text, omitted)
}
