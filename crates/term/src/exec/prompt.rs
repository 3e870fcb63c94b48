//! Getting a shell to an empty prompt, so that a command can be typed there and nothing else becomes a part of it.

use std::time::{Duration, Instant};

use super::shell_run::{RunError, SETTLED};
use crate::session::{Kind, Prompt, Session, ShellSetup};
use crate::shell::ShellKind;

/// How long a shell that is not ours must wait at its prompt before it is believed.
pub(super) const SURE: Duration = Duration::from_millis(40);
/// What Ctrl-C types.
const INTERRUPT: &[u8] = b"\x03";
/// How many bytes a terminal shows of it (`^C`). A shell that has taken it shows its prompt again.
const ECHO: u64 = 2;
/// How long a shell may take to show its prompt again after that.
const DROPPED: Duration = Duration::from_secs(5);
/// How long it usually takes at the most. See [`drop_line`].
const NOTICED: Duration = Duration::from_millis(250);
/// How long a shell at a new prompt is given to read a line that was typed before it came. A program may have read it.
const TYPED_AHEAD: Duration = Duration::from_millis(100);

/// Which shell waits for the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ready {
    /// The one that was started in the terminal.
    Own {
        /// Something was typed there already that has to be cleared first.
        typed: bool,
    },
    /// One that prints no marks; the plain markers will do.
    Guest {
        /// Something may stand at its prompt.
        typed: bool,
    },
}

impl Ready {
    /// A shell of which nothing is known but what was typed since the last command.
    fn guest(session: &Session) -> Self {
        Ready::Guest { typed: !session.is_untouched() || session.is_typed_into_by_others() }
    }
}

/// Waits for the prompt.
pub(super) async fn ready(session: &Session, setup: &ShellSetup, patience: Duration) -> Result<Ready, RunError> {
    if setup.kind == ShellKind::Other {
        return if session.progress().running() { Ok(Ready::Own { typed: false }) } else { Err(RunError::Ended) };
    }
    let mut progress = session.follow();
    let began = Instant::now();
    // A line that somebody has just typed there is run first, and not dropped.
    let entered = session.is_entered();
    let mut at_prompt = (session.marks(), Instant::now());
    loop {
        if !progress.borrow_and_update().running() {
            return Err(RunError::Ended);
        }
        match session.prompt() {
            Prompt::Ready { typed } if session.is_entered() && began.elapsed() < patience => {
                if at_prompt.0 != session.marks() {
                    at_prompt = (session.marks(), Instant::now());
                }
                let most = if typed { SETTLED } else { TYPED_AHEAD };
                let left = most.saturating_sub(at_prompt.1.elapsed());
                if left.is_zero() || tokio::time::timeout(left, progress.changed()).await.is_err() {
                    session.forget_entered();
                }
                continue;
            }
            Prompt::Ready { typed } => {
                session.forget_entered();
                return Ok(Ready::Own { typed });
            }
            Prompt::Busy | Prompt::Starting if guest_waits(session).await => return Ok(Ready::guest(session)),
            Prompt::Busy if entered && began.elapsed() < SETTLED => {
                let _ = tokio::time::timeout(SETTLED.saturating_sub(began.elapsed()), progress.changed()).await;
                continue;
            }
            // One that has told the end of a command is on its way to its prompt, or a program has printed that.
            Prompt::Busy if session.is_settling() && began.elapsed() < patience.min(SETTLED) => {
                let left = patience.min(SETTLED).saturating_sub(began.elapsed());
                let _ = tokio::time::timeout(left, progress.changed()).await;
                continue;
            }
            // A shell without marks that has just ended a command is on its way back to its prompt.
            Prompt::Busy if began.elapsed() < SETTLED && rests(session) => {
                tokio::time::sleep(SURE).await;
                continue;
            }
            // It may have come to its prompt while that was looked at.
            Prompt::Busy if session.prompt() == Prompt::Busy => return Err(busy(session)),
            Prompt::Busy => continue,
            Prompt::Starting => {}
        }
        let left = patience.saturating_sub(began.elapsed());
        // A shell without marks tells nothing when it comes to its prompt.
        match tokio::time::timeout(left.min(SETTLED), progress.changed()).await {
            Ok(Err(_)) => return Err(RunError::Ended),
            Err(_) if began.elapsed() >= patience => return Err(RunError::NoPrompt { waited: patience }),
            Ok(Ok(())) | Err(_) => {}
        }
    }
}

