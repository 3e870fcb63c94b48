//! `read_logs_from_tab`: the last lines that a tab printed.

use std::io;

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{ReadLogs, TabLogs, Whole};
use flightdeck_term::printed::Marks;
use flightdeck_term::session::Session;

use super::check_readable;
use super::text::shown;
use super::{DEFAULT_BYTES, MOST_BYTES};
use crate::convert;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::excerpt::to_the_end;
use crate::terminals::newlines::as_printed;
use crate::terminals::output::whole_log;
use crate::terminals::plumbing::Plumbing;
use crate::terminals::tabs;

const DEFAULT_LINES: usize = 500;
const MOST_LINES: u64 = 100_000;
/// How much more than is given is looked at: a mark may begin there.
const MARGIN: usize = 128 * 1024;

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "read_logs_from_tab",
        Effects::READS,
        "Read a tab's log",
        "Returns the last lines that a tab printed, also while a program runs, after its end, and after a restart of \
         the server. `truncated` says that there were more lines. An answer holds 1 MiB at most, and 32 KiB when `lines` is \
         absent; stream_logs_from_tab reads everything.",
    )
    .aside(|hub, _, request: ReadLogs| {
        let (lines, bytes) = match request.lines {
            Some(Whole(lines)) if lines == 0 || lines > MOST_LINES => {
                return Err(Error::invalid("lines", format!("{lines} is not between 1 and {MOST_LINES}")));
            }
            Some(Whole(lines)) => (lines as usize, MOST_BYTES),
            None => (DEFAULT_LINES, DEFAULT_BYTES),
        };
        let tab = tabs::tab(hub, request.window_id)?;
        check_readable(&tab)?;
        let last = Last::of(&tab.session, lines, bytes);
        let last = last.map_err(|error| convert::io_error("the log can't be read", &error))?;
        let content = if request.strip_ansi {
            // What a line editor colours is seen to be ours only without the colours.
            Plumbing::of(&tab.session).remove(shown(&last.bytes))
        } else {
            String::from_utf8_lossy(&last.bytes).into_owned()
        };
        let whole_output = whole_log(tab.terminal, tab.session.log(), last.truncated);
        Ok(TabLogs { returned_lines: count(content.as_bytes()), content, truncated: last.truncated, whole_output })
    })
}

/// The last lines of a log.
struct Last {
    bytes: Vec<u8>,
    /// There are or were more before them.
    truncated: bool,
}

impl Last {
    fn of(session: &Session, lines: usize, most: usize) -> io::Result<Self> {
        let (log, marks, plumbing) = (session.log(), Marks::of(session), Plumbing::of(session));
        let translated = session.adds_returns() != Some(false);
        // A mark after each command holds a newline, so more lines are looked at than are wanted.
        let mut looked_at = 2 * lines + 100;
        loop {
            let chunk = log.last_lines(looked_at, None, MOST_BYTES + MARGIN)?;
            let mut bytes = marks.remove(&to_the_end(session, &chunk)?.bytes);
            if translated {
                bytes = as_printed(&bytes);
            }
            let bytes = plumbing.remove(String::from_utf8_lossy(&bytes).into_owned()).into_bytes();
            let is_all = !chunk.truncated || chunk.bytes.len() + 4 >= MOST_BYTES + MARGIN || looked_at > MOST_BYTES;
            if count(&bytes) <= lines && !is_all {
                looked_at *= 4;
                continue;
            }
            let start = start_of_last(&bytes, lines, most);
            return Ok(Last { truncated: chunk.truncated || start > 0, bytes: bytes[start..].to_vec() });
        }
    }
}

/// Where the last lines begin, as far as they fit into an answer: a line is there whole, unless it is the only one.
fn start_of_last(bytes: &[u8], lines: usize, most: usize) -> usize {
    let room = bytes.len().saturating_sub(most);
    let starts = |at: &usize| *at == 0 || bytes[at - 1] == b'\n';
    let skipped = count(bytes).saturating_sub(lines);
    let wanted = match skipped {
        0 => 0,
        _ => bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(skipped - 1).map_or(0, |(at, _)| at + 1),
    };
    (room.max(wanted)..bytes.len()).find(starts).unwrap_or(room.max(wanted))
}

/// How many lines these are; one without its newline counts.
fn count(bytes: &[u8]) -> usize {
    bytes.split_inclusive(|byte| *byte == b'\n').count()
}
