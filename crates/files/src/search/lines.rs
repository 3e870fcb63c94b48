//! The lines of one file that match.

use std::fs::File;
use std::io::{self, Read};

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};

use super::Found;
use super::work::Progress;
use crate::path::RelPath;

/// Characters of a line that are shown.
const SHOWN: usize = 300;
/// Characters shown before the match in a line that is cut.
const LEAD: usize = 60;
/// A line, with all that has to be in memory at once.
const MAX_LINE: usize = 4 * 1024 * 1024;

pub(super) fn searcher() -> Searcher {
    SearcherBuilder::new()
        .line_number(true)
        .line_terminator(LineTerminator::crlf())
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MAX_LINE))
        .build()
}

/// What became of a file.
#[derive(Debug)]
pub(super) enum Looked {
    Searched(Vec<Found>),
    /// It could not be read to its end, or a line was too long.
    Partly(Vec<Found>),
    Skipped,
}

pub(super) fn look(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    progress: &Progress<'_>,
    file: File,
    path: RelPath,
) -> Looked {
    let mut lines = Lines { matcher, progress, path, found: Vec::new(), binary: false };
    let result = searcher.search_reader(matcher, Watched { file, progress }, &mut lines);
    if lines.binary {
        progress.give_back(lines.found.len());
        return Looked::Skipped;
    }
    match result {
        Ok(()) => Looked::Searched(lines.found),
        // What was found before the file could not be read on is true all the same.
        Err(_) if !lines.found.is_empty() => Looked::Partly(lines.found),
        Err(_) => Looked::Skipped,
    }
}

/// A file that stops being read when the search is over.
struct Watched<'a> {
    file: File,
    progress: &'a Progress<'a>,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_over() {
            return Err(io::Error::other("the search is over"));
        }
        self.file.read(buffer)
    }
}

struct Lines<'a> {
    matcher: &'a RegexMatcher,
    progress: &'a Progress<'a>,
    path: RelPath,
    found: Vec<Found>,
    binary: bool,
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, line: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if !self.progress.take_one() {
            return Ok(false);
        }
        let bytes = line.bytes().strip_suffix(b"\n").unwrap_or(line.bytes());
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let start = self.matcher.find(bytes)?.map_or(0, |found| found.start());
        let before = String::from_utf8_lossy(&bytes[..start]).chars().count();
        self.found.push(Found {
            path: self.path.clone(),
            line: line.line_number().unwrap_or(0),
            column: before as u64 + 1,
            text: cut(&String::from_utf8_lossy(bytes), before),
        });
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> Result<bool, io::Error> {
        self.binary = true;
        Ok(false)
    }
}

/// A long line, cut around the character at which the match begins.
fn cut(line: &str, at: usize) -> String {
    let skipped = if line.chars().nth(SHOWN).is_none() { 0 } else { at.saturating_sub(LEAD) };
    let mut shown: String = if skipped > 0 { "…".to_owned() } else { String::new() };
    let mut rest = line.chars().skip(skipped);
    shown.extend(rest.by_ref().take(SHOWN - usize::from(skipped > 0) - 1));
    let after: Vec<char> = rest.take(2).collect();
    match after.as_slice() {
        [] => {}
        [last] => shown.push(*last),
        _ => shown.push('…'),
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_match() {
        assert_eq!(cut("short", 3), "short");
        let exact = "x".repeat(SHOWN);
        assert_eq!(cut(&exact, 299), exact);
        let long = format!("{}needle{}", "ä".repeat(1000), "ö".repeat(1000));
        let shown = cut(&long, 1000);
        assert!(shown.contains("needle") && shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        assert_eq!(shown.chars().count(), SHOWN);
        let end = format!("{}needle", "ä".repeat(1000));
        let shown = cut(&end, 1000);
        assert!(shown.ends_with("needle"), "{shown}");
    }
}
