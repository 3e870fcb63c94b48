//! Whether the end of a command that a mark tells is true.
//!
//! A program that the shell has started can print any mark, also one with the right nonce. It can't make the shell wait at its
//! prompt. So the end holds when the kernel says that the shell is in the foreground and blocked in waiting for its terminal,
//! and everything that was printed before that has been seen: the last mark is then the shell's own.

use std::time::{Duration, Instant};

use super::record::Teller;
use super::{Kind, Session};
use crate::backend::{Answers, Backend};
use crate::facts::{Facts, Look, Modes, is_at_prompt, is_back_at_prompt, is_running, parent_of};
use crate::log::Offset;
use crate::shell::ShellKind;

/// A keeper that has not rested for so long reads what others print.
const NEVER_RESTS: Duration = Duration::from_millis(50);

/// How long a shell is looked at that was taken up, and how often.
const TAKEN_UP: Duration = Duration::from_millis(250);
const LOOK: Duration = Duration::from_millis(2);

/// What came of a look at an end that a mark has told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// There is none, or it was borne out.
    Nothing,
    /// The shell is not seen at its prompt. It may be a moment from it, or somebody else has printed the mark.
    NotYet,
}

/// The shell that must have told an end was seen at its prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    pub teller: Teller,
    /// What was printed by then ends here. The last end that was told up to this place is the shell's.
    pub to: Offset,
    /// When that was.
    pub seen: Instant,
}

impl Session {
    /// Looks whether the end that a mark has told is true.
    pub(crate) fn settle(&self) -> Settled {
        let Some(claimed) = self.lock().tracker().claimed().filter(|_| self.progress().running()) else {
            return Settled::Nothing;
        };
        let teller = claimed.teller;
        let ((mut proof, since), contested) = {
            let mut view = self.lock();
            (view.proof_of(teller), view.tracker().is_contested())
        };
        if proof.is_none() || contested {
            let seen = Instant::now();
            if !self.is_back(teller) {
                proof = None;
            } else if proof.is_none() {
                // In that order: what the shell printed before it waited has been printed. Others may print on and on.
                proof = self.printed_to(since).map(|to| Proof { teller, to, seen });
            }
        }
        let Some(marks) = self.lock().settle(proof) else { return Settled::NotYet };
        self.publish(|progress| progress.marks = marks);
        Settled::Nothing
    }

    /// The same until it is known, for a session whose output was read after the fact: its shell may tell nothing more. One that
    /// is not in the foreground does.
    pub(crate) fn settle_taken_up(&self) {
        let began = Instant::now();
        let is_front = || self.leader().is_some_and(|pid| self.backend().and_then(Backend::foreground) == Some(pid));
        while self.settle() == Settled::NotYet && is_front() && began.elapsed() < TAKEN_UP {
            std::thread::sleep(LOOK);
        }
    }

    /// The shell is gone. What it has told last of the end of a command is where that has ended.
    pub(crate) fn settle_last(&self) {
        let mut view = self.lock();
        if let Some(claimed) = view.tracker().claimed() {
            let to = view.position();
            view.settle_at(claimed.teller, to);
        }
    }

    /// How much has been printed, whether or not it is in the log. Nothing when that can't be told now.
    fn printed_to(&self, since: Instant) -> Option<Offset> {
        let (_, before) = self.log().bounds().ok()?;
        let unread = self.unread_output();
        // Whoever reads it may hold some of it that is in neither place. One that never rests reads for others.
        if since.elapsed() < NEVER_RESTS && self.reader().is_some_and(is_running) {
            return None;
        }
        let (_, end) = self.log().bounds().ok()?;
        // What was read meanwhile would count twice.
        match unread {
            0 => Some(end),
            _ => (before == end).then(|| end + unread),
        }
    }

    /// The keeper, which holds our terminals and has started what is in them.
    fn reader(&self) -> Option<u32> {
        let ours = self.backend().filter(|backend| backend.answers() == Answers::Ours);
        ours.and_then(|backend| parent_of(backend.leader()))
    }

    /// Whether a mark has told an end that is not known to be true.
    pub(crate) fn is_settling(&self) -> bool {
        self.lock().tracker().claimed().is_some()
    }

    /// Whether the shell that must have told this waits for a command.
    fn is_back(&self, teller: Teller) -> bool {
        let Kind::Shell(setup) = self.kind() else { return false };
        let front = self.backend().and_then(Backend::foreground);
        match (teller, self.leader()) {
            (_, None) => false,
            (Teller::Own { .. }, Some(leader)) => {
                front.is_none_or(|front| front == leader) && {
                    let canonical = self.tty().and_then(Modes::of).is_some_and(Modes::is_canonical);
                    let may_ask = self.lock().tracker().may_ask();
                    is_back_at_prompt(setup.kind, leader, canonical, may_ask)
                }
            }
            // How one waits that is of no known kind is not known either.
            (Teller::Told, Some(leader)) if setup.kind == ShellKind::Other && front == Some(leader) => true,
            (Teller::Told, Some(_)) => {
                let Some(tty) = self.tty() else { return false };
                let Facts { foreground, canonical, .. } = Facts::of(tty, front, &Look::new());
                foreground.is_some_and(|process| is_at_prompt(process.pid, canonical))
            }
        }
    }
}
