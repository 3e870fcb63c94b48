//! The log of a terminal: the bytes its programs printed, in segments on disk.
//!
//! The keeper writes it, everybody else only reads it. It is the truth from which screens, records and search
//! results are derived, so reading works with no hub state at all: after a restart, after `kill -9`, and while
//! the keeper goes on writing. An [`Offset`] counts bytes since the terminal began; it never changes its meaning,
//! even when the oldest segments have been rotated away. A read that asks for what is gone says so.

mod follow;
mod lines;
mod streams;
mod times;

use std::fs::{self, File};
use std::io;
use std::ops::Add;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use flightdeck_keeper::{parse_segment_name, segment_path, streams_path};

pub use flightdeck_screen::utf8::{incomplete_tail, stray_head};
pub use follow::Follower;
pub use streams::StreamRun;
pub use times::TimeMark;

/// A position in a terminal's output: how many bytes came before it since the terminal began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(pub u64);

impl Offset {
    /// The very beginning of the output.
    pub const ZERO: Offset = Offset(0);

    /// How many bytes lie between an earlier position and this one; zero when it is not earlier.
    pub fn since(self, earlier: Offset) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for Offset {
    type Output = Offset;

    fn add(self, bytes: u64) -> Offset {
        Offset(self.0 + bytes)
    }
}

/// Bytes read from a log, and where they stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where the bytes begin. Later than asked for when older output has been rotated away.
    pub from: Offset,
    /// The bytes themselves, never cut inside a UTF-8 character at their end.
    pub bytes: Vec<u8>,
    /// Where to go on reading.
    pub next: Offset,
    /// Output before `from` that was asked for, or belongs to what was asked for, but is not in `bytes`.
    pub truncated: bool,
    /// Whether `next` is the end of the log as it was when it was read.
    pub at_end: bool,
}

/// A reader of one terminal's log.
#[derive(Clone, Debug)]
pub struct Log {
    dir: PathBuf,
}

/// How often a read begins again because segments went away under it.
const ROTATIONS: usize = 8;

/// One segment file: the offset of its first byte and how many bytes it holds.
#[derive(Clone, Copy, Debug)]
struct Segment {
    base: u64,
    len: u64,
}

