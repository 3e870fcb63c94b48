//! The end of a session's transcript, without reading all that came before it.
//!
//! How much text a program has printed is less than its bytes: returns and escape sequences are none. So the output is
//! measured once, as it grows, and every so often it is kept how much text there was up to there. A reader of the last so
//! many bytes of text begins at the last such place before them.

use std::io;

use flightdeck_screen::TranscriptState;
use parking_lot::Mutex;

use crate::log::{Log, Offset};

/// How many bytes of output lie between two checkpoints.
const CHECKPOINT_DISTANCE: u64 = 64 * 1024;
/// How many bytes of output are read at once.
const READ_BYTES: usize = 256 * 1024;

/// The end of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranscriptTail {
    /// The text, cut at a character.
    pub text: String,
    /// Whether text before it was left out, or is not in the log any more.
    pub truncated: bool,
}

/// How much text there is up to a place in the log.
#[derive(Clone, Copy, Debug, Default)]
struct Checkpoint {
    at: Offset,
    text_bytes: u64,
    state: TranscriptState,
}

/// The measured part of a transcript.
#[derive(Debug, Default)]
pub(super) struct TranscriptIndex(Mutex<Measured>);

#[derive(Debug, Default)]
struct Measured {
    /// In order; the first is where the measured part begins.
    checkpoints: Vec<Checkpoint>,
    /// Where it ends.
    end: Checkpoint,
    /// Output before the measured part is gone.
    is_late: bool,
}

impl TranscriptIndex {
    /// The last `max_bytes` of the text that is in the log now. `is_over`: nothing more can be printed.
    pub(super) fn tail(&self, log: &Log, max_bytes: u64, is_over: bool) -> io::Result<TranscriptTail> {
        let (begin, end, is_late) = {
            let mut measured = self.0.lock();
            measured.catch_up(log)?;
            let first_wanted = measured.end.text_bytes.saturating_sub(max_bytes);
            let begin = measured.checkpoints.partition_point(|checkpoint| checkpoint.text_bytes <= first_wanted);
            let begin = measured.checkpoints.get(begin.saturating_sub(1)).copied().unwrap_or(measured.end);
            (begin, measured.end.at, measured.is_late)
        };
        let mut tail = TranscriptTail { text: String::new(), truncated: is_late || begin.text_bytes > 0 };
        let mut state = begin.state;
        let mut at = begin.at;
        while at < end {
            let chunk = log.read(at, Some(end), READ_BYTES)?;
            if chunk.from > at {
                // Rotated away since it was measured: what comes after it is a text of its own.
                (tail, state) =
                    (TranscriptTail { truncated: true, ..TranscriptTail::default() }, TranscriptState::default());
            }
            if chunk.bytes.is_empty() {
                break;
            }
            state.feed(&chunk.bytes, &mut tail.text);
            at = chunk.next;
        }
        if is_over {
            state.finish(&mut tail.text);
        }
        let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        if tail.text.len() > max_bytes {
            let cut = tail.text.ceil_char_boundary(tail.text.len() - max_bytes);
            tail.text.drain(..cut);
            tail.truncated = true;
        }
        Ok(tail)
    }
}

impl Measured {
    /// Measures what was printed since the last time.
    fn catch_up(&mut self, log: &Log) -> io::Result<()> {
        let (oldest, end) = log.bounds()?;
        let mut text = String::new();
        loop {
            if self.checkpoints.is_empty() || self.end.at < oldest {
                self.restart(self.end.at.max(oldest));
            }
            if self.end.at >= end {
                break;
            }
            let chunk = log.read(self.end.at, Some(end), READ_BYTES)?;
            if chunk.from > self.end.at {
                self.restart(chunk.from);
            }
            if chunk.bytes.is_empty() {
                break;
            }
            let mut rest = chunk.bytes.as_slice();
            while !rest.is_empty() {
                let since = self.end.at.since(self.checkpoints.last().map_or(Offset::ZERO, |last| last.at));
                let left = CHECKPOINT_DISTANCE.saturating_sub(since).max(1);
                let (piece, following) = rest.split_at(rest.len().min(left as usize));
                text.clear();
                self.end.state.feed(piece, &mut text);
                self.end.text_bytes += text.len() as u64;
                self.end.at = self.end.at + piece.len() as u64;
                if self.end.at.since(self.checkpoints.last().map_or(Offset::ZERO, |last| last.at))
                    >= CHECKPOINT_DISTANCE
                {
                    self.checkpoints.push(self.end);
                }
                rest = following;
            }
        }
        self.forget_before(oldest);
        Ok(())
    }

