//! What agents type at a shell's prompt, until they press Enter: a command that comes in letters is still a command.
//!
//! Only what goes to a shell is looked at. What a program asks for is an answer to that program, and a full-screen
//! program has keys of its own.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::Send;
use flightdeck_term::facts::Input;
use flightdeck_term::keys;
use flightdeck_term::session::{Kind, Prompt, Session};

/// The lines that are being typed.
#[derive(Debug, Default)]
pub(crate) struct Typing(Mutex<HashMap<TerminalId, Line>>);

/// A line that has been begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Line {
    text: String,
    /// It was changed by keys whose effect only the shell knows, or by somebody else.
    obscure: bool,
    /// How many commands the shell had run before it.
    epoch: usize,
}

/// What pressing these keys would make a shell do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typed {
    /// The lines that would be run.
    pub run: String,
    /// Some of it can't be known.
    pub obscure: bool,
    rest: Line,
}

/// Programs that run what is typed into them.
const SHELLS: [&str; 16] = [
    "bash", "sh", "zsh", "fish", "dash", "ksh", "mksh", "ash", "busybox", "tcsh", "csh", "pwsh", "nu", "su", "ssh",
    "sudo",
];
/// More than this is no line that a person could be asked about.
const LONGEST: usize = 64 * 1024;

impl Typing {
    /// What would be run by this input; `None` when it does not go to a shell, or runs nothing.
    pub(crate) fn would_run(&self, session: &Session, send: &Send) -> Option<Typed> {
        if !goes_to_a_shell(session) {
            return None;
        }
        let line = self.line(send.id, session.records().len());
        let typed = line.type_in(send);
        (!typed.run.trim().is_empty() || (typed.obscure && typed.run.contains('\n'))).then_some(typed)
    }

    /// Notes that it was typed.
    pub(crate) fn typed(&self, session: &Session, send: &Send) {
        if !goes_to_a_shell(session) {
            self.forget(send.id);
            return;
        }
        let rest = self.line(send.id, session.records().len()).type_in(send).rest;
        self.lock().insert(send.id, rest);
    }

    /// Somebody else has typed there: what stands at the prompt is not known any more.
    pub(crate) fn touched(&self, id: TerminalId, session: &Session) {
        let epoch = session.records().len();
        let mut lines = self.lock();
        let line = lines.entry(id).or_default();
        *line = Line { obscure: true, epoch, text: String::new() };
    }

    /// The terminal is gone, or the line is.
    pub(crate) fn forget(&self, id: TerminalId) {
        self.lock().remove(&id);
    }

    fn line(&self, id: TerminalId, epoch: usize) -> Line {
        let line = self.lock().get(&id).cloned().unwrap_or_default();
        // A command has been run since: the prompt is a new one.
        if line.epoch == epoch { line } else { Line { epoch, ..Line::default() } }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TerminalId, Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn type_in(mut self, send: &Send) -> Typed {
        let mut typed = Typed::default();
        for text in [&send.text, &send.paste].into_iter().flatten() {
            text.chars().for_each(|c| self.take(c, &mut typed));
        }
        for name in &send.keys {
            // A name that is not known is refused before anything is typed.
            let bytes = keys::key(name, keys::KeyModes::default()).unwrap_or_default();
            let mut chars = std::str::from_utf8(&bytes).unwrap_or_default().chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => self.take(c, &mut typed),
                // A key that is several characters is a command to the line editor.
                _ => self.obscure = true,
            }
        }
        if self.text.len() > LONGEST {
            self = Line { obscure: true, text: String::new(), epoch: self.epoch };
        }
        typed.rest = self;
        typed
    }

    fn take(&mut self, c: char, typed: &mut Typed) {
        match c {
            '\r' | '\n' => {
                typed.obscure |= self.obscure;
                typed.run.push_str(&self.text);
                typed.run.push('\n');
                self.empty();
            }
            // Ctrl-C and Ctrl-U empty the line.
            '\u{3}' | '\u{15}' => self.empty(),
            '\u{8}' | '\u{7f}' => drop(self.text.pop()),
            // The end of the input, and a fresh screen.
            '\u{4}' | '\u{c}' => {}
            c if c.is_control() => self.obscure = true,
            c => self.text.push(c),
        }
    }

    fn empty(&mut self) {
        *self = Line { epoch: self.epoch, ..Line::default() };
    }
}

/// Whether what is typed now would be read by a shell, at once or when what runs has ended.
fn goes_to_a_shell(session: &Session) -> bool {
    let facts = session.facts();
    let shell_in_front = facts.foreground.as_ref().is_some_and(|process| {
        let name = process.name.trim_start_matches('-');
        SHELLS.contains(&name)
    });
    match session.kind() {
        Kind::Shell(_) => match session.prompt() {
            Prompt::Ready { .. } | Prompt::Starting => true,
            // A program that does not read leaves what is typed to the shell.
            Prompt::Busy => shell_in_front || facts.input == Input::Busy,
        },
        Kind::Command => shell_in_front,
        Kind::Piped => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(text: &str, keys: &[&str]) -> Send {
        Send {
            id: TerminalId::new(1),
            text: Some(text.into()),
            paste: None,
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        }
    }

    #[test]
    fn a_command_in_letters_is_a_command() {
        for (inputs, run, obscure) in [
            (&[("rm -rf /\n", &[][..])][..], "rm -rf /\n", false),
            (&[("rm", &[]), (" -rf ", &[]), ("/", &["Enter"])], "rm -rf /\n", false),
            (&[("rm -rf /x", &["Backspace"]), ("\r", &[])], "rm -rf /\n", false),
            (&[("rm -rf /", &["C-c"]), ("ls\n", &[])], "ls\n", false),
            (&[("rm -rf /", &["C-u"]), ("ls\n", &[])], "ls\n", false),
            (&[("ls", &["Up", "Enter"])], "ls\n", true),
            (&[("", &["Up"]), ("", &["Enter"])], "\n", true),
            (&[("ls", &["Left"]), ("", &["C-c"]), ("pwd\n", &[])], "pwd\n", false),
            (&[("echo 1\necho 2\n", &[])], "echo 1\necho 2\n", false),
            (&[("echo", &[])], "", false),
        ] {
            let mut line = Line::default();
            let mut all = Typed::default();
            for (text, keys) in inputs {
                let typed = line.type_in(&send(text, keys));
                all.run.push_str(&typed.run);
                all.obscure |= typed.obscure;
                line = typed.rest;
            }
            assert_eq!((all.run.as_str(), all.obscure), (run, obscure), "{inputs:?}");
        }
    }
}
