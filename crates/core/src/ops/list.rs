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
         who holds its controls. Those that run and the newest come first, 50 at a time: `more` says how many are left \
         out, and `next` as `after` lists those.",
    )
    .aside(|hub, call, request| list(hub, &call.caller.actor, &request))
}