    /// Begins to measure here: what was before is gone.
    fn restart(&mut self, at: Offset) {
        self.end = Checkpoint { at, ..Checkpoint::default() };
        self.checkpoints = vec![self.end];
        self.is_late = at > Offset::ZERO;
    }

    /// Forgets checkpoints whose output was rotated away.
    fn forget_before(&mut self, oldest: Offset) {
        let gone = self.checkpoints.partition_point(|checkpoint| checkpoint.at < oldest);
        if gone > 0 {
            self.checkpoints.drain(..gone);
            self.is_late = true;
            if self.checkpoints.is_empty() {
                self.checkpoints.push(self.end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use flightdeck_keeper::segment_path;
    use flightdeck_screen::transcript;

    use super::*;

    fn tail(index: &TranscriptIndex, log: &Log, max_bytes: u64) -> (String, bool) {
        let TranscriptTail { text, truncated } = index.tail(log, max_bytes, true).unwrap();
        (text, truncated)
    }

    /// Output in which little is text, with characters of several bytes.
    fn output(lines: usize) -> Vec<u8> {
        (0..lines).flat_map(|line| format!("\x1b[3{}m✓ line {line}\x1b[0m\r\n", line % 8).into_bytes()).collect()
    }

    #[test]
    fn the_end_of_it_is_as_if_all_were_read() {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::new(dir.path());
        let bytes = output(20_000);
        let index = TranscriptIndex::default();
        let mut written = 0;
        // It grows between the looks, and is cut anywhere.
        for upto in [0, 1, 17, 70_000, 70_001, 300_003, bytes.len()] {
            written = upto.max(written);
            fs::write(segment_path(dir.path(), 0), &bytes[..written]).unwrap();
            let whole = transcript(&bytes[..written], true);
            for max_bytes in [0, 1, 2, 3, 10, 1000, 65_536, 200_000, whole.len(), whole.len() + 1, 1 << 24] {
                let (text, truncated) = tail(&index, &log, max_bytes as u64);
                let cut = whole.ceil_char_boundary(whole.len().saturating_sub(max_bytes));
                assert_eq!((text.as_str(), truncated), (&whole[cut..], cut > 0), "{written} bytes, {max_bytes} wanted");
            }
        }
        let whole = transcript(&bytes, true);
        // One that has seen nothing of it yet gives the same.
        assert_eq!(tail(&TranscriptIndex::default(), &log, 5000), tail(&index, &log, 5000));
        let checkpoints = index.0.lock().checkpoints.len();
        assert!(checkpoints <= bytes.len() / CHECKPOINT_DISTANCE as usize + 1, "{checkpoints}");
        assert!(whole.len() < bytes.len());
    }

    #[test]
    fn what_was_rotated_away_is_missing_and_said_to_be() {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::new(dir.path());
        let bytes = output(20_000);
        let (first, second) = bytes.split_at(400_000);
        let index = TranscriptIndex::default();
        fs::write(segment_path(dir.path(), 0), first).unwrap();
        assert!(!tail(&index, &log, 1 << 24).1);
        fs::write(segment_path(dir.path(), 400_000), second).unwrap();
        fs::remove_file(segment_path(dir.path(), 0)).unwrap();
        let whole = transcript(&bytes, true);
        let (text, truncated) = tail(&index, &log, 1 << 24);
        assert!(truncated && whole.ends_with(&text));
        assert!(text.len() as u64 + CHECKPOINT_DISTANCE >= transcript(second, true).len() as u64, "{}", text.len());
        // The same for one that comes when the beginning is gone.
        let (text, truncated) = tail(&TranscriptIndex::default(), &log, 1 << 24);
        assert!(truncated && text.ends_with("line 19999\n"));
        let (text, truncated) = tail(&TranscriptIndex::default(), &log, 11);
        assert_eq!((text.as_str(), truncated), ("line 19999\n", true));
    }
}
