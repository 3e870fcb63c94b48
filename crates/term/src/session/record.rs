//! Command records: what ran in a shell, who ran it, where its output is and how it ended.
//!
//! ```text
//!              C (command starts)                R (a delivered file starts: the output begins here)
//!   Ready ───────────────────────► open record ───────────────────────────────► open record
//!     ▲                                 │                                            │
//!     └──────────── A B (prompt) ◄──────┴────────────── D with its number ◄──────────┘
//! ```
//!
//! Output may hold old marks of the same terminal (somebody prints its raw log), so a mark counts only where it
//! fits: a start must have a number above all earlier ones, an end must have the number or the run of the open record.
//!
//! A program can also make up marks that fit: it may have read the nonce. So an end is only claimed by its mark, and holds
//! when the kernel says that the shell waits at its prompt again, which the program can't bring about. The last mark before that
//! is the shell's own: it tells the end once more (`F`) when it has run all that it runs for its prompt. A start counts only when
//! something was typed that could have started it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use flightdeck_keeper::Exit;

use super::unix_time;
use crate::log::Offset;
use crate::shell::{Asking, Mark, RunId, ScannedMark, asks_openly};

/// Counts the commands of a terminal, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordNumber(pub u64);

/// A command that ran in a shell.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number.
    pub number: RecordNumber,
    /// The command line, where it is known.
    pub text: Option<String>,
    /// Who ran it through the hub. `None`: typed at the keyboard.
    pub actor: Option<String>,
    /// Where it ran.
    pub cwd: Option<PathBuf>,
    /// Where its output begins.
    pub start: Offset,
    /// Where its output ends; `None` while it runs.
    pub end: Option<Offset>,
    /// Its exit code, where the shell told.
    pub exit: Option<i32>,
    /// The exit code of each stage of its last pipeline.
    pub stages: Vec<i32>,
    /// When it began, in seconds since 1970.
    pub started_at: Option<f64>,
    /// How long it took.
    pub duration: Option<Duration>,
    /// The run that it belongs to.
    pub run: Option<RunId>,
}

/// Whether a shell waits for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// It has not shown a prompt yet.
    Starting,
    /// It waits.
    Ready {
        /// Something has been typed at this prompt.
        typed: bool,
    },
    /// A command runs.
    Busy,
}

/// A command that is handed to the shell and whose start has not been seen yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingRun {
    /// Names it in the shell's marks.
    pub run: RunId,
    /// The command.
    pub text: String,
    /// Who runs it.
    pub actor: Option<String>,
    /// The end of the log when it was handed over: its marks come after that.
    pub from: Offset,
}

/// How many records are kept in memory. Older ones are on disk by then.
const KEPT: usize = 1000;
/// How many ends of one command are kept, of which only one is true.
const KEPT_ENDS: usize = 64;
/// What brings a new prompt when it is typed: the ends of a line, Ctrl-C, Ctrl-D and Ctrl-Z.
const NEW_PROMPT: &[u8] = b"\r\n\x03\x04\x1a";
/// More of a line is not kept.
const LONGEST_LINE: usize = 4096;

