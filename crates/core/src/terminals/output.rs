//! A command's output as a caller reads it: plain text within a budget, with an honest count of what is left out.

use std::io;

use flightdeck_contract::terminal::{Output, Read};
use flightdeck_contract::{Error, TerminalId};
use flightdeck_keeper::Stream;
use flightdeck_term::log::{Log, Offset, StreamRun};
use flightdeck_term::screen::{Plain, plain};
use flightdeck_term::session::Session;

use crate::actor::Caller;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::excerpt::{Unfinished, last, page};
use crate::terminals::newlines::as_printed;
use crate::terminals::plumbing::Plumbing;

/// How much an agent gets when it sets no budget. Clients cut what is longer than their own limit (10,000 bytes in Codex,
/// 50,000 characters in Claude Code), and output is noise in an agent's memory.
const AGENTS_BUDGET: usize = 16 * 1024;
/// How much a person gets then.
const PEOPLES_BUDGET: usize = 64 * 1024;
/// The most that an agent gets in one answer; the rest can be read from the cursor that it is given.
const LARGEST_BUDGET: usize = 1 << 20;

/// How much a caller gets of an output.
pub(crate) fn budget(asked: Option<usize>, caller: &Caller) -> usize {
    if caller.actor.is_human() {
        return asked.unwrap_or(PEOPLES_BUDGET);
    }
    asked.unwrap_or(AGENTS_BUDGET).min(LARGEST_BUDGET)
}

/// The resource that has all of an output, for an answer that leaves some of it out.
pub(crate) fn whole_output(id: TerminalId, from: Offset, to: Offset, is_shortened: bool) -> Option<String> {
    is_shortened.then(|| format!("terminal://{id}/log?from={}&to={}", from.0, to.0))
}

/// The same for all that a terminal has printed.
pub(crate) fn whole_log(id: TerminalId, log: &Log, is_shortened: bool) -> Option<String> {
    let (from, to) = is_shortened.then(|| log.bounds().ok())??;
    whole_output(id, from, to, is_shortened)
}

/// How many lines are read when the caller says nothing.
const DEFAULT_LINES: usize = 100;

/// Reads what a terminal printed, by lines or by cursor.
pub(crate) fn read(hub: &Hub, caller: &Caller, wanted: &Read) -> Result<Output, Error> {
    if wanted.from.is_some() && wanted.lines.is_some() {
        return Err(Error::invalid("lines", "give either `lines` or `from`, not both"));
    }
    let session = hub.session(wanted.id)?;
    let max = budget(wanted.max_bytes, caller).max(4);
    let to = wanted.to.map(Offset);
    let look = if wanted.raw { Look::Raw } else { Look::Plain };
    let plumbing = Plumbing::of(&session);
    let text = |bytes: &[u8]| plumbing.remove(text_of(bytes, look));
    let read = match wanted.from {
        Some(from) => page(&session, (Offset(from), to), max, Unfinished::Given, look).map(|page| {
            let text = text(&page.bytes);
            (page, text)
        }),
        None => last(&session, (wanted.lines.unwrap_or(DEFAULT_LINES), to), max, look, text),
    };
    let (excerpt, text) = read.map_err(|error| convert::io_error("the log can't be read", &error))?;
    let (_, end) = session.log().bounds().map_err(|error| convert::io_error("the log can't be read", &error))?;
    hub.reading().noted(wanted.id, &caller.reader(), excerpt.next);
    Ok(Output {
        text,
        from: excerpt.from.0,
        next: excerpt.next.0,
        end: end.0,
        more: to.map_or(end, |to| to.min(end)).since(excerpt.next),
        truncated: excerpt.truncated,
        running: session.progress().running(),
    })
}

/// How much output is rendered in the hope that it collapses below the budget (progress bars do).
const WORTH_RENDERING: u64 = 4 << 20;
const STEP: usize = 256 * 1024;

/// What is returned of a stretch of output.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Rendered {
    pub text: String,
    pub stderr: String,
    /// Bytes of the log between head and tail.
    pub omitted: u64,
}

/// Renders `from..to`: whole when it fits, otherwise its beginning and its end.
pub(crate) fn render(log: &Log, from: Offset, to: Offset, budget: usize, look: Look) -> io::Result<Rendered> {
    let streams = log.streams(from, to)?;
    if !streams.is_empty() {
        return render_streams(log, &streams, budget);
    }
    let length = to.since(from);
    if length <= budget as u64 {
        let chunk = log.read(from, Some(to), budget)?;
        let (mut text, omitted) = (String::new(), chunk.from.since(from));
        if omitted > 0 {
            text = gone(omitted);
        }
        text.push_str(&text_of(&chunk.bytes, look));
        return Ok(Rendered { text, stderr: String::new(), omitted });
    }
    if look == Look::Plain && length <= WORTH_RENDERING {
        let text = render_whole(log, from, to)?;
        if text.len() <= budget {
            return Ok(Rendered { text, ..Rendered::default() });
        }
    }
    let head = log.read(from, Some(to), budget / 2)?;
    if head.from > from {
        // The beginning is not in the log any more, so there are no two ends to show.
        return render_last(log, from, to, budget, look);
    }
    let head_end = last_line_end(&head.bytes).unwrap_or(head.bytes.len());
    let tail = log.last_lines(usize::MAX, Some(to), budget / 2)?;
    let tail_start = if tail.from > from { first_line_start(&tail.bytes) } else { 0 };
    let gap_start = from + head_end as u64;
    let gap_end = tail.from + tail_start as u64;
    let omitted = gap_end.since(gap_start);
    let mut text = text_of(&head.bytes[..head_end], look);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&left_out(omitted, gap_start, gap_end));
    text.push_str(&text_of(&tail.bytes[tail_start..], look));
    Ok(Rendered { text, stderr: String::new(), omitted })
}

