//! The line that reads a command from a file, in a log: callers read the command in its place. A line editor moves about, so
//! this is done before the bytes become text. What programs in the background print meanwhile stays.

use std::ops::Range;

use super::echo::{Echoes, ends_blank};
use super::marks::{Head, Marks};
use super::painted::{PIECE, Painted};
use super::sequence::visible;
use crate::log::{Offset, incomplete_tail};
use crate::screen::plain;
use crate::session::{Kind, Session};
use crate::shell::SHOWN;

/// The end of a mark.
const BEL: u8 = 0x07;
/// What a shell prints around the command that it shows.
const FAINT: &[u8] = b"\x1b[2m";
const NO_LONGER_FAINT: &[u8] = b"\x1b[22m";
/// A line editor that prints more than this for one line is given as it is.
pub const LONGEST: usize = 64 * 1024;

/// How much before a place is looked at: a prompt and a line that was typed.
const BEFORE: u64 = 4096;

/// What is given where a command was handed to the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    /// The command, as if it had been typed there.
    Shown,
    /// Nothing of it: only what programs printed.
    Hidden {
        /// One is on its way to the shell, so what stands behind the prompt may be it.
        is_expected: bool,
    },
}

/// Replaces such lines in a stretch of a log that comes in pieces.
#[derive(Debug)]
pub struct TypedLines {
    marks: Marks,
    /// Of a shell that marks the end of what was typed, whoever has typed it.
    painted: Option<Painted>,
    echoes: Echoes,
    commands: Commands,
    /// Commands that were typed as they are: where their output begins, and they themselves.
    typed: Vec<(Offset, String)>,
    place: Place,
    /// What may turn out to be ours.
    held: Vec<u8>,
    /// How much of that is there only to know what the rest is.
    before: usize,
    /// Where the log has come to.
    at: Offset,
    /// What was held last was ours.
    was_ours: bool,
    /// A prompt has just ended.
    is_prompt: bool,
    /// What was let go ends with a blank.
    ends_blank: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Not in a line that is typed.
    Elsewhere,
    /// Behind a prompt.
    Typing,
    /// Behind a line that was typed, which ends at `line` in what is held, before a mark; at `shown` begins what the shell
    /// shows of a command of ours.
    Typed { line: usize, shown: usize },
    /// What is held begins with a line that was echoed, so far up to here; perhaps by the terminal's own shell.
    Echoed { line: usize, is_own: bool },
}

impl TypedLines {
    pub fn of(session: &Session) -> Self {
        let (painted, echoes) = match session.kind() {
            Kind::Shell(setup) => {
                let marks_ends = setup.kind.announces();
                (marks_ends.then(|| Painted::by(setup.kind)), Echoes::of(setup.kind, &setup.dir))
            }
            Kind::Command | Kind::Piped => (None, Echoes::none()),
        };
        Self::new(Marks::of(session), painted, echoes)
    }

    fn new(marks: Marks, painted: Option<Painted>, echoes: Echoes) -> Self {
        TypedLines {
            marks,
            painted,
            echoes,
            commands: Commands::Shown,
            typed: Vec::new(),
            place: Place::Elsewhere,
            held: Vec::new(),
            before: 0,
            at: Offset::ZERO,
            was_ours: false,
            is_prompt: false,
            ends_blank: false,
        }
    }

    /// Replaces them in what follows on this place in the log.
    pub fn from(session: &Session, at: Offset, commands: Commands) -> Self {
        let mut lines = Self::of(session);
        lines.commands = commands;
        if commands != Commands::Shown {
            lines.typed = session.runs_since(at);
        }
        let before = session.log().read(Offset(at.0.saturating_sub(BEFORE)), Some(at), BEFORE as usize);
        let before = before.map(|chunk| chunk.bytes).unwrap_or_default();
        lines.at = Offset(at.0 - before.len() as u64);
        lines.behind(&before)
    }

    /// Replaces them in what follows on these bytes.
    fn behind(mut self, before: &[u8]) -> Self {
        self.push(before);
        self.before = self.held.len();
        self
    }

