//! A part of a log as callers read it: without what is ours, and cut where nothing breaks, whatever size was asked for.

use std::io;

use flightdeck_term::log::{Chunk, Log, Offset, incomplete_tail};
use flightdeck_term::printed::{
    Commands, Head, LONGEST, LONGEST_SEQUENCE, Marks, TypedLines, sequence, whole_sequences,
};
use flightdeck_term::session::Session;

use super::output::Look;

/// A mark of a shell is not longer.
const LONGEST_MARK: usize = 128 * 1024;

/// What a caller gets of a log.
#[derive(Debug)]
pub(crate) struct Excerpt {
    pub bytes: Vec<u8>,
    pub from: Offset,
    /// Where to go on.
    pub next: Offset,
    /// There was more before it.
    pub truncated: bool,
    /// There is no more for now.
    pub at_end: bool,
}

/// What has begun at the end of a log and is not complete: a character, a sequence, a line of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// It comes as a whole with the next page.
    Waits,
    /// It is given as far as it is there.
    Given,
}

/// A page of so many bytes. It is longer when something begins it that is, and shorter when something goes beyond its end, so
/// that nothing depends on how small pages are.
pub(crate) fn page(
    session: &Session,
    (from, to): (Offset, Option<Offset>),
    most: usize,
    unfinished: Unfinished,
    look: Look,
) -> io::Result<Excerpt> {
    let marks = Marks::of(session);
    let chunk = read(session.log(), &marks, (from, to), most)?;
    let may_go_on = session.progress().running() && unfinished == Unfinished::Waits;
    let bytes = if !is_last(&chunk, to) || chunk.at_end && may_go_on {
        let bytes = whole(&marks, &chunk.bytes);
        // What is longer than the page is shown as far as it is there.
        if bytes.is_empty() && !chunk.at_end { &chunk.bytes } else { bytes }
    } else {
        &chunk.bytes
    };
    let mut page = match unfinished {
        Unfinished::Given if is_last(&chunk, to) => to_the_end(session, &chunk)?,
        _ => to_next_line(session, &chunk, bytes)?,
    };
    page.bytes = without_marks(&marks, &page.bytes, look);
    page.next = to.map_or(page.next, |to| page.next.min(to.max(page.from)));
    Ok(page)
}

/// The last lines, as many as there are in the text that is made of them, and that text.
pub(crate) fn last(
    session: &Session,
    (lines, to): (usize, Option<Offset>),
    most: usize,
    look: Look,
    text: impl Fn(&[u8]) -> String,
) -> io::Result<(Excerpt, String)> {
    let marks = Marks::of(session);
    let (mut asked, mut length) = (lines, None);
    loop {
        let chunk = session.log().last_lines(asked, to, most)?;
        let mut last = to_the_end(session, &chunk)?;
        last.bytes = without_marks(&marks, &last.bytes, look);
        let shown = text(&last.bytes);
        // A line of ours counts in the log, and so does one in a mark.
        let missing = lines.saturating_sub(shown.lines().count());
        if missing == 0 || !chunk.truncated || length == Some(chunk.bytes.len()) {
            return Ok((last, shown));
        }
        length = Some(chunk.bytes.len());
        asked = asked.saturating_add(missing);
    }
}

/// In a text that is made plain the end of what a program has printed stays told, or a line editor would take some of it away.
fn without_marks(marks: &Marks, bytes: &[u8], look: Look) -> Vec<u8> {
    if look == Look::Plain { marks.fence(bytes) } else { marks.remove(bytes) }
}

/// All of a part of a log, without our lines.
pub(crate) fn to_the_end(session: &Session, chunk: &Chunk) -> io::Result<Excerpt> {
    let mut typed = TypedLines::from(session, chunk.from, Commands::Shown);
    let mut bytes = typed.push(&chunk.bytes);
    if typed.is_holding() {
        let held = &chunk.bytes[chunk.bytes.len() - typed.held()..];
        let ahead = session.log().read(chunk.next, None, LONGEST)?;
        // In the log it may be seen whose it is.
        if !typed.holds_ours() && typed.ours(&ahead.bytes).is_none() {
            bytes.extend_from_slice(held);
        }
    }
    Ok(Excerpt { bytes, from: chunk.from, next: chunk.next, truncated: chunk.truncated, at_end: chunk.at_end })
}

/// Some bytes of a part of a log, up to a line of ours or to its end.
fn to_next_line(session: &Session, chunk: &Chunk, bytes: &[u8]) -> io::Result<Excerpt> {
    let mut typed = TypedLines::from(session, chunk.from, Commands::Shown);
    let (printed, end) = (typed.push(bytes), chunk.from + bytes.len() as u64);
    let excerpt = |bytes, next, at_end| Excerpt { bytes, from: chunk.from, next, truncated: chunk.truncated, at_end };
    if !typed.is_holding() {
        return Ok(excerpt(printed, end, chunk.at_end));
    }
    if !printed.is_empty() {
        return Ok(excerpt(printed, Offset(end.0.saturating_sub(typed.held() as u64)), false));
    }
    let (ahead, holds_ours) = (session.log().read(end, None, LONGEST)?, typed.holds_ours());
    Ok(match typed.ours(&ahead.bytes) {
        Some((length, bytes)) => excerpt(bytes, end + length as u64, ahead.at_end && length == ahead.bytes.len()),
        // Its rest is on its way: until then there is no more.
        None if ahead.at_end && holds_ours && session.progress().running() => excerpt(Vec::new(), chunk.from, true),
        None => excerpt(bytes.to_vec(), end, chunk.at_end),
    })
}

fn is_last(chunk: &Chunk, to: Option<Offset>) -> bool {
    chunk.at_end || to.is_some_and(|to| chunk.next >= to)
}

/// These bytes without what is cut off at their end.
fn whole<'a>(marks: &Marks, bytes: &'a [u8]) -> &'a [u8] {
    let bytes = &bytes[..marks.whole(bytes)];
    let bytes = &bytes[..bytes.len() - incomplete_tail(bytes)];
    let bytes = &bytes[..whole_sequences(bytes)];
    match bytes {
        // Its newline comes next, and only then it is known whose return it is.
        [before @ .., b'\r'] if !before.is_empty() => before,
        bytes => bytes,
    }
}

/// Reads a part of a log. One that begins with a mark or a sequence that it does not hold whole is just that.
fn read(log: &Log, marks: &Marks, (from, to): (Offset, Option<Offset>), most: usize) -> io::Result<Chunk> {
    let chunk = log.read(from, to, most)?;
    let length = |bytes: &[u8]| match marks.head(bytes) {
        Head::Mark(length) => Some(length),
        _ => sequence(bytes),
    };
    let longest = match marks.head(&chunk.bytes) {
        _ if chunk.bytes.is_empty() => return Ok(chunk),
        Head::Cut => LONGEST_MARK,
        _ if chunk.bytes[0] == ESC && sequence(&chunk.bytes).is_none() => LONGEST_SEQUENCE,
        _ => return Ok(chunk),
    };
    let mut longer = log.read(from, None, longest)?;
    let Some(length) = length(&longer.bytes) else { return Ok(chunk) };
    longer.at_end &= length == longer.bytes.len();
    longer.bytes.truncate(length);
    longer.next = longer.from + length as u64;
    Ok(longer)
}

const ESC: u8 = 0x1b;
