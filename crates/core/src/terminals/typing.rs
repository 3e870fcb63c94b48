//! What agents type into terminals in which a shell runs: a command that comes in letters is still a command.
//!
//! At a prompt the line is put together until Enter. It is known as long as it was made of plain characters only; a key
//! whose effect only the shell's line editor knows, a person's typing, or a prompt that came while something was in the
//! line make it unknown, and somebody has to look before anything else is pressed there. While another program is in
//! front, what is typed may still reach the shell below it, so it is searched for dangers all the same.

use std::collections::HashMap;
use std::sync::Arc;

use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::Send;
use flightdeck_term::Whose;
use flightdeck_term::facts::{Facts, Input, Process};
use flightdeck_term::keys;
use flightdeck_term::session::{Kind, Prompt, Session};
use parking_lot::Mutex;

/// The lines that are being typed, and whose turn it is to type.
#[derive(Debug, Default)]
pub(crate) struct Typing {
    lines: Mutex<HashMap<TerminalId, Line>>,
    turns: Mutex<HashMap<TerminalId, Arc<tokio::sync::Mutex<()>>>>,
}

/// A line that has been begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Line {
    text: String,
    /// What stands at the prompt is not known.
    obscure: bool,
    /// How many marks the shell had printed when it was begun: a prompt is one.
    epoch: u64,
    /// Ctrl-C was pressed last: the next prompt is an empty one, even if the line was not known. Until it comes nothing is
    /// sure, because not every shell drops the line each time.
    dropped: bool,
}

/// See [`Typing::noted`].
#[derive(Debug)]
pub(crate) struct Noted(Option<Line>);

/// What input would make a shell do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// It runs these lines.
    Runs(String),
    /// It runs something that can't be known; these lines are what can be.
    Unknown(String),
    /// It goes to a program that may leave it to a shell. `raw`: it takes single keys, so any end of a line may be left.
    Perhaps {
        /// What was typed.
        lines: String,
        /// Whether single keys are taken.
        raw: bool,
    },
}

/// What the input comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Onto {
    /// Whatever stands at the prompt.
    Line,
    /// The same if it is known. Otherwise it is dropped first.
    KnownLine,
}

/// What typing made of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Typed {
    run: String,
    obscure: bool,
    rest: Line,
}

/// Programs that run what is typed into them.
const SHELLS: [&str; 13] =
    ["bash", "sh", "zsh", "fish", "dash", "ksh", "mksh", "ash", "busybox", "tcsh", "csh", "pwsh", "nu"];
/// Programs with a shell behind them, which may ask for a password first.
const DOORS: [&str; 4] = ["su", "ssh", "sudo", "doas"];
/// More than this is no line that a person could be asked about.
const LONGEST: usize = 64 * 1024;

/// To whom what is typed goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Front {
    /// A shell, at once or when what runs has ended.
    Shell,
    /// A shell that hides what is typed.
    HiddenShell,
    /// A shell that asks for a line with `read -s`: the line is the answer.
    HiddenQuestion,
    /// A program above a shell. `raw`: it takes single keys.
    Above { raw: bool },
    /// Nothing that runs commands.
    Other,
}

impl Typing {
    /// What this input would make a shell do; `None` when that is nothing.
    pub(crate) fn would_run(&self, session: &Session, send: &Send, onto: Onto) -> Option<Heard> {
        let facts = session.facts();
        match front(session, &facts) {
            Front::Other => None,
            Front::Shell if is_signal(session, &facts, send) => None,
            // To stop a program must always be possible. The terminal turns it into a signal, or the program takes it as
            // a key; neither is the end of a line.
            Front::HiddenShell | Front::Above { .. } if is_interrupt(send) => None,
            // What comes after the answer would be a command.
            Front::HiddenQuestion if !all_of(send).trim_end_matches('\n').contains('\n') => None,
            Front::HiddenShell | Front::HiddenQuestion => Some(Heard::Unknown(String::new())),
            Front::Above { raw } => {
                let lines = all_of(send);
                lines.contains('\n').then_some(Heard::Perhaps { lines, raw })
            }
            Front::Shell => {
                let line = self.line(send.id, session);
                let dropped = onto == Onto::KnownLine && line.obscure;
                let typed = if dropped { Line::default() } else { line }.type_in(send);
                match (typed.obscure, typed.run.trim().is_empty()) {
                    (true, _) => Some(Heard::Unknown(typed.run)),
                    (false, false) => Some(Heard::Runs(typed.run)),
                    (false, true) => None,
                }
            }
        }
    }

    /// Notes that it was typed.
    pub(crate) fn typed(&self, session: &Session, send: &Send) {
        let (line, facts) = (self.line(send.id, session), session.facts());
        let rest = match front(session, &facts) {
            Front::Shell if is_signal(session, &facts, send) => line,
            Front::Shell => line.type_in(send).rest,
            // Whole lines are read by somebody, and leave nothing.
            Front::Above { .. } | Front::HiddenQuestion if all_of(send).ends_with('\n') => line,
            _ => return self.touched(send.id, session),
        };
        lock(&self.lines).insert(send.id, rest);
    }

