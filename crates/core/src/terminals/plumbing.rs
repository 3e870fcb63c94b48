//! What a shell tells of the file in which it was given a command: nobody has asked for that file, so callers read what they
//! would if the command had been typed.

use flightdeck_term::session::{Kind, Session};
use flightdeck_term::shell::{NAME, ShellKind};

/// How the first line of such a file is counted, which is ours.
const OWN_LINES: usize = 1;

/// The files of one terminal's shell.
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

    /// The text without what is ours.
    pub(crate) fn remove(&self, text: String) -> String {
        let Some(shell) = self.0.as_ref().filter(|shell| text.contains(&shell.folder)) else { return text };
        let mut kept = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            shell.tell(line, &mut kept);
        }
        kept
    }
}

impl Shell {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_nobody_asked_for_are_not_named() {
        let shell = |name| Plumbing(Some(Shell { folder: "/s/t1/shell/run/".to_owned(), name }));
        let id = "0123456789abcdef";
        for (name, text, kept) in [
            ("bash", format!("/s/t1/shell/run/{id}: line 3: syntax error\n"), "bash: line 2: syntax error\n"),
            ("bash", format!("bash: /s/t1/shell/run/{id}: line 3: `)'\n"), "bash: line 2: `)'\n"),
            ("zsh", format!("/s/t1/shell/run/{id}:2: parse error near `)'\n"), "zsh:1: parse error near `)'\n"),
            ("sh", format!("sh: 3: /s/t1/shell/run/{id}: Syntax error\n"), "sh: 2: Syntax error\n"),
            ("bash", "echo $FLIGHTDECK_RUN/x ▸ y\n▸ z\n".to_owned(), "echo $FLIGHTDECK_RUN/x ▸ y\n▸ z\n"),
            ("bash", "/s/t1/shell/run/none: no\n".to_owned(), "/s/t1/shell/run/none: no\n"),
        ] {
            assert_eq!(shell(name).remove(text.clone()), kept, "{text:?}");
        }
        let text = format!("/s/t1/shell/run/{id}: line 3: no\n");
        assert_eq!(Plumbing(None).remove(text.clone()), text, "of a program everything is its own");
    }
}
