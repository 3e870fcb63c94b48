//! What a shell is typed and told so that a command reaches it in a file: nobody has asked for these lines, so they
//! are taken out of what callers read. The log itself has them.

use flightdeck_term::screen::plain;
use flightdeck_term::session::{Kind, Session};
use flightdeck_term::shell::ShellKind;

/// What stands before the first line of a command that the shell was given in a file.
const SHOWN: &str = "▸ ";
/// The variable in the lines that read such a file.
const NAMED: &str = "FLIGHTDECK_RUN";
const VARIABLE: &str = "$FLIGHTDECK_RUN/";
/// How many digits the name of such a file has.
const NAME: usize = 16;
/// How the first line of such a file is counted, which is ours.
const OWN_LINES: usize = 1;

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

    /// The same for what stands on a screen, whose rows stay where they are: the row in which our own words were shown is
    /// left empty.
    pub(crate) fn remove_on_screen(&self, text: String) -> String {
        let Some(shell) = self.0.as_ref().filter(|_| text.contains(NAMED)) else { return text };
        let mut rows: Vec<String> = text.split('\n').map(str::to_owned).collect();
        for at in 0..rows.len() {
            let Some(start) = shell.typed_at(&rows[at]) else { continue };
            rows[at].truncate(start);
            let next = rows.get_mut(at + 1).and_then(|next| Some(next.strip_prefix(SHOWN)?.to_owned()));
            if let Some(command) = next {
                rows[at].push_str(&command);
                rows[at + 1].clear();
            } else {
                let shown = rows[at].trim_end().len();
                rows[at].truncate(shown);
            }
        }
        rows.join("\n").trim_end_matches('\n').to_owned()
    }

    /// The text without what is ours. What a terminal shows of a command in a file becomes what it would be if it
    /// were typed.
    pub(crate) fn remove(&self, text: String) -> String {
        let Some(shell) = &self.0 else { return text };
        if !text.contains(NAMED) && !text.contains(&shell.folder) {
            return text;
        }
        let mut kept = String::with_capacity(text.len());
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            if let Some(at) = shell.typed_at(line) {
                kept.push_str(&line[..at]);
            } else if let Some(prompt) = shell.coloured(line) {
                kept.push_str(&prompt);
            } else {
                shell.tell(line, &mut kept);
                continue;
            }
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
    /// Where a line that reads a file begins in this one.
    fn typed_at(&self, line: &str) -> Option<usize> {
        let file = |text: &str| text.get(..NAME).is_some_and(|name| name.bytes().all(|b| b.is_ascii_hexdigit()));
        let known =
            [format!(" . {VARIABLE}"), format!(" eval (string collect <{VARIABLE}"), format!(" . '{}", self.folder)];
        known.iter().find_map(|known| {
            let at = line.find(known.as_str())?;
            file(&line[at + known.len()..]).then_some(at)
        })
    }

    /// What stands before such a line in this one, when a line editor has coloured it.
    fn coloured(&self, line: &str) -> Option<String> {
        let plain = line.contains(NAMED).then(|| plain(line.as_bytes()))?;
        self.typed_at(&plain).map(|at| plain[..at].to_owned())
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
            (
                "fish",
                format!("> \u{1b}[34meval\u{1b}[m (string collect <$FLIGHTDECK_RUN\u{1b}[33m/{id}\u{1b}[m)\n▸ ls\n"),
                ">ls\n",
            ),
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
        let screen = format!("one\n#  . $FLIGHTDECK_RUN/{id}\n▸ echo 'a b'\na b\n#  . $FLIGHTDECK_RUN/{id}\n");
        assert_eq!(shell("bash").remove_on_screen(screen), "one\n# echo 'a b'\n\na b\n#");
        let text = format!(" . $FLIGHTDECK_RUN/{id}\n");
        assert_eq!(Plumbing(None).remove(text.clone()), text, "of a program everything is its own");
    }
}
