//! A log's lines, one after the other, as programs printed them.

use std::collections::VecDeque;
use std::io;

use super::marks::Marks;
use super::typed_lines::{Commands, TypedLines};
use crate::log::{Log, Offset};
use crate::session::Session;

const STEP: usize = 256 * 1024;

/// A stretch of a log: a line, or all that a line editor has made of one that was typed.
#[derive(Debug)]
pub struct Line {
    pub from: Offset,
    pub to: Offset,
    /// What it says, without what is ours.
    pub bytes: Vec<u8>,
    /// More of it may still come.
    pub goes_on: bool,
}

/// Reads lines from one place in a log to another.
#[derive(Debug)]
pub struct Lines<'a> {
    log: &'a Log,
    at: Offset,
    end: Offset,
    /// A line that is longer is given in pieces.
    longest: usize,
    /// What was read; what comes before `given` has been given.
    rest: Vec<u8>,
    given: usize,
    marks: Marks,
    typed: TypedLines,
    /// Lines that were read to see that they are nobody's but the program's.
    told: VecDeque<Line>,
}

impl<'a> Lines<'a> {
    pub fn new(session: &'a Session, (from, end): (Offset, Offset), longest: usize, commands: Commands) -> Self {
        Lines {
            log: session.log(),
            at: from,
            end,
            longest,
            rest: Vec::new(),
            given: 0,
            marks: Marks::of(session),
            typed: TypedLines::from(session, from, commands),
            told: VecDeque::new(),
        }
    }

    /// The next line.
    pub fn read(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.told.pop_front() {
            return Ok(Some(self.without_marks(&line)));
        }
        let (mut kept, mut read) = (Vec::new(), VecDeque::new());
        while let Some(line) = self.next_line()? {
            kept.extend(self.typed.push(&line.bytes));
            read.push_back(line);
            if !self.typed.is_holding() {
                let is_all = kept.len() == read.iter().map(|line| line.bytes.len()).sum::<usize>();
                if is_all && read.iter().all(|line| self.marks.whole(&line.bytes) == line.bytes.len()) {
                    // None of it is ours.
                    self.told = read;
                    return self.read();
                }
                break;
            }
        }
        let (Some(first), Some(last)) = (read.front(), read.back()) else { return Ok(None) };
        let (from, to, goes_on) = (first.from, last.to, last.goes_on || self.typed.is_holding());
        kept.extend(self.typed.finish());
        Ok(Some(Line { from, to, bytes: self.marks.remove(&kept), goes_on }))
    }

    fn without_marks(&self, line: &Line) -> Line {
        Line { bytes: self.marks.remove(&line.bytes), ..*line }
    }

    /// The next whole line as it is in the log, or the last one as far as there is any of it.
    fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut looked = self.given;
        loop {
            let newline = memchr::memchr(b'\n', &self.rest[looked..]).map(|at| looked + at + 1);
            let longest = self.given + self.longest;
            if let Some(end) = newline.or((self.rest.len() >= longest).then_some(longest)) {
                return Ok(Some(self.take(end)));
            }
            self.rest.drain(..self.given);
            self.given = 0;
            looked = self.rest.len();
            let chunk = self.log.read(self.at, Some(self.end), STEP)?;
            if chunk.bytes.is_empty() {
                let last = self.take(self.rest.len());
                return Ok(Some(Line { goes_on: true, ..last }).filter(|last| !last.bytes.is_empty()));
            }
            if chunk.from > self.at {
                // What was to come next has been rotated away.
                self.rest.clear();
                looked = 0;
            }
            self.rest.extend_from_slice(&chunk.bytes);
            self.at = chunk.next;
        }
    }

    fn take(&mut self, end: usize) -> Line {
        let before = |rest: usize| Offset(self.at.0 - rest as u64);
        let (from, to) = (before(self.rest.len() - self.given), before(self.rest.len() - end));
        let bytes = self.rest[self.given..end].to_vec();
        self.given = end;
        Line { from, to, bytes, goes_on: false }
    }
}
