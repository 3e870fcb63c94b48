//! What is derived from the log: the screen and the command records, up to one position in it.
//!
//! The view of a live session and the one that is rebuilt after a restart are made by the same steps over the same
//! bytes, so they are the same. The only difference is that a replay answers none of the old queries.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use flightdeck_keeper::Size;

use super::answers::Owed;
use super::ends::Proof;
use super::guest::TOLD;
use super::record::{Prompt, Record, Teller, Tracker};
use super::replay::{ReplayNotes, SizeChange};
use super::resizes::Resizes;
use super::{Kind, PendingRun, Session, Source};
use crate::backend::{Backend, Whose};
use crate::facts::{Look, has_unread_input, reads_answer, waits_for_line, waits_for_many};
use crate::log::{Follower, Log, Offset};
use crate::screen::Screen;
use crate::shell::{MarkScanner, RunId, ScannedMark, ShellKind};

/// The screen is kept again after so much of what the log can hold, so that a checkpoint is never far behind.
const CHECKPOINTS_PER_LOG: u64 = 8;
const LARGEST_STRIDE: u64 = 4 << 20;
/// Where different ends were told, the shell has to wait for so long: it may wait for a moment while it makes its prompt.
const CONTESTED_WAIT: Duration = Duration::from_millis(20);
/// The kernel may take so long to bring what is typed to where it is read.
const ON_ITS_WAY: Duration = Duration::from_millis(20);

/// One step of a view along its log.
#[derive(Debug, Default)]
pub struct Advance {
    /// How many bytes were taken in. Zero: there was nothing new.
    pub bytes: usize,
    /// Answers for the program, to queries in those bytes.
    pub replies: Vec<u8>,
}

/// What a view is made from.
pub(super) struct ViewParts<'a> {
    pub kind: &'a Kind,
    pub size: Size,
    pub log: Log,
    pub notes: &'a ReplayNotes,
    pub records: Vec<Record>,
    pub pending: Option<PendingRun>,
    pub source: Source,
    pub log_bytes: u64,
}

#[derive(Debug)]
pub(super) struct View {
    notes: ReplayNotes,
    first_size: Size,
    size: Size,
    /// All changes of size, those that lie ahead as well.
    pub(super) resizes: Resizes,
    has_screen: bool,
    follower: io::Result<Follower>,
    pub(super) screen: Option<Screen>,
    /// Bytes before this one are in the screen already, through its checkpoint.
    screen_from: Offset,
    /// Changes of size that lie ahead while the log is replayed.
    sizes: VecDeque<SizeChange>,
    /// Queries before this one were answered, or their programs are long gone.
    answer_from: Offset,
    checkpoint: Offset,
    /// How much output may pass before the screen is kept again.
    stride: u64,
    scanner: Option<MarkScanner>,
    scan_from: Offset,
    tracker: Tracker,
    found: Vec<ScannedMark>,
    /// When something was typed last.
    typed_at: Option<Instant>,
    /// The last end that is told by then is true.
    proof: Option<Proof>,
    /// Whose end is looked into, and since when.
    asked: Option<(Teller, Instant)>,
    /// What programs have asked their terminal and wait to be told.
    owed: Option<Owed>,
}

impl View {
    pub(super) fn new(parts: ViewParts<'_>) -> Self {
        let ViewParts { kind, size, log, notes, records, pending, source, log_bytes } = parts;
        let mut tracker = Tracker::new(records, pending);
        if matches!(kind, Kind::Shell(shell) if shell.kind.announces()) {
            tracker.announces();
        }
        let (has_screen, scanner) = match kind {
            Kind::Shell(shell) => (true, Some(MarkScanner::new(&shell.nonce))),
            Kind::Command => (true, None),
            Kind::Piped => (false, None),
        };
        let mut view = View {
            notes: notes.clone(),
            first_size: size,
            size,
            resizes: Resizes::new(size),
            has_screen,
            follower: Follower::new(log, Offset::ZERO),
            screen: None,
            screen_from: Offset::ZERO,
            sizes: VecDeque::new(),
            answer_from: Offset::ZERO,
            checkpoint: Offset::ZERO,
            stride: (log_bytes / CHECKPOINTS_PER_LOG).min(LARGEST_STRIDE),
            scan_from: tracker.resume_from(),
            scanner,
            tracker,
            found: Vec::new(),
            typed_at: None,
            proof: None,
            asked: None,
            owed: None,
        };
        match source {
            Source::Started => view.screen = has_screen.then(|| Screen::new(size)),
            Source::TakenUp => view.restore(),
            Source::Archive => {}
        }
        view
    }