    /// The shell may have drawn its prompt anew, or dropped its line: what stands in it is not known, unless it was empty.
    pub(crate) fn redrawn(&self, id: TerminalId, session: &Session) {
        let line = self.line(id, session);
        if line.obscure || !line.text.is_empty() {
            self.touched(id, session);
        }
    }

    /// Somebody else has typed there, or it was changed in another way: what stands at the prompt is not known any more.
    pub(crate) fn touched(&self, id: TerminalId, session: &Session) {
        let line = Line { obscure: true, epoch: session.marks(), ..Line::default() };
        lock(&self.lines).insert(id, line);
    }

    /// Whether nothing was typed at the prompt since it came, as far as the hub knows.
    pub(crate) fn is_fresh(&self, id: TerminalId, session: &Session) -> bool {
        let line = self.line(id, session);
        matches!(session.prompt(), Prompt::Ready { .. }) && line.text.is_empty() && !line.obscure
    }

    /// Whether a shell is in front, and something may stand at its prompt that is not known.
    pub(crate) fn is_obscure(&self, id: TerminalId, session: &Session) -> bool {
        self.line(id, session).obscure && front(session, &session.facts()) == Front::Shell
    }

    /// What is noted of the line, to see later whether it is still that.
    pub(crate) fn noted(&self, id: TerminalId) -> Noted {
        Noted(lock(&self.lines).get(&id).cloned())
    }

    /// A command was run in place of the line, unless somebody has typed since.
    pub(crate) fn replaced(&self, id: TerminalId, session: &Session, noted: &Noted) {
        let mut lines = lock(&self.lines);
        if lines.get(&id) == noted.0.as_ref() {
            lines.insert(id, Line { epoch: session.marks(), ..Line::default() });
        }
    }

    /// The line was dropped.
    pub(crate) fn emptied(&self, id: TerminalId, session: &Session) {
        lock(&self.lines).insert(id, Line { epoch: session.marks(), ..Line::default() });
    }

    /// The terminal is gone.
    pub(crate) fn forget(&self, id: TerminalId) {
        lock(&self.lines).remove(&id);
        lock(&self.turns).remove(&id);
    }

    /// The turn to type into a terminal: held from the last look at its line until the input is in.
    pub(crate) fn turn(&self, id: TerminalId) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(lock(&self.turns).entry(id).or_default())
    }

    fn line(&self, id: TerminalId, session: &Session) -> Line {
        let line = lock(&self.lines).get(&id).cloned().unwrap_or_default();
        let line = line.now(session.marks(), session.prompt());
        // There each line begins with Ctrl-C, whatever the user has half typed.
        let begins = session.whose() == Whose::Theirs && line.text.is_empty();
        Line { obscure: line.obscure && !begins, ..line }
    }

    /// The text that stands at the prompt of a shell, as far as it is known.
    pub(crate) fn standing(&self, id: TerminalId, session: &Session) -> Option<String> {
        let Line { text, obscure, .. } = self.line(id, session);
        let stands = !text.is_empty() && !obscure && front(session, &session.facts()) == Front::Shell;
        stands.then_some(text)
    }

    /// Whether this would be the beginning of a line in a shell, and is more than Ctrl-C.
    pub(crate) fn begins_line(&self, session: &Session, send: &Send) -> bool {
        let line = self.line(send.id, session);
        !is_interrupt(send) && line.text.is_empty() && front(session, &session.facts()) == Front::Shell
    }
}

impl Line {
    /// The line as it stands now. A new prompt is empty only if nothing can have been left in the line before it.
    fn now(self, epoch: u64, prompt: Prompt) -> Line {
        if self.epoch == epoch {
            return self;
        }
        let empty = self.text.is_empty() && !self.obscure;
        let dropped = self.dropped && prompt == Prompt::Ready { typed: false };
        Line { obscure: !(empty || dropped), epoch, ..Line::default() }
    }

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
                _ => self.hide(&mut typed),
            }
        }
        if self.text.len() > LONGEST {
            self.hide(&mut typed);
        }
        typed.rest = self;
        typed
    }

    fn take(&mut self, c: char, typed: &mut Typed) {
        self.dropped = c == '\u{3}';
        match c {
            '\r' | '\n' if is_unfinished(&self.text) => self.text.push('\n'),
            '\r' | '\n' => {
                typed.obscure |= self.obscure || may_expand_history(&self.text);
                typed.run.push_str(&self.text);
                typed.run.push('\n');
                *self = Line { epoch: self.epoch, ..Line::default() };
            }
            // Ctrl-U empties a line that is known: the cursor is at its end.
            '\u{15}' if !self.obscure => self.text.clear(),
            // It runs nothing, known or not.
            '\u{3}' => {
                self.obscure |= !self.text.is_empty();
                self.text.clear();
            }
            '\u{8}' | '\u{7f}' if self.text.chars().next_back().is_none_or(|last| last.is_ascii()) => {
                self.text.pop();
            }
            // A fresh screen.
            '\u{c}' => {}
            // The end of the input: of an empty line it ends the shell.
            '\u{4}' if !self.obscure && self.text.is_empty() => {}
            c if c.is_control() => self.hide(typed),
            c => self.text.push(c),
        }
    }

    /// A key was pressed that only the shell understands; it may even have run the line.
    fn hide(&mut self, typed: &mut Typed) {
        self.dropped = false;
        self.obscure = true;
        self.text.clear();
        typed.obscure = true;
    }
}

