//! The line that reads a command from a file, on a screen: whoever looks at it sees the command in its place, as text, in
//! colours and in a picture. Rows stay where they are, so those that showed only our own words are left empty.

use std::fmt::Write;
use std::path::Path;

use flightdeck_term::screen::Screen;
use flightdeck_term::session::{Kind, Record, Session};
use flightdeck_term::shell::{NAME, NAMED, SHOWN, ShellKind, foreign_line, own_line};

/// So many lines below ours it is looked for what the shell shows of the command.
const NEAR: usize = 4;

/// The screen of a session as callers see it.
pub(crate) fn look<T>(session: &Session, look: impl FnOnce(&Screen) -> T) -> Option<T> {
    let (lines, records) = (OurLines::of(session), session.records());
    session.screen(|screen| match lines.and_then(|lines| lines.replaced(&records, screen)) {
        Some(screen) => look(&screen),
        None => look(screen),
    })
}

/// The lines that may have been typed for commands, with what comes before, between and after the names of files.
struct OurLines(Vec<Vec<String>>);

impl OurLines {
    fn of(session: &Session) -> Option<Self> {
        let Kind::Shell(setup) = session.kind() else { return None };
        Some(Self::typed_to(setup.kind, &setup.dir))
    }

    fn typed_to(kind: ShellKind, dir: &Path) -> Self {
        let (begin, after) = own_line(kind);
        let foreign = foreign_line(dir).map(|part| String::from_utf8_lossy(&part).into_owned());
        let own = (kind != ShellKind::Other).then(|| vec![begin.to_owned(), after.to_owned()]);
        OurLines(own.into_iter().chain([foreign.to_vec()]).collect())
    }

    /// The screen with commands in the place of the lines; `None` when there are none.
    fn replaced(&self, records: &[Record], screen: &Screen) -> Option<Screen> {
        // A full-screen program shows what it likes.
        if screen.modes().alt_screen {
            return None;
        }
        let text = screen.text();
        if !text.contains(SHOWN) && !text.contains(NAMED) && !text.contains('\'') {
            return None;
        }
        let changes = self.changes(records, &lines(screen));
        if changes.is_empty() {
            return None;
        }
        let mut copy = Screen::new(screen.size());
        copy.feed(&screen.snapshot_ansi());
        // The cursor and its colours are put back as they were.
        copy.feed(format!("\x1b7\x1b[m{changes}\x1b8").as_bytes());
        Some(copy)
    }

    /// What to print to put commands in their places.
    fn changes(&self, records: &[Record], lines: &[Line]) -> String {
        let is_first = |shown: &str| {
            let shown = shown.trim_end().trim_end_matches('…');
            let mut firsts = records.iter().filter_map(|record| record.text.as_deref()?.lines().next());
            firsts.any(|first| first.starts_with(shown))
        };
        let mut changes = String::new();
        for (number, line) in lines.iter().enumerate() {
            // Of a command whose line has scrolled off only what the shell showed of it is left; it is known by its record.
            let orphan = line.text.strip_prefix(SHOWN).filter(|shown| number == 0 && is_first(shown));
            if let Some(command) = orphan {
                line.replace(0, 0, command, &mut changes);
                continue;
            }
            let Some((at, end)) = self.find(&line.text, number == 0) else { continue };
            let (behind, below) = (line.text[end..].trim_start(), &lines[number + 1..]);
            if let Some(command) = behind.strip_prefix(SHOWN) {
                line.replace(at, 0, command, &mut changes);
                continue;
            }
            let mut near = below.iter().take(if behind.is_empty() { NEAR } else { 0 }).enumerate();
            let shown = near.find_map(|(lines, below)| {
                let command = below.text.strip_prefix(SHOWN).filter(|shown| lines == 0 || is_first(shown))?;
                Some((lines, below, command))
            });
            match shown {
                Some((0, below, command)) => line.replace(at, below.rows.len(), command, &mut changes),
                // The shell told something else first, or a program did.
                Some((_, below, command)) => {
                    line.replace(at, 0, "", &mut changes);
                    below.replace(0, 0, command, &mut changes);
                }
                // It was typed just now. Elsewhere a program has printed it.
                None if behind.is_empty() && below.iter().all(|below| below.text.is_empty()) => {
                    line.replace(at, 0, "", &mut changes);
                }
                None => {}
            }
        }
        changes
    }

    /// Where one of the lines begins and ends in this one. `is_top`: its beginning may have scrolled off.
    fn find(&self, text: &str, is_top: bool) -> Option<(usize, usize)> {
        self.0.iter().find_map(|parts| {
            let (first, last) = (parts.first()?, parts.last()?);
            let whole = |name: &str| parts.join(name);
            if let Some(at) = text.find(first.as_str()) {
                let begin = at + first.len();
                let name = text.get(begin..begin + NAME).filter(|name| is_name(name))?;
                // A prompt that was only begun may hold a part of it.
                let end = if text[at..].starts_with(&whole(name)) { at + whole(name).len() } else { text.len() };
                return Some((at, end));
            }
            let rest = text.trim_end();
            let begin =
                rest.strip_suffix(last.as_str()).and_then(|rest| rest.len().checked_sub(NAME)).filter(|_| is_top)?;
            let name = rest.get(begin..begin + NAME).filter(|name| is_name(name))?;
            (begin > 0 && whole(name).ends_with(rest)).then_some((0, rest.len()))
        })
    }
}

fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A line of text, over as many rows as it takes.
struct Line {
    text: String,
    rows: Vec<Row>,
}