    /// Sets the view back to the best starting point for the whole log as it is now.
    fn restore(&mut self) {
        let Ok(follower) = &self.follower else { return };
        let log = follower.log().clone();
        let sizes = self.notes.sizes().unwrap_or_default();
        self.resizes = Resizes::new(self.first_size);
        for change in &sizes {
            self.resizes.push(*change);
        }
        self.answer_from = log.bounds().map_or(Offset::ZERO, |(_, end)| end);
        let (screen, from) = match self.notes.load() {
            Some((screen, at)) if at <= self.answer_from => (screen, at),
            _ => (Screen::new(self.first_size), Offset::ZERO),
        };
        self.size = screen.size();
        self.screen_from = from;
        self.checkpoint = from;
        self.sizes = sizes.into_iter().filter(|change| change.at >= from).collect();
        self.screen = self.has_screen.then_some(screen);
        let begin = if self.scanner.is_some() { from.min(self.scan_from) } else { from };
        self.follower = Follower::new(log, begin);
        self.apply_sizes();
    }

    pub(super) fn position(&self) -> Offset {
        self.follower.as_ref().map_or(Offset::ZERO, Follower::position)
    }

    pub(super) fn size(&self) -> Size {
        self.sizes.back().map_or(self.size, |change| change.size)
    }

    /// Changes the size here and now. Gives the position that the change belongs to.
    pub(super) fn resize(&mut self, size: Size) -> Offset {
        let at = self.position().max(self.sizes.back().map_or(Offset::ZERO, |change| change.at));
        let change = SizeChange { at, size };
        self.sizes.push_back(change);
        self.resizes.push(change);
        self.apply_sizes();
        at
    }

    /// Takes in the next stretch of the log, as much as fits into `buf`.
    pub(super) fn advance(&mut self, buf: &mut [u8]) -> io::Result<Advance> {
        let follower = match &mut self.follower {
            Ok(follower) => follower,
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
        };
        // A change of size that was noted for the middle of this stretch is applied just there.
        let start = follower.position();
        let limit = match self.sizes.front() {
            Some(change) => usize::try_from(change.at.since(start)).unwrap_or(usize::MAX).min(buf.len()).max(1),
            None => buf.len(),
        };
        if self.screen.is_none() && self.scanner.is_none() {
            // Nothing is derived from this log: whoever wants its bytes reads them there.
            let bytes = follower.skip_to_end()?;
            return Ok(Advance { bytes: bytes as usize, replies: Vec::new() });
        }
        let bytes = follower.read(&mut buf[..limit])?;
        let end = follower.position();
        if bytes == 0 {
            self.tracker.forget_stale();
            return Ok(Advance::default());
        }
        // Where output was rotated away unread, the bytes begin later than expected.
        let from = Offset(end.0 - bytes as u64);
        let turn = self.scan(from, &buf[..bytes]);
        if turn.is_some() {
            self.owed = None;
        }
        let replies = self.draw(from, &buf[..bytes], turn);
        self.apply_sizes();
        self.keep(end);
        Ok(Advance { bytes, replies })
    }

    /// Takes in the marks; gives where the last one ends with which a command begins or ends.
    fn scan(&mut self, from: Offset, bytes: &[u8]) -> Option<Offset> {
        let scanner = self.scanner.as_mut()?;
        let skip = self.scan_from.since(from).min(bytes.len() as u64);
        scanner.scan(from.0 + skip, &bytes[skip as usize..], &mut self.found);
        let live = from >= self.answer_from;
        let mut turn = None;
        for mark in self.found.drain(..) {
            // What comes after the shell began to wait is not its own.
            if let Some(Proof { teller, to, .. }) = self.proof.filter(|proof| proof.to.0 <= mark.start) {
                if self.tracker.is_contested() {
                    self.tracker.hold();
                } else {
                    self.proof = None;
                    self.tracker.settle(teller, to);
                }
            }
            if mark.mark.is_turn() {
                turn = Some(Offset(mark.end));
            }
            self.tracker.take(mark, live);
        }
        turn
    }

