//! `flightdeck.chat.file.*`: files for an agent that the hub runs, as the person has them in the editor.

use flightdeck_contract::Error;
use flightdeck_contract::chat::{ChatFile, ReadChatFile, WriteChatFile};
use flightdeck_files::ReadRequest;
use flightdeck_workbench::limits::MAX_TEXT;

use super::terminal::check_own;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::NewText;
use crate::workbench::disk;

pub(super) fn commands() -> [Command; 2] {
    [
        define(
            Family::Hub,
            "flightdeck.chat.file.read",
            Effects::READS,
            "Read a file for an agent",
            "Returns the text of a file of the workspace, or some lines of it, with what a person has not saved yet. Files with \
             secrets are refused.",
        )
        .for_conversations()
        .aside(|hub, call, request: ReadChatFile| {
            check_own(hub, &call.caller, request.id)?;
            read(hub, &request)
        }),
        define(
            Family::Hub,
            "flightdeck.chat.file.write",
            Effects { destructive: true, ..Effects::WRITES },
            "Write a file for an agent",
            "Writes the whole text of a file of the workspace. openspace.file.undo takes it back.",
        )
        .for_conversations()
        .unread(&["content"])
        .aside(|hub, call, request: WriteChatFile| {
            check_own(hub, &call.caller, request.id)?;
            let new = NewText { path: &request.path, content: request.content, expected: None };
            disk::write(hub, new, &call.caller.actor)
        }),
    ]
}

fn read(hub: &Hub, request: &ReadChatFile) -> Result<ChatFile, Error> {
    let path = disk::meant(hub, &request.path)?;
    let text = if let Some(document) = disk::unsaved(hub, &path) {
        document.text
    } else {
        let whole = ReadRequest { max_bytes: MAX_TEXT, ..ReadRequest::new(&path) };
        let read = hub.files().read(&whole).map_err(|error| convert::file_error(hub, &error))?;
        if read.truncated.is_some() && request.limit.is_none() {
            return Err(Error::new(
                flightdeck_contract::ErrorCode::TooLarge,
                format!("{path} has {} bytes, more than is read at once ({MAX_TEXT})", read.size),
            )
            .hint("read some lines of it, or use a terminal"));
        }
        read.content
    };
    let skip = request.line.unwrap_or(1).saturating_sub(1) as usize;
    if skip == 0 && request.limit.is_none() {
        return Ok(ChatFile { content: text });
    }
    let take = request.limit.map_or(usize::MAX, |limit| limit as usize);
    Ok(ChatFile { content: text.split_inclusive('\n').skip(skip).take(take).collect() })
}