#[derive(Debug)]
pub(super) struct Tracker {
    records: Vec<Record>,
    next_number: u64,
    /// Those that ended and were not taken for storing yet.
    ended: Vec<Record>,
    open: Option<Open>,
    /// The end of a command that a mark has told and nobody has borne out yet.
    claim: Option<Claim>,
    /// The end that holds if the shell goes on waiting: what is told after it is another's.
    held: Option<Claim>,
    /// The ends that were told of it, one of each kind: which of them is told again at the prompt?
    told: VecDeque<Claim>,
    /// The shell tells an end again when its prompt is shown, after all that it runs for that.
    repeats: bool,
    pending: Option<PendingRun>,
    /// The pending run was handed over by an earlier hub.
    from_earlier_hub: bool,
    /// The pending or open run is in a shell inside of ours: when it ends, ours has no prompt yet.
    inside: bool,
    /// A prompt has begun since the last command ended.
    prompting: bool,
    /// Where one began although the open command has not ended.
    prompted_at: Option<Offset>,
    last_seq: u64,
    prompt: Prompt,
    /// How many whole lines were typed that no prompt has followed. A program may have read some of them.
    entered: usize,
    /// The command asks with the shell's own line editor.
    question: Option<Question>,
    /// What was typed of a line that is not at its end.
    line: Vec<u8>,
    /// What the most secret of all may ask for that was typed or run since the last command ended.
    asking: Asking,
    /// How often something was typed, and how often when a command was typed alone: since then nothing was, if that is the same.
    inputs: u64,
    alone: Option<u64>,
    /// What was typed last ends a line.
    is_line: bool,
    /// How often something had been typed when the last command began, or the last prompt was shown.
    inputs_before: u64,
    /// Since the last prompt nothing was typed that brings another one, so a prompt that comes is the same one drawn anew.
    redraws: bool,
    /// Where the last prompt ended, and whether something was answered since the last command began that nobody may have read.
    prompt_end: Offset,
    answered: bool,
    /// Others may type there unseen.
    typed_by_others: bool,
    /// The shell tells when it begins with a line.
    announces: bool,
    cwd: Option<PathBuf>,
    marks: u64,
}

/// A question that the shell has told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Nobody has answered.
    Open,
    /// A line was typed since. Nothing tells when the shell has read it.
    Answered,
}

/// The record that is running: always the last one.
#[derive(Debug)]
struct Open {
    seq: Option<u64>,
    run_started: bool,
}

/// What a mark says of the end of a command.
#[derive(Clone, Debug)]
struct Claim {
    at: Offset,
    teller: Teller,
    finish: Finish,
    cwd: Option<PathBuf>,
    /// The shell has told it again at its prompt.
    repeated: bool,
    /// A prompt was shown since, when so much had been typed.
    prompted: Option<u64>,
}

impl Claim {
    fn says(&self, exit: i32, stages: &[i32]) -> bool {
        self.finish.exit == Some(exit) && self.finish.stages == stages
    }
}

/// Which shell a mark of an end is from, if it is true, and so which one must be back at its prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Teller {
    /// The terminal's own.
    Own {
        /// The number of the command.
        seq: u64,
        /// It is the end of the shell inside, and of what was typed there.
        left: bool,
    },
    /// One that prints no marks of its own, and was given a text to print.
    Told,
}

/// A claim as whoever bears it out has seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claimed {
    pub at: Offset,
    pub teller: Teller,
}

impl Tracker {
    /// Goes on after `records`. A `pending` run of an earlier hub counts only if it is not among them already.
    pub(super) fn new(records: Vec<Record>, pending: Option<PendingRun>) -> Self {
        let last_end = records.last().and_then(|record| record.end).unwrap_or(Offset::ZERO);
        Tracker {
            pending: pending.filter(|pending| pending.from >= last_end),
            from_earlier_hub: true,
            inside: false,
            prompting: false,
            prompted_at: None,
            next_number: records.last().map_or(1, |record| record.number.0 + 1),
            records,
            ended: Vec::new(),
            open: None,
            claim: None,
            held: None,
            told: VecDeque::new(),
            repeats: false,
            last_seq: 0,
            prompt: Prompt::Starting,
            entered: 0,
            question: None,
            line: Vec::new(),
            asking: Asking::Nothing,
            inputs: 0,
            alone: None,
            is_line: false,
            inputs_before: 0,
            redraws: false,
            prompt_end: Offset::ZERO,
            answered: false,
            typed_by_others: false,
            announces: false,
            cwd: None,
            marks: 0,
        }
    }

    /// Others may type there unseen: a window elsewhere has its own keyboard.
    pub(super) fn lets_others_type(&mut self) {
        self.typed_by_others = true;
    }

    /// The shell tells when it begins with a line, whoever typed it.
    pub(super) fn announces(&mut self) {
        self.announces = true;
    }

