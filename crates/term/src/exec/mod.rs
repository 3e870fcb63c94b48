//! Running a command and knowing that it ended.
//!
//! Two ways, chosen by what was asked: a command in a live shell ([`shell_run`]), whose end is a mark in the
//! output, and one process per command ([`process`]), whose end is its exit. Both give the range of the log that
//! is the command's output, never a copy of it.

mod process;
mod prompt;
mod shell_run;

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use flightdeck_keeper::Exit;

use crate::facts::{Input, waits_at_prompt};
use crate::log::Offset;
use crate::session::{Lost, RecordNumber, Session};

pub use process::wait_for_exit;
pub use prompt::empty_prompt;
pub use shell_run::{Placed, RunError, run_in_shell};

/// How long a cancelled command may take to end by itself.
const CANCEL_GRACE: Duration = Duration::from_secs(2);
/// What Ctrl-C sends.
const SIGINT: i32 = 2;

/// How a bounded run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The command ended; its exit code.
    Code(i32),
    /// The process that ran it is gone: the command itself, or the shell through `exit` or `exec`.
    Process(Exit),
    /// It ended the shell inside of the terminal's own in which it ran, and nobody told with which code.
    InnerShellEnded,
    /// The time was up. The command goes on.
    TimedOut,
    /// It asks for this, and was not waited for any longer.
    Asks(Input),
    /// The disk takes no more of what it prints, so it stands still, and was not waited for any longer.
    Stalled,
    /// The caller gave up; says whether the command still runs all the same.
    Cancelled {
        /// It did not end in time.
        running: bool,
    },
    /// The shell is at its prompt, so the command has ended; but its marks do not come any more, and nobody told with which
    /// code.
    Untold,
    /// What held it is gone.
    Lost(Lost),
}

/// A bounded run as it stands when the waiting is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Where its output begins.
    pub start: Offset,
    /// Where its output ends, as far as there is any.
    pub end: Offset,
    /// The exit code of each stage of the last pipeline, where the shell tells.
    pub stages: Vec<i32>,
    /// How long it took, or has taken so far.
    pub duration: Duration,
    /// The command's record, when it ran in a shell.
    pub record: Option<RecordNumber>,
}

/// How long a command is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Patience {
    /// At most so long.
    pub time: Option<Duration>,
    /// Whether it is over when the command asks for a line or a password, or can only go on by keys.
    pub until_asked: bool,
    /// Whether it is over when the disk takes no more of its output.
    pub until_stalled: bool,
}

/// When nothing was printed for so long, a program may be asking.
const STILL: Duration = Duration::from_millis(300);
/// How often it is looked at after that.
const LOOK: Duration = Duration::from_secs(1);

/// What takes keys is looked at once more after so long: a program that is at work does not wait twice in a row.
const SURE: Duration = Duration::from_millis(200);

/// A program that has the whole screen for so long shows something that goes on until a key ends it, as `top` and `watch` do.
const SHOWN: Duration = Duration::from_secs(1);

/// The shell that a command was typed to.
#[derive(Clone, Copy, Debug)]
struct TypedTo {
    pid: u32,
    /// It is the one that was started in the terminal, and is known by that.
    own: bool,
}

/// Resolves when the command asks for something, if that is of interest.
async fn asked(session: &Session, patience: Patience, typed_to: Option<TypedTo>) -> Input {
    if !patience.until_asked {
        return std::future::pending().await;
    }
    let (mut looked, mut pause) = (Instant::now(), STILL);
    let mut shown: Option<Instant> = None;
    loop {
        let printed = session.printed_at();
        let due = if printed > looked { printed + STILL } else { looked + pause };
        let left = due.saturating_duration_since(Instant::now());
        if !left.is_zero() {
            // What is printed meanwhile wakes nobody, so it is noticed in time.
            tokio::time::sleep(left.min(STILL)).await;
            continue;
        }
        let facts = session.facts();
        // Another program may have taken its place: `exec bash`.
        let shell = typed_to.filter(|shell| !shell.own || session.is_first_program()).map(|shell| shell.pid);
        // A shell without a line editor reads lines at its prompt, too.
        let prompts =
            || shell.is_some_and(|shell| facts.group == Some(shell) && waits_at_prompt(shell, facts.canonical));
        if facts.is_asked() && !prompts() {
            return facts.input;
        }
        if session.goes_on_by_keys(shell) {
            let printed = session.progress().seen;
            tokio::time::sleep(SURE).await;
            if session.progress().seen == printed && session.goes_on_by_keys(shell) {
                return Input::Raw;
            }
        }
        (looked, pause) = (Instant::now(), LOOK);
        shown = session.fills_the_screen(shell).then(|| shown.unwrap_or(looked));
        if shown.is_some_and(|since| since.elapsed() >= SHOWN) {
            return Input::Raw;
        }
    }
}

/// How long a disk may be full before whoever waits is told: it may be so for a moment.
const FULL: Duration = Duration::from_secs(1);

/// Resolves when the disk takes no more of what the command prints, if that is of interest.
async fn stalled(session: &Session, patience: Patience) {
    let mut progress = session.follow_milestones();
    while patience.until_stalled && progress.wait_for(|progress| progress.stalled).await.is_ok() {
        match tokio::time::timeout(FULL, progress.wait_for(|progress| !progress.stalled)).await {
            Ok(Ok(_)) => {}
            Ok(Err(_)) => break,
            Err(_) => return,
        }
    }
    std::future::pending::<()>().await;
}

/// Resolves when the caller no longer wants the result. Never, for most callers.
pub type Cancel = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A cancellation that never comes.
pub fn never() -> Cancel {
    Box::pin(std::future::pending())
}

/// The end of the output. The keeper tells of an exit only when everything printed before is in the log, and the exit is
/// told here only when all of that was seen. So there is nothing to wait for, even when a background child holds the
/// terminal open.
fn log_end(session: &Session) -> Offset {
    session.progress().seen
}
