//! `openspace.file.list`: what is in a folder.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{FileInfo, FileList, FileType, ListFiles};
use flightdeck_files::{Kind, ListRequest, Listed};

use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

const DEFAULT_ENTRIES: usize = 1000;
const MOST_ENTRIES: usize = 10_000;

pub(super) fn command() -> Command {
    define(Family::Openspace, "openspace.file.list",
        Effects::READS,
        "List files",
        "Lists a folder of the workspace, with `recursive` all that git would see below it. Files with secrets are marked \
         `sensitive`, and what git leaves out `ignored`.",
    )
    .aside(|hub, _, request: ListFiles| list(hub, request))
}

fn list(hub: &Hub, request: ListFiles) -> Result<FileList, Error> {
    let most = request.max_entries.unwrap_or(DEFAULT_ENTRIES);
    if most == 0 || most > MOST_ENTRIES {
        return Err(Error::invalid("maxEntries", format!("{most} is not between 1 and {MOST_ENTRIES}")));
    }
    let asked = ListRequest { path: request.path, recursive: request.recursive, max_entries: most };
    let listed = hub.files().list(&asked).map_err(|error| convert::file_error(hub, &error))?;
    Ok(FileList {
        files: listed.entries.into_iter().map(info).collect(),
        truncated: listed.truncated,
        unreadable: listed.unreadable,
    })
}

fn info(entry: Listed) -> FileInfo {
    let kind = match entry.kind {
        Kind::File => FileType::File,
        Kind::Folder => FileType::Directory,
        Kind::Symlink => FileType::Symlink,
        _ => FileType::Other,
    };
    FileInfo {
        name: entry.name,
        path: entry.path.to_string(),
        kind,
        size: entry.size,
        modified: entry.modified_ms,
        sensitive: entry.sensitive,
        ignored: entry.ignored,
    }
}