    /// Where to begin to look for marks: after everything that is known.
    pub(super) fn resume_from(&self) -> Offset {
        self.records.last().and_then(|record| record.end).unwrap_or(Offset::ZERO)
    }

    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    pub(super) fn record(&self, number: RecordNumber) -> Option<&Record> {
        self.records.iter().find(|record| record.number == number)
    }

    pub(super) fn of_run(&self, run: &RunId) -> Option<&Record> {
        self.records.iter().rev().find(|record| record.run.as_ref() == Some(run))
    }

    pub(super) fn prompt(&self) -> Prompt {
        if self.open.is_some() || self.pending.is_some() { Prompt::Busy } else { self.prompt }
    }

    pub(super) fn expects_run(&self) -> bool {
        self.pending.is_some()
    }

    pub(super) fn marks(&self) -> u64 {
        self.marks
    }

    pub(super) fn take_ended(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.ended)
    }

    pub(super) fn has_ended(&self) -> bool {
        !self.ended.is_empty()
    }

    pub(super) fn expect(&mut self, run: PendingRun) {
        self.asking = self.asking.max(Asking::of(&run.text));
        self.pending = Some(run);
        // Its line is what is typed next.
        self.alone = Some(self.inputs + 1);
        self.from_earlier_hub = false;
        self.inside = false;
    }

    /// The command that our shell runs is another shell. Its record ends here as far as it is known: what follows in
    /// the log are the records of single runs.
    pub(super) fn expect_inside(&mut self, run: PendingRun) {
        // Our own shell goes on with what it runs, and so does what may be asked or hidden there.
        let from = run.from;
        self.expect(run);
        let asking = self.asking;
        self.inside = true;
        self.close(from, Finish::default());
        self.asking = asking;
        // Also when nothing is written after all, or an earlier hub has closed the record already.
        self.prompt = Prompt::Busy;
    }

    pub(super) fn is_prompting(&self) -> bool {
        self.prompting
    }

    /// An earlier hub may have died before it typed the command. If all of the log is seen and the shell waits, it has.
    pub(super) fn forget_stale(&mut self) {
        if self.from_earlier_hub && matches!(self.prompt, Prompt::Ready { .. }) {
            self.pending = None;
        }
    }

    /// The end that a mark has told and that is not borne out.
    pub(super) fn claimed(&self) -> Option<Claimed> {
        self.claim.as_ref().map(|claim| Claimed { at: claim.at, teller: claim.teller })
    }

    /// The shell that `teller` is about waits at its prompt, and has printed nothing since `to`: the last end before that is true.
    pub(super) fn settle(&mut self, teller: Teller, to: Offset) {
        let end = self.held.as_ref().or(self.claim.as_ref());
        if end.is_some_and(|claim| claim.teller == teller && claim.at < to) {
            self.settle_claim();
            // Whoever waits for marks is to look again.
            self.marks += 1;
        }
    }

    /// Whether different ends were told, so that somebody prints what is not true.
    pub(super) fn is_contested(&self) -> bool {
        let other = |claim: &Claim| {
            self.told
                .iter()
                .any(|told| told.finish.exit != claim.finish.exit || told.finish.stages != claim.finish.stages)
        };
        self.held.as_ref().or(self.claim.as_ref()).is_some_and(other)
    }

    /// The shell waits, so the last end up to now is the true one if it goes on doing so.
    pub(super) fn hold(&mut self) {
        if self.held.is_none() {
            self.held.clone_from(&self.claim);
        }
    }

    /// The shell does not wait after all.
    pub(super) fn release(&mut self) {
        self.held = None;
    }

    fn settle_claim(&mut self) {
        let claim = self.claim.take();
        let Some(Claim { at, teller, finish, cwd, repeated, prompted }) = self.held.take().or(claim) else { return };
        if matches!(teller, Teller::Own { .. }) && self.told.len() <= 1 {
            self.repeats = repeated;
        }
        match teller {
            Teller::Own { seq, left } => {
                (self.inside, self.pending) = (self.inside && !left, self.pending.take().filter(|_| !left));
                self.close(at, finish);
                if seq >= self.last_seq {
                    self.last_seq = seq;
                    self.cwd = cwd.or_else(|| self.cwd.take());
                }
                self.prompting = true;
            }
            Teller::Told => self.close(at, finish),
        }
        if let Some(inputs) = prompted.filter(|_| !self.inside) {
            self.prompted(inputs);
        }
    }

    /// A prompt was shown, when so much had been typed.
    fn prompted(&mut self, inputs: u64) {
        let typed_before = self.redraws && self.prompt == Prompt::Ready { typed: true };
        self.prompt = Prompt::Ready { typed: typed_before || self.inputs > inputs };
        self.entered = self.entered.saturating_sub(1);
        self.redraws = true;
        if !typed_before {
            self.inputs_before = inputs;
        }
    }

    /// A question to the terminal was answered. What was typed so may wait for the next one who reads.
    pub(super) fn answered(&mut self) {
        self.answered = true;
    }

    /// Where the prompt ended behind which an answer may stand.
    pub(super) fn answered_before(&self) -> Option<Offset> {
        self.answered.then_some(self.prompt_end)
    }

    /// Whether a command may begin by what was typed: behind the one that runs, or at the prompt.
    fn may_begin(&self) -> bool {
        self.typed_by_others
            || self.pending.is_some()
            || self.inputs > self.inputs_before
            || self.open.is_some() && self.entered > 1
    }

    /// The shell is gone; a command that ran in it is over too.
    pub(super) fn shell_ended(&mut self, at: Offset, exit: Option<Exit>) {
        self.settle_claim();
        self.close(at, Finish { exit: exit.map(Exit::shell_code), ..Finish::default() });
    }

    /// A shell inside of ours is gone; a command that was typed to it is over too. What is in front now is not known.
    pub(super) fn inner_shell_ended(&mut self, at: Offset) {
        if self.inside {
            self.pending = None;
            // Nobody has seen it back at its prompt.
            self.claim = self.claim.take().filter(|claim| claim.teller != Teller::Told);
            self.close(at, Finish::default());
        }
    }

    /// The shell is at its prompt, and its marks do not come any more.
    pub(super) fn end_untold(&mut self, at: Offset) {
        self.settle_claim();
        self.pending = None;
        self.close(self.prompted_at.unwrap_or(at), Finish::default());
    }

    pub(super) fn forget_expected(&mut self) {
        self.pending = None;
    }

    /// Whether nothing was typed since the last command, which is all that whoever reads now may have got.
    pub(super) fn is_untouched(&self) -> bool {
        self.alone == Some(self.inputs)
    }

    pub(super) fn note_input(&mut self, bytes: &[u8]) {
        self.inputs += 1;
        self.is_line = matches!(bytes.last(), Some(b'\r' | b'\n'));
        self.redraws &= !bytes.iter().any(|byte| NEW_PROMPT.contains(byte));
        if let Prompt::Ready { typed } = &mut self.prompt {
            *typed = true;
        }
        // Ctrl-C drops what was typed before it.
        let kept = bytes.iter().rposition(|byte| *byte == 3).map_or(bytes, |at| {
            self.entered = 0;
            self.line.clear();
            &bytes[at + 1..]
        });
        for byte in kept {
            if matches!(byte, b'\r' | b'\n') {
                self.entered += 1;
                let line = std::mem::take(&mut self.line);
                let line = String::from_utf8_lossy(&line);
                self.asking = self.asking.max(Asking::of(&line));
                self.question = self.question.map(|_| Question::Answered);
            } else if self.line.len() < LONGEST_LINE {
                self.line.push(*byte);
            }
        }
    }

    pub(super) fn question(&self) -> Option<Question> {
        self.question
    }

    /// Whether what was typed or run last may ask for something without showing it.
    pub(super) fn may_hide(&self) -> bool {
        self.asking.max(Asking::of(&String::from_utf8_lossy(&self.line))) == Asking::Hidden
    }

    /// Whether what runs may be a question of the shell's own line editor, which looks like a prompt.
    pub(super) fn may_ask(&self) -> bool {
        self.asking > Asking::Nothing
    }

    /// Whether the command that runs asks for nothing that is not to be seen.
    pub(super) fn asks_openly(&self) -> bool {
        let text = self.records.last().filter(|_| self.open.is_some()).and_then(|record| record.text.as_deref());
        text.is_some_and(asks_openly)
    }

    /// Whether a whole line was typed that the shell may not have come to yet.
    pub(super) fn is_entered(&self) -> bool {
        self.entered > 0
    }

    /// Somebody else has read what was typed.
    pub(super) fn forget_entered(&mut self) {
        self.entered = 0;
    }

    /// Takes in one mark. `live`: it was printed just now, so the clock stands for the shell's own time.
    pub(super) fn take(&mut self, scanned: ScannedMark, live: bool) {
        self.marks += 1;
        let now = live.then(|| unix_time(SystemTime::now()));
        let (start, end) = (Offset(scanned.start), Offset(scanned.end));
        match scanned.mark {
            Mark::PromptStart => {
                self.prompting = self.open.is_none();
                self.prompted_at = self.prompted_at.or(Some(start));
            }
            Mark::PromptEnd => {
                self.prompt_end = end;
                match &mut self.claim {
                    Some(claim) => claim.prompted = Some(self.inputs),
                    // The end of the shell inside is told before our own prompts.
                    None if self.open.is_none() && !self.inside => self.prompted(self.inputs),
                    None => {}
                }
            }
            Mark::CommandStart { seq, text, at } => {
                if seq > self.last_seq && (!live || self.may_begin()) {
                    self.settle_claim();
                    // It may be a shell, which gets what was typed after its own line.
                    if self.entered == 1 && self.is_line && live {
                        self.alone = Some(self.inputs);
                    }
                    self.close(start, Finish::default());
                    self.begin(end, Some(seq), text, at.or(now));
                }
            }
            Mark::RunStart { run, seq, at } => self.run_starts(end, &run, seq, at.or(now)),
            Mark::CommandEnd { seq, run, exit, stages, cwd, text, at, duration_ms } => {
                // The command of ours that the shell inside was has ended, and what was typed there with it: `exit 5`.
                let left = self.inside && seq >= self.last_seq;
                if left || self.is_open(Some(seq), run.as_ref()) {
                    let finish = Finish { exit: Some(exit), stages, text, at: at.or(now), duration_ms };
                    self.claim(start, Teller::Own { seq, left }, finish, cwd);
                } else if !live && seq >= self.last_seq {
                    // The record was stored before.
                    self.last_seq = seq;
                    self.cwd = cwd.or_else(|| self.cwd.take());
                }
            }
            Mark::EndAgain { seq, run, exit, stages } => {
                let left = self.inside && seq >= self.last_seq;
                if left || self.is_open(Some(seq), run.as_ref()) {
                    self.end_is_repeated(start, Teller::Own { seq, left }, exit, stages);
                } else if self.open.is_none() {
                    self.repeats = true;
                }
            }
            Mark::Question => self.question = self.open.is_some().then_some(Question::Open),
            Mark::RunEnd { run, exit } => {
                if self.is_open(None, Some(&run)) {
                    let finish = Finish { exit: Some(exit), at: now, ..Finish::default() };
                    self.claim(start, Teller::Told, finish, None);
                }
            }
        }
    }

    /// Of several the last one before the prompt is true. That is one which was told again there, where the shell does so.
    fn claim(&mut self, at: Offset, teller: Teller, finish: Finish, cwd: Option<PathBuf>) {
        let claim = Claim { at, teller, finish, cwd, repeated: false, prompted: None };
        self.told.retain(|told| !claim.finish.exit.is_some_and(|exit| told.says(exit, &claim.finish.stages)));
        if self.told.len() >= KEPT_ENDS {
            self.told.pop_front();
        }
        self.told.push_back(claim.clone());
        if !(self.repeats && self.claim.as_ref().is_some_and(|claim| claim.repeated)) {
            self.claim = Some(claim);
        }
    }

    fn end_is_repeated(&mut self, at: Offset, teller: Teller, exit: i32, stages: Vec<i32>) {
        let told = self.told.iter().find(|told| told.teller == teller && told.says(exit, &stages)).cloned();
        let claim = told.unwrap_or_else(|| {
            let finish = Finish { exit: Some(exit), stages, ..Finish::default() };
            Claim { at, teller, finish, cwd: None, repeated: true, prompted: None }
        });
        self.claim = Some(Claim { repeated: true, ..claim });
    }

    fn run_starts(&mut self, at_offset: Offset, run: &RunId, seq: Option<u64>, at: Option<f64>) {
        let is_silent = !self.announces || self.inside;
        if is_silent && self.pending.as_ref().is_some_and(|pending| pending.run == *run) {
            // A shell that does not announce its command lines.
            self.close(at_offset, Finish::default());
            self.begin(at_offset, seq, None, at);
        }
        let Some(record) = self.records.last_mut().filter(|record| record.run.as_ref() == Some(run)) else { return };
        if let Some(open) = self.open.as_mut().filter(|open| !open.run_started) {
            open.run_started = true;
            record.start = at_offset;
        }
    }

    fn begin(&mut self, start: Offset, seq: Option<u64>, text: Option<String>, at: Option<f64>) {
        let pending = self.pending.take_if(|pending| start >= pending.from);
        self.last_seq = seq.unwrap_or(self.last_seq);
        let (run, text, actor) = match pending {
            Some(pending) => (Some(pending.run), Some(pending.text), pending.actor),
            None => (None, text, None),
        };
        if self.records.len() >= KEPT {
            self.records.drain(..KEPT / 2);
        }
        self.records.push(Record {
            number: RecordNumber(self.next_number),
            text,
            actor,
            cwd: self.cwd.clone(),
            start,
            end: None,
            exit: None,
            stages: Vec::new(),
            started_at: at,
            duration: None,
            run,
        });
        self.next_number += 1;
        self.open = Some(Open { seq, run_started: false });
        self.prompted_at = None;
        (self.inputs_before, self.answered) = (self.inputs, false);
    }

    fn is_open(&self, seq: Option<u64>, run: Option<&RunId>) -> bool {
        let (Some(open), Some(record)) = (&self.open, self.records.last()) else { return false };
        match (open.seq, seq) {
            (Some(open), Some(seq)) => open == seq,
            _ => run.is_some() && record.run.as_ref() == run,
        }
    }

    fn close(&mut self, end: Offset, finish: Finish) {
        self.held = None;
        self.told.clear();
        if self.open.take().is_none() {
            return;
        }
        (self.asking, self.question) = (Asking::Nothing, None);
        let Some(record) = self.records.last_mut() else { return };
        record.end = Some(end.max(record.start));
        record.exit = finish.exit;
        record.stages = finish.stages;
        record.text = record.text.take().or(finish.text);
        let measured = finish.at.zip(record.started_at).map(|(end, start)| (end - start).max(0.0));
        record.duration = finish
            .duration_ms
            .map(Duration::from_millis)
            .or_else(|| measured.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()));
        self.ended.push(record.clone());
        self.prompt = if self.inside { Prompt::Busy } else { Prompt::Starting };
        self.prompting = false;
    }
}

/// What is told at the end of a command.
#[derive(Clone, Debug, Default)]
struct Finish {
    exit: Option<i32>,
    stages: Vec<i32>,
    text: Option<String>,
    at: Option<f64>,
    duration_ms: Option<u64>,
}

#[cfg(test)]
mod tests;
