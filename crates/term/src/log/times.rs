//! When output came, as far as the keeper has noted it beside the segments.

use std::fs;
use std::io;
use std::time::{Duration, SystemTime};

use flightdeck_keeper::layout::{TimeRecord, decode_times, times_path};

use super::{Log, Offset};

/// What is here came then. What follows came later, but not after the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeMark {
    /// The place in the output.
    pub at: Offset,
    /// The time.
    pub time: SystemTime,
}

impl Log {
    /// The notes within `from..to`, in order of place and time.
    pub fn times(&self, from: Offset, to: Offset) -> io::Result<Vec<TimeMark>> {
        let segments = self.segments()?;
        let first = segments.partition_point(|segment| segment.base <= from.0).saturating_sub(1);
        let mut marks: Vec<TimeMark> = Vec::new();
        for segment in segments[first..].iter().take_while(|segment| segment.base < to.0) {
            for mark in self.times_beside(segment.base)?.into_iter().filter(|mark| from <= mark.at && mark.at < to) {
                // Another keeper may have had another clock.
                let time = marks.last().map_or(mark.time, |last| last.time.max(mark.time));
                marks.push(TimeMark { time, ..mark });
            }
        }
        Ok(marks)
    }

    fn times_beside(&self, base: u64) -> io::Result<Vec<TimeMark>> {
        let bytes = match fs::read(times_path(&self.dir, base)) {
            // There was none, or it was rotated away.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mark = |TimeRecord { offset, unix_ms }| {
            let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(unix_ms))?;
            Some(TimeMark { at: Offset(offset), time })
        };
        Ok(decode_times(&bytes).into_iter().filter_map(mark).collect())
    }
}
