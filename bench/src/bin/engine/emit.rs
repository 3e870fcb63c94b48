//! The child of a flood: numbered lines as fast as they can be written, and word of when it began and ended.

use std::io::{self, Write};
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;

use anyhow::Context;
use rustix::time::{ClockId, clock_gettime};

/// What is written at once.
const CHUNK: usize = 64 << 10;
const DIGITS: usize = 10;
/// Eight lines of different lengths make a block of this many bytes.
const BLOCK: usize = 512;
const BLOCK_LINES: usize = 8;

/// What the lines are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    Plain,
    Coloured,
    Unicode,
}

/// A flood to be written to standard output.
#[derive(Debug)]
pub struct Emit {
    pub text: Text,
    /// Rounded down to whole blocks.
    pub bytes: u64,
    /// Where the times are sent.
    pub tell: Option<PathBuf>,
}

impl Text {
    pub fn named(name: &str) -> Option<Self> {
        [Text::Plain, Text::Coloured, Text::Unicode].into_iter().find(|text| text.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Text::Plain => "plain",
            Text::Coloured => "coloured",
            Text::Unicode => "unicode",
        }
    }

    /// What stands around the number of a line: before it, after it, and what the line is filled up with.
    fn parts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Text::Plain => ("", " compiling module ", "abcdefghijklmnopqrstuvwxyz"),
            Text::Coloured => ("\x1b[1;32m", "\x1b[0m \x1b[34mmodule\x1b[m ", "abcdefghijklmnopqrstuvwxyz"),
            Text::Unicode => ("", " größer ≤ 日本語 ", "äöüßéñ"),
        }
    }
}

/// Makes the lines. The same text always gives the same bytes, so a reader can check them.
#[derive(Debug)]
pub struct Lines {
    chunk: Vec<u8>,
    /// Where the numbers are in the chunk.
    numbers: Vec<usize>,
    next: [u8; DIGITS],
}

impl Lines {
    pub fn new(text: Text) -> Self {
        let (before, after, filling) = text.parts();
        let mut block = Vec::with_capacity(BLOCK);
        let mut offsets = Vec::with_capacity(BLOCK_LINES);
        for line in 0..BLOCK_LINES {
            // Lines of 50 to 78 bytes, newline included, of an average that fills the block.
            let end = (line + 1) * BLOCK / BLOCK_LINES + [4, 9, 0, 14, 3, 11, 6, 0][line];
            block.extend_from_slice(before.as_bytes());
            offsets.push(block.len());
            block.extend_from_slice(&[b'0'; DIGITS]);
            block.extend_from_slice(after.as_bytes());
            for character in filling.chars().cycle() {
                if block.len() + character.len_utf8() >= end {
                    break;
                }
                block.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            block.resize(end - 1, b'.');
            block.push(b'\n');
        }
        let blocks = CHUNK / BLOCK;
        let numbers = (0..blocks).flat_map(|block| offsets.iter().map(move |at| block * BLOCK + at)).collect();
        Lines { chunk: block.repeat(blocks), numbers, next: [b'0'; DIGITS] }
    }

    /// The next chunk of lines, each with its own number.
    pub fn chunk(&mut self) -> &[u8] {
        for &at in &self.numbers {
            self.chunk[at..at + DIGITS].copy_from_slice(&self.next);
            increment(&mut self.next);
        }
        &self.chunk
    }
}

/// How many bytes a flood of about `bytes` really has.
pub fn whole_bytes(bytes: u64) -> u64 {
    bytes / BLOCK as u64 * BLOCK as u64
}

/// How many lines that is.
pub fn line_count(bytes: u64) -> u64 {
    bytes / BLOCK as u64 * BLOCK_LINES as u64
}

/// The number in the last line, as it is shown.
pub fn last_number(bytes: u64) -> String {
    format!("{:010}", line_count(bytes) - 1)
}

fn increment(number: &mut [u8; DIGITS]) {
    for digit in number.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
}

/// Writes the flood.
pub fn run(emit: &Emit) -> anyhow::Result<()> {
    let socket = UnixDatagram::unbound()?;
    let tell = |what: u8| -> anyhow::Result<()> {
        let Some(path) = &emit.tell else { return Ok(()) };
        let mut message = vec![what];
        message.extend_from_slice(&monotonic_nanos().to_le_bytes());
        socket.send_to(&message, path).with_context(|| format!("nobody listens at {}", path.display()))?;
        Ok(())
    };
    let mut lines = Lines::new(emit.text);
    let mut left = whole_bytes(emit.bytes);
    let mut stdout = io::stdout().lock();
    tell(b'<')?;
    while left > 0 {
        let chunk = lines.chunk();
        let len = usize::try_from(left).map_or(chunk.len(), |left| left.min(chunk.len()));
        write_through(&mut stdout, &chunk[..len])?;
        left -= len as u64;
    }
    tell(b'>')
}

/// Past the line buffer of the standard library, which would look for the last newline of each chunk.
fn write_through(stdout: &mut io::StdoutLock<'_>, mut bytes: &[u8]) -> io::Result<()> {
    use std::os::fd::AsFd;
    stdout.flush()?;
    while !bytes.is_empty() {
        match rustix::io::write(stdout.as_fd(), bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// A clock that all processes share.
pub fn monotonic_nanos() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