    /// Whoever asked something before the `turn` is gone, and gets no answer.
    fn draw(&mut self, from: Offset, bytes: &[u8], turn: Option<Offset>) -> Vec<u8> {
        let Some(screen) = &mut self.screen else { return Vec::new() };
        let skip = self.screen_from.since(from).min(bytes.len() as u64) as usize;
        let (before, after) = match turn {
            Some(turn) => bytes.split_at((turn.since(from).min(bytes.len() as u64) as usize).max(skip)),
            None => (&bytes[..skip], &bytes[skip..]),
        };
        screen.feed(&before[skip..]);
        screen.take_replies();
        screen.feed(after);
        let replies = screen.take_replies();
        if from + (bytes.len() as u64) > self.answer_from { replies } else { Vec::new() }
    }

    fn apply_sizes(&mut self) {
        let position = self.position();
        while let Some(change) = self.sizes.front().copied().filter(|change| change.at <= position) {
            self.sizes.pop_front();
            self.size = change.size;
            if let Some(screen) = &mut self.screen {
                screen.resize(change.size);
            }
        }
    }

    /// Keeps a checkpoint now and then. Losing one costs a longer replay, nothing else.
    fn keep(&mut self, end: Offset) {
        if end.since(self.checkpoint) < self.stride {
            return;
        }
        if let Some(screen) = &self.screen
            && self.notes.save(screen, end).is_ok()
        {
            self.checkpoint = end;
        }
    }
}

impl Session {
    /// Takes in what the log has gained, at most `buf.len()` bytes; answers queries and wakes waiters.
    pub(crate) fn advance(&self, buf: &mut [u8]) -> io::Result<usize> {
        let (step, seen, marks) = {
            let mut view = self.lock();
            let step = view.advance(buf)?;
            (step, view.position(), view.tracker.marks())
        };
        if !step.replies.is_empty() {
            self.owe(&step.replies);
        }
        self.publish(|progress| {
            progress.seen = seen;
            progress.marks = marks;
        });
        Ok(step.bytes)
    }

    /// Takes in everything that there is.
    pub(crate) fn catch_up(&self, buf: &mut [u8]) -> io::Result<()> {
        while self.advance(buf)? > 0 {}
        Ok(())
    }

    /// Looks at the screen. `None` for a command on pipes, which has none.
    ///
    /// The screen of a session that ended long ago is made again from its log.
    pub fn screen<T>(&self, look: impl FnOnce(&Screen) -> T) -> Option<T> {
        let mut view = self.lock();
        if !view.has_screen {
            return None;
        }
        if view.screen.is_none() {
            view.restore();
            let mut buf = vec![0; 256 * 1024];
            while matches!(view.advance(&mut buf), Ok(step) if step.bytes > 0) {}
        }
        view.screen.as_ref().map(look)
    }

    /// Lets go of the screen of a session that has ended, and of what the keeper still holds for it.
    ///
    /// Calling it again does nothing, but what failed may be tried again.
    pub fn let_go(&self) {
        if !self.over.swap(true, Ordering::Relaxed) {
            let exit = self.progress().exit;
            let mut view = self.lock();
            view.screen = None;
            let end = view.position();
            view.tracker.shell_ended(end, exit);
        }
        self.forget();
    }

    /// The size of the window.
    pub fn size(&self) -> Size {
        self.lock().size()
    }

    /// The commands that ran in it, oldest first; the last may still run.
    pub fn records(&self) -> Vec<Record> {
        self.lock().tracker.records().to_vec()
    }

