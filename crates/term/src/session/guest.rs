//! A shell that is not ours at a prompt in the terminal: one that replaced ours, or that was started inside of it.

use super::{Kind, Prompt, Session};
use crate::facts::{
    Facts, Input, is_interactive_shell, is_shell_for_people, only_member, parent_of, reader, reads_its_terminal,
    runs_a_script, waits_at_prompt, waits_for_input, was_started_with,
};
use crate::shell::ShellKind;

/// More shells inside of each other are not looked through.
const DEEPEST: usize = 64;

impl Session {
    /// Whether a shell in the foreground asks for a line, as `read` does: what is typed is an answer, and no command.
    ///
    /// Of our own shell its marks tell that it is not at its prompt. Any other one must run a script, and read the
    /// terminal itself.
    pub fn shell_asks(&self) -> bool {
        let Facts { foreground, input, canonical, .. } = self.facts();
        let Some(pid) = foreground.map(|process| process.pid) else { return false };
        // Where single keys are taken, that it asks is known from more than the terminal's settings.
        if !matches!(input, Input::Line | Input::Password) || canonical && !reads_its_terminal(pid) {
            return false;
        }
        if self.is_own_shell(pid) { self.prompt() == Prompt::Busy } else { runs_a_script(pid) }
    }

    /// Whether the terminal's first process is still the shell that was started there.
    pub(super) fn is_first_program(&self) -> bool {
        let Kind::Shell(setup) = self.kind() else { return false };
        self.leader().is_some_and(|pid| was_started_with(pid, setup.dir.as_os_str()))
    }

    /// Whether a program waits for what is typed, and what is typed would not be a command of a shell.
    pub fn asks(&self) -> bool {
        let may_ask = match self.kind() {
            Kind::Shell(setup) => setup.kind != ShellKind::Other && self.prompt() == Prompt::Busy,
            Kind::Command => true,
            Kind::Piped => false,
        };
        if !may_ask || !self.progress().running() {
            return false;
        }
        let Facts { foreground, input, .. } = self.facts();
        let Some(pid) = foreground.map(|process| process.pid) else { return false };
        // A shell that sets up its line editor takes single keys a moment before it tells that it is at its prompt.
        if is_interactive_shell(pid) || self.leader() == Some(pid) && matches!(self.kind(), Kind::Shell(_)) {
            return self.shell_asks();
        }
        matches!(input, Input::Line | Input::Password | Input::Raw)
    }

    /// The processes that what is in the foreground was started by, up to the terminal's first one.
    pub fn below_front(&self) -> Vec<u32> {
        let first = self.leader();
        let mut at = self.facts().foreground.map(|process| process.pid);
        let mut below = Vec::new();
        while let Some(parent) = at.filter(|pid| Some(*pid) != first).and_then(parent_of) {
            below.push(parent);
            at = Some(parent).filter(|_| below.len() < DEEPEST);
        }
        below
    }

    /// Whether the foreground is a shell for a person, inside of the terminal's own or in its place, and nothing that it has
    /// started.
    pub fn front_is_shell(&self) -> bool {
        let front = self.facts().foreground.map(|process| process.pid);
        front.is_some_and(|pid| !self.is_own_shell(pid) && is_shell_for_people(pid))
    }

    /// Whether the shell in the foreground waits for a key, with nothing else that could take it.
    pub fn front_waits_for_keys(&self) -> bool {
        let front = self.facts().foreground.map(|process| process.pid);
        front.is_some_and(|pid| reader(pid).is_some() && only_member(pid))
    }

    /// Whether a program that is no shell of ours takes single keys and waits for one: a REPL with a line editor.
    pub(crate) fn waits_for_keys(&self) -> bool {
        let Facts { foreground, input, .. } = self.facts();
        let shell = matches!(self.kind(), Kind::Shell(_)).then(|| self.leader()).flatten();
        let pid = foreground.map(|process| process.pid).filter(|pid| input == Input::Raw && Some(*pid) != shell);
        let full_screen = self.screen(|screen| screen.modes().alt_screen).unwrap_or_default();
        !full_screen && pid.is_some_and(waits_for_input)
    }

    /// The process of such a shell, whatever it does now: between two commands it is not at its prompt for a moment.
    pub(crate) fn inner_shell(&self) -> Option<u32> {
        matches!(self.kind(), Kind::Shell(_)).then(|| self.inner_shell_by(&self.facts())).flatten()
    }

    pub(super) fn inner_shell_by(&self, facts: &Facts) -> Option<u32> {
        let Kind::Shell(setup) = self.kind() else { return None };
        let pid = facts.foreground.as_ref()?.pid;
        (!was_started_with(pid, setup.dir.as_os_str()) && is_interactive_shell(pid)).then_some(pid)
    }

    /// The process of such a shell, when a command can be typed to it.
    pub fn guest(&self) -> Option<u32> {
        let Kind::Shell(setup) = self.kind() else { return None };
        // After a restart of the hub nothing is known of it but that no mark has come.
        if !matches!(self.prompt(), Prompt::Busy | Prompt::Starting) {
            return None;
        }
        let Facts { foreground, canonical, .. } = self.facts();
        let pid = foreground?.pid;
        // Our own shell knows its marks, and tells by them when it is ready. They may just not have come yet.
        (!was_started_with(pid, setup.dir.as_os_str()) && waits_at_prompt(pid, canonical)).then_some(pid)
    }
}
