//! Documents and files: a document is read when somebody looks, follows its file, and is written back.
//!
//! All of it blocks on the disk, so it is called on threads of its own.

use std::sync::Arc;

use flightdeck_contract::openspace::{FileContent, FileWritten};
use flightdeck_contract::workbench::BufferVersion;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_files::{
    Endings, Expected as OnDisk, FileError, ReadRequest, RelPath, Truncation, Version, WriteRequest, WriteResult,
};
use flightdeck_workbench::limits::MAX_TEXT;
use flightdeck_workbench::{DocumentText, Expected, WriteTo, Written};

use crate::actor::Actor;
use crate::aside::aside;
use crate::convert;
use crate::hub::Hub;

/// What a write is given as `expectedVersion` when there must be no file.
const ABSENT: &str = "absent";

/// Text for a file.
#[derive(Debug)]
pub(crate) struct NewText<'a> {
    pub path: &'a str,
    pub content: String,
    /// As the caller gave it.
    pub expected: Option<&'a str>,
}

/// A file that was read whole.
#[derive(Debug)]
pub(crate) struct Whole {
    pub text: String,
    pub version: Version,
}

/// The file that a caller means, by its real path, if it may be read. One that is not there has the name that it was
/// asked by.
pub(crate) fn meant(hub: &Hub, path: &str) -> Result<String, Error> {
    let failed = |error: FileError| convert::file_error(hub, &error);
    match hub.files().real_path(path) {
        Ok(real) => Ok(real.to_string()),
        Err(FileError::NotFound { .. }) => {
            let parsed = hub.files().root().parse(path).map_err(failed)?;
            match hub.files().rules().sensitive(&parsed) {
                Some(rule) => Err(failed(FileError::Sensitive { path: parsed.to_string(), rule })),
                None => Ok(parsed.to_string()),
            }
        }
        Err(error) => Err(failed(error)),
    }
}

/// A whole file, as text for a document.
pub(crate) fn whole_text(hub: &Hub, path: &str) -> Result<Whole, Error> {
    let request = ReadRequest { max_bytes: MAX_TEXT, ..ReadRequest::new(path) };
    let read = hub.files().read(&request).map_err(|error| convert::file_error(hub, &error))?;
    if read.truncated.is_some() {
        let text = format!("{path} has {} bytes, more than an editor takes ({MAX_TEXT})", read.size);
        return Err(Error::new(ErrorCode::TooLarge, text).hint("read parts of it with openspace.file.read"));
    }
    Ok(Whole { text: read.content, version: read.version })
}

/// What an editor is to show of a file. `None`: the file is gone, and what was not saved of it is still here.
pub(crate) fn to_show(hub: &Hub, path: &str) -> Result<Option<Whole>, Error> {
    match whole_text(hub, path) {
        Err(error) if error.code == ErrorCode::FileNotFound && hub.workbench().holds(path) => Ok(None),
        read => read.map(Some),
    }
}

/// Gives a document that is open its text, when it has none yet.
pub(crate) fn load(hub: &Hub, path: &str, read: Option<&Whole>) -> Result<(), Error> {
    let _turn = hub.workbench().disk_turn();
    match read {
        Some(Whole { text, version }) if !hub.workbench().holds(path) => {
            hub.workbench().change(|state| state.load(path, text, &version.to_string()))
        }
        _ => Ok(()),
    }
}

/// A file has changed: its document follows, if there is one.
pub(crate) fn file_changed(hub: &Hub, path: &str) {
    if !hub.workbench().holds(path) {
        return;
    }
    let _turn = hub.workbench().disk_turn();
    let followed = match whole_text(hub, path) {
        Ok(Whole { text, version }) => {
            hub.workbench().change(|state| state.disk_changed(path, &text, &version.to_string()))
        }
        Err(error) if error.code == ErrorCode::FileNotFound => hub.workbench().change(|state| state.disk_gone(path)),
        Err(error) => Err(error),
    };
    if let Err(error) = followed {
        // It was closed meanwhile, or is no text any more; the buffer stays as it is.
        tracing::debug!(path, %error, "a document could not follow its file");
    }
}