    /// The commands that were run through the hub from here on: where their output begins, and they themselves.
    pub(crate) fn runs_since(&self, at: Offset) -> Vec<(Offset, String)> {
        let view = self.lock();
        let since = view.tracker.records().iter().rev().take_while(|record| record.start >= at);
        let runs = since.filter(|record| record.run.is_some());
        runs.filter_map(|record| Some((record.start, record.text.clone()?))).collect()
    }

    /// How much of the log was seen, and whether a command was handed to the shell then whose start was not.
    pub(crate) fn seen(&self) -> (Offset, bool) {
        // The view of a session that ended long ago rests.
        let seen = self.progress().seen;
        let view = self.lock();
        (view.position().max(seen), view.tracker.expects_run())
    }

    /// One command.
    pub fn record(&self, number: super::RecordNumber) -> Option<Record> {
        self.lock().tracker.record(number).cloned()
    }

    pub(crate) fn record_of(&self, run: &RunId) -> Option<Record> {
        self.lock().tracker.of_run(run).cloned()
    }

    /// Whether the shell waits for a command.
    pub fn prompt(&self) -> Prompt {
        self.prompt_in(&Look::new())
    }

    /// The same, for whoever asks about many terminals at once.
    pub fn prompt_in(&self, look: &Look) -> Prompt {
        // A shell of the user's prints no marks. It is looked at from outside each time.
        if self.whose() == Whose::Theirs {
            return Prompt::Busy;
        }
        let (prompt, entered) = {
            let view = self.lock();
            (view.tracker.prompt(), view.tracker.is_entered())
        };
        let Prompt::Ready { typed } = prompt else { return prompt };
        // A POSIX shell does not announce what is typed by hand; the kernel knows who is in the foreground. Of the other
        // shells it knows so before the mark of a command's start has come through the log.
        // A program that has printed the mark of a prompt is in the foreground as well.
        let silent = matches!(self.kind(), Kind::Shell(setup) if setup.kind == ShellKind::Posix);
        let front = self.backend().and_then(Backend::foreground);
        let is_elsewhere = front.is_some() && front != self.leader();
        if is_elsewhere || silent && self.is_at_work(typed, entered, look) { Prompt::Busy } else { prompt }
    }

    /// Whether a shell without marks that is in the foreground is not at its prompt. It may be between two commands of a line
    /// that was typed, or at work itself; and what was typed may have been `read`, or another shell in its place.
    fn is_at_work(&self, typed: bool, entered: bool, look: &Look) -> bool {
        let (facts, leader) = (self.facts_in(look), self.leader());
        let waits = || leader.is_some_and(|pid| waits_for_line(pid, &facts));
        let asks = || facts.canonical && leader.is_some_and(reads_answer);
        entered && !waits() || typed && (asks() || !self.is_first_program())
    }

    /// Whether the shell waits for a command and has read all that was typed, so that nothing is about to begin. The marks alone
    /// don't tell: the one of a command comes after the shell has read it.
    pub fn is_at_rest(&self) -> bool {
        let is_ready = || matches!(self.prompt(), Prompt::Ready { .. });
        let Some(pid) = self.leader().filter(|_| is_ready()) else { return is_ready() };
        let waits = || waits_for_line(pid, &self.facts()) || waits_for_many(pid);
        // What is typed is on its way for a moment, and then shows.
        let printed_at = self.printed_at();
        let has_come = self
            .lock()
            .typed_at
            .is_none_or(|typed| typed.elapsed() >= TOLD || printed_at > typed && typed.elapsed() >= ON_ITS_WAY);
        // What else a shell may wait for beside keys is not known of each.
        let has_read = has_come && !has_unread_input(pid) && (waits() || printed_at.elapsed() >= TOLD);
        // In that order: it may have run something since, and all that it told of that must have been heard.
        has_read && self.is_all_seen() && is_ready()
    }

    /// Whether the marks say that the shell waits for a command. The kernel may know better.
    pub(crate) fn is_marked_ready(&self) -> bool {
        matches!(self.lock().tracker.prompt(), Prompt::Ready { .. })
    }

    /// Whether a whole line was typed that the shell may not have come to yet.
    pub(crate) fn is_entered(&self) -> bool {
        self.lock().tracker.is_entered()
    }

