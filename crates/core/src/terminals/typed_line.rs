//! The line that reads a command from a file, as a shell's line editor shows it: nobody has typed it, so callers read the
//! command in its place. A line editor moves about, breaks lines and paints them anew, so this is done before the bytes become
//! text: it lies between the marks of a prompt's end and of a run's beginning. Programs in the background print there, too, and
//! what they print stays.

use flightdeck_term::log::{Offset, incomplete_tail};
use flightdeck_term::screen::plain;
use flightdeck_term::session::{Kind, Session};
use flightdeck_term::shell::ShellKind;

use super::marks::{Head, Marks};
use super::plumbing::{NAME, NAMED, SHOWN, TYPED};
use super::sequence::sequence;

/// The end of a mark.
const BEL: u8 = 0x07;
const ESC: u8 = 0x1b;
const DEL: u8 = 0x7f;
/// What a shell prints around the command that it shows.
const FAINT: &[u8] = b"\x1b[2m";
const NO_LONGER_FAINT: &[u8] = b"\x1b[22m";
/// A line editor that prints more than this for one line is given as it is.
pub(crate) const LONGEST: usize = 64 * 1024;

/// How much before a place is looked at: a prompt and a line that was typed.
const BEFORE: u64 = 4096;

/// Fewer letters may stand in any text.
const PIECE: usize = 4;
/// What no such line lacks, however it was broken.
const BROKEN: [&str; 2] = [".$FLIGHTDECK_RUN/", "eval(string"];

/// Replaces such lines in a stretch of a log that comes in pieces.
#[derive(Debug)]
pub(crate) struct TypedLines {
    marks: Marks,
    /// The shell marks the end of what was typed, whoever has typed it.
    marks_ends: bool,
    place: Place,
    /// What may turn out to be ours.
    held: Vec<u8>,
    /// What was held last was ours.
    was_ours: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Not in a line that is typed.
    Elsewhere,
    /// Behind a prompt.
    Typing,
    /// Behind a line that was typed, which ends at `line` in what is held; at `shown` begins what the shell shows of a command
    /// of ours. Between them is a mark, where the shell makes one.
    Typed { line: usize, shown: usize },
}

impl TypedLines {
    pub(crate) fn of(session: &Session) -> Self {
        let marks_ends = match session.kind() {
            Kind::Shell(setup) => matches!(setup.kind, ShellKind::Bash | ShellKind::Zsh | ShellKind::Fish),
            Kind::Command | Kind::Piped => false,
        };
        TypedLines { marks: Marks::of(session), marks_ends, place: Place::Elsewhere, held: Vec::new(), was_ours: false }
    }

    /// Replaces them in what follows on these bytes.
    fn behind(mut self, before: &[u8]) -> Self {
        self.push(before);
        if let Place::Typed { shown, .. } = self.place {
            // A command that was begun is given as it is to its end.
            let is_begun = memchr::memmem::find(&self.held[shown..], FAINT).is_some();
            self.place = if is_begun { Place::Elsewhere } else { Place::Typed { line: 0, shown: 0 } };
        }
        // Of a mark that begins there the rest alone would be shown.
        let whole = self.marks.whole(&self.held);
        self.held.drain(..whole);
        self
    }

    /// The same for what follows on this place in the log.
    pub(crate) fn from(session: &Session, at: Offset) -> Self {
        let before = session.log().read(Offset(at.0.saturating_sub(BEFORE)), Some(at), BEFORE as usize);
        Self::of(session).behind(&before.map(|chunk| chunk.bytes).unwrap_or_default())
    }

    /// The whole stretch at once.
    pub(crate) fn replace(mut self, bytes: &[u8]) -> Vec<u8> {
        let mut kept = self.push(bytes);
        kept.extend(self.finish());
        kept
    }