/// Writes a file, and the document with it when it is open. Unsaved changes are only overwritten by who has read them.
pub(crate) fn write(hub: &Hub, new: NewText<'_>, actor: &Actor) -> Result<FileWritten, Error> {
    let parsed = hub.files().root().parse(new.path).map_err(|error| convert::file_error(hub, &error))?;
    // What may not be read may not be written either, which the write itself says.
    let path = hub.files().real_path(new.path).map_or_else(|_| parsed.to_string(), |real| real.to_string());
    let expected = parse_expected(new.expected)?;
    let turn = hub.workbench().disk_turn();
    let to = hub
        .workbench()
        .look(|state| state.may_write(&path, &expected.of_buffer()))
        .map_err(|error| convert::workbench_error(&error))?;
    let request = WriteRequest {
        path: parsed.to_string(),
        content: new.content,
        expected: on_disk(&parsed, expected, &to)?,
        actor: author(actor),
        create_parents: true,
        note: String::new(),
        endings: Endings::Keep,
        unsaved: match &to {
            WriteTo::Buffer { known_unsaved, .. } => known_unsaved.clone(),
            WriteTo::File => None,
        },
    };
    let result = hub.files().write(&request).map_err(|error| convert::file_error(hub, &error))?;
    take_written(hub, &path, actor, &to);
    drop(turn);
    if to == WriteTo::File {
        // Somebody may have opened it just now.
        file_changed(hub, &path);
    }
    Ok(written(&result))
}

/// The document becomes what was written. Line endings and encoding are the file's, so the text is read again.
fn take_written(hub: &Hub, path: &str, actor: &Actor, to: &WriteTo) {
    if *to == WriteTo::File {
        return;
    }
    let followed = whole_text(hub, path).and_then(|Whole { text, version }| {
        let disk = version.to_string();
        let written = Written { path, text: &text, disk: &disk, to };
        hub.workbench().change(|state| state.written(&convert::guest(actor), written))
    });
    if let Err(error) = followed {
        tracing::warn!(path, %error, "a document could not follow what was written");
    }
}

/// Writes a document's text to its file.
pub(crate) fn save(hub: &Hub, path: &str, actor: &Actor, over: Over) -> Result<FileWritten, Error> {
    let turn = hub.workbench().disk_turn();
    let (document, info) = hub.workbench().look(|state| (state.text(path), state.document(path)));
    let DocumentText { version, text, .. } = document.map_err(|error| convert::workbench_error(&error))?;
    let replaced = info.as_ref().and_then(|info| info.conflict.clone()).filter(|_| over == Over::Anything);
    let info = info.filter(|_| over == Over::Nothing);
    if let Some(conflict) = info.as_ref().and_then(|info| info.conflict.clone()) {
        return Err(changed_meanwhile(path, &conflict));
    }
    let expected = match info {
        Some(info) if info.deleted => OnDisk::Absent,
        Some(info) => info.disk_version.as_deref().map(parse_version).transpose()?.map_or(OnDisk::Any, OnDisk::Is),
        None => OnDisk::Any,
    };
    let request = WriteRequest {
        path: path.to_owned(),
        content: text,
        expected,
        actor: author(actor),
        create_parents: true,
        note: "saved from an editor".to_owned(),
        endings: Endings::AsGiven,
        unsaved: None,
    };
    let result = match hub.files().write(&request) {
        Ok(result) => result,
        Err(error) => {
            drop(turn);
            // What is on disk now is the other side of a conflict that a person can resolve.
            file_changed(hub, path);
            return Err(convert::file_error(hub, &error));
        }
    };
    let disk = result.version.to_string();
    if let Err(error) = hub.workbench().change(|state| state.saved(path, version, &disk, replaced.as_deref())) {
        // It was closed at this moment. The file is written all the same.
        tracing::debug!(path, %error, "a document was closed while it was saved");
    }
    Ok(written(&result))
}

/// What a person has in the editor and not saved, if there is such a thing.
pub(crate) fn unsaved(hub: &Hub, path: &str) -> Option<DocumentText> {
    hub.workbench().look(|state| state.text(path)).ok().filter(|document| document.dirty)
}

/// What a save may go over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Only what the document came from.
    Nothing,
    /// Also what somebody else has written meanwhile.
    Anything,
}

/// The file that a caller means, looked up on a thread of its own.
pub(crate) async fn file_meant(hub: &Arc<Hub>, path: &str) -> Result<String, Error> {
    let (hub, path) = (Arc::clone(hub), path.to_owned());
    aside(move || meant(&hub, &path)).await?
}

/// What an editor is to show of a file, read on a thread of its own.
pub(crate) async fn text_to_show(hub: &Arc<Hub>, path: &str) -> Result<Option<Whole>, Error> {
    let (hub, path) = (Arc::clone(hub), path.to_owned());
    aside(move || to_show(&hub, &path)).await?
}

