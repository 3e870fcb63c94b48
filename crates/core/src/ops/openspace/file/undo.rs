//! `openspace.file.undo`: takes a write back.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{UndoWrite, WriteUndone};
use flightdeck_files::{EntryId, FileError, UndoRequest, Which};
use flightdeck_workbench::Expected;

use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::author;
use crate::workbench::disk;

pub(super) fn command() -> Command {
    define(Family::Openspace, "openspace.file.undo",
        Effects { idempotent: false, ..Effects::WRITES },
        "Undo a write",
        "Takes back your last write, the last one to a file, or a certain one, if the file is still as it left it. An undo \
         can be undone by its own `undoId`.",
    )
    .aside(|hub, call, request: UndoWrite| undo(hub, call, request))
}

fn undo(hub: &Arc<Hub>, call: &Call, request: UndoWrite) -> Result<WriteUndone, Error> {
    let actor = author(&call.caller.actor);
    let which = match (request.undo_id, request.path) {
        (Some(_), Some(_)) => return Err(Error::invalid("undoId", "give it or `path`, not both")),
        (Some(id), None) => Which::Entry(EntryId(id)),
        (None, Some(path)) => Which::Path(path),
        (None, None) if call.caller.actor.is_human() => Which::Last,
        (None, None) => Which::LastOf(actor.clone()),
    };
    let failed = |error: FileError| convert::file_error(hub, &error);
    let files = hub.files();
    let entry = files.would_undo(&which).map_err(failed)?;
    if !call.caller.actor.is_human() && entry.actor != actor {
        // An agent must not take back what its user or another agent did.
        return Err(failed(FileError::NothingToUndo { what: format!("{actor}, that write was by {}", entry.actor) }));
    }
    let turn = hub.workbench().disk_turn();
    // What a person has typed over it and not saved is newer than what would be taken back.
    hub.workbench().look(|state| state.may_write(&entry.path, &Expected::Any)).map_err(|error| {
        convert::workbench_error(&error).hint("a person has to save the changes in the editor first, or to drop them")
    })?;
    let undone = files.undo(&UndoRequest { which: Which::Entry(entry.id), actor }).map_err(failed)?;
    drop(turn);
    disk::file_changed(hub, undone.path.as_str());
    Ok(WriteUndone {
        path: undone.path.to_string(),
        version: undone.version.map(|version| version.to_string()),
        actor: entry.actor,
        written_at_ms: entry.time_ms.cast_signed(),
        undo_id: Some(undone.entry.0),
    })
}
