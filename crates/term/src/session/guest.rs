//! A shell that is not ours at a prompt in the terminal: one that replaced ours, or that was started inside of it.

use std::time::Duration;

use rustix::termios::{LocalModes, SpecialCodeIndex, tcgetattr};

use super::{Kind, Prompt, Session};
use crate::facts::{
    Facts, Input, Look, Proof, group_waits_for_keys, has_unread_input, is_interactive_shell, is_shell_for_people,
    only_member, parent_of, reader, reads_its_terminal, runs_a_script, waits_at_prompt, waits_for_input,
    was_started_with,
};
use crate::shell::ShellKind;

/// More shells inside of each other are not looked through.
const DEEPEST: usize = 64;
const VMIN: SpecialCodeIndex = SpecialCodeIndex::VMIN;
/// A shell that waits at its prompt for so long, and all of whose output was seen, has told all that it tells.
pub(super) const TOLD: Duration = Duration::from_secs(1);

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
    pub(crate) fn is_first_program(&self) -> bool {
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

    /// Whether a command can only go on by keys, of a REPL, a pager or an editor: it takes single keys, and all of its processes
    /// wait for one, or for the one that does. `shell`: the one that it was typed to.
    ///
    /// A program that is at work may look at its keyboard now and then, or beside other things. One that waits for a paste is a
    /// line editor, and one that stands behind a prompt asks; any other one must wait for its terminal alone.
    pub(crate) fn goes_on_by_keys(&self, shell: Option<u32>) -> bool {
        let Facts { group, input, .. } = self.facts();
        let Some(group) = group.filter(|group| input == Input::Raw && Some(*group) != shell) else { return false };
        let shown = self.screen(|screen| {
            let cursor = screen.cursor();
            let prompts = cursor.visible && cursor.col > 0 && !screen.row_text(cursor.row).trim().is_empty();
            (screen.modes().bracketed_paste, prompts)
        });
        let proof = match shown {
            Some((true, _)) => Proof::Among,
            Some((_, true)) => Proof::Clock,
            // Where a read may end with nothing, it has a time limit.
            _ if self.tty().and_then(|tty| tcgetattr(tty).ok()).is_some_and(|modes| modes.special_codes[VMIN] > 0) => {
                Proof::Alone
            }
            _ => return false,
        };
        group_waits_for_keys(group, proof, &Look::new())
    }

    /// Whether the terminal makes signals of Ctrl-Z and Ctrl-\, as terminals do unless somebody has set them up otherwise.
    pub fn makes_signals(&self) -> bool {
        let codes = [(SpecialCodeIndex::VSUSP, 0x1a), (SpecialCodeIndex::VQUIT, 0x1c)];
        let modes = self.tty().and_then(|tty| tcgetattr(tty).ok());
        modes.is_some_and(|modes| {
            modes.local_modes.contains(LocalModes::ISIG)
                && codes.iter().all(|(index, code)| modes.special_codes[*index] == *code)
        })
    }

    /// Whether a program draws on the whole screen and takes single keys, whether or not it waits for one now. Those that show
    /// how they get on and end by themselves want no keys. `shell`: the one that it was typed to.
    pub(crate) fn fills_the_screen(&self, shell: Option<u32>) -> bool {
        let is_drawn = self.screen(|screen| screen.modes().alt_screen || screen.modes().application_cursor);
        let Facts { group, input, .. } = self.facts();
        is_drawn == Some(true) && input == Input::Raw && group.is_some() && group != shell
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
        // Our own shell tells by its marks when it is ready, unless somebody has taken them from it. A question with its line
        // editor looks the same.
        let is_ours = was_started_with(pid, setup.dir.as_os_str());
        (waits_at_prompt(pid, canonical) && (!is_ours || !self.lock().tracker().may_ask() && self.tells_nothing(pid)))
            .then_some(pid)
    }

    /// Whether our own shell is at its prompt and its marks do not come any more: of a bash, somebody has set
    /// `PROMPT_COMMAND`, of a zsh `precmd_functions`.
    pub(crate) fn is_unmarked(&self) -> bool {
        self.leader().is_some_and(|leader| self.guest() == Some(leader) && self.is_first_program())
    }

    /// Whether all that a shell at its prompt has printed was seen, and it has read all that was typed. A mark that was on its
    /// way would have come.
    fn tells_nothing(&self, pid: u32) -> bool {
        self.is_all_seen() && self.printed_at().elapsed() >= TOLD && !has_unread_input(pid)
    }

    /// Whether all that was printed until now was taken in.
    pub(super) fn is_all_seen(&self) -> bool {
        // In that order: what is read meanwhile is in the log then, and would be in neither place the other way round.
        if self.has_unread_output() {
            return false;
        }
        let end = self.log().bounds().map(|(_, end)| end);
        end.is_ok_and(|end| end == self.progress().seen)
    }
}
