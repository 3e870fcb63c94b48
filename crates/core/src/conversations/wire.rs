//! The pipes of an agent's process: the lines that it says, by their place in the log of its output, and those that are
//! said to it.
//!
//! Both are logs. What the agent says is read again from any place; of what is said to it the keeper's log of the input tells
//! how much was taken, so that a line which a hub was killed in the middle of is finished by the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flightdeck_keeper::{Exit, Stream, layout};
use flightdeck_term::log::{Log, Offset};
use flightdeck_term::session::{InputError, Progress, Session};
use memchr::memchr;
use tokio::sync::{mpsc, watch};

use super::answer_budget::AnswerBudget;
use crate::convert;
use crate::store::StoredLine;

/// How much is read at once.
const PIECE: usize = 256 * 1024;
/// The longest line that is read: a picture of some megabytes fits.
const LONGEST_LINE: usize = 32 << 20;
/// How much of the end of the output is looked at for errors.
const ERRORS: u64 = 64 * 1024;
/// How many bytes of them are shown.
const SHOWN_ERRORS: usize = 4000;

/// What an agent says.
#[derive(Debug)]
pub struct Wire {
    session: Arc<Session>,
    log: Log,
    /// Where to go on reading.
    at: Offset,
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    /// A line was too long, and its rest is left out.
    skipping: bool,
    progress: watch::Receiver<Progress>,
}

/// Something that was heard of an agent.
#[derive(Debug)]
pub enum Heard {
    /// It says something, line by line.
    Lines(Vec<Line>),
    /// So many bytes of what it said are not there any more.
    Lost(u64),
    /// A line was longer than this, and is left out.
    TooLong(usize),
    /// Its process has ended, and it has said all that it will.
    Ended {
        /// How: `exit code 1`, `signal SIGKILL`.
        how: String,
        /// Whether it ended as programs do that have done their work.
        well: bool,
    },
}

/// A line that an agent says.
#[derive(Debug)]
pub struct Line {
    /// Without its end.
    pub bytes: Vec<u8>,
    /// Where the next one begins in the log.
    pub next: u64,
}

impl Wire {
    pub(super) fn new(session: Arc<Session>, cursor: u64) -> Self {
        let (log, progress) = (session.log().clone(), session.follow());
        Wire { session, log, at: Offset(cursor), partial: Vec::new(), skipping: false, progress }
    }

    /// The next that is heard. Nothing is lost when it is given up in between.
    pub async fn next(&mut self) -> Heard {
        loop {
            // Looked at before the log is read: an exit is told when all that was printed before is in the log.
            let now = *self.progress.borrow_and_update();
            match self.read() {
                Ok(Some(heard)) => return heard,
                Ok(None) if !now.running() => return ended(now),
                Ok(None) => {}
                Err(error) => {
                    tracing::error!(id = %self.session.id(), %error, "what an agent says can't be read; it is tried again");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    continue;
                }
            }
            if self.progress.changed().await.is_err() {
                return ended(*self.progress.borrow());
            }
        }
    }

    /// Whether the agent's process has ended. There may be more to hear of it.
    pub fn is_over(&self) -> bool {
        !self.session.progress().running()
    }

    /// Reads what there is; `None` when that is nothing new.
    fn read(&mut self) -> std::io::Result<Option<Heard>> {
        loop {
            let chunk = self.log.read(self.at, None, PIECE)?;
            if chunk.from > self.at {
                let lost = chunk.from.since(self.at);
                (self.at, self.skipping) = (chunk.from, true);
                self.partial.clear();
                return Ok(Some(Heard::Lost(lost)));
            }
            if chunk.bytes.is_empty() {
                return Ok(None);
            }
            let mut lines = Vec::new();
            let mut too_long = false;
            for run in self.log.streams(chunk.from, chunk.next)? {
                if run.stream == Stream::Stdout {
                    let part = &chunk.bytes[run.from.since(chunk.from) as usize..run.to.since(chunk.from) as usize];
                    too_long |= self.split(part, run.from, &mut lines);
                }
            }
            self.at = chunk.next;
            if !lines.is_empty() {
                return Ok(Some(Heard::Lines(lines)));
            }
            if too_long {
                return Ok(Some(Heard::TooLong(LONGEST_LINE)));
            }
        }
    }

