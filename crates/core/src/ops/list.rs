//! `flightdeck.terminal.list`: the terminals as they stand.

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::info::list;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.list",
        Effects::READS,
        "List terminals",
        "Lists the terminals of the workspace with what runs in each, whether it waits for input, its exit code and \
         who holds its controls.",
    )
    .aside(|hub, call, request| Ok(list(hub, &call.caller.actor, &request)))
}