/// Whether the shell takes the next line for a part of this one.
fn is_unfinished(text: &str) -> bool {
    text.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1
}

/// Whether an interactive shell may put an earlier command into this line: `!!`, `!rm`, `^a^b`.
fn may_expand_history(text: &str) -> bool {
    let after = |(at, _): (usize, &str)| text[at + 1..].chars().next();
    let marks = text.match_indices('!').filter_map(after).any(|next| !next.is_whitespace() && !"=(".contains(next));
    marks || text.trim_start().starts_with('^')
}

/// Whether it is Ctrl-C and nothing else.
fn is_interrupt(send: &Send) -> bool {
    is_of_keys(send, &[b"\x03"])
}

/// Whether the terminal turns it into a signal for a program, which does not read: Ctrl-Z or Ctrl-\, once. A second one would
/// reach the prompt, where a user may have bound them to anything.
fn is_signal(session: &Session, facts: &Facts, send: &Send) -> bool {
    let is_above = facts.input == Input::Busy && facts.group.is_some() && facts.group != session.leader();
    is_above && send.keys.len() == 1 && is_of_keys(send, &[b"\x1a", b"\x1c"]) && session.makes_signals()
}

/// Whether it is some of these keys and nothing else.
fn is_of_keys(send: &Send, bytes: &[&[u8]]) -> bool {
    let is_one = |name: &String| keys::key(name, keys::KeyModes::default()).is_ok_and(|key| bytes.contains(&&*key));
    send.text.is_none() && send.paste.is_none() && !send.keys.is_empty() && send.keys.iter().all(is_one)
}

/// Everything that is typed, cut where a program may stop to read.
fn all_of(send: &Send) -> String {
    let keys = send.keys.iter().filter_map(|name| keys::key(name, keys::KeyModes::default()).ok());
    let keys = String::from_utf8_lossy(&keys.flatten().collect::<Vec<u8>>()).into_owned();
    let parts = [send.text.as_deref(), send.paste.as_deref(), Some(&keys)];
    let whole: String = parts.into_iter().flatten().collect();
    whole.chars().map(|c| if c.is_control() && c != '\t' { '\n' } else { c }).collect()
}

/// Whether what is typed now goes to a shell as a command, and not to a program as its input.
pub(crate) fn reaches_shell(session: &Session) -> bool {
    matches!(front(session, &session.facts()), Front::Shell | Front::HiddenShell)
}

/// To whom what is typed now goes.
fn front(session: &Session, facts: &Facts) -> Front {
    let name = facts.foreground.as_ref().map(|process| process.name.trim_start_matches('-').to_owned());
    let is_in = |names: &[&str]| name.as_deref().is_some_and(|name| names.contains(&name));
    let (shell, door) = (is_in(&SHELLS), is_in(&DOORS));
    let hidden = facts.input == Input::Password;
    match session.kind() {
        // Nobody can tell who reads a pipe: a shell, or a program that may start one.
        Kind::Piped if is_led_by_a_shell(session) => Front::Shell,
        Kind::Piped => Front::Above { raw: false },
        Kind::Command if !shell && !door && !is_led_by_a_shell(session) => Front::Other,
        // A password of its own is nobody's business.
        _ if door && hidden => Front::Other,
        // `read` of a script, or of a command in the shell: an answer to it, which the shell may still get if it
        // comes late.
        _ if shell && hidden && facts.canonical && session.shell_asks() => Front::HiddenQuestion,
        // One that takes single keys may stop after any of them.
        _ if shell && session.shell_asks() => Front::Above { raw: !facts.canonical },
        _ if shell && hidden => Front::HiddenShell,
        _ if shell || door => Front::Shell,
        Kind::Shell(_) if matches!(session.prompt(), Prompt::Ready { .. } | Prompt::Starting) => Front::Shell,
        // A program that does not read leaves what is typed to what comes after it.
        _ if facts.input == Input::Busy => Front::Shell,
        _ if hidden => Front::Other,
        _ => Front::Above { raw: facts.input == Input::Raw },
    }
}

/// Whether what was started there is a shell, whatever it runs now.
fn is_led_by_a_shell(session: &Session) -> bool {
    let leader = session.leader().and_then(Process::of);
    leader.is_some_and(|process| {
        let name = process.name.trim_start_matches('-');
        SHELLS.contains(&name) || DOORS.contains(&name)
    })
}

fn lock<T>(mutex: &Mutex<T>) -> parking_lot::MutexGuard<'_, T> {
    mutex.lock()
}

#[cfg(test)]
mod tests;