    /// Cuts a piece of the output into lines. Says whether one was too long.
    fn split(&mut self, mut part: &[u8], mut from: Offset, lines: &mut Vec<Line>) -> bool {
        let mut too_long = false;
        while let Some(end) = memchr(b'\n', part) {
            let next = from + (end as u64 + 1);
            let mut bytes = std::mem::take(&mut self.partial);
            if !std::mem::take(&mut self.skipping) {
                bytes.extend_from_slice(&part[..end]);
                lines.push(Line { bytes, next: next.0 });
            }
            (part, from) = (&part[end + 1..], next);
        }
        if !self.skipping {
            self.partial.extend_from_slice(part);
            if self.partial.len() > LONGEST_LINE {
                self.partial = Vec::new();
                (self.skipping, too_long) = (true, true);
            }
        }
        too_long
    }

    /// The last lines that the agent wrote to its error output.
    pub(super) fn last_errors(&self) -> Option<String> {
        let (oldest, end) = self.log.bounds().ok()?;
        let from = Offset(end.0.saturating_sub(ERRORS)).max(oldest);
        let chunk = self.log.read(from, Some(end), ERRORS as usize).ok()?;
        let runs = self.log.streams(chunk.from, chunk.next).ok()?;
        let mut errors = Vec::new();
        for run in runs.iter().filter(|run| run.stream == Stream::Stderr) {
            errors.extend_from_slice(
                &chunk.bytes[run.from.since(chunk.from) as usize..run.to.since(chunk.from) as usize],
            );
        }
        let text = flightdeck_term::screen::plain(&errors);
        let text = text.trim_end();
        let cut = text.ceil_char_boundary(text.len().saturating_sub(SHOWN_ERRORS));
        (!text.is_empty()).then(|| text[cut..].to_owned())
    }
}

fn ended(progress: Progress) -> Heard {
    match progress.exit {
        Some(Exit::Code(code)) => Heard::Ended { how: format!("exit code {code}"), well: code == 0 },
        Some(exit @ Exit::Signal(_)) => {
            Heard::Ended { how: format!("signal {}", convert::signal_of(exit).unwrap_or_default()), well: false }
        }
        None => Heard::Ended { how: "nobody knows how".to_owned(), well: false },
    }
}

/// How much of what was said to the agent of this session it has taken.
pub(super) fn taken(session: &Session) -> u64 {
    Log::new(layout::input_path(session.log().dir())).bounds().map_or(0, |(_, end)| end.0)
}

/// Writes lines to the agent until nobody has any more, or nobody reads them.
pub(super) async fn write_lines(
    session: Arc<Session>,
    mut lines: mpsc::UnboundedReceiver<StoredLine>,
    written: Arc<AtomicU64>,
    answers: Arc<AnswerBudget>,
) {
    while let Some(line) = lines.recv().await {
        let mut rest = line.line.as_bytes();
        let taken = written.load(Ordering::Acquire);
        // What an earlier hub has written of it already.
        rest = &rest[(taken.saturating_sub(line.start) as usize).min(rest.len())..];
        while !rest.is_empty() {
            match session.write(rest).await {
                Ok(()) => break,
                // It may be busy for long; nothing is lost by waiting.
                Err(InputError::NotRead { written, .. }) => rest = &rest[written..],
                Err(error) => {
                    tracing::info!(id = %session.id(), %error, "an agent takes no more input");
                    return;
                }
            }
        }
        let end = line.start + line.line.len() as u64;
        written.store(end, Ordering::Release);
        answers.read_to(end);
    }
}
