//! `flightdeck.terminal.run`: a bounded command, in a live shell or as a process of its own.

use flightdeck_contract::terminal::{InputState, Ran, Run};

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::run::{UNTOLD, fresh, in_shell};

pub(crate) fn command() -> Command {
    define(Family::Terminal, "flightdeck.terminal.run",
        Effects::EXECUTES,
        "Run a command",
        "Runs a shell command, waits for its end and returns its output and `exitCode`. Without `id` it runs in a fresh \
         terminal of its own, without pagers; with `id` in that terminal's shell, where folder, variables and history carry over. \
         When the time is up the command goes on: `timedOut` is true, and flightdeck.terminal.wait with the `id` of \
         the result waits on. A command that asks for something, or takes keys as a REPL does, is told at once (`input`): \
         answer with flightdeck.terminal.keys. Long output is cut in the middle; the cursors to read the rest are given.",
    )
    .handle_executing(|hub, call, run: Run| async move {
        let is_live = run.id.is_some();
        let ran = match run.id {
            Some(id) => in_shell(&hub, call, id, run).await,
            None => fresh(&hub, call, run).await,
        }?;
        Ok(Ran { hint: next_step(&ran, is_live), ..ran })
    })
}

/// What to do about a command that has not ended as commands do. `is_live`: it was run in a shell that is to stay.
fn next_step(ran: &Ran, is_live: bool) -> Option<String> {
    let id = ran.id;
    let words = match ran.input {
        Some(InputState::Raw) => format!(
            "it takes keys and goes on: flightdeck.terminal.keys with id {id} presses them, flightdeck.terminal.screen shows it"
        ),
        Some(InputState::Password) => {
            format!(
                "it asks for a password and goes on: flightdeck.terminal.keys with id {id} types it, if you may know it"
            )
        }
        Some(_) => {
            format!("it asks for a line and goes on: flightdeck.terminal.keys with id {id} types the answer and Enter")
        }
        None if ran.untold => UNTOLD.to_owned(),
        None if ran.background.iter().any(|process| !process.running) => {
            "what it started in the background ended with its terminal: start a server with flightdeck.terminal.new, or run \
             this in a terminal's shell by its id"
                .to_owned()
        }
        None if !ran.background.is_empty() => {
            format!("what it started in the background goes on: flightdeck.terminal.kill with id {id} ends it")
        }
        None if ran.timed_out && ran.running => {
            let ends = if is_live { "flightdeck.terminal.signal interrupts" } else { "flightdeck.terminal.kill ends" };
            format!("it goes on: flightdeck.terminal.wait with id {id} waits on, {ends} it")
        }
        None if ran.omitted_bytes > 0 => {
            format!("flightdeck.terminal.read with id {id} and `from` reads what is left out in the middle")
        }
        None => return None,
    };
    Some(words)
}
