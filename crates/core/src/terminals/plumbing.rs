//! What a shell is typed and told so that a command reaches it in a file: nobody has asked for these lines, so they
//! are taken out of what callers read. The log itself has them.

use flightdeck_term::screen::Screen;
use flightdeck_term::session::{Kind, Record, Session};
use flightdeck_term::shell::ShellKind;

/// What stands before the first line of a command that the shell was given in a file.
pub(super) const SHOWN: &str = "▸ ";
/// The variable in the lines that read such a file.
pub(super) const NAMED: &str = "FLIGHTDECK_RUN";
/// How those lines begin, in bash and the like, and in fish.
pub(super) const TYPED: [&str; 2] = [" . $FLIGHTDECK_RUN/", " eval (string collect <$FLIGHTDECK_RUN/"];
/// How many digits the name of such a file has.
pub(super) const NAME: usize = 16;
/// How the first line of such a file is counted, which is ours.
const OWN_LINES: usize = 1;

/// A row of a screen.
struct Row {
    text: String,
    /// Its line goes on in the next row.
    goes_on: bool,
}

/// The lines of one terminal's shell that are ours.
pub(crate) struct Plumbing(Option<Shell>);

struct Shell {
    /// The folder of the files, with a slash at its end.
    folder: String,
    name: &'static str,
}

impl Plumbing {
    pub(crate) fn of(session: &Session) -> Self {
        let Kind::Shell(setup) = session.kind() else { return Plumbing(None) };
        let name = match setup.kind {
            ShellKind::Bash => "bash",
            ShellKind::Zsh => "zsh",
            ShellKind::Fish => "fish",
            ShellKind::Posix | ShellKind::Other => "sh",
        };
        Plumbing(Some(Shell { folder: format!("{}/run/", setup.dir.display()), name }))
    }

    /// The same for what stands on a screen, whose rows stay where they are: rows in which our own words were shown are left
    /// empty. Of a command whose line has scrolled off only what the shell showed of it is left; it is known by its record.
    pub(crate) fn remove_on_screen(&self, records: &[Record], screen: &Screen) -> String {
        let text = screen.text();
        // The lines themselves may be broken anywhere.
        let Some(shell) = self.0.as_ref().filter(|_| text.contains(NAMED) || text.contains(SHOWN)) else { return text };
        let rows: Vec<Row> = (0..screen.size().rows())
            .map(|row| Row { text: screen.row_text(row), goes_on: screen.styled_row(row).wrapped })
            .collect();
        let mut rows = shell.without_typed(rows, usize::from(screen.size().cols()));
        let is_ours = |shown: &str| {
            let shown = shown.trim_end_matches('…');
            let mut firsts = records.iter().filter_map(|record| record.text.as_deref()?.lines().next());
            firsts.any(|first| first.starts_with(shown))
        };
        let orphan = rows.first().and_then(|first| first.strip_prefix(SHOWN)).filter(|shown| is_ours(shown));
        if let Some(command) = orphan.map(str::to_owned) {
            rows[0] = command;
        }
        rows.join("\n").trim_end_matches('\n').to_owned()
    }

    /// The text without what is ours. What a terminal shows of a command in a file becomes what it would be if it
    /// were typed.
    pub(crate) fn remove(&self, text: String) -> String {
        let is_in = |shell: &&Shell| text.contains(NAMED) || text.contains(&shell.folder);
        let Some(shell) = self.0.as_ref().filter(is_in) else { return text };
        let mut kept = String::with_capacity(text.len());
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            let Some(at) = shell.typed_at(line) else {
                shell.tell(line, &mut kept);
                continue;
            };
            kept.push_str(&line[..at]);
            match lines.peek().and_then(|next| shown(next)) {
                Some(command) => {
                    kept.push_str(command);
                    lines.next();
                }
                None => kept.push_str(if line.ends_with('\n') { "\n" } else { "" }),
            }
        }
        kept
    }
}

