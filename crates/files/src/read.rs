//! Reading a file, or some of its lines.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::error::FileError;
use crate::files::Files;
use crate::path::RelPath;
use crate::resolve::Links;
use crate::text::{self, Encoding, LineEnding, NotText};
use crate::version::{Digest, Version};

/// What a request gets that names no limit.
pub const DEFAULT_READ: usize = 32 * 1024;
/// No answer is asked for in smaller pieces than this, so that each gets on by a character.
const LONGEST_CHAR: usize = 4;
/// No answer is larger than this, whatever was asked for.
const MAX_READ: usize = 16 * 1024 * 1024;
/// Files up to here are read whole; larger ones are streamed for a range of lines.
pub const MAX_WHOLE: u64 = 64 * 1024 * 1024;
/// Scanning more than this would hold the caller for too long.
const MAX_STREAMED: u64 = 256 * 1024 * 1024;

/// What to read. Lines count from 1, and both ends belong to the range.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    pub path: String,
    pub start_line: Option<u64>,
    /// Bytes of the first line to leave out, counted in UTF-8: where an answer ended inside of a line.
    pub offset: u64,
    pub end_line: Option<u64>,
    pub max_bytes: usize,
}

impl ReadRequest {
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), start_line: None, offset: 0, end_line: None, max_bytes: DEFAULT_READ }
    }

    /// The part of a text that is asked for.
    pub fn cut(&self, text: &str) -> Cut {
        let mut lines = Lines::new(Range::of(self));
        for line in text.split_inclusive('\n') {
            lines.take(line.as_bytes());
        }
        lines.finish()
    }
}

/// A part of a text.
#[derive(Clone, Debug)]
pub struct Cut {
    bytes: Vec<u8>,
    /// Where it begins in the text.
    from: u64,
    /// The lines in it; both are 0 when there are none.
    pub first_line: u64,
    pub last_line: u64,
    pub total_lines: u64,
    pub truncated: Option<Truncation>,
}

impl Cut {
    /// What is in it, of a text that is one.
    pub fn text(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// What was read.
#[derive(Clone, Debug, Serialize)]
pub struct ReadResult {
    pub path: RelPath,
    /// Line ends are as they are in the file; a byte order mark is left out.
    pub content: String,
    /// The lines in `content`; both are 0 when there are none.
    pub first_line: u64,
    pub last_line: u64,
    pub total_lines: u64,
    /// Bytes on disk.
    pub size: u64,
    pub version: Version,
    pub encoding: Encoding,
    /// Of the part in `content`.
    pub line_ending: LineEnding,
    pub truncated: Option<Truncation>,
    /// Permission bits.
    pub mode: u32,
}

/// Where `content` ends before the range that was asked for does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Truncation {
    /// Ask again from this line.
    AtLine { next_line: u64 },
    /// A single line is larger than the limit: ask again from this line and this offset in it.
    InLine { line: u64, offset: u64 },
}

impl Truncation {
    /// Where to go on.
    pub fn next_line(self) -> u64 {
        match self {
            Truncation::AtLine { next_line } => next_line,
            Truncation::InLine { line, .. } => line,
        }
    }

    /// Where in that line.
    pub fn next_offset(self) -> u64 {
        match self {
            Truncation::AtLine { .. } => 0,
            Truncation::InLine { offset, .. } => offset,
        }
    }
}

/// The lines asked for, with the limits applied.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u64,
    offset: u64,
    last: u64,
    max_bytes: usize,
}

impl Files {
    /// Reads a file. See [`ReadRequest`].
    pub fn read(&self, request: &ReadRequest) -> Result<ReadResult, FileError> {
        let path = self.root().parse(&request.path)?;
        let (file, size, mode) = self.open_for_read(&path)?;
        let range = Range::of(request);
        let whole = request.start_line.is_none() && request.end_line.is_none();
        let mut result = if size <= MAX_WHOLE {
            read_whole(file, &path, request)?
        } else if whole {
            let advice = "ask for a range of lines, or search in it";
            return Err(FileError::TooLarge { path: path.to_string(), size, limit: MAX_WHOLE, advice });
        } else {
            stream(file, &path, size, range)?
        };
        result.mode = mode & 0o7777;
        if request.start_line.is_some_and(|line| line > result.total_lines.max(1)) {
            let line = range.first;
            return Err(FileError::BadRange { path: path.to_string(), line, total_lines: result.total_lines });
        }
        Ok(result)
    }

    /// A file that may be read, its size and its mode.
    pub(crate) fn open_for_read(&self, path: &RelPath) -> Result<(File, u64, u32), FileError> {
        let rules = self.rules();
        rules.check_read(path, path)?;
        let located = self.root().locate(path, Links::Follow)?;
        rules.check_read(&located.real, path)?;
        let file = located.open_file(&path.to_string())?;
        Ok((file, located.stat.st_size as u64, located.stat.st_mode))
    }
}

impl Range {
    fn of(request: &ReadRequest) -> Self {
        let first = request.start_line.unwrap_or(1).max(1);
        let last = request.end_line.unwrap_or(u64::MAX);
        Self { first, offset: request.offset, last, max_bytes: request.max_bytes.clamp(LONGEST_CHAR, MAX_READ) }
    }
}

/// All bytes of a file that may not be larger than `limit`.
pub(crate) fn all_bytes(mut file: impl Read, shown: &str, limit: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    file.by_ref().take(limit + 1).read_to_end(&mut bytes).map_err(|error| FileError::from_io(shown, error))?;
    if bytes.len() as u64 > limit {
        let advice = "it grew while it was read";
        return Err(FileError::TooLarge { path: shown.to_owned(), size: bytes.len() as u64, limit, advice });
    }
    Ok(bytes)
}

