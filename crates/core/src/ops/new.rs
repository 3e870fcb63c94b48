//! `flightdeck.terminal.new`: starts a shell or a command.

use flightdeck_contract::terminal::{Created, New};

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::start::{Purpose, Start, start};

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.new",
        Effects::EXECUTES,
        "New terminal",
        "Starts a shell (or one command) in a new terminal and returns its id at once. Use it for servers, watchers, \
         REPLs and anything that goes on; use flightdeck.terminal.run for a command whose end you want. What you start \
         ends some minutes after you disconnect unless `keep` is set.",
    )
    .handle_executing(|hub, call, new: New| async move {
        let started = start(&hub, &call.caller, Start::of(new, Purpose::Lasting)).await?;
        call.report.opened(started.id);
        Ok(Created { id: started.id, cursor: 0 })
    })
}
