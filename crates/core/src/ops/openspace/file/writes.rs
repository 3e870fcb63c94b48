//! `flightdeck.file.writes`: what was written through the hub.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{ListWrites, Write, Writes};
use flightdeck_files::Entry;

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
