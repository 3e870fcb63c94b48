//! `flightdeck.workbench.*`: what front ends need of the workbench beside the commands that agents have.

mod arrange;
mod document;
mod snapshot;
mod state;
mod watch;

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    let mut commands = vec![snapshot::command(), state::command(), watch::command()];
    commands.extend(document::commands());
    commands.extend(arrange::commands());
    commands
}