impl Shell {
    /// How lines that read a file begin, and how they end after its name.
    fn known(&self) -> [(String, &'static str); 3] {
        [(TYPED[0].to_owned(), ""), (TYPED[1].to_owned(), ")"), (format!(" . '{}", self.folder), "'")]
    }

    /// Whether this is the end of such a line, whose beginning has scrolled off.
    fn is_rest(&self, line: &str) -> bool {
        self.known().iter().any(|(begin, end)| {
            let rest = line.strip_suffix(end).filter(|rest| rest.len() > NAME);
            let parts = rest.and_then(|rest| rest.split_at_checked(rest.len() - NAME));
            parts.is_some_and(|(path, name)| name.bytes().all(|byte| byte.is_ascii_hexdigit()) && begin.ends_with(path))
        })
    }

    /// Where a line that reads a file begins in this one.
    fn typed_at(&self, line: &str) -> Option<usize> {
        let file = |text: &str| text.get(..NAME).is_some_and(|name| name.bytes().all(|b| b.is_ascii_hexdigit()));
        self.known().iter().find_map(|(known, _)| {
            let at = line.find(known.as_str())?;
            file(&line[at + known.len()..]).then_some(at)
        })
    }

    /// Rows of a screen in which the command stands where it would if it had been typed. A line may go over several rows.
    fn without_typed(&self, rows: Vec<Row>, cols: usize) -> Vec<String> {
        let mut lines: Vec<(String, usize)> = Vec::new();
        let mut goes_on = false;
        for row in rows {
            match lines.last_mut().filter(|_| goes_on) {
                Some((line, rows)) => {
                    line.push_str(&row.text);
                    *rows += 1;
                }
                None => lines.push((row.text.clone(), 1)),
            }
            goes_on = row.goes_on;
        }
        let mut kept: Vec<String> = Vec::new();
        let mut lines = lines.into_iter().peekable();
        while let Some((mut line, mut height)) = lines.next() {
            let at = self.typed_at(&line).or_else(|| (kept.is_empty() && self.is_rest(&line)).then_some(0));
            if let Some(at) = at {
                line.truncate(at);
                match lines.next_if(|(next, _)| next.starts_with(SHOWN)) {
                    Some((shown, rows)) => {
                        line.push_str(&shown[SHOWN.len()..]);
                        height += rows;
                    }
                    None => line.truncate(line.trim_end().len()),
                }
            }
            let letters: Vec<char> = line.chars().collect();
            let mut pieces: Vec<String> = letters.chunks(cols.max(1)).map(|piece| piece.iter().collect()).collect();
            pieces.resize(height, String::new());
            kept.extend(pieces);
        }
        kept
    }

    /// A line of a program's or of the shell's own. The shell names the file in which it found an error, and counts
    /// its lines.
    fn tell(&self, line: &str, kept: &mut String) {
        let mut rest = line;
        while let Some(at) = rest.find(&self.folder) {
            let (before, path) = rest.split_at(at);
            let after = &path[self.folder.len()..];
            let Some(name) = after.get(..NAME).filter(|name| name.bytes().all(|byte| byte.is_ascii_hexdigit())) else {
                kept.push_str(before);
                kept.push_str(&self.folder);
                rest = after;
                continue;
            };
            let after = &after[name.len()..];
            // dash: `sh: 3: /…/run/ID: Syntax error`; the others tell the line after the file.
            match counted_before(before) {
                Some((start, number)) if after.starts_with(": ") => {
                    kept.push_str(&before[..start]);
                    kept.push_str(&number.to_string());
                    kept.push_str(": ");
                    rest = &after[2..];
                }
                _ => {
                    // A shell that names itself before it names the file has said who tells it.
                    match before.strip_suffix(": ") {
                        Some(teller) if after.starts_with(':') => kept.push_str(teller),
                        _ => {
                            kept.push_str(before);
                            kept.push_str(self.name);
                        }
                    }
                    rest = counted_after(after, kept);
                }
            }
        }
        kept.push_str(rest);
    }
}

/// The number of a line at the end of a text, as `sh: 3: `, and where it begins.
fn counted_before(text: &str) -> Option<(usize, usize)> {
    let text = text.strip_suffix(": ")?;
    let start = text.rfind(": ").map_or(0, |at| at + 2);
    let number: usize = text[start..].parse().ok()?;
    Some((start, number.saturating_sub(OWN_LINES).max(1)))
}

/// Tells the number of a line after the name of a file, `: line 3` or `:3`, as the caller would count, and gives the
/// rest.
fn counted_after<'a>(text: &'a str, kept: &mut String) -> &'a str {
    for before in [": line ", ":"] {
        let Some(number) = text.strip_prefix(before) else { continue };
        let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if let Ok(line) = number[..digits].parse::<usize>() {
            kept.push_str(before);
            kept.push_str(&line.saturating_sub(OWN_LINES).max(1).to_string());
            return &number[digits..];
        }
    }
    text
}