    /// Takes a piece, and gives what is known not to be ours.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        let mut kept = Vec::new();
        while self.step(&mut kept) {}
        kept
    }

    /// When what is held back is seen to be ours in what comes next: how much of that belongs to it, and what to show instead.
    pub(crate) fn ours(&mut self, next: &[u8]) -> Option<(usize, Vec<u8>)> {
        let (mut at, mut kept) = (0, Vec::new());
        while let Some(end) = memchr::memchr(BEL, &next[at..]).map(|end| at + end + 1) {
            kept.extend(self.push(&next[at..end]));
            at = end;
            if self.place == Place::Elsewhere {
                return self.was_ours.then_some((at, kept));
            }
        }
        None
    }

    /// Whether it looks as if what is held back were ours.
    pub(crate) fn holds_ours(&self) -> bool {
        plain(&self.held).contains(NAMED)
    }

    /// What is held back: it is nobody's, or somebody types it just now.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        self.place = Place::Elsewhere;
        std::mem::take(&mut self.held)
    }

    pub(crate) fn is_holding(&self) -> bool {
        self.held() > 0
    }

    /// How many bytes are held back.
    pub(crate) fn held(&self) -> usize {
        self.held.len()
    }

    /// Goes on to the next mark; `false` when it is not there yet.
    fn step(&mut self, kept: &mut Vec<u8>) -> bool {
        let from = if let Place::Typed { shown, .. } = self.place { shown } else { 0 };
        let Some((begin, end)) = self.marks.next(&self.held[from..]).map(|(begin, end)| (from + begin, from + end))
        else {
            self.let_go_of_others(kept);
            return false;
        };
        let letter = self.marks.letter(&self.held[begin..]);
        if self.place != Place::Elsewhere {
            self.was_ours = letter == Some(b'R');
        }
        match (letter, self.place) {
            (Some(b'C'), Place::Typing) => self.place = Place::Typed { line: begin, shown: end },
            (Some(b'R'), Place::Typing | Place::Typed { .. }) => {
                let found = Shown::begun(&self.held[from..begin]);
                let shown = found.as_ref().map_or(begin, |shown| from + shown.begin);
                let (line, behind) = match self.place {
                    Place::Typed { line, shown } => (line, shown),
                    _ => (shown, shown),
                };
                let (typed, behind) = if self.marks_ends {
                    (Some(typed_at(&self.held[..line])), behind)
                } else {
                    echoed(&self.held[..line], behind)
                };
                let Some(typed) = typed else {
                    // A shell inside of this one was given the command, in words of its own.
                    kept.extend(self.held.drain(..end));
                    (self.place, self.was_ours) = (Place::Elsewhere, false);
                    return true;
                };
                kept.extend(said(&self.held[..typed]));
                kept.extend(said(whole_lines(&self.held[behind..shown])));
                kept.extend(found.as_ref().map_or(&[][..], |shown| shown.command));
                kept.extend_from_slice(b"\r\n");
                kept.extend(said(found.as_ref().map_or(&[][..], |shown| shown.after)));
                self.held.drain(..begin);
                self.place = Place::Elsewhere;
            }
            (letter, _) => {
                kept.extend(self.held.drain(..end));
                self.place = if letter == Some(b'B') { Place::Typing } else { Place::Elsewhere };
            }
        }
        true
    }

    /// Gives what can't be ours any more, whatever comes.
    fn let_go_of_others(&mut self, kept: &mut Vec<u8>) {
        if self.place == Place::Typing && self.marks_ends {
            self.let_go_of_lines(kept);
        } else if self.place == Place::Typing {
            let typed = memchr::memchr(b'\n', &self.held).map(|newline| newline + 1);
            self.place = match typed {
                Some(end) if plain(&self.held[..end]).contains(NAMED) => Place::Typed { line: end, shown: end },
                Some(_) => Place::Elsewhere,
                None => Place::Typing,
            };
        }
        let may_be_ours = match self.place {
            Place::Elsewhere => false,
            Place::Typing => true,
            Place::Typed { line, shown } => is_ours(&self.held[..line]) || self.may_be_shown(&self.held[shown..]),
        };
        if !may_be_ours || self.held.len() > LONGEST {
            let whole = self.marks.whole(&self.held);
            kept.extend(self.held.drain(..whole));
            if self.place != Place::Elsewhere {
                (self.place, self.was_ours) = (Place::Elsewhere, false);
            }
        }
    }

    /// Gives the lines behind a prompt that something in the background has printed.
    fn let_go_of_lines(&mut self, kept: &mut Vec<u8>) {
        let whole = whole_lines(&self.held);
        let mut at = 0;
        while let Some(newline) = memchr::memchr(b'\n', &whole[at..]) {
            let (line, lines) = (&whole[at..=at + newline], &whole[at..whole.len().min(at + BEFORE as usize)]);
            if may_begin_ours(line) && may_begin_ours(lines) || is_painted(line) {
                break;
            }
            at += newline + 1;
        }
        kept.extend(self.held.drain(..at));
    }

    /// Whether what comes behind a line that was typed may be what the shell shows of a command of ours.
    fn may_be_shown(&self, bytes: &[u8]) -> bool {
        let Some(Shown { after, is_whole, .. }) = Shown::begun(bytes) else {
            let text = plain(&bytes[..bytes.len() - incomplete_tail(bytes)]);
            let text = text.trim_start_matches('\n');
            return text.is_empty() || SHOWN.starts_with(text) && memchr::memmem::find(bytes, FAINT).is_some();
        };
        !is_whole || after.is_empty() || matches!(self.marks.head(after), Head::Cut)
    }
}