/// Gives a document its text, on a thread of its own.
pub(crate) async fn load_document(hub: &Arc<Hub>, path: &str, read: Option<Whole>) -> Result<(), Error> {
    let (hub, path) = (Arc::clone(hub), path.to_owned());
    aside(move || load(&hub, &path, read.as_ref())).await?
}

/// Which file is to be there when a buffer is what the writer knows: the one that the buffer came from.
fn on_disk(path: &RelPath, expected: Given, to: &WriteTo) -> Result<OnDisk, Error> {
    match (expected, to) {
        (Given::Disk(expected), _) => Ok(expected),
        (Given::Buffer(_), WriteTo::File) => {
            let text = format!("{path} is not open any more, and what was not saved is gone");
            Err(Error::new(ErrorCode::StaleVersion, text).hint("read it again with openspace.file.read"))
        }
        (Given::Buffer(_), WriteTo::Buffer { deleted: true, .. }) => Ok(OnDisk::Absent),
        (Given::Buffer(_), WriteTo::Buffer { disk: Some(version), .. }) => parse_version(version).map(OnDisk::Is),
        (Given::Buffer(_), WriteTo::Buffer { disk: None, .. }) => Ok(OnDisk::Any),
    }
}

fn changed_meanwhile(path: &str, current: &str) -> Error {
    Error::new(ErrorCode::StaleVersion, format!("{path} has changed on disk since it was opened"))
        .hint("resolve the conflict with flightdeck.workbench.resolve, or save with overwrite")
        .details(serde_json::json!({ "currentVersion": current }))
}

fn written(result: &WriteResult) -> FileWritten {
    let kept = [
        (result.kept_crlf, "the CRLF line endings of the file were kept"),
        (result.parted_links, "other hard links of the file keep the old content"),
    ];
    let kept: Vec<_> = kept.into_iter().filter(|(is, _)| *is).map(|(_, words)| words).collect();
    FileWritten {
        path: result.path.to_string(),
        version: result.version.to_string(),
        size: result.size,
        created: result.created,
        kept: (!kept.is_empty()).then(|| kept.join("; ")),
        undo_id: result.entry.map(|entry| entry.0),
    }
}

/// What a writer believes to be there.
#[derive(Clone, Debug)]
enum Given {
    Disk(OnDisk),
    Buffer(BufferVersion),
}

impl Given {
    fn of_buffer(&self) -> Expected {
        match self {
            Given::Disk(OnDisk::Is(version)) => Expected::Disk(version.to_string()),
            Given::Disk(_) => Expected::Any,
            Given::Buffer(version) => Expected::Buffer(*version),
        }
    }
}

fn parse_expected(text: Option<&str>) -> Result<Given, Error> {
    match text {
        None => Ok(Given::Disk(OnDisk::Any)),
        Some(ABSENT) => Ok(Given::Disk(OnDisk::Absent)),
        Some(text) => match text.parse() {
            Ok(buffer) => Ok(Given::Buffer(buffer)),
            Err(_) => Ok(Given::Disk(OnDisk::Is(parse_version(text)?))),
        },
    }
}

fn parse_version(text: &str) -> Result<Version, Error> {
    let shown: String = text.chars().take(80).collect();
    text.parse().map_err(|_| {
        Error::invalid("expectedVersion", format!("{shown:?} is not a version"))
            .hint("give `version` of what you have read, or `absent` for a file that must be new")
    })
}

/// By whom a write is in the journal: an agent by its name, so that it is the same after it has connected anew.
pub(crate) fn author(actor: &Actor) -> String {
    actor.agent_name().map_or_else(|| actor.to_string(), str::to_owned)
}

/// Some lines of a text that is not on disk, in the form of a file that was read.
pub(crate) fn excerpt(path: &str, document: &DocumentText, request: &ReadRequest) -> FileContent {
    let cut = request.cut(&document.text);
    FileContent {
        path: path.to_owned(),
        start_line: cut.first_line as usize,
        end_line: cut.last_line as usize,
        total_lines: cut.total_lines as usize,
        size: document.text.len() as u64,
        version: document.version.to_string(),
        encoding: "utf-8".to_owned(),
        truncated: cut.truncated.is_some(),
        next_line: cut.truncated.map(|cut| cut.next_line() as usize),
        next_offset: cut.truncated.map(Truncation::next_offset).filter(|offset| *offset > 0),
        content: cut.text(),
        unsaved: true,
    }
}
