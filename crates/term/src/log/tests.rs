//! The reader against logs that were laid down by hand, rotated and cut at awkward places.

use std::fs;
use std::path::Path;

use flightdeck_keeper::segment_path;
use tempfile::TempDir;

use super::*;

/// A log with these segments, one after the other from `base` on.
fn log_from(base: u64, segments: &[&[u8]]) -> (TempDir, Log) {
    let dir = tempfile::tempdir().unwrap();
    let mut at = base;
    for bytes in segments {
        fs::write(segment_path(dir.path(), at), bytes).unwrap();
        at += bytes.len() as u64;
    }
    let log = Log::new(dir.path());
    (dir, log)
}

fn append(dir: &Path, base: u64, bytes: &[u8]) {
    use std::io::Write;
    let mut file = fs::OpenOptions::new().create(true).append(true).open(segment_path(dir, base)).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_log_that_has_not_begun() {
    let log = Log::new("/nonexistent/flightdeck/log");
    assert_eq!(log.bounds().unwrap(), (Offset(0), Offset(0)));
    let chunk = log.read(Offset(7), None, 100).unwrap();
    assert_eq!((chunk.bytes.len(), chunk.at_end), (0, true));
    assert!(log.last_lines(5, None, 100).unwrap().bytes.is_empty());
}

/// The bounds are found without listing the folder while there is one segment, and must be the same.
#[test]
fn bounds_of_one_segment_and_of_many() {
    let check = |base: u64, segments: &[&[u8]], end: u64| {
        let (_dir, log) = log_from(base, segments);
        assert_eq!(log.bounds().unwrap(), (Offset(base), Offset(end)), "{segments:?}");
    };
    check(0, &[b""], 0);
    check(0, &[b"one"], 3);
    check(0, &[b"one", b""], 3);
    check(0, &[b"one", b"two"], 6);
    check(3, &[b"two"], 6);
    check(3, &[b"two", b"three"], 11);
}

#[test]
fn reads_go_across_segments() {
    let (_dir, log) = log_from(0, &[b"one\ntw", b"o\n", b"three\nfour"]);
    assert_eq!(log.bounds().unwrap(), (Offset(0), Offset(18)));
    let cases: &[(u64, Option<u64>, usize, &str)] =
        &[(0, None, 100, "one\ntwo\nthree\nfour"), (4, Some(8), 100, "two\n"), (5, None, 3, "wo\n"), (18, None, 9, "")];
    for (from, to, max, expected) in cases {
        let chunk = log.read(Offset(*from), to.map(Offset), *max).unwrap();
        assert_eq!(String::from_utf8(chunk.bytes).unwrap(), *expected, "{from} {to:?} {max}");
        assert!(!chunk.truncated);
    }
}

#[test]
fn the_last_lines() {
    let (_dir, log) = log_from(0, &[b"one\ntw", b"o\n", b"three\nfour"]);
    let cases: &[(usize, &str, bool)] = &[
        (0, "", true),
        (1, "four", true),
        (2, "three\nfour", true),
        (3, "two\nthree\nfour", true),
        (4, "one\ntwo\nthree\nfour", false),
        (99, "one\ntwo\nthree\nfour", false),
    ];
    for (lines, expected, truncated) in cases {
        let chunk = log.last_lines(*lines, None, 1000).unwrap();
        assert_eq!(String::from_utf8(chunk.bytes).unwrap(), *expected, "{lines}");
        assert_eq!(chunk.truncated, *truncated, "{lines}");
    }
    // A line that has its newline is one line, not two.
    let chunk = log.last_lines(1, Some(Offset(8)), 1000).unwrap();
    assert_eq!(chunk.bytes, b"two\n");
}

#[test]
fn the_last_lines_of_a_large_log() {
    let text: String = (0..50_000).map(|n| format!("line {n}\n")).collect();
    let (_dir, log) = log_from(0, &[&text.as_bytes()[..300_001], &text.as_bytes()[300_001..]]);
    let chunk = log.last_lines(20_000, None, 1 << 20).unwrap();
    let expected: String = (30_000..50_000).map(|n| format!("line {n}\n")).collect();
    assert_eq!(String::from_utf8(chunk.bytes).unwrap(), expected);
    // The budget is kept, with the newest lines.
    let chunk = log.last_lines(20_000, None, 1000).unwrap();
    assert_eq!(chunk.bytes, text.as_bytes()[text.len() - 1000..]);
}

#[test]
fn what_was_rotated_away_is_said_to_be_gone() {
    let (_dir, log) = log_from(1000, &[b"kept\n"]);
    let chunk = log.read(Offset(10), None, 100).unwrap();
    assert_eq!((chunk.from, chunk.truncated, chunk.bytes.as_slice()), (Offset(1000), true, &b"kept\n"[..]));
    assert!(!log.read(Offset(1000), None, 100).unwrap().truncated);
    // Older lines existed, so "all lines" is not all that there ever was.
    assert!(log.last_lines(10, None, 100).unwrap().truncated);
}

#[test]
fn characters_are_never_cut() {
    let text = "aé€😀z";
    let (_dir, log) = log_from(0, &[&text.as_bytes()[..2], &text.as_bytes()[2..]]);
    for max in 4..=text.len() {
        let mut at = Offset(0);
        let mut read = String::new();
        loop {
            let chunk = log.read(at, None, max).unwrap();
            read.push_str(std::str::from_utf8(&chunk.bytes).unwrap_or_else(|e| panic!("{max}: {e}")));
            if chunk.at_end {
                break;
            }
            at = chunk.next;
        }
        assert_eq!(read, text, "{max}");
    }
}

#[test]
fn invalid_bytes_are_read_as_they_are() {
    let (_dir, log) = log_from(0, &[b"\xff\xfe\x80ok\xe2\x82"]);
    assert_eq!(log.read(Offset(0), None, 100).unwrap().bytes, b"\xff\xfe\x80ok\xe2\x82");
}

#[test]
fn a_follower_sees_every_byte_once() {
    let (dir, log) = log_from(0, &[b"abc"]);
    let mut follower = Follower::new(log, Offset(0)).unwrap();
    let mut buf = [0; 2];
    let mut seen = Vec::new();
    let mut read_all = |follower: &mut Follower| loop {
        match follower.read(&mut buf).unwrap() {
            0 => break,
            n => seen.extend_from_slice(&buf[..n]),
        }
    };
    read_all(&mut follower);
    append(dir.path(), 0, b"de");
    append(dir.path(), 5, b"fgh");
    read_all(&mut follower);
    append(dir.path(), 5, b"i");
    read_all(&mut follower);
    assert_eq!(seen, b"abcdefghi");
    assert_eq!(follower.position(), Offset(9));
}

#[test]
fn a_follower_that_was_overtaken_by_rotation_goes_on_at_the_oldest_byte() {
    let (dir, log) = log_from(0, &[b"abc", b"def", b"ghi"]);
    let mut follower = Follower::new(log, Offset(1)).unwrap();
    fs::remove_file(segment_path(dir.path(), 0)).unwrap();
    let mut buf = [0; 16];
    assert_eq!(follower.read(&mut buf).unwrap(), 3);
    assert_eq!((&buf[..3], follower.position()), (&b"def"[..], Offset(6)));
}

#[test]
fn times_are_found_by_place() {
    use flightdeck_keeper::layout::{TimeRecord, encode_time, times_path};
    use std::time::{Duration, SystemTime};
    let (dir, log) = log_from(10, &[b"0123456789", b"0123456789", b"0123456789"]);
    let note = |base, times: &[(u64, u64)]| {
        let mut bytes: Vec<u8> =
            times.iter().flat_map(|&(offset, unix_ms)| encode_time(TimeRecord { offset, unix_ms })).collect();
        bytes.extend([1, 2, 3]);
        fs::write(times_path(dir.path(), base), bytes).unwrap();
    };
    // Nothing is noted beside the second segment, and the clock was set back before the last note.
    note(10, &[(12, 1000), (15, 1100)]);
    note(30, &[(30, 5000), (38, 4000)]);
    let at = |ms| SystemTime::UNIX_EPOCH + Duration::from_millis(ms);
    let times = |from, to| {
        log.times(Offset(from), Offset(to)).unwrap().into_iter().map(|mark| (mark.at.0, mark.time)).collect::<Vec<_>>()
    };
    assert_eq!(times(13, 38), [(15, at(1100)), (30, at(5000))]);
    assert_eq!(times(0, 100), [(12, at(1000)), (15, at(1100)), (30, at(5000)), (38, at(5000))]);
}
