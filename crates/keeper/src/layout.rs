//! How a log lies on disk, for the keeper that writes it and everybody who reads it.
//!
//! A log is a run of bytes from offset 0, cut into segment files that are named by the offset of their first byte:
//! the next base is exactly the end of the one before. Beside each segment of a session on pipes lies a `.streams`
//! sidecar of 9-byte records: from this offset on, bytes are of this stream. Its first record is for the segment's
//! first byte. A record is written before the bytes it is about, so the last one may point at the end of the log.
//! Beside segments during which time passed lies a `.times` sidecar of 16-byte records: what is at this offset came at
//! this time, and what follows came no later than the next record says.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::{Exit, Stream};

/// Bytes in one sidecar record.
pub const RECORD_LEN: usize = 9;

/// From `offset` on (absolute, not within the segment) the bytes are of `stream`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamRecord {
    pub offset: u64,
    pub stream: Stream,
}

/// Bytes in one record of the times.
pub const TIME_LEN: usize = 16;

/// What is at `offset` came at this time, in milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeRecord {
    pub offset: u64,
    pub unix_ms: u64,
}

pub fn segment_path(log_dir: &Path, base: u64) -> PathBuf {
    log_dir.join(format!("{base:020}.seg"))
}

pub fn streams_path(log_dir: &Path, base: u64) -> PathBuf {
    log_dir.join(format!("{base:020}.streams"))
}

pub fn times_path(log_dir: &Path, base: u64) -> PathBuf {
    log_dir.join(format!("{base:020}.times"))
}

/// The base offset in a segment's file name; `None` for any other file.
pub fn parse_segment_name(name: &OsStr) -> Option<u64> {
    let digits = name.to_str()?.strip_suffix(".seg")?;
    if digits.len() != 20 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

pub fn encode_record(record: StreamRecord) -> [u8; RECORD_LEN] {
    let mut bytes = [0; RECORD_LEN];
    bytes[..8].copy_from_slice(&record.offset.to_le_bytes());
    bytes[8] = match record.stream {
        Stream::Stdout => 0,
        Stream::Stderr => 1,
    };
    bytes
}

/// `None` for a stream number that no version has written.
pub fn decode_record(bytes: &[u8; RECORD_LEN]) -> Option<StreamRecord> {
    let (offset, stream) = bytes.split_first_chunk::<8>()?;
    let stream = match stream {
        [0] => Stream::Stdout,
        [1] => Stream::Stderr,
        _ => return None,
    };
    Some(StreamRecord { offset: u64::from_le_bytes(*offset), stream })
}

/// All whole records of a sidecar's bytes. A record that is only half written at the end is left out.
pub fn decode_records(bytes: &[u8]) -> Vec<StreamRecord> {
    let (records, _half) = bytes.as_chunks::<RECORD_LEN>();
    records.iter().filter_map(decode_record).collect()
}

pub fn encode_time(record: TimeRecord) -> [u8; TIME_LEN] {
    let mut bytes = [0; TIME_LEN];
    bytes[..8].copy_from_slice(&record.offset.to_le_bytes());
    bytes[8..].copy_from_slice(&record.unix_ms.to_le_bytes());
    bytes
}

/// All whole records of a sidecar's bytes.
pub fn decode_times(bytes: &[u8]) -> Vec<TimeRecord> {
    let (numbers, _half) = bytes.as_chunks::<8>();
    let (pairs, _half) = numbers.as_chunks::<2>();
    let read = |[offset, time]: &[[u8; 8]; 2]| TimeRecord {
        offset: u64::from_le_bytes(*offset),
        unix_ms: u64::from_le_bytes(*time),
    };
    pairs.iter().map(read).collect()
}

/// The FIFO through which the output of a followed terminal comes.
pub fn output_path(log_dir: &Path) -> PathBuf {
    log_dir.join("output")
}

/// The folder of the log of what was written to a held standard input.
pub fn input_path(log_dir: &Path) -> PathBuf {
    log_dir.join("input")
}

/// The file that appears when the child has ended.
pub fn exit_path(log_dir: &Path) -> PathBuf {
    log_dir.join("exit")
}

/// How the child of this log ended; `None` while it runs, or when the keeper was killed before it did.
pub fn read_exit(log_dir: &Path) -> Option<Exit> {
    let text = fs::read_to_string(exit_path(log_dir)).ok()?;
    let (kind, number) = text.strip_suffix('\n')?.split_once(' ')?;
    let number = number.parse().ok()?;
    match kind {
        "code" => Some(Exit::Code(number)),
        "signal" => Some(Exit::Signal(number)),
        _ => None,
    }
}

/// Writes the `exit` file. It counts once its line is complete, so nobody takes half of it for the whole.
pub(crate) fn write_exit(log_dir: &Path, exit: Exit) -> io::Result<()> {
    let text = match exit {
        Exit::Code(code) => format!("code {code}\n"),
        Exit::Signal(signal) => format!("signal {signal}\n"),
    };
    // Not truncated when it is opened: ext4 writes a file to the disk when it is closed after that.
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(exit_path(log_dir))?;
    empty(&file)?;
    file.write_all(text.as_bytes())
}

/// Takes away the status of an earlier child, which would be taken for that of the next one. An empty file says nothing, and
/// need not be made again.
pub(crate) fn clear_exit(log_dir: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).open(exit_path(log_dir)) {
        Ok(file) => empty(&file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn empty(file: &File) -> io::Result<()> {
    if file.metadata()?.len() > 0 { file.set_len(0) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_names_round_trip() {
        for base in [0, 1, 4 << 20, u64::MAX] {
            let path = segment_path(Path::new("/log"), base);
            assert_eq!(path.file_name().and_then(parse_segment_name), Some(base));
        }
        for other in
            ["exit", "1.seg", "00000000000000000000.streams", "+0000000000000000000.seg", "99999999999999999999.seg"]
        {
            assert_eq!(parse_segment_name(OsStr::new(other)), None, "{other}");
        }
    }

    #[test]
    fn records_round_trip_and_half_ones_are_left_out() {
        let records = [
            StreamRecord { offset: 0, stream: Stream::Stdout },
            StreamRecord { offset: u64::MAX, stream: Stream::Stderr },
        ];
        let mut bytes: Vec<u8> = records.iter().flat_map(|r| encode_record(*r)).collect();
        bytes.extend([1, 2, 3]);
        assert_eq!(decode_records(&bytes), records);
        assert_eq!(decode_record(&[0, 0, 0, 0, 0, 0, 0, 0, 2]), None);
    }

    #[test]
    fn exits_round_trip() {
        let dir = tempfile::tempdir().expect("a folder");
        assert_eq!(read_exit(dir.path()), None);
        for exit in [Exit::Code(0), Exit::Code(255), Exit::Signal(9)] {
            write_exit(dir.path(), exit).expect("writes");
            assert_eq!(read_exit(dir.path()), Some(exit));
        }
        fs::write(exit_path(dir.path()), "code x\n").expect("writes");
        assert_eq!(read_exit(dir.path()), None);
    }
}
