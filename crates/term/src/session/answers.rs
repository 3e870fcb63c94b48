//! What programs ask their terminal, such as its colours or where the cursor is, and who is told.
//!
//! An answer is typed. Whoever reads next gets it, so it is given only while the program that asked is in the foreground and takes
//! single keys. Otherwise it would stand in the next command: a line editor takes it for keys, and the shell runs what nobody
//! has typed.

use std::time::{Duration, Instant};

use super::{Kind, Prompt, Session};
use crate::backend::{Answers, Backend};
use crate::facts::{Modes, edits_lines, is_interactive_shell};
use crate::screen::plain;
use crate::shell::ShellKind;

/// A program may ask first and then set up its terminal, within so long.
const PATIENCE: Duration = Duration::from_millis(250);
/// More than this waiting means that nobody reads it.
const LIMIT: usize = 64 * 1024;
/// What a prompt shows of itself behind its end is short.
const SHOWN: u64 = 64 * 1024;

/// Answers that are not given yet.
#[derive(Debug)]
pub(super) struct Owed {
    bytes: Vec<u8>,
    /// Who was in the foreground when the question was seen.
    group: Option<u32>,
    since: Instant,
}

/// What is to be done with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Give,
    /// The one who asks may be about to read it.
    Wait,
    /// Nobody who has asked would read it.
    Drop,
}

impl Session {
    /// Takes in answers to what was just asked, and gives them if somebody reads them.
    pub(super) fn owe(&self, replies: &[u8]) {
        let Some(backend) = self.backend().filter(|backend| backend.answers() == Answers::Ours) else { return };
        let group = backend.foreground();
        {
            let mut view = self.lock();
            let owed = view.owed().get_or_insert_with(|| Owed { bytes: Vec::new(), group, since: Instant::now() });
            if owed.group != group {
                *owed = Owed { bytes: Vec::new(), group, since: Instant::now() };
            }
            if owed.bytes.len() + replies.len() <= LIMIT {
                owed.bytes.extend_from_slice(replies);
            }
        }
        self.answer();
    }

    /// Gives the answers that are owed, as soon as somebody reads them. Says whether there are any left.
    pub(crate) fn answer(&self) -> bool {
        let Some((group, since)) = self.lock().owed().as_ref().map(|owed| (owed.group, owed.since)) else {
            return false;
        };
        let verdict = match self.backend() {
            Some(backend) if self.progress().running() => self.verdict(backend, group),
            _ => Verdict::Drop,
        };
        let mut view = self.lock();
        match verdict {
            Verdict::Wait if since.elapsed() < PATIENCE => return true,
            Verdict::Wait | Verdict::Drop => *view.owed() = None,
            Verdict::Give => {
                if let Some((owed, backend)) = view.owed().take().zip(self.backend()) {
                    view.tracker_mut().answered();
                    // A program that asks and does not read its input loses the answer, as on any terminal.
                    let _ = backend.write(&owed.bytes);
                }
            }
        }
        false
    }

    fn verdict(&self, backend: &dyn Backend, group: Option<u32>) -> Verdict {
        let Some(front) = backend.foreground().filter(|front| Some(*front) == group) else { return Verdict::Drop };
        if backend.tty().and_then(Modes::of).is_none_or(Modes::is_canonical) {
            return Verdict::Wait;
        }
        let setup = match self.kind() {
            Kind::Shell(setup) if Some(front) == self.leader() => setup,
            // The line editors of bash and zsh ask nothing: the program is gone that did.
            _ if is_interactive_shell(front) && edits_lines(front) => return Verdict::Drop,
            _ => return Verdict::Give,
        };
        // By its marks, not by who is in front: that is the shell itself.
        let runs = self.lock().tracker().prompt() == Prompt::Busy;
        match setup.kind {
            ShellKind::Bash if edits_lines(front) => Verdict::Drop,
            // A builtin asks, or the command is over and its mark on the way.
            ShellKind::Other if runs => Verdict::Wait,
            _ if runs && edits_lines(front) => Verdict::Wait,
            _ => Verdict::Give,
        }
    }

    /// Whether an answer that nobody has read may stand at the prompt. It shows there, if it does.
    pub fn may_hold_answers(&self) -> bool {
        let Some(prompt_end) = self.lock().tracker().answered_before() else { return false };
        if self.tty().and_then(Modes::of).is_none_or(Modes::is_canonical) {
            // The kernel holds what is no whole line, and tells nobody.
            return true;
        }
        let seen = self.progress().seen;
        let shown = self.log().read(prompt_end, Some(seen), SHOWN as usize);
        let is_empty = seen.since(prompt_end) < SHOWN && shown.is_ok_and(|shown| plain(&shown.bytes).trim().is_empty());
        !is_empty || self.leader().is_some_and(crate::facts::has_unread_input)
    }
}