/// The first line of the command, when this is where it is shown.
fn shown(line: &str) -> Option<&str> {
    let (before, command) = line.split_once(SHOWN)?;
    // Only what a terminal obeys may stand before it.
    let sequences = before.is_empty() || before.starts_with(['\u{1b}', '\r']);
    sequences.then_some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_lines_are_gone_and_all_others_stay() {
        let shell = |name| Plumbing(Some(Shell { folder: "/s/t1/shell/run/".to_owned(), name }));
        let id = "0123456789abcdef";
        for (name, text, kept) in [
            ("bash", format!("$  . $FLIGHTDECK_RUN/{id}\n▸ echo 'a b'\na b\n"), "$ echo 'a b'\na b\n"),
            (
                "bash",
                format!("$  . $FLIGHTDECK_RUN/{id}\r\n\u{1b}[?2004l\r\u{1b}[2m▸ x\u{1b}[22m\r\n"),
                "$ x\u{1b}[22m\r\n",
            ),
            ("bash", format!("$  . $FLIGHTDECK_RUN/{id}\n"), "$ \n"),
            ("fish", format!("> eval (string collect <$FLIGHTDECK_RUN/{id})\n▸ ls\n"), ">ls\n"),
            ("sh", format!("#  . '/s/t1/shell/run/{id}'; . '/s/t1/shell/run/{id}.end'\n▸ ls\n"), "# ls\n"),
            ("bash", format!("/s/t1/shell/run/{id}: line 3: syntax error\n"), "bash: line 2: syntax error\n"),
            ("bash", format!("bash: /s/t1/shell/run/{id}: line 3: `)'\n"), "bash: line 2: `)'\n"),
            ("zsh", format!("/s/t1/shell/run/{id}:2: parse error near `)'\n"), "zsh:1: parse error near `)'\n"),
            ("sh", format!("sh: 3: /s/t1/shell/run/{id}: Syntax error\n"), "sh: 2: Syntax error\n"),
            ("bash", "echo $FLIGHTDECK_RUN/x ▸ y\n▸ z\n".to_owned(), "echo $FLIGHTDECK_RUN/x ▸ y\n▸ z\n"),
            ("bash", "/s/t1/shell/run/none: no\n".to_owned(), "/s/t1/shell/run/none: no\n"),
        ] {
            assert_eq!(shell(name).remove(text.clone()), kept, "{text:?}");
        }
        let cut = |rows: &[(&str, bool)], kept: &[&str]| {
            let text = |text: &str| text.replace("ID", id);
            let rows = rows.iter().map(|(row, goes_on)| Row { text: text(row), goes_on: *goes_on }).collect();
            assert_eq!(shell("bash").0.unwrap().without_typed(rows, 40), kept);
        };
        let typed = "#  . $FLIGHTDECK_RUN/ID";
        cut(
            &[("one", false), (typed, false), ("▸ echo 'a b'", false), ("a b", false), (typed, false)],
            &["one", "# echo 'a b'", "", "a b", "#"],
        );
        // The line goes over two rows, and what is there without it does not.
        cut(
            &[
                ("pilot@deck:~/a/long/way#  . $FLIGHTDECK_", true),
                ("RUN/ID", false),
                ("▸ echo 'a b'", false),
                ("a b", false),
            ],
            &["pilot@deck:~/a/long/way# echo 'a b'", "", "", "a b"],
        );
        // Its beginning has scrolled off.
        cut(&[("GHTDECK_RUN/ID", false), ("▸ echo 'a b'", false), ("a b", false)], &["echo 'a b'", "", "a b"]);
        cut(&[("their/ID", false), ("a b", false)], &["their/0123456789abcdef", "a b"]);
        let text = format!(" . $FLIGHTDECK_RUN/{id}\n");
        assert_eq!(Plumbing(None).remove(text.clone()), text, "of a program everything is its own");
    }
}
