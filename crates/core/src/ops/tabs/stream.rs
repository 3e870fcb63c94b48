//! `stream_logs_from_tab`: a tab's log by byte offsets, which keep their meaning for as long as the tab is known.

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{LogChunk, StreamLogs, Whole};
use flightdeck_term::log::Offset;

use super::check_readable;
use super::text::shown;
use super::{DEFAULT_BYTES, MOST_BYTES};
use crate::convert;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::excerpt::{Unfinished, page};
use crate::terminals::newlines::as_printed;
use crate::terminals::output::Look;
use crate::terminals::plumbing::Plumbing;
use crate::terminals::tabs;

/// One character has so many at most.
const LEAST_BYTES: usize = 4;

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
        let wanted = request.max_bytes.map(|bytes| usize::try_from(bytes.0).unwrap_or(MOST_BYTES));
        let most = wanted.unwrap_or(DEFAULT_BYTES);
        let from = request.from_byte.0;
        let unreadable = |error| convert::io_error("the log can't be read", &error);
        let most = most.clamp(LEAST_BYTES, MOST_BYTES);
        let page = page(&tab.session, (Offset(from), None), most, Unfinished::Waits, Look::Raw).map_err(unreadable)?;
        if from > page.next.0 {
            let text = format!("{from} is beyond the end of the log, which is at {}", page.next.0);
            return Err(Error::invalid("from_byte", text).hint("begin at 0, or at a next_byte of this tab"));
        }
        let printed = page.bytes;
        let translated = tab.session.adds_returns() != Some(false);
        let printed = if translated { as_printed(&printed) } else { printed };
        Ok(LogChunk {
            chunk: Plumbing::of(&tab.session).remove(if request.strip_ansi {
                shown(&printed)
            } else {
                String::from_utf8_lossy(&printed).into_owned()
            }),
            next_byte: Whole(page.next.0),
            eof: page.at_end,
            gap_bytes: Some(Whole(page.from.since(Offset(from)))).filter(|gap| gap.0 > 0),
        })
    })
}
