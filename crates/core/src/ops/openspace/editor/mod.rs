//! The `openspace.editor.*` commands: files on the person's screen.

mod clear_highlight;
mod close;
mod highlight;
mod open;
mod read_file;
mod scroll_to;

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    vec![
        clear_highlight::command(),
        close::command(),
        highlight::command(),
        open::command(),
        read_file::command(),
        scroll_to::command(),
    ]
}
