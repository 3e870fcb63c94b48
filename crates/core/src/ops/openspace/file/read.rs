//! `openspace.file.read`: the text of a file.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{FileContent, ReadFile};
use flightdeck_files::{DEFAULT_READ, ReadRequest, ReadResult, Truncation};

use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, define};

/// The most that one call gives.
const MOST_BYTES: usize = 1 << 20;

pub(super) fn command() -> Command {
    define(
        "openspace.file.read",
        Effects::READS,
        "Read a file",
        "Returns the text of a file of the workspace, or some lines of it, with its version. What does not fit is \
         `truncated`, and `nextLine` tells where to go on. Files with secrets are refused.",
    )
    .text_in("content")
    .aside(|hub, _, request: ReadFile| read(hub, &request))
}

/// The file as it is on disk.
pub(in super::super) fn read(hub: &Hub, request: &ReadFile) -> Result<FileContent, Error> {
    let result = hub.files().read(&bounds(request)?).map_err(|error| convert::file_error(&error))?;
    Ok(content(result))
}

/// What is asked for, checked.
pub(in super::super) fn bounds(request: &ReadFile) -> Result<ReadRequest, Error> {
    let most = request.max_bytes.unwrap_or(DEFAULT_READ);
    if most == 0 || most > MOST_BYTES {
        return Err(Error::invalid("maxBytes", format!("{most} is not between 1 and {MOST_BYTES}")));
    }
    let (start, end) = (request.start_line, request.end_line);
    if start == Some(0) || end == Some(0) {
        return Err(Error::invalid("startLine", "lines count from 1"));
    }
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        return Err(Error::invalid("endLine", format!("{end} is before startLine {start}")));
    }
    Ok(ReadRequest {
        path: request.path.clone(),
        start_line: start.map(|line| line as u64),
        end_line: end.map(|line| line as u64),
        max_bytes: most,
    })
}

fn content(result: ReadResult) -> FileContent {
    FileContent {
        next_line: result.truncated.and_then(Truncation::next_line).map(|line| line as usize),
        truncated: result.truncated.is_some(),
        path: result.path.to_string(),
        start_line: result.first_line as usize,
        end_line: result.last_line as usize,
        total_lines: result.total_lines as usize,
        size: result.size,
        version: result.version.to_string(),
        encoding: result.encoding.name().to_owned(),
        content: result.content,
        unsaved: false,
    }
}
