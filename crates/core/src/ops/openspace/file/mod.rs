//! The `openspace.file.*` commands: the files of the workspace, and nothing else of the disk.

mod list;
mod read;
mod search;
mod undo;
mod write;
mod writes;

use crate::registry::Command;

pub(super) use read::{bounds, read};

pub(super) fn commands() -> Vec<Command> {
    vec![
        list::command(),
        read::command(),
        search::command(),
        undo::command(),
        write::command(),
        writes::command(),
        writes::texts(),
    ]
}
