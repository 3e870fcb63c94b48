//! `flightdeck.terminal.read`: output by lines or by cursor.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{Output, Read};
use flightdeck_term::log::Offset;

use crate::actor::Caller;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::output::{budget, text_of};
use crate::registry::{Command, Effects, define};

pub(crate) fn command() -> Command {
    define(
        "flightdeck.terminal.read",
        Effects::READS,
        "Read output",
        "Reads what a terminal printed, as plain text: its last lines, or everything from a cursor on. `next` is the \
         cursor to go on from. Works while the program runs and after it has ended.",
    )
    .text_in("text")
    .aside(|hub, request, read| call(hub, &request.caller, &read))
}

const DEFAULT_LINES: usize = 100;

pub(crate) fn call(hub: &Arc<Hub>, caller: &Caller, read: &Read) -> Result<Output, Error> {
    if read.from.is_some() && read.lines.is_some() {
        return Err(Error::invalid("lines", "give either `lines` or `from`, not both"));
    }
    let session = hub.session(read.id)?;
    let max = budget(read.max_bytes, caller).max(4);
    let to = read.to.map(Offset);
    let chunk = match read.from {
        Some(from) => session.log().read(Offset(from), to, max),
        None => session.log().last_lines(read.lines.unwrap_or(DEFAULT_LINES), to, max),
    };
    let chunk = chunk.map_err(|error| convert::io_error("the log can't be read", &error))?;
    let (_, end) = session.log().bounds().map_err(|error| convert::io_error("the log can't be read", &error))?;
    Ok(Output {
        text: text_of(&chunk.bytes, read.raw),
        from: chunk.from.0,
        next: chunk.next.0,
        end: end.0,
        truncated: chunk.truncated,
        running: session.progress().running(),
    })
}