/// The text without its blanks, each line by itself: a line editor breaks lines anywhere, and moves between them.
fn squeezed(bytes: &[u8]) -> String {
    let lines = bytes.split(|byte| *byte == b'\n').map(plain);
    lines.flat_map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>()).collect()
}

/// Whether a line that is typed for a command may begin like this.
fn may_begin_ours(bytes: &[u8]) -> bool {
    let text = squeezed(bytes);
    text.contains("FLIGHTDECK_R") || TYPED.iter().any(|typed| typed.replace(' ', "").starts_with(&text))
}

/// Where the line begins that reads a command: what programs in the background have printed stands before it. A line editor may
/// have painted it more than once, and in pieces.
fn typed_at(bytes: &[u8]) -> usize {
    let last = last_painted(bytes).unwrap_or(bytes.len());
    let (mut at, mut end) = (0, 0);
    for line in bytes[..last].split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        // One without an end stands before the line that was typed, if that is whole.
        if is_painted(line) || !line.ends_with(b"\n") && last == bytes.len() {
            break;
        }
        at = if squeezed(line).is_empty() { at } else { end };
    }
    at
}

/// The same for a shell without a line editor, and where the line ends: whatever was typed is shown as it came. `None`: there is
/// no such line. `end`: where it ends at the latest.
fn echoed(bytes: &[u8], end: usize) -> (Option<usize>, usize) {
    let Some(at) = memchr::memmem::rfind(bytes, TYPED[0].as_bytes()) else { return (last_painted(bytes), end) };
    (Some(at), memchr::memchr(b'\n', &bytes[at..]).map_or(end, |newline| at + newline + 1))
}

/// Where such a line begins at the end of these bytes, if it was painted there in one go; 0 if it began before them.
fn last_painted(bytes: &[u8]) -> Option<usize> {
    let visible = visible(bytes);
    TYPED.iter().find_map(|typed| {
        let line = pattern(typed);
        let mut both = line.iter().rev().zip(visible.iter().rev());
        let is_it = both.all(|(wanted, (_, byte))| wanted.is_none_or(|wanted| wanted == *byte));
        is_it.then(|| visible.len().checked_sub(line.len()).map_or(0, |first| visible[first].0))
    })
}

/// Whether a line editor has moved about in these bytes. Colours move nothing.
fn moves(bytes: &[u8]) -> bool {
    memchr::memchr_iter(ESC, bytes).any(|at| {
        let sequence = sequence(&bytes[at..]).map_or(&bytes[at..], |length| &bytes[at..at + length]);
        !(sequence.starts_with(b"\x1b[") && sequence.ends_with(b"m"))
    })
}

/// The characters of such a line that can be seen, from the beginning of one; `None` for those of the file's name.
fn pattern(typed: &str) -> Vec<Option<u8>> {
    let begin = typed.bytes().filter(|byte| *byte != b' ').map(Some);
    let end = typed.contains('(').then_some(Some(b')'));
    begin.chain([None; NAME]).chain(end).collect()
}

/// Whether a line editor has painted this, as far as it says anything: it moves about, or it is a piece of such a line.
fn is_painted(line: &[u8]) -> bool {
    let text = squeezed(line);
    let begin = text.trim_end_matches(')').trim_end_matches(|c: char| c.is_ascii_hexdigit());
    let is_piece = begin.len() >= PIECE && TYPED.iter().any(|typed| typed.replace(' ', "").contains(begin));
    !text.is_empty() && (is_piece || text.contains("FLIGHTDECK_R") || moves(line))
}

/// Whether all of a line that reads a command is in these bytes, however it was painted.
fn is_ours(bytes: &[u8]) -> bool {
    let text = squeezed(bytes);
    text.contains(NAMED) && BROKEN.iter().any(|broken| text.contains(broken))
}

/// The bytes that show something, and where they are.
fn visible(bytes: &[u8]) -> Vec<(usize, u8)> {
    let mut visible = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte == ESC {
            at = sequence(&bytes[at..]).map_or(bytes.len(), |length| at + length);
            continue;
        }
        if *byte > b' ' && *byte != DEL {
            visible.push((at, *byte));
        }
        at += 1;
    }
    visible
}

