//! `openspace.file.read`: the text of a file.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{FileContent, ReadFile};
use flightdeck_files::{DEFAULT_READ, ReadRequest, ReadResult, Truncation};

use super::LONGEST_TEXT;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

/// The least that one call gives: any character fits.
const LEAST_BYTES: usize = 4;
/// The most that one call gives.
const MOST_BYTES: usize = 1 << 20;

pub(super) fn command() -> Command {
    define(Family::Openspace, "openspace.file.read",
        Effects::READS,
        "Read a file",
        "Returns the text of a file of the workspace, or some lines of it, with its version. What does not fit is \
         `truncated`, and `nextLine` tells where to go on, with `nextOffset` inside of a long line. Files with secrets are refused.",
    )
    .text_in("content")
    .aside(|hub, _, request: ReadFile| read(hub, &request))
}

/// The file as it is on disk.
pub(in super::super) fn read(hub: &Hub, request: &ReadFile) -> Result<FileContent, Error> {
    let mut bounds = bounds(request)?;
    loop {
        let result = hub.files().read(&bounds).map_err(|error| convert::file_error(hub, &error))?;
        let length = serde_json::to_string(&result.content).map_or(0, |text| text.len());
        if request.max_bytes.is_some() || length <= LONGEST_TEXT {
            return Ok(content(result));
        }
        bounds.max_bytes = (result.content.len() * LONGEST_TEXT / length).max(LEAST_BYTES);
    }
}

/// What is asked for, checked.
pub(in super::super) fn bounds(request: &ReadFile) -> Result<ReadRequest, Error> {
    let most = request.max_bytes.unwrap_or(DEFAULT_READ);
    if !(LEAST_BYTES..=MOST_BYTES).contains(&most) {
        return Err(Error::invalid("maxBytes", format!("{most} is not between {LEAST_BYTES} and {MOST_BYTES}")));
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
        offset: request.start_offset.unwrap_or(0),
        end_line: end.map(|line| line as u64),
        max_bytes: most,
    })
}

fn content(result: ReadResult) -> FileContent {
    FileContent {
        next_line: result.truncated.map(|cut| cut.next_line() as usize),
        next_offset: result.truncated.map(Truncation::next_offset).filter(|offset| *offset > 0),
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
