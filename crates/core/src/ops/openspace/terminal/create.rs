//! `openspace.terminal.create`: a shell in a new terminal.

use flightdeck_contract::openspace::{CreateTerminal, TerminalCreated};
use flightdeck_contract::terminal::New;
use flightdeck_workbench::{Content, Open};

use crate::convert::guest;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::start::{Purpose, Start, start};

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        "openspace.terminal.create",
        Effects { destructive: false, ..Effects::EXECUTES },
        "Create a terminal",
        "Creates a terminal with a shell and returns its id.",
    )
    .handle_executing(|hub, call, create: CreateTerminal| async move {
        let terminal = New { title: create.title.clone(), cwd: create.cwd, shell: create.shell_path, ..New::default() };
        let started = start(&hub, &call.caller, Start::of(terminal, Purpose::Lasting)).await?;
        call.report.opened(started.id);
        let open = Open { title: create.title, ..Open::new(Content::Terminal(started.id)) };
        // A person who has declined that agents move things on their screen is not shown it either.
        let declined = !call.caller.actor.is_human() && hub.consents().check().is_err();
        if !declined && let Err(error) = hub.workbench().change(|state| state.open(&guest(&call.caller.actor), open)) {
            // The terminal is there all the same; it has no pane when the workbench is full.
            tracing::info!(%error, "a new terminal got no pane");
        }
        Ok(TerminalCreated { terminal_id: started.id })
    })
}