/// These bytes, unless a line editor has only moved about.
fn said(bytes: &[u8]) -> &[u8] {
    if plain(bytes).trim().is_empty() { &[] } else { bytes }
}

fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1)]
}

/// What a shell shows of a command that it was given in a file.
struct Shown<'a> {
    /// Where it begins.
    begin: usize,
    command: &'a [u8],
    /// What was printed behind it.
    after: &'a [u8],
    is_whole: bool,
}

impl<'a> Shown<'a> {
    /// The one in these bytes, if its beginning is there.
    fn begun(bytes: &'a [u8]) -> Option<Self> {
        let shown = [FAINT, SHOWN.as_bytes()].concat();
        let begin = memchr::memmem::find(bytes, &shown)?;
        let rest = &bytes[begin + shown.len()..];
        let Some(end) = memchr::memmem::find(rest, NO_LONGER_FAINT) else {
            return Some(Shown { begin, command: rest, after: &[], is_whole: false });
        };
        let after = &rest[end + NO_LONGER_FAINT.len()..];
        let newline = after.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        Some(Shown { begin, command: &rest[..end], after: &after[newline..], is_whole: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASH: &str = "\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07 . $FLIGHTDECK_RUN/0123456789abcdef\r\n\x1b[?2004l\r\
                        \x1b]7733;k;C;n=1\x07\x1b[2m▸ echo 'a\r\n  b'\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\nb\r\n";
    // Broken and painted by a line editor that moves about.
    const FISH: &str = "\x1b]7733;k;A\x07> \x1b]7733;k;B\x07\x1b[K\r\x1b[2C eval \r\n(string \x1b[A\r\r\n\x1b[2C\
                        <$FLIGHTDECK_R\r\nUN/0123456789abcdef)\x1b[A\r\n\r\n\x1b]7733;k;C;n=1;c=x\x07\x1b]0;t\x07\r\
                        \x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
    const DASH: &str = "\x1b]7733;k;A\x07# \x1b]7733;k;B\x07 . $FLIGHTDECK_RUN/0123456789abcdef\r\n\x1b[2m▸ ls\x1b[22m\r\n\
                        \x1b]7733;k;R;n=1;r=0\x07a\r\n";
    const ZSH: &str = "\x1b]7733;k;A\x07% \x1b]7733;k;B\x07\x1b[K\x1b[?2004h\x07 \x08 . $FLIGHTDECK_RUN/0123456789abcdef\r\r\n\
                       \x1b]7733;k;C;n=1;c= . $FLIGHTDECK_RUN/0123456789abcdef\x07\x1b[2m▸ ls\x1b[22m\r\n\
                       \x1b]7733;k;R;n=1;r=0\x07a\r\n";
    // Something in the background prints at the prompt, also within the line that is typed.
    const BACKGROUND: &str = "\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07log 1\r\n42\r\nup . $FLIGHTDECK_RUN/0123456789abcdef\r\n\
                              \x1b]7733;k;C;n=1\x07log 3\r\n\x1b[2m▸ ls\x1b[22m\r\nlog 4\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
    // What was in the background has ended, which the shell tells when it has read the line.
    const TOLD: &str = "\x1b]7733;k;A\x07# \x1b]7733;k;B\x07tock\r\n . $FLIGHTDECK_RUN/0123456789abcdef\r\n[1] + Done\r\n\
                        \x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
    // A shell without a line editor, and one inside of it that has one.
    const NESTED: &str = "\x1b]7733;k;A\x07# \x1b]7733;k;B\x07bash\r\n\x1b[?2004h$ echo mine\r\n\x1b[?2004l\rmine\r\n\
                          \x1b[?2004h$ x\r\n\x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
    const PERSON: &str =
        "\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07make\r\n\x1b]7733;k;C;n=1\x07cc -o x\r\n\x1b]7733;k;D;n=1\x07";

    fn lines(marks_ends: bool) -> TypedLines {
        let marks = Marks::beginning(b"\x1b]7733;k;");
        TypedLines { marks, marks_ends, place: Place::Elsewhere, held: Vec::new(), was_ours: false }
    }

    #[test]
    fn commands_stand_where_they_would_if_they_had_been_typed() {
        for (marks_ends, bytes, shown) in [
            (true, BASH, "$ echo 'a\n  b'\na\nb\n"),
            (true, FISH, "> ls\na\n"),
            (true, ZSH, "% ls\na\n"),
            (false, DASH, "# ls\na\n"),
            (true, BACKGROUND, "$ log 1\n42\nup log 3\nls\nlog 4\na\n"),
            (false, NESTED, "# bash\n$ echo mine\nmine\n$ x\n▸ ls\na\n"),
            (true, PERSON, "$ make\ncc -o x\n"),
            (false, PERSON, "$ make\ncc -o x\n"),
            (true, "\x1b]7733;k;B\x07 . $FLIGHTDECK_RUN/01", " . $FLIGHTDECK_RUN/01"),
        ] {
            assert_eq!(plain(&lines(marks_ends).replace(bytes.as_bytes())), shown, "{bytes:?}");
            // In pieces of any size, and from any place on behind the prompt.
            for at in 0..bytes.len() {
                let (before, after) = bytes.as_bytes().split_at(at);
                let mut all = lines(marks_ends);
                let mut kept = all.push(before);
                kept.extend(all.push(after));
                kept.extend(all.finish());
                assert_eq!(plain(&kept), shown, "{at} of {bytes:?}");
                let rest = plain(&lines(marks_ends).behind(before).replace(after));
                assert!(
                    !bytes.contains(";R;") || !rest.contains("RUN/0123456789abcdef"),
                    "{at} of {bytes:?}: {rest:?}"
                );
            }
        }
    }

    #[test]
    fn a_line_is_known_by_what_comes_next() {
        for (marks_ends, bytes, ours) in
            [(true, BASH, true), (true, FISH, true), (true, ZSH, true), (false, DASH, true), (true, PERSON, false)]
        {
            let prompt = bytes.find(";B\x07").unwrap() + 3;
            let run = bytes.find(";R;").map_or(bytes.len(), |at| at + bytes[at..].find('\x07').unwrap() + 1);
            for at in prompt + 1..prompt + 5 {
                let mut typed = lines(marks_ends).behind(&bytes.as_bytes()[..prompt]);
                assert_eq!(typed.push(&bytes.as_bytes()[prompt..at]), b"");
                let found = typed.ours(&bytes.as_bytes()[at..]).map(|(length, _)| at + length);
                assert_eq!(found, ours.then_some(run), "{at} of {bytes:?}");
            }
        }
    }

    #[test]
    fn what_is_printed_at_a_prompt_is_not_held_back() {
        let mut lines = lines(true);
        lines.push(b"\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07");
        assert_eq!(plain(&lines.push(b"\r\nlistening on 3000\r\nGET /")), "\nlistening on 3000\n");
        assert_eq!(plain(&lines.push(b" 200\r\n")), "GET / 200\n");
        // This may become the line that reads a command.
        assert_eq!(plain(&lines.push(b" eval \r\n(string ")), "");
        assert_eq!(plain(&lines.push(b"evaluated\r\n\x1b]7733;k;A\x07")), " eval \n(string evaluated\n");
        assert!(!lines.is_holding());
    }

    #[test]
    fn what_a_shell_tells_of_its_jobs_stays() {
        assert_eq!(plain(&lines(false).replace(TOLD.as_bytes())), "# tock\n[1] + Done\nls\na\n");
    }

    #[test]
    fn a_program_may_print_what_a_shell_shows_of_a_command() {
        let mut lines = lines(true);
        lines.push(b"\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07deploy\r\n\x1b]7733;k;C;n=1\x07");
        let printed = lines.push("▸ Deploying …".as_bytes());
        assert!(plain(&printed).ends_with("▸ Deploying …") && !lines.is_holding(), "{lines:?}");
    }

    #[test]
    fn a_read_from_within_a_command_has_its_rest() {
        let (before, after) = BASH.as_bytes().split_at(BASH.find("  b'").unwrap());
        assert_eq!(plain(&lines(true).behind(before).replace(after)), "  b'\na\nb\n");
    }

    #[test]
    fn what_a_program_prints_is_not_held_back() {
        for marks_ends in [true, false] {
            let mut lines = lines(marks_ends);
            lines.push(b"\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07sudo ls\r\n");
            let typed = if marks_ends { b"\x1b]7733;k;C;n=1\x07".as_slice() } else { b"" };
            lines.push(typed);
            let asked = lines.push(b"\x1b[?2004lPassword: ");
            assert!(plain(&asked).ends_with("Password: ") && !lines.is_holding(), "{lines:?}");
        }
    }
}
