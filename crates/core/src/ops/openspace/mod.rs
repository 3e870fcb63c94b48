//! The `openspace.*` commands, in the words of their document.

mod editor;
mod file;
mod ide;
mod pane;
mod terminal;

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    [editor::commands(), file::commands(), pane::commands(), terminal::commands()].into_iter().flatten().collect()
}
