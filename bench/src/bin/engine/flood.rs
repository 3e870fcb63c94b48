//! A flood and those who watch it: the child tells when it began and ended, the log must hold every byte.

use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use flightdeck_term::log::{Log, Offset};

use crate::emit::{Lines, Text, last_number, line_count, monotonic_nanos, whole_bytes};

pub const MIB: u64 = 1 << 20;
/// Longer than any flood should take.
const PATIENCE: Duration = Duration::from_mins(5);

/// So many bytes of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Flood {
    pub text: Text,
    bytes: u64,
}

impl Flood {
    pub fn new(text: Text, bytes: u64) -> Self {
        Flood { text, bytes: whole_bytes(bytes) }
    }

    /// What the child writes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What comes out of a terminal, which ends each line with CR LF.
    pub fn terminal_bytes(&self) -> u64 {
        self.bytes + line_count(self.bytes)
    }

    pub fn last_number(&self) -> String {
        last_number(self.bytes)
    }

    /// This program, as the child.
    pub fn command(&self, ear: &Ear) -> anyhow::Result<Vec<String>> {
        let own = std::env::current_exe()?;
        let own = own.to_str().context("this program's path is not UTF-8")?;
        let ear = ear.path.to_str().context("the path of the temporary folder is not UTF-8")?;
        Ok([own, "--emit", self.text.name(), &self.bytes.to_string(), ear].map(str::to_owned).to_vec())
    }

    /// MiB of the child's output in a second.
    pub fn rate(&self, nanos: u64) -> f64 {
        self.bytes as f64 / MIB as f64 / (nanos as f64 / 1e9)
    }

    /// Calls `each` with the bytes as a terminal gives them, in chunks.
    pub fn each_terminal_chunk(&self, mut each: impl FnMut(&[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let mut lines = Lines::new(self.text);
        let mut left = self.bytes;
        let mut converted = Vec::new();
        while left > 0 {
            let chunk = lines.chunk();
            let len = usize::try_from(left).map_or(chunk.len(), |left| left.min(chunk.len()));
            converted.clear();
            for line in chunk[..len].split_inclusive(|byte| *byte == b'\n') {
                converted.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
                converted.extend_from_slice(b"\r\n");
            }
            each(&converted)?;
            left -= len as u64;
        }
        Ok(())
    }

    /// Compares the log byte for byte with what the child wrote to its terminal, as far back as the log goes.
    pub fn check(&self, log: &Log) -> anyhow::Result<()> {
        let (start, end) = log.bounds()?;
        ensure!(end.0 == self.terminal_bytes(), "the log ends at {}, not at {}", end.0, self.terminal_bytes());
        let mut at = 0;
        self.each_terminal_chunk(|chunk| {
            let next = at + chunk.len() as u64;
            let skip = start.0.saturating_sub(at).min(chunk.len() as u64);
            let wanted = &chunk[skip as usize..];
            if !wanted.is_empty() {
                let read = log.read(Offset(at + skip), Some(Offset(next)), wanted.len())?;
                ensure!(read.bytes == wanted, "the log differs between {} and {next}", at + skip);
            }
            at = next;
            Ok(())
        })
    }
}

/// Hears from the children when they begin and end, on the clock that all processes share.
#[derive(Debug)]
pub struct Ear {
    socket: UnixDatagram,
    path: PathBuf,
}

/// When a child began and ended.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub begin: u64,
    pub end: u64,
}

impl Ear {
    pub fn new(dir: &Path) -> anyhow::Result<Self> {
        let path = dir.join("ear");
        let socket = UnixDatagram::bind(&path)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok(Ear { socket, path })
    }

    /// Waits until so many children have ended: from the first beginning to the last end.
    pub fn hear(&self, children: usize) -> anyhow::Result<Span> {
        let mut span = Span { begin: u64::MAX, end: 0 };
        let mut ended = 0;
        while ended < children {
            let mut message = [0; 9];
            let length = self.socket.recv(&mut message).context("a child did not end in time")?;
            let (what, time) = message.split_first().context("an empty message")?;
            let time = u64::from_le_bytes(time.try_into()?);
            match (length, *what) {
                (9, b'<') => span.begin = span.begin.min(time),
                (9, b'>') => {
                    span.end = span.end.max(time);
                    ended += 1;
                }
                _ => bail!("a child sent something else"),
            }
        }
        Ok(span)
    }
}

/// Looks again and again until `done`, without sleeping: what is waited for is moments away. Gives the time.
pub fn until(what: &str, mut done: impl FnMut() -> anyhow::Result<bool>) -> anyhow::Result<u64> {
    let deadline = Instant::now() + PATIENCE;
    while !done()? {
        ensure!(Instant::now() < deadline, "{what} did not come within {} s", PATIENCE.as_secs());
        std::thread::yield_now();
    }
    Ok(monotonic_nanos())
}

/// Waits until the log on disk has all the bytes.
pub fn log_complete(log: &Log, bytes: u64) -> anyhow::Result<u64> {
    until("the end of the log", || Ok(log.bounds()?.1.0 >= bytes))
}
