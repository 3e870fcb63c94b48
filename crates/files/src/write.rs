//! Writing a whole file, in one step, with the old content kept.

use serde::Serialize;

use crate::backup::{EntryId, Intent};
use crate::error::{FileError, Oddity};
use crate::files::Files;
use crate::path::RelPath;
use crate::swap::{Outcome, Rights, Temp, temp_name};
use crate::target::{Existing, Target};
use crate::text::{Encoding, LineEnding, decode, to_crlf};
use crate::version::{Digest, Version};

/// The largest content that is written.
pub const MAX_WRITE: usize = 16 * 1024 * 1024;

/// What the writer believes is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Whatever there is.
    Any,
    /// Nothing: the file is new.
    Absent,
    /// What was read.
    Is(Version),
}

/// What becomes of the line ends of a content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endings {
    /// A file that uses CRLF throughout goes on with it.
    #[default]
    Keep,
    /// They are written as they are, for an editor that saves its text.
    AsGiven,
}

/// What to write.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    pub path: String,
    pub content: String,
    pub expected: Expected,
    pub endings: Endings,
    /// Text that is on no disk and that this write replaces. Undo brings it back, and not what was on disk.
    pub unsaved: Option<String>,
    /// Who writes, for the journal.
    pub actor: String,
    /// Whether missing folders are made.
    pub create_parents: bool,
    /// Why, for the journal; may be empty.
    pub note: String,
}

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct WriteResult {
    pub path: RelPath,
    /// Where it went, if a symbolic link led to another place.
    pub real_path: RelPath,
    pub version: Version,
    pub before: Option<Version>,
    /// Bytes on disk now.
    pub size: u64,
    pub created: bool,
    /// False if the file held just this already; nothing was touched then.
    pub changed: bool,
    pub encoding: Encoding,
    pub line_ending: LineEnding,
    /// Line ends of the content were turned into CRLF, which the file uses throughout.
    pub kept_crlf: bool,
    /// The file had other hard links, which keep the old content.
    pub parted_links: bool,
    /// The entry to undo this with. A write that only replaced unsaved text has one, too.
    pub entry: Option<EntryId>,
}

/// One change, on its way into the journal and the folder.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    pub actor: &'a str,
    pub note: &'a str,
    pub undoes: Option<EntryId>,
    /// Nothing removes the file.
    pub bytes: Option<&'a [u8]>,
    /// Kept for an undo instead of what is on disk.
    pub unsaved: Option<&'a [u8]>,
    /// For a file that is made again.
    pub mode: Option<u32>,
}

impl Files {
    /// Writes a file. See [`WriteRequest`].
    pub fn write(&self, request: &WriteRequest) -> Result<WriteResult, FileError> {
        let path = self.root().parse(&request.path)?;
        let shown = path.to_string();
        check_content(&shown, &request.content)?;
        if request.path.ends_with('/') && !path.is_root() {
            return Err(FileError::BadPath { path: request.path.clone(), why: Oddity::Slash });
        }
        let _turn = self.turn();
        let target = self.target(&path)?;
        check_expected(&shown, &request.expected, target.current().as_ref())?;
        if let Some(folder) = target.needs_folder().filter(|_| !request.create_parents) {
            return Err(FileError::NoFolder { path: shown, folder });
        }
        let form = Form::of(target.existing.as_ref(), request);
        let digest = Digest::of(&form.bytes);
        let before = target.current();
        let mut result = WriteResult {
            path,
            real_path: target.real.clone(),
            version: digest.version(),
            before: before.as_ref().map(Digest::version),
            size: form.bytes.len() as u64,
            created: before.is_none(),
            changed: before != Some(digest),
            encoding: form.encoding,
            line_ending: form.line_ending,
            kept_crlf: form.kept_crlf,
            parted_links: target.existing.as_ref().is_some_and(|existing| existing.stat.st_nlink > 1),
            entry: None,
        };
        if result.changed || form.unsaved.is_some() {
            let (actor, note, bytes) = (&*request.actor, &*request.note, Some(&*form.bytes));
            let change = Change { actor, note, undoes: None, bytes, unsaved: form.unsaved.as_deref(), mode: None };
            let entry = self.commit(&target, &change).map_err(|error| as_asked(error, &request.expected))?;
            result.entry = Some(entry);
        }
        Ok(result)
    }

