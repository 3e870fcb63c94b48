//! Lines of a log: the last N of them without reading the rest, and a sparse index from line numbers to offsets.

use std::io;

use memchr::memchr_iter;
use memchr::memrchr_iter;

use super::{Log, Offset};

/// How much is looked at in one step. Also the distance between two entries of the index.
const BLOCK: u64 = 64 * 1024;

/// Where the last `lines` lines of `start..end` begin, going back at most `max` bytes.
pub(super) fn start_of_last(
    lines: usize,
    start: Offset,
    end: Offset,
    max: u64,
    mut read: impl FnMut(Offset, &mut [u8]) -> io::Result<usize>,
) -> io::Result<Offset> {
    if lines == 0 {
        return Ok(end);
    }
    let floor = start.max(Offset(end.0.saturating_sub(max)));
    let mut buf = vec![0; BLOCK as usize];
    let mut found = 0;
    let mut upper = end;
    while upper > floor {
        let lower = floor.max(Offset(upper.0.saturating_sub(BLOCK)));
        let part = &mut buf[..upper.since(lower) as usize];
        let filled = read(lower, part)?;
        for position in memrchr_iter(b'\n', &part[..filled]) {
            let after = lower + position as u64 + 1;
            // The newline that ends the last line begins none.
            if after == end {
                continue;
            }
            found += 1;
            if found == lines {
                return Ok(after);
            }
        }
        upper = lower;
    }
    Ok(floor)
}

/// How many lines a log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCount {
    /// Complete lines in what is still on disk.
    pub complete: u64,
    /// Whether a line without its newline follows.
    pub partial: bool,
}

/// A sparse index of a log's lines, extended on demand: nothing is counted until somebody asks.
///
/// Line numbers count from the oldest line that was there when the index was begun.
#[derive(Debug, Default)]
pub struct LineIndex {
    /// Newlines in each block of [`BLOCK`] bytes from `base` on.
    counts: Vec<u32>,
    base: Offset,
    end: Offset,
    last_byte_is_newline: bool,
}

impl LineIndex {
    /// Takes in what the log has gained since the last call.
    pub fn update(&mut self, log: &Log) -> io::Result<LineCount> {
        let (start, log_end) = log.bounds()?;
        if self.end < start {
            *self = LineIndex { base: start, end: start, ..LineIndex::default() };
        }
        while self.end < log_end {
            let room = BLOCK - self.end.since(self.base) % BLOCK;
            let chunk = log.read(self.end, Some((self.end + room).min(log_end)), room as usize)?;
            if chunk.bytes.is_empty() {
                break;
            }
            if room == BLOCK {
                self.counts.push(0);
            }
            if let Some(count) = self.counts.last_mut() {
                *count += memchr_iter(b'\n', &chunk.bytes).count() as u32;
            }
            self.last_byte_is_newline = chunk.bytes.last() == Some(&b'\n');
            self.end = chunk.next;
        }
        let complete = self.counts.iter().map(|c| u64::from(*c)).sum();
        Ok(LineCount { complete, partial: self.end > self.base && !self.last_byte_is_newline })
    }

    /// Where line `line` (from zero) begins; `None` when there is no such line.
    pub fn offset_of(&mut self, log: &Log, line: u64) -> io::Result<Option<Offset>> {
        let count = self.update(log)?;
        if line == 0 {
            return Ok(Some(self.base));
        }
        if line > count.complete || (line == count.complete && !count.partial) {
            return Ok(None);
        }
        // Line N begins after the Nth newline.
        let mut before = 0;
        for (block, newlines) in self.counts.iter().enumerate() {
            if before + u64::from(*newlines) >= line {
                let at = self.base + block as u64 * BLOCK;
                let chunk = log.read(at, Some(at + BLOCK), BLOCK as usize)?;
                let nth = (line - before - 1) as usize;
                return Ok(memchr_iter(b'\n', &chunk.bytes).nth(nth).map(|p| chunk.from + p as u64 + 1));
            }
            before += u64::from(*newlines);
        }
        Ok(None)
    }
}
