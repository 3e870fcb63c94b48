//! `stream_logs_from_tab`: a tab's log by byte offsets, which keep their meaning for as long as the tab is known.

use std::io;

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{LogChunk, StreamLogs, Whole};
use flightdeck_term::log::{Chunk, Log, Offset, incomplete_tail};
use flightdeck_term::session::Session;

use super::MOST_BYTES;
use super::check_readable;
use super::text::{shown, whole_sequences};
use crate::convert;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::marks::{Head, Marks};
use crate::terminals::newlines::as_printed;
use crate::terminals::plumbing::Plumbing;
use crate::terminals::tabs;
use crate::terminals::typed_line::{LONGEST, TypedLines};

const DEFAULT_BYTES: Whole = Whole(65_536);
/// One character has so many at most.
const LEAST_BYTES: usize = 4;
/// A mark of a shell is not longer.
const LONGEST_MARK: usize = 128 * 1024;

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "stream_logs_from_tab",
        Effects::READS,
        "Stream a tab's log",
        "Reads a tab's log from a byte offset on; pass `next_byte` as the next `from_byte` to go on, also after a \
         restart of the server. `eof` says that there is no more for now. Where old output is no longer kept, \
         `gap_bytes` says how much is missing before the chunk.",
    )
    .aside(|hub, _, request: StreamLogs| {
        let tab = tabs::tab(hub, request.window_id)?;
        check_readable(&tab)?;
        let most = usize::try_from(request.max_bytes.unwrap_or(DEFAULT_BYTES).0).unwrap_or(MOST_BYTES);
        let open = tab.session.progress().running();
        let from = request.from_byte.0;
        let marks = Marks::of(&tab.session);
        let unreadable = |error| convert::io_error("the log can't be read", &error);
        let log = tab.session.log();
        let chunk = read(log, &marks, Offset(from), most.clamp(LEAST_BYTES, MOST_BYTES)).map_err(unreadable)?;
        if from > chunk.next.0 {
            let text = format!("{from} is beyond the end of the log, which is at {}", chunk.next.0);
            return Err(Error::invalid("from_byte", text).hint("begin at 0, or at a next_byte of this tab"));
        }
        let mut bytes = chunk.bytes.as_slice();
        if open || !chunk.at_end {
            let whole = marks.whole(bytes);
            // What only looks like the beginning of a mark is none when more follows.
            bytes = if whole == 0 && !chunk.at_end { bytes } else { &bytes[..whole] };
        }
        if open && chunk.at_end {
            // The rest of a character is on its way.
            bytes = &bytes[..bytes.len() - incomplete_tail(bytes)];
        }
        if request.strip_ansi && (open || !chunk.at_end) {
            let whole = whole_sequences(bytes);
            // A sequence that is longer than the chunk is shown as far as it is there.
            bytes = if whole == 0 && !chunk.at_end { bytes } else { &bytes[..whole] };
        }
        if (open || !chunk.at_end) && bytes.len() > 1 && bytes.ends_with(b"\r") {
            // Its newline comes next, and only then it is known whose return it is.
            bytes = &bytes[..bytes.len() - 1];
        }
        let Printed { bytes: printed, next, at_end } = Printed::of(&tab.session, &chunk, bytes).map_err(unreadable)?;
        let printed = marks.remove(&printed);
        let translated = tab.session.adds_returns() != Some(false);
        let printed = if translated { as_printed(&printed) } else { printed };
        Ok(LogChunk {
            chunk: Plumbing::of(&tab.session).remove(if request.strip_ansi {
                shown(&printed)
            } else {
                String::from_utf8_lossy(&printed).into_owned()
            }),
            next_byte: Whole(next.0),
            eof: at_end,
            gap_bytes: Some(Whole(chunk.from.since(Offset(from)))).filter(|gap| gap.0 > 0),
        })
    })
}

/// What is given of a part of a log, with commands where the lines that read them from files were typed. The part is longer when
/// such a line begins it, and shorter when one goes beyond its end, so that nothing depends on how small the parts are.
struct Printed {
    bytes: Vec<u8>,
    next: Offset,
    at_end: bool,
}

impl Printed {
    fn of(session: &Session, chunk: &Chunk, bytes: &[u8]) -> io::Result<Self> {
        let mut typed = TypedLines::from(session, chunk.from);
        let (printed, end) = (typed.push(bytes), chunk.from + bytes.len() as u64);
        if !typed.is_holding() {
            return Ok(Printed { bytes: printed, next: end, at_end: chunk.at_end });
        }
        if !printed.is_empty() {
            let next = chunk.from + bytes.len().saturating_sub(typed.held()) as u64;
            return Ok(Printed { bytes: printed, next, at_end: false });
        }
        let ahead = session.log().read(end, None, LONGEST)?;
        Ok(match typed.ours(&ahead.bytes) {
            Some((length, bytes)) => {
                let at_end = ahead.at_end && length == ahead.bytes.len();
                Printed { bytes, next: end + length as u64, at_end }
            }
            // Its rest is on its way: until then there is no more.
            None if ahead.at_end && typed.holds_ours() && session.progress().running() => {
                Printed { bytes: Vec::new(), next: chunk.from, at_end: true }
            }
            None => Printed { bytes: bytes.to_vec(), next: end, at_end: chunk.at_end },
        })
    }
}

/// Reads a part of a log. One that begins with a mark that it does not hold whole is just that mark.
fn read(log: &Log, marks: &Marks, from: Offset, most: usize) -> io::Result<Chunk> {
    let chunk = log.read(from, None, most)?;
    if marks.head(&chunk.bytes) != Head::Cut || chunk.bytes.is_empty() {
        return Ok(chunk);
    }
    let mut longer = log.read(from, None, LONGEST_MARK)?;
    let Head::Mark(length) = marks.head(&longer.bytes) else { return Ok(chunk) };
    longer.at_end &= length == longer.bytes.len();
    longer.bytes.truncate(length);
    longer.next = longer.from + length as u64;
    Ok(longer)
}
