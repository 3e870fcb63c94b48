//! Questions that a shell asks with single keys: `read` in fish, `read -s -n 8` and `read -e -s` in bash, `read -s -k 8` in zsh.
//!
//! The kernel sees a terminal that takes keys and shows none, as at the shell's prompt. What is typed may be a secret all the
//! same, so it is told from a prompt here, and where that can't be done, it counts as one.

use super::record::Question;
use super::{Kind, Prompt, Session};
use crate::backend::Backend;
use crate::facts::{Facts, Input, Look, Reader, is_shell_for_people, reader, runs_a_script};
use crate::shell::ShellKind;

impl Session {
    /// What the shell in the foreground asks for with single keys; `None` when it may as well be at its prompt.
    pub(super) fn question(&self, facts: &Facts) -> Option<Input> {
        let pid = facts.foreground.as_ref().filter(|_| facts.hides_keys())?.pid;
        let (busy, question, openly, may_hide) = {
            let view = self.lock();
            let tracker = view.tracker();
            (tracker.prompt() == Prompt::Busy, tracker.question(), tracker.asks_openly(), tracker.may_hide())
        };
        // Most shells are at their prompt, and need no further look.
        if self.is_marked() && self.leader() == Some(pid) && !busy {
            return None;
        }
        let hidden = match (self.is_own_shell(pid), question) {
            (true, Some(Question::Open)) => return Some(if openly { Input::Line } else { Input::Password }),
            (true, _) => match reader(pid) {
                Some(Reader::Keys) => true,
                Some(Reader::Readline) => may_hide,
                Some(Reader::Fish) | None => false,
            },
            (false, _) => matches!(reader(pid), Some(Reader::Keys | Reader::Fish)) && runs_a_script(pid),
        };
        hidden.then_some(Input::Password)
    }

    /// Whether what is typed would be read as a password, or may be.
    pub fn asks_for_password(&self) -> bool {
        let Some(tty) = self.tty().filter(|_| self.progress().running()) else { return false };
        let facts = Facts::of(tty, self.backend().and_then(Backend::foreground), &Look::new());
        if facts.input == Input::Password || self.question(&facts) == Some(Input::Password) {
            return true;
        }
        let Some(pid) = facts.foreground.as_ref().filter(|_| facts.hides_keys()).map(|process| process.pid) else {
            return false;
        };
        let (question, openly, may_hide) = {
            let view = self.lock();
            let tracker = view.tracker();
            (tracker.question(), tracker.asks_openly(), tracker.may_hide())
        };
        if self.is_own_shell(pid) {
            // A line was typed, which it may not have taken for the answer.
            question.is_some() && !openly
        } else {
            // Of a shell inside of ours nothing is known but what was typed there.
            may_hide && is_shell_for_people(pid)
        }
    }

    /// Whether this process is the shell that was started here, and tells by its marks what it does.
    pub(super) fn is_own_shell(&self, pid: u32) -> bool {
        self.is_marked() && self.leader() == Some(pid) && self.is_first_program()
    }

    fn is_marked(&self) -> bool {
        matches!(self.kind(), Kind::Shell(setup) if setup.kind != ShellKind::Other)
    }
}
