//! Command records on disk: one JSON line for each command that ended, appended once and never changed.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use flightdeck_contract::terminal::CommandRecord;
use flightdeck_term::session::Record;

use crate::convert;

fn path(dir: &Path) -> PathBuf {
    dir.join("records.jsonl")
}

pub(crate) fn append(dir: &Path, records: &[Record]) -> io::Result<()> {
    let mut lines = Vec::new();
    for record in records {
        serde_json::to_writer(&mut lines, &convert::record(record)).map_err(io::Error::other)?;
        lines.push(b'\n');
    }
    OpenOptions::new().append(true).create(true).mode(0o600).open(path(dir))?.write_all(&lines)
}

/// All records, oldest first. A half-written last line after a crash is found again in the log.
pub(crate) fn load(dir: &Path) -> Vec<Record> {
    let Ok(text) = std::fs::read_to_string(path(dir)) else { return Vec::new() };
    text.lines().filter_map(|line| serde_json::from_str::<CommandRecord>(line).ok()).map(convert::record_from).collect()
}