    /// The whole stretch at once.
    pub fn replace(mut self, bytes: &[u8]) -> Vec<u8> {
        let mut kept = self.push(bytes);
        kept.extend(self.finish());
        kept
    }

    /// Takes a piece, and gives what is known not to be ours.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        self.at = self.at + bytes.len() as u64;
        let mut kept = Vec::new();
        while self.step(&mut kept) {}
        kept
    }

    /// When what is held back is seen to be ours in what comes next: how much of that belongs to it, and what to show instead.
    pub fn ours(&mut self, next: &[u8]) -> Option<(usize, Vec<u8>)> {
        let (mut at, mut kept) = (0, Vec::new());
        while let Some(end) = memchr::memchr(BEL, &next[at..]).map(|end| at + end + 1) {
            kept.extend(self.push(&next[at..end]));
            at = end;
            if !self.is_holding() {
                return self.was_ours.then_some((at, kept));
            }
        }
        None
    }

    /// Whether it looks as if what is held back were ours.
    pub fn holds_ours(&self) -> bool {
        let held = &self.held[..self.marks.whole(&self.held)];
        match (&self.painted, self.place) {
            (_, Place::Echoed { .. }) => true,
            (Some(line), Place::Typing | Place::Typed { .. }) => line.has_begun(held) || line.is_in(held),
            _ => visible(held).count() >= PIECE,
        }
    }

    /// What is held back, unless it is ours: it is nobody's, or somebody types it just now.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut kept = Vec::new();
        if !self.holds_ours() && !self.is_expected() {
            self.let_go(&mut kept, self.held.len());
        }
        self.drop_held(self.held.len());
        self.place = Place::Elsewhere;
        kept
    }

    pub fn is_holding(&self) -> bool {
        self.held() > 0
    }

    /// How many bytes are held back.
    pub fn held(&self) -> usize {
        self.held.len() - self.before
    }

    /// Whether what stands behind the prompt may be a command that is not to be shown.
    fn is_expected(&self) -> bool {
        let Commands::Hidden { is_expected } = self.commands else { return false };
        self.place == Place::Typing && (is_expected || self.typed.iter().any(|(start, _)| *start > self.at))
    }

    /// Goes on to the next mark; `false` when it is not there yet.
    fn step(&mut self, kept: &mut Vec<u8>) -> bool {
        let from = if let Place::Typed { shown, .. } = self.place { shown } else { 0 };
        let mark = self.marks.next(&self.held[from..]).map(|(begin, end)| from + begin..from + end);
        match self.place {
            Place::Elsewhere => self.find_echo(kept, mark),
            Place::Echoed { line, is_own } => self.step_echoed(kept, line, is_own, mark),
            Place::Typing | Place::Typed { .. } => match mark {
                Some(mark) => self.step_painted(kept, mark),
                None => self.let_go_of_others(kept),
            },
        }
    }

    /// Looks for a line that is echoed, up to the next mark.
    fn find_echo(&mut self, kept: &mut Vec<u8>, mark: Option<Range<usize>>) -> bool {
        let end = mark.as_ref().map_or_else(|| self.marks.whole(&self.held), |mark| mark.start);
        match (self.echoes.first(&self.held[..end], self.ends_blank), mark) {
            (Some(echo), mark) if echo.end.is_some() || mark.is_none() => {
                self.let_go(kept, echo.begin);
                let Some(line) = echo.end else { return false };
                self.place = Place::Echoed { line: line - echo.begin, is_own: echo.is_own };
                true
            }
            (_, Some(mark)) => {
                self.is_prompt = self.marks.letter(&self.held[mark.start..]) == Some(b'B');
                if self.is_prompt && self.painted.is_some() {
                    self.place = Place::Typing;
                }
                self.let_go(kept, mark.end);
                true
            }
            // Our line begins with a blank, which is not to stay behind.
            (_, None) if self.is_prompt && self.held == b" " => false,
            (_, None) => {
                self.is_prompt &= end == 0;
                self.let_go(kept, end);
                false
            }
        }
    }

    fn step_echoed(&mut self, kept: &mut Vec<u8>, line: usize, is_own: bool, mark: Option<Range<usize>>) -> bool {
        let end = mark.as_ref().map_or(self.held.len(), |mark| mark.start);
        let line = match self.echoes.last_end(&self.held[..end], line) {
            Some(line) => line,
            None if mark.is_none() => return false,
            None => line,
        };
        let behind = memchr::memchr(b'\n', &self.held[line..end]).map_or(end, |newline| line + newline + 1);
        let is_line = visible(&self.held[line..behind]).next().is_none();
        let again = self.echoes.first(&self.held[behind..end], false);
        let is_run = mark.as_ref().is_some_and(|mark| self.marks.letter(&self.held[mark.start..]) == Some(b'R'));
        match mark {
            Some(mark) if is_line && is_run && again.is_none() => {
                self.was_ours = true;
                self.replace_line(kept, 0, behind, mark.start);
                true
            }
            // The terminal's own shell may tell of its jobs first.
            None if is_line && self.held.len() <= LONGEST && (is_own || self.may_be_shown(&self.held[behind..])) => {
                false
            }
            // A program has printed it.
            _ => {
                self.let_go(kept, line);
                (self.place, self.was_ours) = (Place::Elsewhere, false);
                true
            }
        }
    }

    fn step_painted(&mut self, kept: &mut Vec<u8>, mark: Range<usize>) -> bool {
        let letter = self.marks.letter(&self.held[mark.start..]);
        // A shell inside of this one does not know the number of a command.
        let is_own = memchr::memmem::find(&self.held[mark.clone()], b";n=").is_some();
        self.was_ours = letter == Some(b'R') && is_own;
        match (letter, self.place) {
            (Some(b'C'), Place::Typing) if self.hide_typed(kept, &mark) => {}
            (Some(b'C'), Place::Typing) => self.place = Place::Typed { line: mark.start, shown: mark.end },
            (Some(b'R'), place) if is_own => {
                let (line, behind) = match place {
                    Place::Typed { line, shown } => (line, shown),
                    _ => (mark.start, mark.start),
                };
                let typed = self.painted.as_ref().map_or(line, |painted| painted.begins_at(&self.held[..line]));
                self.replace_line(kept, typed, behind, mark.start);
            }
            (Some(b'R'), Place::Typed { shown, .. }) => {
                self.let_go(kept, shown);
                self.place = Place::Elsewhere;
            }
            (letter, _) => {
                self.let_go(kept, mark.end);
                self.place = if letter == Some(b'B') { Place::Typing } else { Place::Elsewhere };
            }
        }
        true
    }

    /// Gives what programs printed up to a mark, and the command in the place of the line from `typed` to `behind`.
    fn replace_line(&mut self, kept: &mut Vec<u8>, typed: usize, behind: usize, mark: usize) {
        let length = mark - behind;
        let nothing = Shown { begin: length, command: length..length, after: None };
        let Shown { begin, command, after } = Shown::begun(&self.held[behind..mark]).unwrap_or(nothing);
        let told = memchr::memrchr(b'\n', &self.held[behind..behind + begin]).map_or(0, |newline| newline + 1);
        self.say(kept, 0..typed);
        self.say(kept, behind..behind + told);
        if self.commands == Commands::Shown {
            self.give(kept, behind + command.start..behind + command.end);
        }
        if mark > self.before {
            kept.extend_from_slice(b"\r\n");
        }
        self.say(kept, behind + after.unwrap_or(length)..mark);
        self.drop_held(mark);
        self.place = Place::Elsewhere;
    }

    /// Leaves out a command that was typed as it is, where commands are not wanted.
    fn hide_typed(&mut self, kept: &mut Vec<u8>, mark: &Range<usize>) -> bool {
        let start = Offset(self.at.0 - (self.held.len() - mark.end) as u64);
        let Some((_, text)) = self.typed.iter().find(|(at, _)| *at == start) else { return false };
        let shown: Vec<(usize, u8)> = visible(&self.held[..mark.start]).collect();
        let wanted = text.bytes().filter(|byte| *byte > b' ');
        let Some(first) = shown.len().checked_sub(wanted.clone().count()) else { return false };
        if !shown[first..].iter().map(|(_, byte)| *byte).eq(wanted) {
            return false;
        }
        let typed = shown.get(first).map_or(mark.start, |(at, _)| *at);
        self.give(kept, 0..typed);
        kept.extend_from_slice(b"\r\n");
        self.drop_held(mark.end);
        self.place = Place::Elsewhere;
        true
    }

    /// Gives what can't be ours any more, whatever comes; `false` when the rest is waited for.
    fn let_go_of_others(&mut self, kept: &mut Vec<u8>) -> bool {
        let Some(painted) = &self.painted else { return false };
        let is_too_long = self.held.len() > LONGEST;
        match self.place {
            Place::Typed { line, shown }
                if is_too_long || !painted.is_in(&self.held[..line]) && !self.may_be_shown(&self.held[shown..]) =>
            {
                (self.place, self.was_ours) = (Place::Elsewhere, false);
                self.let_go(kept, shown);
                true
            }
            Place::Typing if is_too_long => {
                (self.place, self.was_ours) = (Place::Elsewhere, false);
                true
            }
            Place::Typing if !self.is_expected() => {
                self.let_go(kept, painted.printed_before(&self.held));
                false
            }
            _ => false,
        }
    }

    /// Whether what comes behind a line that was typed may be what the shell shows of a command of ours.
    fn may_be_shown(&self, bytes: &[u8]) -> bool {
        let Some(shown) = Shown::begun(bytes) else {
            let text = plain(&bytes[..bytes.len() - incomplete_tail(bytes)]);
            let text = text.trim_start_matches('\n');
            return text.is_empty() || SHOWN.starts_with(text) && memchr::memmem::find(bytes, FAINT).is_some();
        };
        let is_mark = |after: usize| after == bytes.len() || self.marks.head(&bytes[after..]) == Head::Cut;
        shown.after.is_none_or(is_mark)
    }

    /// Gives so much of what is held.
    fn let_go(&mut self, kept: &mut Vec<u8>, end: usize) {
        self.give(kept, 0..end);
        self.ends_blank = ends_blank(&self.held[..end], self.ends_blank);
        self.drop_held(end);
    }

    fn give(&self, kept: &mut Vec<u8>, range: Range<usize>) {
        kept.extend_from_slice(&self.held[range.start.max(self.before).min(range.end)..range.end]);
    }

    /// The same, unless a line editor has only moved about there.
    fn say(&self, kept: &mut Vec<u8>, range: Range<usize>) {
        if !plain(&self.held[range.clone()]).trim().is_empty() {
            self.give(kept, range);
        }
    }

    fn drop_held(&mut self, end: usize) {
        self.held.drain(..end);
        self.before = self.before.saturating_sub(end);
    }
}

/// What a shell shows of a command that it was given in a file: where it is in some bytes.
struct Shown {
    begin: usize,
    command: Range<usize>,
    /// Where begins what was printed behind it; `None` if its end is not there.
    after: Option<usize>,
}

impl Shown {
    /// The one in these bytes, if its beginning is there.
    fn begun(bytes: &[u8]) -> Option<Self> {
        let shown = [FAINT, SHOWN.as_bytes()].concat();
        let begin = memchr::memmem::find(bytes, &shown)?;
        let command = begin + shown.len();
        let Some(end) = memchr::memmem::find(&bytes[command..], NO_LONGER_FAINT).map(|end| command + end) else {
            return Some(Shown { begin, command: command..bytes.len(), after: None });
        };
        let after = end + NO_LONGER_FAINT.len();
        let newline = bytes[after..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        Some(Shown { begin, command: command..end, after: Some(after + newline) })
    }
}

#[cfg(test)]
mod tests;