    /// Whether nothing was typed since the last command was.
    pub(crate) fn is_untouched(&self) -> bool {
        self.lock().tracker.is_untouched()
    }

    /// The shell waits, so somebody else has read what was typed.
    pub(crate) fn forget_entered(&self) {
        self.lock().tracker.forget_entered();
    }

    /// Whether the shell has begun to show a prompt since its last command ended.
    pub(crate) fn is_prompting(&self) -> bool {
        self.lock().tracker.is_prompting()
    }

    /// How many marks the shell has printed: it grows with each prompt and each command.
    pub fn marks(&self) -> u64 {
        self.lock().tracker.marks()
    }

    /// Takes the commands that have ended since the last call, to be stored.
    pub fn take_ended(&self) -> Vec<Record> {
        self.lock().tracker.take_ended()
    }

    /// Whether there are any to be taken.
    pub(crate) fn has_ended_commands(&self) -> bool {
        self.lock().tracker.has_ended()
    }

    pub(crate) fn expect_run(&self, run: PendingRun) {
        let mut view = self.lock();
        // Its line is typed next, and nothing into it.
        view.owed = None;
        view.tracker.expect(run);
    }

    /// The same for a run that is typed to a shell of which nothing is known, while our own waits for that.
    pub(crate) fn expect_guest_run(&self, run: PendingRun) {
        let mut view = self.lock();
        view.owed = None;
        view.tracker.expect_inside(run);
    }

    /// The shell inside of ours is gone, and with it the command that was typed to it.
    pub(crate) fn inner_shell_ended(&self) {
        let mut view = self.lock();
        let at = view.position();
        view.tracker.inner_shell_ended(at);
    }

    /// Our own shell is at its prompt and tells nothing: what ran in it has ended.
    pub(crate) fn end_untold(&self) {
        let mut view = self.lock();
        let at = view.position();
        view.tracker.end_untold(at);
    }

    pub(crate) fn forget_run(&self) {
        self.lock().tracker.forget_expected();
    }

    /// Keeps the screen for the next hub, which then need not replay the log.
    pub fn checkpoint(&self) -> io::Result<()> {
        let view = self.lock();
        match &view.screen {
            Some(screen) if view.position() > view.checkpoint => view.notes.save(screen, view.position()),
            _ => Ok(()),
        }
    }
}

impl View {
    pub(super) fn tracker(&self) -> &Tracker {
        &self.tracker
    }

    pub(super) fn lets_others_type(&mut self) {
        self.tracker.lets_others_type();
    }

    pub(super) fn owed(&mut self) -> &mut Option<Owed> {
        &mut self.owed
    }

    pub(super) fn tracker_mut(&mut self) -> &mut Tracker {
        &mut self.tracker
    }

    /// The proof of an end that this shell has told, if there is one, and when it was first asked for.
    pub(super) fn proof_of(&mut self, teller: Teller) -> (Option<Proof>, Instant) {
        let asked = self.asked.filter(|(asked, _)| *asked == teller).unwrap_or((teller, Instant::now()));
        self.asked = Some(asked);
        let (_, since) = asked;
        (self.proof.filter(|proof| proof.teller == teller), since)
    }

    /// Settles an end that was proven, when all is seen that was printed by then; gives how many marks there are then.
    pub(super) fn settle(&mut self, proof: Option<Proof>) -> Option<u64> {
        self.proof = proof;
        let Some(Proof { teller, to, seen }) = proof else {
            self.tracker.release();
            return None;
        };
        if self.position() < to {
            return None;
        }
        if self.tracker.is_contested() && seen.elapsed() < CONTESTED_WAIT {
            self.tracker.hold();
            return None;
        }
        self.settle_at(teller, to)
    }

    /// Settles the last end that was told before this place.
    pub(super) fn settle_at(&mut self, teller: Teller, to: Offset) -> Option<u64> {
        (self.proof, self.asked) = (None, None);
        self.tracker.settle(teller, to);
        self.tracker.claimed().is_none().then(|| self.tracker.marks())
    }

    pub(super) fn note_input(&mut self, bytes: &[u8]) {
        self.tracker.note_input(bytes);
        self.typed_at = Some(Instant::now());
    }
}
