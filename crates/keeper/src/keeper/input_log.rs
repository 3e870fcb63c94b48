//! The note of what was written to a held standard input: a log like any other, kept by the hub that writes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::log::{LogWriter, Marks, NewLog};
use crate::{LogLimits, Stream, layout};

/// The writer of that log. Nothing is on disk, and nothing is open, before the first byte.
#[derive(Debug)]
pub struct InputLog {
    dir: PathBuf,
    limits: LogLimits,
    writer: Option<LogWriter>,
}

impl InputLog {
    /// For the session whose output is logged in `log_dir`. Continues what an earlier hub has noted there.
    pub fn new(log_dir: &Path, limits: LogLimits) -> Self {
        Self { dir: layout::input_path(log_dir), limits, writer: None }
    }

    /// Appends as many bytes as it can and says how many those were, error or not.
    pub fn append(&mut self, bytes: &[u8]) -> (usize, io::Result<()>) {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => match NewLog::resume(Arc::from(self.dir.as_path()), self.limits, Marks::None) {
                Ok(log) => none.insert(log.writer),
                Err(error) => return (0, Err(error)),
            },
        };
        writer.append(Stream::Stdout, bytes)
    }
}
