//! `flightdeck.terminal.run`: a bounded command, in a live shell or as a process of its own.

use flightdeck_contract::terminal::Run;

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::run::{Questions, fresh, in_shell};

pub(crate) fn command() -> Command {
    define(Family::Terminal, "flightdeck.terminal.run",
        Effects::EXECUTES,
        "Run a command",
        "Runs a shell command, waits for its end and returns its output and `exitCode`. Without `id` it runs in a fresh \
         terminal of its own; with `id` in that terminal's shell, where folder, variables and history carry over. \
         When the time is up the command goes on: `timedOut` is true, and flightdeck.terminal.wait with the `id` of \
         the result waits on. A command that asks for something is told at once (`input`): answer with \
         flightdeck.terminal.keys. Long output is cut in the middle; the cursors to read the rest are given.",
    )
    .handle_executing(|hub, call, run: Run| async move {
        match run.id {
            Some(id) => in_shell(&hub, call, id, run, Questions::EndTheWait).await,
            None => fresh(&hub, call, run).await,
        }
    })
}
