//! `read_logs_from_tab`: the last lines that a tab printed.

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{ReadLogs, TabLogs, Whole};

use super::MOST_BYTES;
use super::text::shown;
use crate::convert;
use crate::registry::{Command, Effects, define};

const DEFAULT_LINES: Whole = Whole(500);
const MOST_LINES: u64 = 100_000;

pub(super) fn command() -> Command {
    define(
        "read_logs_from_tab",
        Effects::READS,
        "Read a tab's log",
        "Returns the last lines that a tab printed, also while a program runs, after its end, and after a restart of \
         the server. `truncated` says that there were more lines. An answer holds 1 MiB at most; stream_logs_from_tab \
         reads everything.",
    )
    .tab_tool()
    .aside(|hub, _, request: ReadLogs| {
        let lines = request.lines.unwrap_or(DEFAULT_LINES).0;
        if lines == 0 || lines > MOST_LINES {
            return Err(Error::invalid("lines", format!("{lines} is not between 1 and {MOST_LINES}")));
        }
        let tab = hub.tab(request.window_id)?;
        let chunk = tab.session.log().last_lines(lines as usize, None, MOST_BYTES);
        let chunk = chunk.map_err(|error| convert::io_error("the log can't be read", &error))?;
        let mut bytes = chunk.bytes.as_slice();
        // Only so much was looked at that the first line may lack its beginning: then it is no line.
        if count(bytes) < lines as usize
            && chunk.truncated
            && let Some(end) = bytes.iter().position(|byte| *byte == b'\n').filter(|end| end + 1 < bytes.len())
        {
            bytes = &bytes[end + 1..];
        }
        Ok(TabLogs {
            content: if request.strip_ansi { shown(bytes) } else { String::from_utf8_lossy(bytes).into_owned() },
            returned_lines: count(bytes),
            truncated: chunk.truncated,
        })
    })
}

/// How many lines these are; one without its newline counts.
fn count(bytes: &[u8]) -> usize {
    let complete = bytes.iter().filter(|byte| **byte == b'\n').count();
    complete + usize::from(bytes.last().is_some_and(|byte| *byte != b'\n'))
}
