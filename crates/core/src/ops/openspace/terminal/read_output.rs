//! `openspace.terminal.read_output`: the last lines that a terminal printed.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{OutputLines, ReadOutput};
use flightdeck_contract::terminal::Read;

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::named::named;
use crate::terminals::output::{read, whole_log};

/// How many lines of a terminal can be read back.
const RING: usize = 10_000;
const DEFAULT_LINES: usize = 100;
/// How many lines more are looked at.
const INVISIBLE: usize = 50;
/// What so many lines take at most; longer ones are cut from the oldest on.
const MOST_BYTES: usize = 1 << 20;

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        "openspace.terminal.read_output",
        Effects::READS,
        "Read terminal output",
        "Returns the last lines that a terminal printed, as plain text, also while a program runs.",
    )
    .aside(|hub, call, request: ReadOutput| {
        let lines = request.lines.unwrap_or(DEFAULT_LINES);
        if lines == 0 || lines > RING {
            return Err(Error::invalid("lines", format!("{lines} is not between 1 and {RING}")));
        }
        let id = named(hub, &request.terminal_id)?;
        // Some lines of the log are none on a screen: what the shell prints to draw its prompt, or a line over another.
        // Whoever says how many lines they want gets them; otherwise as much as fits into an answer.
        let max_bytes = request.lines.map(|_| MOST_BYTES);
        let wanted = Read { id, lines: Some(lines + INVISIBLE), from: None, to: None, max_bytes, raw: false };
        let output = read(hub, &call.caller, &wanted)?;
        let mut shown: Vec<_> = output.text.lines().map(str::to_owned).collect();
        let surplus = shown.len().saturating_sub(lines);
        shown.drain(..surplus);
        let truncated = output.truncated || surplus > 0;
        let whole_output = whole_log(id, hub.session(id)?.log(), truncated);
        Ok(OutputLines { output: shown, truncated, whole_output })
    })
}