struct Row {
    number: u16,
    /// Where its text ends in the line's.
    end: usize,
    /// Columns of that text.
    columns: u16,
}

impl Line {
    /// Prints a command from `at` on, over the rest of this line and so many rows below it.
    fn replace(&self, at: usize, below: usize, command: &str, changes: &mut String) {
        let Some(position) = self.rows.iter().position(|row| at < row.end || row.end == self.text.len()) else {
            return;
        };
        let row = &self.rows[position];
        // What comes before may be wide; our own words are not.
        let column = row.columns.saturating_sub(self.text[at..row.end].chars().count() as u16);
        let height = self.rows.len() - position + below;
        let mut print = |text: std::fmt::Arguments<'_>| changes.write_fmt(text).unwrap_or_default();
        print(format_args!("\x1b[{};{}H\x1b[K", row.number + 1, column + 1));
        for below in 1..height as u16 {
            print(format_args!("\x1b[{};1H\x1b[2K", row.number + 1 + below));
        }
        print(format_args!("\x1b[{};{}H{}", row.number + 1, column + 1, command.trim_end()));
    }
}

/// The lines of a screen. A row that is full goes on in the next one: some line editors break lines themselves.
fn lines(screen: &Screen) -> Vec<Line> {
    let cols = screen.size().cols();
    let mut lines: Vec<Line> = Vec::new();
    let mut goes_on = false;
    for number in 0..screen.size().rows() {
        let styled = screen.styled_row(number);
        let columns = styled.runs.iter().map(|run| run.columns).sum::<u16>();
        if !goes_on || lines.is_empty() {
            lines.push(Line { text: String::new(), rows: Vec::new() });
        }
        goes_on = styled.wrapped || columns >= cols;
        if let Some(line) = lines.last_mut() {
            line.text.push_str(&screen.row_text(number));
            if goes_on {
                line.text.extend(std::iter::repeat_n(' ', usize::from(cols.saturating_sub(columns))));
            }
            let columns = if goes_on { cols } else { columns };
            line.rows.push(Row { number, end: line.text.len(), columns });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use flightdeck_keeper::Size;
    use flightdeck_term::log::Offset;
    use flightdeck_term::session::RecordNumber;

    use super::*;

    const ID: &str = "0123456789abcdef";

    /// What a screen of 40 columns shows of these lines.
    fn shown(text: &str) -> (String, String) {
        let mut screen = Screen::new(Size::new(8, 40).expect("a size"));
        screen.feed(text.replace("ID", ID).replace('\n', "\r\n").as_bytes());
        let record = Record {
            number: RecordNumber(1),
            text: Some("echo 'a b'\ntrue".to_owned()),
            actor: None,
            cwd: None,
            start: Offset::ZERO,
            end: None,
            exit: None,
            stages: Vec::new(),
            started_at: None,
            duration: None,
            run: None,
        };
        let lines = OurLines::typed_to(ShellKind::Bash, Path::new("/s"));
        let screen = lines.replaced(&[record], &screen).unwrap_or(screen);
        (screen.text(), String::from_utf8_lossy(&screen.snapshot_ansi()).into_owned())
    }

    #[test]
    fn commands_stand_where_they_would_if_they_had_been_typed() {
        let typed = "#  . $FLIGHTDECK_RUN/ID";
        let long = "pilot@deck:~/a/long/way#  . $FLIGHTDECK_RUN/ID";
        let foreign = "%  . '/s/run/ID'; . '/s/run/ID.end'";
        for (text, expected) in [
            (format!("one\n{typed}\n▸ echo 'a b'\na b\n{typed}"), "one\n# echo 'a b'\n\na b\n#"),
            // The line goes over two rows, and what is there without it does not.
            (format!("{long}\n▸ echo 'a b'\na b"), "pilot@deck:~/a/long/way# echo 'a b'\n\n\na b"),
            (format!("{foreign}\n▸ echo 'a b'\na b"), "% echo 'a b'\n\n\na b"),
            (format!("\x1b[32m日本{foreign}\x1b[m\n\x1b[2m▸ ls\x1b[22m"), "日本% ls"),
            // A line editor breaks it itself.
            (format!("{}\n{}\n▸ ls\na", &long[..40], &long[40..]), "pilot@deck:~/a/long/way# ls\n\n\na"),
            // Its beginning has scrolled off.
            ("GHTDECK_RUN/ID\n▸ echo 'a b'\na b".to_owned(), "echo 'a b'\n\na b"),
            ("▸ echo 'a b'\na b".to_owned(), "echo 'a b'\na b"),
            ("▸ mine\na b".to_owned(), "▸ mine\na b"),
            (format!("{typed}\n[1] + Done\n▸ echo 'a b'\na b"), "#\n[1] + Done\necho 'a b'\na b"),
            (format!("{typed}\nprinted"), "#  . $FLIGHTDECK_RUN/0123456789abcdef\nprinted"),
            ("their/ID\na b".to_owned(), "their/0123456789abcdef\na b"),
            // A full-screen program shows what it likes.
            (format!("\x1b[?1049h\x1b[H{typed}\n▸ ls"), "#  . $FLIGHTDECK_RUN/0123456789abcdef\n▸ ls"),
        ] {
            let (text, painted) = shown(&text);
            assert_eq!(text, expected);
            let mut again = Screen::new(Size::new(8, 40).expect("a size"));
            again.feed(painted.as_bytes());
            assert_eq!(again.text(), expected, "in colours");
        }
    }
}
