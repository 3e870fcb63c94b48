//! Questions that a shell asks with single keys: `read` in fish, `read -s -n 8` and `read -e -s` in bash, `read -s -k 8` in zsh.
//!
//! The kernel sees a terminal that takes keys and shows none, as at the shell's prompt. What is typed may be a secret all the
//! same, so it is told from a prompt here, and where that can't be done, it counts as one.

use super::record::Question;
use super::{Kind, Prompt, Session};
use crate::backend::Backend;
use crate::facts::{Facts, Input, Look, Modes, Reader, is_shell_for_people, reader, runs_a_script};
use crate::shell::ShellKind;

/// What the marks and what was typed tell of a question.
struct Told {
    busy: bool,
    question: Option<Question>,
    /// What runs is known to show what is typed.
    openly: bool,
    may_hide: bool,
}

impl Session {
    /// What the shell in the foreground asks for with single keys; `None` when it may as well be at its prompt.
    pub(super) fn question(&self, facts: &Facts) -> Option<Input> {
        facts.hides_keys().then(|| self.question_as(facts, &self.told()))?
    }

    /// The same for keys that are not shown.
    fn question_as(&self, facts: &Facts, told: &Told) -> Option<Input> {
        let pid = facts.foreground.as_ref()?.pid;
        // Most shells are at their prompt, and need no further look.
        if self.is_marked() && self.leader() == Some(pid) && !told.busy {
            return None;
        }
        let hidden = match (self.is_own_shell(pid), told.question) {
            (true, Some(Question::Open)) => return Some(if told.openly { Input::Line } else { Input::Password }),
            (true, _) => match reader(pid) {
                Some(Reader::Keys) => true,
                Some(Reader::Readline) => told.may_hide,
                Some(Reader::Fish) | None => false,
            },
            (false, _) => matches!(reader(pid), Some(Reader::Keys | Reader::Fish)) && runs_a_script(pid),
        };
        hidden.then_some(Input::Password)
    }

    /// Whether what is typed would be read as a password, or may be.
    pub fn asks_for_password(&self) -> bool {
        let Some(tty) = self.tty().filter(|_| self.progress().running()) else { return false };
        let (told, group) = (self.told(), self.backend().and_then(Backend::foreground));
        let nothing_asked = !told.busy && told.question.is_none() && !told.may_hide;
        if nothing_asked && self.is_marked() && group.is_some() && group == self.leader() {
            // At its prompt, as before most commands, only the kernel hides what is typed: no process need be looked at.
            return Modes::of(tty).is_some_and(Modes::hide_a_line);
        }
        let facts = Facts::of(tty, group, &Look::new());
        if !facts.hides_keys() {
            return facts.input == Input::Password;
        }
        if self.question_as(&facts, &told) == Some(Input::Password) {
            return true;
        }
        let Some(pid) = facts.foreground.as_ref().map(|process| process.pid) else { return false };
        if self.is_own_shell(pid) {
            // A line was typed, which it may not have taken for the answer.
            told.question.is_some() && !told.openly
        } else {
            // Of a shell inside of ours nothing is known but what was typed there.
            told.may_hide && is_shell_for_people(pid)
        }
    }

    fn told(&self) -> Told {
        let view = self.lock();
        let tracker = view.tracker();
        Told {
            busy: tracker.prompt() == Prompt::Busy,
            question: tracker.question(),
            openly: tracker.asks_openly(),
            may_hide: tracker.may_hide(),
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