/// The end of output whose beginning is gone.
fn render_last(log: &Log, from: Offset, to: Offset, budget: usize, look: Look) -> io::Result<Rendered> {
    let tail = log.last_lines(usize::MAX, Some(to), budget)?;
    let start = first_line_start(&tail.bytes);
    let omitted = (tail.from + start as u64).since(from);
    let text = gone(omitted) + &text_of(&tail.bytes[start..], look);
    Ok(Rendered { text, stderr: String::new(), omitted })
}

fn gone(bytes: u64) -> String {
    format!("[... {bytes} bytes left out: the log does not reach back so far ...]\n")
}

/// How bytes of a log become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// As they would look.
    Plain,
    /// As they came.
    Raw,
    /// As the program printed them.
    Printed,
}

impl Look {
    /// How what one command printed is given. Whether the terminal adds returns now is what is known of it.
    pub(crate) fn of_run(session: &Session, raw: bool) -> Self {
        match raw {
            false => Look::Plain,
            true if session.adds_returns() == Some(false) => Look::Raw,
            true => Look::Printed,
        }
    }
}

/// The bytes as text.
pub(crate) fn text_of(bytes: &[u8], look: Look) -> String {
    match look {
        Look::Plain => plain(bytes),
        Look::Raw => String::from_utf8_lossy(bytes).into_owned(),
        Look::Printed => String::from_utf8_lossy(&as_printed(bytes)).into_owned(),
    }
}

fn render_whole(log: &Log, from: Offset, to: Offset) -> io::Result<String> {
    let mut renderer = Plain::default();
    let mut at = from;
    while at < to {
        let chunk = log.read(at, Some(to), STEP)?;
        if chunk.bytes.is_empty() {
            break;
        }
        renderer.push(&chunk.bytes);
        at = chunk.next;
    }
    Ok(renderer.finish())
}

/// Headless output: the streams apart, each with its share of the budget.
fn render_streams(log: &Log, runs: &[StreamRun], budget: usize) -> io::Result<Rendered> {
    let of = |stream: Stream| runs.iter().copied().filter(|run| run.stream == stream).collect::<Vec<_>>();
    let (stdout, stderr) = (of(Stream::Stdout), of(Stream::Stderr));
    let length = |runs: &[StreamRun]| runs.iter().map(|run| run.to.since(run.from)).sum::<u64>();
    // Errors are few as a rule. What they leave is for the rest.
    let errors = usize::try_from(length(&stderr)).unwrap_or(usize::MAX).min(budget / 4);
    let (text, left_out) = render_stream(log, &stdout, length(&stdout), budget - errors)?;
    let (stderr, more) = render_stream(log, &stderr, length(&stderr), errors)?;
    Ok(Rendered { text, stderr, omitted: left_out + more })
}

/// One stream: whole when it fits, otherwise its beginning and its end; and how many bytes of it are left out.
fn render_stream(log: &Log, runs: &[StreamRun], length: u64, budget: usize) -> io::Result<(String, u64)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if length <= budget as u64 {
        return Ok((text(&part(log, runs, 0, length)?), 0));
    }
    let half = budget as u64 / 2;
    let head = part(log, runs, 0, half)?;
    let head = &head[..last_line_end(&head).unwrap_or(head.len())];
    let tail = part(log, runs, length - half, half)?;
    let tail = &tail[first_line_start(&tail)..];
    let omitted = length - (head.len() + tail.len()) as u64;
    let (from, to) = (place(runs, head.len() as u64), place(runs, length - tail.len() as u64));
    let mut cut = text(head);
    if !cut.is_empty() && !cut.ends_with('\n') {
        cut.push('\n');
    }
    cut.push_str(&left_out(omitted, from, to));
    Ok((cut + &text(tail), omitted))
}

/// So many bytes of a stream, after some others of it.
fn part(log: &Log, runs: &[StreamRun], mut skipped: u64, mut wanted: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for run in runs {
        let length = run.to.since(run.from);
        let taken = length.saturating_sub(skipped).min(wanted);
        if taken > 0 {
            let from = run.from + skipped;
            bytes.extend(log.read(from, Some(from + taken), taken as usize)?.bytes);
        }
        skipped = skipped.saturating_sub(length);
        wanted -= taken;
    }
    Ok(bytes)
}

/// Where a byte of a stream is in the log.
fn place(runs: &[StreamRun], mut at: u64) -> Offset {
    for run in runs {
        let length = run.to.since(run.from);
        if at < length {
            return run.from + at;
        }
        at -= length;
    }
    runs.last().map_or(Offset::ZERO, |run| run.to)
}

/// The line in the place of what is left out.
fn left_out(bytes: u64, from: Offset, to: Offset) -> String {
    format!("[... {bytes} bytes left out: those from {} to {} of the log ...]\n", from.0, to.0)
}

fn last_line_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| *byte == b'\n').map(|position| position + 1)
}

fn first_line_start(bytes: &[u8]) -> usize {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(position) if position + 1 < bytes.len() => position + 1,
        _ => flightdeck_term::log::stray_head(bytes),
    }
}
