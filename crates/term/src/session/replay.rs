//! What a screen needs beside the log to come back exactly as it was: window sizes and a checkpoint.
//!
//! The log does not say when the window changed its size, so each change is noted with the offset at which it was
//! applied. And since the oldest segments go, the state that they left behind (modes, an open full-screen
//! program) is kept as a checkpoint: an ANSI snapshot with the offset it stands for.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use flightdeck_keeper::Size;

use crate::log::Offset;
use crate::screen::Screen;

/// A window size and the offset from which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeChange {
    /// Output from here on was meant for this size.
    pub at: Offset,
    /// The size.
    pub size: Size,
}

/// The notes beside a log that make its screen reproducible.
#[derive(Clone, Debug)]
pub struct ReplayNotes {
    dir: PathBuf,
}

const CHECKPOINT: &str = "flightdeck-screen 1";

impl ReplayNotes {
    /// The notes in a terminal's own folder.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        ReplayNotes { dir: dir.into() }
    }

    /// Notes a change of size. Small enough to be one atomic append.
    pub fn note_size(&self, change: SizeChange) -> io::Result<()> {
        let line = format!("{} {} {}\n", change.at.0, change.size.rows(), change.size.cols());
        let path = self.dir.join("sizes");
        OpenOptions::new().append(true).create(true).mode(0o600).open(path)?.write_all(line.as_bytes())
    }

    /// All changes of size, oldest first. A half-written last line after a crash is left out.
    pub fn sizes(&self) -> io::Result<Vec<SizeChange>> {
        let text = match fs::read_to_string(self.dir.join("sizes")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let parse = |line: &str| {
            let mut numbers = line.split(' ');
            let at = Offset(numbers.next()?.parse().ok()?);
            let size = Size::new(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?).ok()?;
            Some(SizeChange { at, size })
        };
        Ok(text.split_inclusive('\n').filter_map(|l| parse(l.strip_suffix('\n')?)).collect())
    }

    /// Keeps the state of the screen as it is at `at`, in place of the previous checkpoint.
    pub fn save(&self, screen: &Screen, at: Offset) -> io::Result<()> {
        let size = screen.size();
        let mut bytes = format!("{CHECKPOINT} {} {} {}\n", at.0, size.rows(), size.cols()).into_bytes();
        bytes.extend_from_slice(&screen.snapshot_ansi());
        let fresh = self.dir.join("screen.new");
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?.write_all(&bytes)?;
        fs::rename(fresh, self.dir.join("screen"))
    }

    /// The last checkpoint, if there is a whole one.
    pub fn load(&self) -> Option<(Screen, Offset)> {
        let bytes = fs::read(self.dir.join("screen")).ok()?;
        let end = memchr::memchr(b'\n', &bytes)?;
        let header = std::str::from_utf8(&bytes[..end]).ok()?.strip_prefix(CHECKPOINT)?;
        let mut numbers = header.split_whitespace();
        let at = Offset(numbers.next()?.parse().ok()?);
        let size = Size::new(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?).ok()?;
        let mut screen = Screen::new(size);
        screen.feed(&bytes[end + 1..]);
        Some((screen, at))
    }
}
