//! A shell that is not ours at a prompt in the terminal: one that replaced ours, or that was started inside of it.

use super::{Kind, Prompt, Session};
use crate::facts::{Facts, is_interactive_shell, waits_at_prompt, was_started_with};

impl Session {
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
