//! `flightdeck.terminal.read`: output by lines or by cursor.

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::output::read;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.read",
        Effects::READS,
        "Read output",
        "Reads what a terminal printed, as plain text: its last lines, or everything from a cursor on. `next` is the \
         cursor to go on from. Works while the program runs and after it has ended.",
    )
    .text_in("text")
    .aside(|hub, call, request| read(hub, &call.caller, &request))
}