/// Drops what was typed at the prompt and not run. A line that goes on in the next (`rm -rf x \`) is more than clearing
/// the line would reach, and the command would become a part of it.
///
/// A signal that comes while bash's line editor is at work, and not while it waits for a key, is kept until something else
/// interrupts it, and the line stays; so it is sent once more.
pub(super) async fn drop_line(session: &Session, setup: &ShellSetup, ready: Ready) -> Result<(), RunError> {
    match ready {
        // fish has all lines of a command in its editor, which is emptied as a whole.
        Ready::Own { typed: true } if setup.kind == ShellKind::Fish => return Ok(()),
        Ready::Own { typed: false } | Ready::Guest { typed: false } => return Ok(()),
        Ready::Own { typed: true } | Ready::Guest { typed: true } => {}
    }
    let marks = session.marks();
    let mut progress = session.follow();
    let before = progress.borrow_and_update().seen;
    session.write(INTERRUPT).await?;
    let dropped = async {
        if matches!(ready, Ready::Guest { .. }) || setup.kind == ShellKind::Other {
            // On a busy machine it still waits for a line when the signal is on its way, and would drop the command with it.
            let prompts = progress.wait_for(|now| !now.running() || now.seen.since(before) > ECHO);
            let _ = tokio::time::timeout(SETTLED, prompts).await;
            while !matches!(session.prompt(), Prompt::Ready { .. }) && !guest_waits(session).await {
                tokio::time::sleep(SURE).await;
            }
            return true;
        }
        let mut again = false;
        // Not inside of `wait_for`: that holds a lock which what is asked here takes too.
        while progress.borrow_and_update().running() {
            // The second one counts as typed; whoever types next clears the line first.
            let empty = matches!(session.prompt(), Prompt::Ready { typed } if again || !typed);
            if session.marks() > marks && empty {
                if again {
                    // Each of the two may bring a prompt, and what is typed between them would be lost.
                    tokio::time::sleep(NOTICED).await;
                }
                return true;
            }
            match tokio::time::timeout(NOTICED, progress.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => break,
                Err(_) => {
                    again = true;
                    if session.write(INTERRUPT).await.is_err() {
                        break;
                    }
                }
            }
        }
        false
    };
    match tokio::time::timeout(DROPPED, dropped).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(RunError::Ended),
        Err(_) => Err(RunError::NoPrompt { waited: DROPPED }),
    }
}

/// Brings a shell to an empty prompt, whatever somebody has half typed there. `Busy` when one that prints no marks is not
/// seen to wait at a prompt.
pub async fn empty_prompt(session: &Session) -> Result<(), RunError> {
    let Kind::Shell(setup) = session.kind() else { return Err(RunError::NotAShell) };
    let waits = async {
        loop {
            // One that has just ended a command is on its way to its prompt.
            if matches!(session.prompt(), Prompt::Ready { .. }) {
                return Ready::Own { typed: true };
            }
            if guest_waits(session).await {
                return Ready::Guest { typed: true };
            }
            tokio::time::sleep(SURE).await;
        }
    };
    let ready = tokio::time::timeout(SETTLED, waits).await.map_err(|_| busy(session))?;
    drop_line(session, setup, ready).await?;
    match ready {
        Ready::Own { .. } => Ok(session.clear_line().await?),
        Ready::Guest { .. } => Ok(()),
    }
}

/// Whether a shell that is not ours waits for a command, and does so for more than a moment.
async fn guest_waits(session: &Session) -> bool {
    let Some(guest) = session.guest() else { return false };
    let seen = session.progress().seen;
    tokio::time::sleep(SURE).await;
    session.guest() == Some(guest) && session.progress().seen == seen
}

/// Whether the last command has ended.
fn rests(session: &Session) -> bool {
    session.records().last().is_some_and(|record| record.end.is_some())
}

pub(super) fn busy(session: &Session) -> RunError {
    let command = session.records().pop().filter(|record| record.end.is_none()).and_then(|record| record.text);
    RunError::Busy { command, asks: session.facts().is_asked() }
}
