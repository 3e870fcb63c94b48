//! `flightdeck.terminal.times`: when a terminal printed what, for a replay.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{OutputTime, OutputTimes, Times};
use flightdeck_term::log::TimeMark;

use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

/// More than a time line can show. Of more notes than these, some are left out evenly.
const MOST_MARKS: usize = 20_000;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.times",
        Effects::READS,
        "When output came",
        "Tells when a terminal printed what, for a replay along a time line.",
    )
    .for_people()
    .aside(|hub, _, request| times(hub, &request))
}

fn times(hub: &Arc<Hub>, request: &Times) -> Result<OutputTimes, Error> {
    let session = hub.session(request.id)?;
    let log = session.log();
    let (start, end) = log.bounds().map_err(|error| convert::io_error("the log can't be read", &error))?;
    let marks = log.times(start, end).map_err(|error| convert::io_error("the log can't be read", &error))?;
    let step = marks.len().div_ceil(MOST_MARKS).max(1);
    let told = |mark: &TimeMark| OutputTime {
        at: mark.at.0,
        time_ms: mark.time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64),
    };
    Ok(OutputTimes { start: start.0, end: end.0, marks: marks.iter().step_by(step).map(told).collect() })
}
