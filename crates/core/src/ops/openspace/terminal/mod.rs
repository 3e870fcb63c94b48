//! The `openspace.terminal.*` commands. They are thin: the work is that of our own commands.

mod close;
mod create;
mod list;
mod read_output;
mod send;

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    vec![close::command(), create::command(), list::command(), read_output::command(), send::command()]
}
