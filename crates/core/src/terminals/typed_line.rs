//! The line that reads a command from a file, as a shell's line editor shows it: nobody has typed it, so callers read the
//! command in its place. A line editor moves about, breaks lines and paints them anew, so this is done before the bytes become
//! text: all that lies between the marks of a prompt's end and of a run's beginning is ours.

use flightdeck_term::log::{Offset, incomplete_tail};
use flightdeck_term::screen::plain;
use flightdeck_term::session::{Kind, Session};
use flightdeck_term::shell::ShellKind;

use super::marks::Marks;
use super::plumbing::{NAMED, SHOWN};

/// The end of a mark.
const BEL: u8 = 0x07;
/// What a shell prints around the command that it shows.
const FAINT: &[u8] = b"\x1b[2m";
const NO_LONGER_FAINT: &[u8] = b"\x1b[22m";
/// A line editor that prints more than this for one line is given as it is.
pub(crate) const LONGEST: usize = 64 * 1024;

/// How much before a place is looked at: a prompt and a line that was typed.
const BEFORE: u64 = 4096;

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
    /// Behind a line that was typed: here in what is held begins what the shell shows of a command of ours.
    Typed(usize),
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
        // Of a mark that begins there the rest alone would be shown.
        let whole = self.marks.whole(&self.held);
        self.held.drain(..whole);
        if let Place::Typed(at) = &mut self.place {
            *at = 0;
        }
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
        let mut at = 0;
        while let Some(end) = memchr::memchr(BEL, &next[at..]).map(|end| at + end + 1) {
            let kept = self.push(&next[at..end]);
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
        let from = if let Place::Typed(at) = self.place { at } else { 0 };
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
            (Some(b'C'), Place::Typing) => self.place = Place::Typed(end),
            (Some(b'R'), Place::Typing | Place::Typed(_)) => {
                kept.extend(command(&self.held[from..begin]));
                kept.extend_from_slice(b"\r\n");
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
        if self.place == Place::Typing && !self.marks_ends {
            let typed = self.held.iter().position(|byte| *byte == b'\n').map(|newline| newline + 1);
            self.place = match typed {
                Some(end) if plain(&self.held[..end]).contains(NAMED) => Place::Typed(end),
                Some(_) => Place::Elsewhere,
                None => Place::Typing,
            };
        }
        let may_be_ours = match self.place {
            Place::Elsewhere => false,
            Place::Typing => true,
            Place::Typed(at) => {
                let printed = &self.held[at..];
                let printed = plain(&printed[..printed.len() - incomplete_tail(printed)]);
                let printed = printed.trim_start_matches('\n');
                printed.starts_with(SHOWN) || SHOWN.starts_with(printed)
            }
        };
        if !may_be_ours || self.held.len() > LONGEST {
            let whole = self.marks.whole(&self.held);
            kept.extend(self.held.drain(..whole));
            if self.place != Place::Elsewhere {
                (self.place, self.was_ours) = (Place::Elsewhere, false);
            }
        }
    }
}

/// The command that a shell shows in these bytes.
fn command(bytes: &[u8]) -> &[u8] {
    let shown = [FAINT, SHOWN.as_bytes()].concat();
    let Some(begin) = memchr::memmem::find(bytes, &shown).map(|at| at + shown.len()) else { return &[] };
    let end = memchr::memmem::find(&bytes[begin..], NO_LONGER_FAINT).map_or(bytes.len(), |at| begin + at);
    &bytes[begin..end]
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
            (false, DASH, "# ls\na\n"),
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
            [(true, BASH, true), (true, FISH, true), (false, DASH, true), (true, PERSON, false)]
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
