//! When output came: a note beside the segment now and then, so that a recording can be played at its own pace.
//!
//! Notes are a help, not a part of the output. One that can't be written is left out, and the next one is tried.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::log::open_append;
use crate::layout::{self, TIME_LEN, TimeRecord};

/// What comes within this time after a note belongs to it.
const EVERY: Duration = Duration::from_millis(100);
/// All notes of a segment take no more than this and a quarter of its output, however slowly that comes.
const SPARE: u64 = 4 << 10;

/// The notes of one log.
#[derive(Debug, Default)]
pub struct Times {
    /// Of the active segment, once there is a note.
    file: Option<File>,
    noted: Option<SystemTime>,
}

impl Times {
    /// A new segment has begun, with a file of its own.
    pub fn roll(&mut self) {
        self.file = None;
    }

    /// Notes that what is at `offset` came at `now`, if that is worth one, beside the segment that begins at `base`.
    /// Takes and gives the length of the notes there.
    pub fn note(&mut self, dir: &Path, base: u64, offset: u64, notes_len: u64, now: SystemTime) -> u64 {
        // A clock that was set back is not believed until it is past the last note.
        let early = self.noted.is_some_and(|noted| now < noted + EVERY);
        if early || notes_len + TIME_LEN as u64 > SPARE + (offset - base) / 4 {
            return notes_len;
        }
        let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let record = layout::encode_time(TimeRecord { offset, unix_ms: since.as_millis() as u64 });
        let file = match &mut self.file {
            Some(file) => file,
            none => match open_append(&layout::times_path(dir, base)) {
                Ok(file) => none.insert(file),
                Err(_) => return notes_len,
            },
        };
        if file.write_all(&record).is_err() {
            // Half a record would shift all that follow.
            let _left_out = file.set_len(notes_len);
            return notes_len;
        }
        self.noted = Some(now);
        notes_len + TIME_LEN as u64
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::log::{Marks, NewLog};
    use super::*;
    use crate::{LogLimits, Stream};

    const SEGMENT: u64 = 20_000;

    proptest! {
        /// Whatever comes whenever, the notes are in order, not too close, and small beside the output.
        #[test]
        fn notes_are_in_order_and_few(steps in prop::collection::vec((1usize..30_000, -500i64..5_000), 1..60)) {
            let dir = tempfile::tempdir().expect("a folder");
            let limits = LogLimits { total_bytes: 4 * SEGMENT, segment_bytes: SEGMENT, max_age_secs: None };
            let mut log = NewLog::open(&dir.path().into(), limits, Marks::None).expect("opens").writer;
            let mut now = SystemTime::now();
            for (len, passed) in steps {
                let pause = Duration::from_millis(passed.unsigned_abs());
                now = if passed < 0 { now - pause } else { now + pause };
                log.append_at(Stream::Stdout, &vec![b'x'; len], now).1.expect("writes");
            }
            let mut all = Vec::new();
            let mut on_disk = 0;
            for base in log.bases() {
                let len = fs::metadata(layout::segment_path(dir.path(), base)).expect("a segment").len();
                let notes = fs::read(layout::times_path(dir.path(), base)).unwrap_or_default();
                prop_assert!(notes.len() as u64 <= SPARE + len / 4);
                on_disk += len + notes.len() as u64;
                let notes = layout::decode_times(&notes);
                prop_assert!(notes.iter().all(|note| (base..base + len).contains(&note.offset)));
                all.extend(notes);
            }
            prop_assert!(all.is_sorted_by(|a, b| a.offset < b.offset && a.unix_ms + 99 <= b.unix_ms), "{all:?}");
            prop_assert!(on_disk <= limits.total_bytes + SEGMENT + SPARE, "{on_disk}");
            let files = fs::read_dir(dir.path()).expect("lists").count();
            prop_assert!(files <= 2 * log.bases().count(), "no note outlives its segment");
        }
    }

    #[test]
    fn output_that_drips_for_hours_leaves_few_notes() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut log = NewLog::open(&dir.path().into(), LogLimits::default(), Marks::None).expect("opens").writer;
        let mut now = SystemTime::now();
        for _ in 0..20_000 {
            now += EVERY;
            log.append_at(Stream::Stdout, b"x", now).1.expect("writes");
        }
        let notes = fs::metadata(layout::times_path(dir.path(), 0)).expect("notes").len();
        assert!((SPARE..=SPARE + 5_000).contains(&notes), "{notes}");
    }
}
