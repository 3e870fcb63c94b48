//! The `openspace.file.*` commands: the files of the workspace, and nothing else of the disk.

mod list;
mod read;
mod search;
mod undo;
mod write;
mod writes;

use crate::registry::Command;

pub(super) use read::{bounds, read};

/// The longest text that is given when nobody asks for more, as it stands in the answer: quotes and line ends take more room
/// there. Clients of agents cut what is longer than 48,000 to 51,200 bytes, and tell nobody where.
const LONGEST_TEXT: usize = 40_000;

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
