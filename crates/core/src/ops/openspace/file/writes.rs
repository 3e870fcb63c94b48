//! `flightdeck.file.writes` and `flightdeck.file.write_texts`: what was written through the hub.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{ListWrites, ShowWrite, Write, WriteTexts, Writes};
use flightdeck_files::{Entry, EntryId};

use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

const DEFAULT_WRITES: usize = 20;
/// As many as are kept.
const ALL: usize = 10_000;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.file.writes",
        Effects::READS,
        "List writes",
        "Lists what was written into files through the hub, the latest first; openspace.file.undo takes one back.",
    )
    .for_front_ends()
    .aside(|hub, _, request: ListWrites| list(hub, &request))
}

pub(super) fn texts() -> Command {
    define(
        Family::Hub,
        "flightdeck.file.write_texts",
        Effects::READS,
        "Show a write",
        "Shows the text of a file before and after a write that was made through the hub.",
    )
    .for_people()
    .aside(|hub, _, request: ShowWrite| {
        let written =
            hub.files().written(EntryId(request.undo_id)).map_err(|error| convert::file_error(hub, &error))?;
        Ok(WriteTexts { path: written.path.to_string(), before: written.before, after: written.after })
    })
}

fn list(hub: &Hub, request: &ListWrites) -> Result<Writes, Error> {
    let limit = request.limit.unwrap_or(DEFAULT_WRITES);
    if limit == 0 || limit > ALL {
        return Err(Error::invalid("limit", format!("{limit} is not between 1 and {ALL}")));
    }
    let wanted = |entry: &Entry| request.path.as_ref().is_none_or(|path| entry.path == *path);
    let entries = hub.files().backups().entries(ALL).into_iter().filter(wanted).take(limit);
    Ok(Writes { writes: entries.map(write).collect() })
}

fn write(entry: Entry) -> Write {
    Write {
        undo_id: entry.id.0,
        path: entry.path,
        actor: entry.actor,
        written_at_ms: entry.time_ms.cast_signed(),
        before: entry.before.map(|version| version.to_string()),
        after: entry.after.map(|version| version.to_string()),
        undo: entry.undoes.is_some(),
    }
}