    /// Keeps the old content, then makes the change. The journal knows of it before the folder does.
    pub(crate) fn commit(&self, target: &Target, change: &Change<'_>) -> Result<EntryId, FileError> {
        let failed = |errno| FileError::from_errno(target.asked.as_str(), errno);
        let temp = temp_name().map_err(failed)?;
        let after = change.bytes.map(Digest::of);
        let intent = Intent {
            actor: change.actor,
            note: change.note,
            undoes: change.undoes,
            path: &target.real,
            before: target.existing.as_ref().map(|existing| (existing.digest, existing.bytes.as_slice())),
            unsaved: change.unsaved,
            after,
            mode: target.existing.as_ref().map(|existing| existing.stat.st_mode & 0o7777),
            folders: target.missing.len(),
            temp: &temp,
        };
        let id = self.backups().begin(&intent)?;
        match apply(target, change, &temp, after) {
            Ok(()) => {
                self.backups().done(id);
                Ok(id)
            }
            Err(error) => {
                self.backups().void(id);
                Err(error)
            }
        }
    }
}

fn apply(target: &Target, change: &Change<'_>, temp: &str, after: Option<Digest>) -> Result<(), FileError> {
    if after.is_some() && target.current() == after {
        return Ok(());
    }
    let failed = |errno| FileError::from_errno(target.asked.as_str(), errno);
    let place = target.place()?;
    let outcome = match (&target.existing, change.bytes, after) {
        (Some(existing), Some(bytes), Some(after)) => {
            let temp = Temp::create(&place.folder, temp, bytes, Rights::Like(existing)).map_err(failed)?;
            temp.exchange(&target.name, &existing.digest, &after)
        }
        (None, Some(bytes), _) => {
            let rights = change.mode.map_or(Rights::New, Rights::Mode);
            let temp = Temp::create(&place.folder, temp, bytes, rights).map_err(failed)?;
            temp.place(&target.name)
        }
        (Some(existing), ..) => Temp::reserve(&place.folder, temp).remove(&target.name, &existing.digest),
        (None, ..) => Ok(Outcome::Done),
    };
    match outcome.map_err(failed)? {
        Outcome::Done => {
            place.settle();
            Ok(())
        }
        Outcome::Overtaken => {
            let current = crate::swap::digest_at(&place.folder, &target.name).map(|digest| digest.version());
            Err(FileError::Stale { path: target.asked.to_string(), current })
        }
        Outcome::Stuck(errno) => {
            let kept = target.real.split().map(|(folder, _)| folder.join(temp));
            Err(FileError::Io { path: target.asked.to_string(), source: errno.into(), kept })
        }
    }
}

/// The content in the form that the file has already.
struct Form {
    bytes: Vec<u8>,
    encoding: Encoding,
    line_ending: LineEnding,
    kept_crlf: bool,
    unsaved: Option<Vec<u8>>,
}

impl Form {
    fn of(existing: Option<&Existing>, request: &WriteRequest) -> Self {
        let content = request.content.as_str();
        // What was no text before is replaced by plain UTF-8.
        let old = existing.and_then(|existing| decode(&existing.bytes).ok());
        let encoding = old.as_ref().map_or(Encoding::Utf8, |(encoding, _)| *encoding);
        let crlf = old.is_some_and(|(_, text)| LineEnding::of(&text) == LineEnding::Crlf);
        let keep = crlf && request.endings == Endings::Keep;
        let kept_crlf = keep && matches!(LineEnding::of(content), LineEnding::Lf | LineEnding::Mixed);
        let converted = if kept_crlf { &to_crlf(content) } else { content };
        let line_ending = LineEnding::of(converted);
        let bytes = encoding.encode(converted);
        // What is written just so is not lost.
        let unsaved = request.unsaved.as_deref().map(|text| encoding.encode(text)).filter(|text| *text != bytes);
        Self { bytes, encoding, line_ending, kept_crlf, unsaved }
    }
}

/// Whoever wanted a new file and was overtaken is told that there is one now.
fn as_asked(error: FileError, expected: &Expected) -> FileError {
    match (error, expected) {
        (FileError::Stale { path, current }, Expected::Absent) => FileError::Exists { path, current },
        (error, _) => error,
    }
}

fn check_content(shown: &str, content: &str) -> Result<(), FileError> {
    if content.len() > MAX_WRITE {
        let (size, limit) = (content.len() as u64, MAX_WRITE as u64);
        let advice = "write it in parts, or make it with a command";
        return Err(FileError::TooLarge { path: shown.to_owned(), size, limit, advice });
    }
    match memchr::memchr(0, content.as_bytes()) {
        Some(offset) => Err(FileError::BadContent { path: shown.to_owned(), offset: offset as u64 }),
        None => Ok(()),
    }
}

fn check_expected(shown: &str, expected: &Expected, current: Option<&Digest>) -> Result<(), FileError> {
    let path = || shown.to_owned();
    let current = current.map(Digest::version);
    match expected {
        Expected::Any => Ok(()),
        Expected::Absent if current.is_none() => Ok(()),
        Expected::Absent => Err(FileError::Exists { path: path(), current }),
        Expected::Is(version) if current.as_ref() == Some(version) => Ok(()),
        Expected::Is(_) => Err(FileError::Stale { path: path(), current }),
    }
}
