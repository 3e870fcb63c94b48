//! `openspace.file.write`: all of a file's text, in one step.

use flightdeck_contract::openspace::WriteFile;

use crate::registry::{Command, Effects, Family, define};
use crate::workbench::NewText;
use crate::workbench::disk;

pub(super) fn command() -> Command {
    define(Family::Openspace, "openspace.file.write",
        Effects { destructive: true, ..Effects::WRITES },
        "Write a file",
        "Writes the whole text of a file, new or old, in one step; mode, encoding and line endings stay. Give the version \
         that you have read as `expectedVersion`, and a change by somebody else is not lost. openspace.file.undo takes it \
         back.",
    )
    .unread(&["content"])
    .aside(|hub, call, request: WriteFile| {
        let new = NewText { path: &request.path, content: request.content, expected: request.expected_version.as_deref() };
        disk::write(hub, new, &call.caller.actor)
    })
}
