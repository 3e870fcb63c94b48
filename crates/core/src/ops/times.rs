//! `flightdeck.terminal.times`: when a terminal printed what, for a replay.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{OutputSize, OutputTime, OutputTimes, Times, WindowSize};
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
    let marks = marks.iter().step_by(step).map(told).collect();
    let began = hub.meta(request.id).map_or_else(|| convert::window_size(session.size()), |meta| meta.size);
    let noted = session.sizes().map_err(|error| convert::io_error("the sizes can't be read", &error))?;
    let noted = noted.into_iter().map(|change| (change.at.0, convert::window_size(change.size)));
    Ok(OutputTimes { start: start.0, end: end.0, marks, sizes: sizes(start.0, began, noted) })
}

/// The size at the start, and each that came after. A window that is dragged has many at one place, of which the last counts.
fn sizes(start: u64, began: WindowSize, noted: impl Iterator<Item = (u64, WindowSize)>) -> Vec<OutputSize> {
    let mut sizes = vec![OutputSize { at: start, size: began }];
    for (at, size) in noted {
        let at = at.max(start);
        match sizes.last_mut() {
            Some(last) if last.at == at => last.size = size,
            _ => sizes.push(OutputSize { at, size }),
        }
    }
    sizes.dedup_by_key(|one| one.size);
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_at_the_start_comes_first_and_then_what_changed() {
        let size = |cols| WindowSize { rows: 24, cols };
        let of = |start, noted: &[(u64, u16)]| {
            let told = sizes(start, size(80), noted.iter().map(|(at, cols)| (*at, size(*cols))));
            told.into_iter().map(|one| (one.at, one.size.cols)).collect::<Vec<_>>()
        };
        assert_eq!(of(0, &[]), [(0, 80)]);
        assert_eq!(of(0, &[(0, 100)]), [(0, 100)], "before anything was printed");
        assert_eq!(of(0, &[(10, 100), (10, 90), (20, 90), (30, 80)]), [(0, 80), (10, 90), (30, 80)]);
        assert_eq!(of(25, &[(10, 100), (20, 90), (30, 80)]), [(25, 90), (30, 80)], "the beginning was rotated away");
    }
}
