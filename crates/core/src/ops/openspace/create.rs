//! `openspace.terminal.create`: a shell in a new terminal.

use flightdeck_contract::openspace::{CreateTerminal, TerminalCreated};
use flightdeck_contract::terminal::New;

use super::super::new;
use crate::registry::{Command, Effects, define};

pub(super) fn command() -> Command {
    define(
        "openspace.terminal.create",
        Effects { destructive: false, ..Effects::EXECUTES },
        "Create a terminal",
        "Creates a terminal with a shell and returns its id.",
    )
    .handle_executing(|hub, call, create: CreateTerminal| async move {
        let terminal = New { title: create.title, cwd: create.cwd, shell: create.shell_path, ..New::default() };
        let created = new::call(&hub, &call, terminal).await?;
        Ok(TerminalCreated { terminal_id: created.id })
    })
}
