//! A shell that is not ours at a prompt in the terminal: one that replaced ours, or that was started inside of it.

use super::{Kind, Prompt, Session};
use crate::backend::Whose;
use crate::facts::{
    Facts, Input, is_interactive_shell, reads_terminal, waits_at_prompt, waits_for_input, was_started_with,
};

impl Session {
    /// Whether the shell itself asks for a line, with `read`: what is typed is the answer, and no command.
    pub fn shell_asks(&self) -> bool {
        let (Kind::Shell(setup), Whose::Ours, Some(leader)) = (self.kind(), self.whose(), self.leader()) else {
            return false;
        };
        let Facts { group, canonical, .. } = self.facts();
        // By its marks it is not at its prompt, and no other shell has taken its place.
        let is_itself = group == Some(leader) && was_started_with(leader, setup.dir.as_os_str());
        canonical && is_itself && self.prompt() == Prompt::Busy && reads_terminal(leader)
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
