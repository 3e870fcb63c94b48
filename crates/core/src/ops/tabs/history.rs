//! `set_history_limit`: how much output new tabs keep.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{HistoryLimit, SetHistoryLimit, Whole};

use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::start::SMALLEST_LOG;
use crate::terminals::tabs;

/// A log is bounded by bytes. A line counts as so many, which is more than most have.
const LINE: u64 = 256;

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "set_history_limit",
        Effects::WRITES,
        "Limit the history of tabs",
        "Sets how much output each tab keeps that is created from now on, in `lines` of 256 bytes or in `bytes`; the \
         oldest output goes first. Tabs that are there keep theirs. 256 MiB unless set.",
    )
    .handle(|hub, _, request: SetHistoryLimit| async move { set(&hub, &request).await })
}

async fn set(hub: &Arc<Hub>, request: &SetHistoryLimit) -> Result<HistoryLimit, Error> {
    let (field, unit, asked) = match (request.lines, request.bytes) {
        (Some(lines), None) => ("lines", LINE, lines.0),
        (None, Some(bytes)) => ("bytes", 1, bytes.0),
        _ => return Err(Error::invalid("lines", "give either `lines` or `bytes`")),
    };
    let (least, most) = (SMALLEST_LOG / unit, hub.settings().tabs.log_bytes / unit);
    if !(least..=most).contains(&asked) {
        return Err(Error::invalid(field, format!("{asked} is not between {least} and {most}")));
    }
    let bytes = asked * unit;
    tabs::set_history(hub, bytes).await.map_err(|error| convert::store_error(&error))?;
    Ok(HistoryLimit { lines: Whole(bytes / LINE), bytes: Whole(bytes) })
}
