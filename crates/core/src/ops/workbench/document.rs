//! The texts of documents: what a person types meets there what agents write.

use flightdeck_contract::Error;
use flightdeck_contract::terminal::Done;
use flightdeck_contract::workbench::{
    Document, DocumentEdited, EditDocument, GetDocument, Keep, ResolveConflict, SaveDocument,
};
use flightdeck_workbench::{Edit, Resolution};

use crate::convert::{guest, workbench_error};
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::Over;
use crate::workbench::disk;

pub(super) fn commands() -> Vec<Command> {
    vec![document(), edit(), resolve(), save()]
}

fn document() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.document",
        Effects::READS,
        "Get a document",
        "The whole text of a file that is open, with what is not saved yet and the version that edits are based on.",
    )
    .for_people()
    .aside(|hub, _, request: GetDocument| get(hub, &request))
}

fn get(hub: &Hub, request: &GetDocument) -> Result<Document, Error> {
    let path = disk::meant(hub, &request.path)?;
    let document = hub.workbench().look(|state| state.document(&path));
    if document.is_some_and(|document| !document.loaded) {
        disk::load(hub, &path, disk::to_show(hub, &path)?.as_ref())?;
    }
    hub.workbench().look(|state| {
        let text = state.text(&path).map_err(|error| workbench_error(&error))?;
        let theirs = state.conflict(&path).map(|(text, _)| text.to_owned());
        Ok(Document { version: text.version, text: text.text, dirty: text.dirty, theirs, path: path.clone() })
    })
}

fn edit() -> Command {
    define(Family::Hub, "flightdeck.workbench.edit",
        Effects { idempotent: true, ..Effects::WRITES },
        "Edit a document",
        "Edits the text of a file that is open; the edit is moved over those that came since its base. It is on disk when \
         it is saved.",
    )
    .for_people()
    .unnoted()
    .unread(&["changes"])
    .handle(|hub, call, request: EditDocument| async move {
        let EditDocument { path, base, changes, client, client_seq } = request;
        let edit = Edit { path, base, changes, client, client_seq };
        let edited = hub.workbench().change(|state| state.edit(&guest(&call.caller.actor), &edit))?;
        Ok(DocumentEdited { version: edited.version, changes: edited.changes, repeated: edited.repeated })
    })
}

fn save() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.save",
        Effects::WRITES,
        "Save a document",
        "Writes the text of an open file to disk, unless somebody else has changed the file meanwhile.",
    )
    .for_people()
    .aside(|hub, call, request: SaveDocument| {
        let over = if request.overwrite { Over::Anything } else { Over::Nothing };
        disk::save(hub, &disk::meant(hub, &request.path)?, &call.caller.actor, over)
    })
}

fn resolve() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.resolve",
        Effects::DESTROYS,
        "Resolve a conflict",
        "A file with unsaved changes has changed on disk: keeps the text of the editor, or takes that of the disk.",
    )
    .for_people()
    .aside(|hub, call, request: ResolveConflict| {
        let resolution = match request.keep {
            Keep::Mine => Resolution::KeepMine,
            Keep::Theirs => Resolution::TakeTheirs,
        };
        hub.workbench().change(|state| state.resolve(&guest(&call.caller.actor), &request.path, resolution))?;
        Ok(Done {})
    })
}
