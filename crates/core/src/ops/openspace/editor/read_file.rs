//! `openspace.editor.read_file`: a file as the person has it in the editor, unsaved changes included.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{FileContent, ReadFile};
use flightdeck_contract::workbench::BufferVersion;
use flightdeck_files::Version;
use flightdeck_workbench::DocumentText;
use serde_json::Value;

use super::super::file::{bounds, read};
use super::super::ide::{ask, undocumented};
use crate::aside::aside;
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::disk;
use crate::workbench::{excerpt, file_meant};

const ID: &str = "openspace.editor.read_file";

pub(super) fn command() -> Command {
    define(Family::Openspace, ID,
        Effects::READS,
        "Read a file as the editor has it",
        "Returns the text of a file, or some lines of it, as the person has it in the editor: with `unsaved` when it is not \
         on disk yet. Its `version` can be given to openspace.file.write.",
    )
    .controls_ide()
    .text_in("content")
    .handle(|hub, call, request: ReadFile| async move { read_file(&hub, &call, request).await })
}

async fn read_file(hub: &Arc<Hub>, call: &Call, mut request: ReadFile) -> Result<FileContent, Error> {
    let bounds = bounds(&request)?;
    request.path = file_meant(hub, &request.path).await?;
    // The whole text is asked for, and cut here: an IDE need not know how.
    let whole = ReadFile { start_line: None, start_offset: None, end_line: None, max_bytes: None, ..request.clone() };
    let document = match ask(hub, call, ID, &whole).await? {
        Some(answer) => Some(of_ide(&answer)?),
        None => disk::unsaved(hub, &request.path).map(|document| (document, None)),
    };
    let hub = Arc::clone(hub);
    aside(move || match document {
        Some((document, None)) => Ok(excerpt(&request.path, &document, &bounds)),
        Some((document, Some(unsaved))) => {
            // Its buffers have no versions that we know; a hash of the text is what a file with it would have.
            let version = Version::of(document.text.as_bytes()).to_string();
            Ok(FileContent { version, unsaved, ..excerpt(&request.path, &document, &bounds) })
        }
        None => read(&hub, &request),
    })
    .await?
}

/// The text that an IDE has, and whether it is not saved there.
fn of_ide(answer: &Value) -> Result<(DocumentText, Option<bool>), Error> {
    let text = answer.get("content").and_then(Value::as_str).ok_or_else(|| undocumented(ID, "no `content`"))?;
    let unsaved = answer.get("unsaved").and_then(Value::as_bool).unwrap_or(false);
    Ok((DocumentText { version: BufferVersion(0), text: text.to_owned(), dirty: unsaved }, Some(unsaved)))
}
