//! `stream_logs_from_tab`: a tab's log by byte offsets, which keep their meaning for as long as the tab is known.

use std::io;

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{LogChunk, StreamLogs, Whole};
use flightdeck_term::log::{Chunk, Log, Offset, incomplete_tail};

use super::MOST_BYTES;
use super::check_readable;
use super::marks::{Head, Marks};
use super::text::{shown, whole_sequences};
use crate::convert;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::newlines::as_printed;
use crate::terminals::plumbing::Plumbing;
use crate::terminals::tabs;

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
        let chunk = read(tab.session.log(), &marks, Offset(from), most.clamp(LEAST_BYTES, MOST_BYTES));
        let chunk = chunk.map_err(|error| convert::io_error("the log can't be read", &error))?;
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
        let next = chunk.from + bytes.len() as u64;
        let printed = marks.remove(bytes);
        let translated = tab.session.adds_returns() != Some(false);
        let printed = if translated { as_printed(&printed) } else { printed };
        Ok(LogChunk {
            // Without sequences it is for reading. With them every byte is there, however small the chunks are.
            chunk: if request.strip_ansi {
                Plumbing::of(&tab.session).remove(shown(&printed))
            } else {
                String::from_utf8_lossy(&printed).into_owned()
            },
            next_byte: Whole(next.0),
            eof: chunk.at_end,
            gap_bytes: Some(Whole(chunk.from.since(Offset(from)))).filter(|gap| gap.0 > 0),
        })
    })
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
