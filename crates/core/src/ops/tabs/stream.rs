//! `stream_logs_from_tab`: a tab's log by byte offsets, which keep their meaning for as long as the tab is known.

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{LogChunk, StreamLogs, Whole};
use flightdeck_term::log::{Offset, incomplete_tail};

use super::MOST_BYTES;
use super::text::{shown, whole_sequences};
use crate::convert;
use crate::registry::{Command, Effects, define};

const DEFAULT_BYTES: Whole = Whole(65_536);
/// One character has so many at most.
const LEAST_BYTES: usize = 4;

pub(super) fn command() -> Command {
    define(
        "stream_logs_from_tab",
        Effects::READS,
        "Stream a tab's log",
        "Reads a tab's log from a byte offset on; pass `next_byte` as the next `from_byte` to go on, also after a \
         restart of the server. `eof` says that there is no more for now. Where old output is no longer kept, \
         `gap_bytes` says how much is missing before the chunk.",
    )
    .tab_tool()
    .aside(|hub, _, request: StreamLogs| {
        let tab = hub.tab(request.window_id)?;
        let most = usize::try_from(request.max_bytes.unwrap_or(DEFAULT_BYTES).0).unwrap_or(MOST_BYTES);
        let open = tab.session.progress().running();
        let from = request.from_byte.0;
        let chunk = tab.session.log().read(Offset(from), None, most.clamp(LEAST_BYTES, MOST_BYTES));
        let chunk = chunk.map_err(|error| convert::io_error("the log can't be read", &error))?;
        if from > chunk.next.0 {
            let text = format!("{from} is beyond the end of the log, which is at {}", chunk.next.0);
            return Err(Error::invalid("from_byte", text).hint("begin at 0, or at a next_byte of this tab"));
        }
        let mut bytes = chunk.bytes.as_slice();
        if open && chunk.at_end {
            // The rest of a character is on its way.
            bytes = &bytes[..bytes.len() - incomplete_tail(bytes)];
        }
        if request.strip_ansi && (open || !chunk.at_end) {
            let whole = whole_sequences(bytes);
            // A sequence that is longer than the chunk is shown as far as it is there.
            bytes = if whole == 0 && !chunk.at_end { bytes } else { &bytes[..whole] };
        }
        Ok(LogChunk {
            chunk: if request.strip_ansi { shown(bytes) } else { String::from_utf8_lossy(bytes).into_owned() },
            next_byte: Whole(chunk.from.0 + bytes.len() as u64),
            eof: chunk.at_end,
            gap_bytes: Some(Whole(chunk.from.since(Offset(from)))).filter(|gap| gap.0 > 0),
        })
    })
}