pub(crate) fn not_text(path: &RelPath, size: u64, why: NotText) -> FileError {
    let path = path.to_string();
    match why {
        NotText::Binary { guess } => FileError::Binary { path, size, guess },
        NotText::Encoding { expected, byte, offset } => FileError::Encoding { path, expected, byte, offset },
    }
}

fn read_whole(file: File, path: &RelPath, request: &ReadRequest) -> Result<ReadResult, FileError> {
    let bytes = all_bytes(file, &path.to_string(), MAX_WHOLE)?;
    let size = bytes.len() as u64;
    let (encoding, text) = text::decode(&bytes).map_err(|why| not_text(path, size, why))?;
    result(path, &request.cut(&text), (size, Digest::of(&bytes), encoding))
}

fn stream(file: File, path: &RelPath, size: u64, range: Range) -> Result<ReadResult, FileError> {
    let shown = path.to_string();
    if size > MAX_STREAMED {
        let advice = "use a terminal command such as `sed -n 1,100p`";
        return Err(FileError::TooLarge { path: shown, size, limit: MAX_STREAMED, advice });
    }
    // A file that grows while it is read is read up to the size that it had.
    let mut reader = BufReader::with_capacity(1 << 20, file.take(size));
    let (mut hasher, mut lines, mut seen, mut encoding) = (Sha256::new(), Lines::new(range), 0, Encoding::Utf8);
    loop {
        let chunk = reader.fill_buf().map_err(|error| FileError::from_io(&shown, error))?;
        if chunk.is_empty() {
            break;
        }
        if seen == 0 {
            encoding = Encoding::of(chunk);
            if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
                let advice = "files of this size are read as UTF-8 only; convert it with iconv";
                return Err(FileError::TooLarge { path: shown, size, limit: MAX_WHOLE, advice });
            }
        }
        hasher.update(chunk);
        let skip = if seen == 0 { encoding.mark_len() } else { 0 };
        for piece in chunk[skip..].split_inclusive(|byte| *byte == b'\n') {
            lines.take(piece);
        }
        let len = chunk.len();
        seen += len as u64;
        reader.consume(len);
    }
    result(path, &lines.finish(), (seen, Digest::finish(hasher), encoding))
}

fn result(
    path: &RelPath,
    cut: &Cut,
    (size, digest, encoding): (u64, Digest, Encoding),
) -> Result<ReadResult, FileError> {
    let content = text::utf8(&cut.bytes, cut.from).map_err(|why| not_text(path, size, why))?.to_owned();
    Ok(ReadResult {
        path: path.clone(),
        line_ending: LineEnding::of(&content),
        content,
        first_line: cut.first_line,
        last_line: cut.last_line,
        total_lines: cut.total_lines,
        size,
        version: digest.version(),
        encoding,
        truncated: cut.truncated,
        mode: 0,
    })
}

/// Gathers the lines of a range from pieces that may each be a part of a line.
struct Lines {
    range: Range,
    /// The line that the next piece belongs to.
    line: u64,
    /// Whether that line has begun.
    begun: bool,
    kept: Vec<u8>,
    /// Bytes of the file before the next piece, and before the first that is kept.
    seen: u64,
    kept_from: u64,
    /// Where the last line that is kept begins in `kept`.
    line_start: usize,
    last_kept: u64,
    /// Bytes of the first line that are still to be left out.
    skip: u64,
    cut: Option<Truncation>,
}

impl Lines {
    fn new(range: Range) -> Self {
        let (kept, line, begun, skip) = (Vec::new(), 1, false, range.offset);
        Self { range, line, begun, kept, seen: 0, kept_from: 0, line_start: 0, last_kept: 0, skip, cut: None }
    }

    fn take(&mut self, piece: &[u8]) {
        if (self.range.first..=self.range.last).contains(&self.line) {
            self.keep(piece);
        } else {
            self.seen += piece.len() as u64;
        }
        self.begun = !piece.ends_with(b"\n");
        if !self.begun {
            self.line += 1;
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        let skipped = if self.line == self.range.first { self.skip.min(piece.len() as u64) } else { 0 };
        self.skip -= skipped;
        self.seen += skipped;
        let piece = &piece[skipped as usize..];
        if self.cut.is_none() && !piece.is_empty() {
            self.gather(piece);
        }
        self.seen += piece.len() as u64;
    }

    fn gather(&mut self, piece: &[u8]) {
        if self.last_kept != self.line {
            self.line_start = self.kept.len();
            if self.kept.is_empty() {
                self.kept_from = self.seen;
            }
        }
        let room = self.range.max_bytes - self.kept.len();
        if piece.len() <= room {
            self.kept.extend_from_slice(piece);
            self.last_kept = self.line;
        } else if self.line_start > 0 {
            // Whole lines fitted before: the answer ends between lines.
            self.kept.truncate(self.line_start);
            self.last_kept = self.line - 1;
            self.cut = Some(Truncation::AtLine { next_line: self.line });
        } else {
            self.kept.extend_from_slice(&piece[..room]);
            self.kept.truncate(whole_chars(&self.kept));
            self.last_kept = self.line;
            let before = if self.line == self.range.first { self.range.offset } else { 0 };
            self.cut = Some(Truncation::InLine { line: self.line, offset: before + self.kept.len() as u64 });
        }
    }

    fn finish(self) -> Cut {
        Cut {
            first_line: if self.last_kept == 0 { 0 } else { self.range.first },
            last_line: self.last_kept,
            total_lines: if self.begun { self.line } else { self.line - 1 },
            bytes: self.kept,
            from: self.kept_from,
            truncated: self.cut,
        }
    }
}

/// How many bytes are left when a character cut at the end is dropped.
fn whole_chars(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}
