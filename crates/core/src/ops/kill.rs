//! `flightdeck.terminal.kill`: ends a terminal with everything that was started in it.

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::end::kill;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.kill",
        Effects::DESTROYS,
        "End a terminal",
        "Ends a terminal and every process that was started in it, and checks that none is left. Its output can still \
         be read. To interrupt a command and keep its shell, use flightdeck.terminal.signal.",
    )
    .handle(|hub, call, request| async move { kill(&hub, &call.caller.actor, request).await })
}
