//! Which bytes of a headless command's log were stdout and which stderr.
//!
//! The log itself is what came in the order it came. Beside each segment the keeper keeps the places where the
//! stream changed, written before the bytes that follow, so the two never disagree after a crash.

use std::fs;
use std::io;
use std::path::Path;

use flightdeck_keeper::layout::decode_records;
use flightdeck_keeper::{Stream, streams_path};

use super::Offset;

/// A stretch of the log that came from one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamRun {
    /// Where it begins.
    pub from: Offset,
    /// Where it ends.
    pub to: Offset,
    /// Where it came from.
    pub stream: Stream,
}

pub(super) fn runs(dir: &Path, bases: &[u64], from: Offset, to: Offset) -> io::Result<Vec<StreamRun>> {
    let first = bases.partition_point(|b| *b <= from.0).saturating_sub(1);
    let mut runs: Vec<StreamRun> = Vec::new();
    for base in bases.iter().skip(first).take_while(|b| **b < to.0) {
        let bytes = match fs::read(streams_path(dir, *base)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            other => other?,
        };
        for record in decode_records(&bytes) {
            if let Some(last) = runs.last_mut() {
                last.to = Offset(record.offset).min(to);
            }
            runs.push(StreamRun { from: Offset(record.offset).max(from), to, stream: record.stream });
        }
    }
    runs.retain(|r| r.from < r.to);
    // The same stream goes on across a segment border.
    runs.dedup_by(|next, previous| {
        let same = next.stream == previous.stream && next.from == previous.to;
        if same {
            previous.to = next.to;
        }
        same
    });
    Ok(runs)
}