impl Log {
    /// A reader of the log in `dir`, which need not exist yet.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Log { dir: dir.into() }
    }

    /// The folder of the segments.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The oldest byte that is still there and the end. Both zero for a log that has not begun.
    pub fn bounds(&self) -> io::Result<(Offset, Offset)> {
        if let Some(len) = self.only_segment() {
            return Ok((Offset::ZERO, Offset(len)));
        }
        let segments = self.segments()?;
        let start = segments.first().map_or(0, |s| s.base);
        let end = segments.last().map_or(0, |s| s.base + s.len);
        Ok((Offset(start), Offset(end)))
    }

    /// Reads from `from` up to `to` (or the end), at most `max` bytes.
    ///
    /// The bytes end at a character boundary unless they end at `to`, where the asker wants just that, or unless
    /// `max` is smaller than the character.
    pub fn read(&self, from: Offset, to: Option<Offset>, max: usize) -> io::Result<Chunk> {
        if let Some(chunk) = to.and_then(|to| self.read_first(from, to, max)) {
            return Ok(chunk);
        }
        self.while_rotating(|segments| self.read_in(segments, from, to, max))
    }

    /// Reads what lies whole in the first segment, without listing the folder: most logs have no other segment.
    fn read_first(&self, from: Offset, to: Offset, max: usize) -> Option<Chunk> {
        let wanted = usize::try_from(to.since(from)).ok().filter(|wanted| *wanted > 0 && *wanted <= max)?;
        let file = File::open(segment_path(&self.dir, 0)).ok()?;
        let mut bytes = vec![0; wanted];
        file.read_exact_at(&mut bytes, from.0).ok()?;
        let is_last =
            || file.metadata().is_ok_and(|meta| meta.len() == to.0) && !segment_path(&self.dir, to.0).exists();
        Some(Chunk { from, truncated: false, at_end: is_last(), next: to, bytes })
    }

    /// The length of the first segment when there is no other one, without listing the folder.
    fn only_segment(&self) -> Option<u64> {
        let len = fs::metadata(segment_path(&self.dir, 0)).ok()?.len();
        // The next one begins where this one ends, and none begins before something is in this one.
        (len == 0 || !segment_path(&self.dir, len).exists()).then_some(len)
    }

    fn read_in(&self, segments: &[Segment], from: Offset, to: Option<Offset>, max: usize) -> io::Result<Chunk> {
        let start = Offset(segments.first().map_or(0, |s| s.base));
        let log_end = Offset(segments.last().map_or(0, |s| s.base + s.len));
        let end = to.map_or(log_end, |to| to.min(log_end));
        let begin = from.max(start).min(end.max(start));
        let wanted = usize::try_from(end.since(begin)).unwrap_or(usize::MAX).min(max);
        let mut bytes = vec![0; wanted];
        let filled = self.fill(segments, begin, &mut bytes)?;
        bytes.truncate(filled);
        if begin + (filled as u64) < end {
            let tail = incomplete_tail(&bytes);
            if tail < bytes.len() {
                bytes.truncate(bytes.len() - tail);
            }
        }
        let next = begin + bytes.len() as u64;
        Ok(Chunk { from: begin, truncated: from < begin, at_end: next >= log_end, next, bytes })
    }

    /// The last `lines` lines before `to` (or the end), at most `max` bytes of them (the newest ones).
    ///
    /// A line without its newline counts as a line. `truncated` says that older lines exist or existed.
    pub fn last_lines(&self, lines: usize, to: Option<Offset>, max: usize) -> io::Result<Chunk> {
        self.while_rotating(|segments| self.last_lines_in(segments, lines, to, max))
    }

    fn last_lines_in(&self, segments: &[Segment], lines: usize, to: Option<Offset>, max: usize) -> io::Result<Chunk> {
        let start = Offset(segments.first().map_or(0, |s| s.base));
        let log_end = Offset(segments.last().map_or(0, |s| s.base + s.len));
        let end = to.map_or(log_end, |to| to.min(log_end)).max(start);
        let from = lines::start_of_last(lines, start, end, max as u64, |at, buf| self.fill(segments, at, buf))?;
        let mut chunk = self.read_in(segments, from, Some(end), max)?;
        let stray = if from > start { stray_head(&chunk.bytes) } else { 0 };
        if stray > 0 {
            chunk.bytes.drain(..stray);
            chunk.from = chunk.from + stray as u64;
        }
        chunk.truncated = chunk.from > Offset::ZERO;
        chunk.at_end = chunk.next >= log_end;
        Ok(chunk)
    }

    /// Which stream each part of `from..to` came from. Empty for a terminal, which has one stream only.
    pub fn streams(&self, from: Offset, to: Offset) -> io::Result<Vec<StreamRun>> {
        // The first byte of a segment has a record, if any has.
        let in_first = fs::metadata(segment_path(&self.dir, 0)).is_ok_and(|meta| to.0 <= meta.len());
        if in_first && !streams_path(&self.dir, 0).exists() {
            return Ok(Vec::new());
        }
        streams::runs(&self.dir, &self.segments()?.iter().map(|s| s.base).collect::<Vec<_>>(), from, to)
    }

    /// Reads with the segments as they are now, and again when one of them was rotated away in between.
    fn while_rotating<T>(&self, read: impl Fn(&[Segment]) -> io::Result<T>) -> io::Result<T> {
        for _ in 0..ROTATIONS {
            match read(&self.segments()?) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => return other,
            }
        }
        read(&self.segments()?)
    }

    /// Fills `buf` from `at` on across segment borders; shorter only where the log ends.
    fn fill(&self, segments: &[Segment], at: Offset, buf: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        let first = segments.partition_point(|s| s.base + s.len <= at.0);
        for segment in &segments[first..] {
            if filled == buf.len() {
                break;
            }
            let position = at.0 + filled as u64;
            let wanted = (segment.base + segment.len - position).min((buf.len() - filled) as u64) as usize;
            let file = File::open(segment_path(&self.dir, segment.base))?;
            file.read_exact_at(&mut buf[filled..filled + wanted], position - segment.base)?;
            filled += wanted;
        }
        Ok(filled)
    }

    /// All segments in order, with the lengths they have now.
    fn segments(&self) -> io::Result<Vec<Segment>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut segments = Vec::new();
        for entry in entries {
            let entry = entry?;
            let Some(base) = parse_segment_name(&entry.file_name()) else { continue };
            match entry.metadata() {
                Ok(meta) => segments.push(Segment { base, len: meta.len() }),
                // Rotated away between the listing and the look.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        segments.sort_unstable_by_key(|s| s.base);
        // Lengths were taken one after the other while the keeper may have gone on writing: a segment is only
        // as long as the distance to the next one, and anything after a hole was listed before its neighbour.
        for i in 1..segments.len() {
            segments[i - 1].len = segments[i].base - segments[i - 1].base;
        }
        Ok(segments)
    }
}

#[cfg(test)]
mod tests;
