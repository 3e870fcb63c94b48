//! `flightdeck.bridge.*`: an external IDE carries out pane and editor commands.

mod brought;
mod register;
mod result;
mod serve;
mod state;

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    vec![register::command(), result::command(), serve::command(), state::command()]
}
