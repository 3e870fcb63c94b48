//! A command in a live shell: delivered at the prompt, its output exactly what lies between the marks.

use std::convert::Infallible;
use std::fs::OpenOptions;
use std::future::poll_fn;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use flightdeck_keeper::{Exit, Target};

use super::process::sleep_for;
use super::prompt::{Ready, SURE, busy, drop_line, ready};
use super::{CANCEL_GRACE, Cancel, Ending, Outcome, Patience, SIGINT, TypedTo, asked, log_end, stalled};
use crate::facts::start_time;
use crate::session::{InputError, Kind, Lost, PendingRun, Session, ShellSetup};
use crate::shell::{DeliverError, Delivery, MEND, RunId, ShellKind, deliver, end_name};

/// After so long a command is looked at that did not stop.
const AGAIN: Duration = Duration::from_millis(300);
/// How long a shell that prints no marks may take to come back to its prompt.
pub(super) const SETTLED: Duration = Duration::from_secs(1);
/// How long a fresh shell may take to show its first prompt.
const FIRST_PROMPT: Duration = Duration::from_secs(20);

/// Why a command was not started.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Somebody else types there now.
    #[error("somebody else has taken the controls")]
    Refused,
    /// The session holds one command, not a shell.
    #[error("this is the terminal of a single command, not a shell: start a new terminal to run commands in")]
    NotAShell,
    /// Another command is at work.
    #[error("the terminal is busy{}: {}", quoted(.command.as_deref()), advice(*.asks))]
    Busy {
        /// What it is doing.
        command: Option<String>,
        /// Whether it waits for input.
        asks: bool,
    },
    /// The shell never showed a prompt.
    #[error("the shell showed no prompt within {} s: look at its screen, it may ask something", .waited.as_secs())]
    NoPrompt {
        /// How long it was waited for.
        waited: Duration,
    },
    /// The shell is over.
    #[error("the terminal has ended: start a new one")]
    Ended,
    /// The text is no command.
    #[error(transparent)]
    Deliver(#[from] DeliverError),
    /// The terminal did not take the command.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file that carries the command could not be written.
    #[error("cannot hand the command over by file {path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

fn quoted(command: Option<&str>) -> String {
    command.map_or_else(String::new, |text| format!(" with `{}`", text.lines().next().unwrap_or_default().trim_end()))
}

fn advice(asks: bool) -> &'static str {
    if asks {
        "it waits for input, so answer it, interrupt it with C-c, or use another terminal"
    } else {
        "wait for it, interrupt it with C-c, or use another terminal"
    }
}

/// Where a command is on its way to the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It stands in line behind another one.
    InLine,
    /// It has begun.
    Begun,
}

/// Runs a command in the session's shell and waits for its end, as long as there is patience.
///
/// `may_type` is asked at the last moment; `is_obscure` whether something may stand at the prompt that this session has
/// not seen typed there. `note` keeps the command for the next hub, as soon as the shell has it; `placed` is called when the
/// command has begun, or stands in line behind another one. Commands of several callers run one after the other, in the
/// order in which they came. The time that one waits for its turn counts.
pub async fn run_in_shell(
    session: &Session,
    mut run: PendingRun,
    (may_type, is_obscure): (impl Fn() -> bool, impl Fn() -> bool),
    (note, placed): (impl FnOnce(&PendingRun) -> io::Result<()>, impl Fn(Placed)),
    patience: Patience,
    cancel: Cancel,
) -> Result<Outcome, RunError> {
    let timeout = patience.time;
    let Kind::Shell(setup) = session.kind() else { return Err(RunError::NotAShell) };
    let began = Instant::now();
    let _turn = match session.runs.try_lock() {
        Ok(turn) => turn,
        Err(_) => in_line(session, timeout, &placed).await?,
    };
    let ready = match ready(session, setup, timeout.unwrap_or(FIRST_PROMPT).min(FIRST_PROMPT)).await? {
        Ready::Own { typed } => Ready::Own { typed: typed || is_obscure() || session.may_hold_answers() },
        Ready::Guest { typed } => Ready::Guest { typed: typed || is_obscure() },
    };
    // Asked before anything is pressed and once more before the command is typed: somebody may have taken the controls.
    if !may_type() {
        return Err(RunError::Refused);
    }
    // Our own shell, without its marks. It may print some of them when the line is dropped.
    let is_unmarked = matches!(ready, Ready::Guest { .. }) && session.is_unmarked();
    drop_line(session, setup, ready).await?;
    let left = timeout.map(|timeout| timeout.saturating_sub(began.elapsed()));

    let PendingRun { run: id, text, .. } = run.clone();
    let (kind, typed_before) = match ready {
        Ready::Own { typed } => (setup.kind, typed || session.is_typed_into_by_others()),
        Ready::Guest { typed } => (ShellKind::Other, typed),
    };
    let mut delivery = deliver(kind, &text, &id, &setup.dir, &setup.nonce, typed_before)?;
    if let Delivery::File { contents, .. } = &mut delivery
        && is_unmarked
    {
        contents.splice(..0, MEND.iter().copied());
    }
    let Handed { line, file, end_file } = Handed::of(delivery, setup)?;
    if !may_type() {
        return Err(RunError::Refused);
    }
    // From here on it is this command's turn, so its marks can only come after what has been seen.
    run.from = session.progress().seen;
    // The shell that it is typed to. It takes keys as well, until it has read the line.
    let own = matches!(ready, Ready::Own { .. }) && setup.kind != ShellKind::Other;
    let mut shell = session.leader().map(|pid| TypedTo { pid, own });
    let inner = match ready {
        Ready::Own { .. } => {
            session.expect_run(run.clone());
            None
        }
        Ready::Guest { .. } => {
            // Before it gets the command: it may be gone at once.
            let inner = session.inner_shell().and_then(|pid| Some((pid, start_time(pid)?)));
            shell = inner.map(|(pid, _)| TypedTo { pid, own: false }).or(shell);
            session.expect_guest_run(run.clone());
            inner
        }
    };
    let started = Instant::now();
    if let Err(error) = session.write(&line).await
        && !has_run(session, &id, &error).await
    {
        session.forget_run();
        return Err(error.into());
    }
    // The shell needs it when the command ends, whether there is a hub then or not.
    let end_file = end_file.map(RunFile::leave);
    // While the shell is at work already. A note that can't be written costs the next hub the name of the caller.
    let _ = note(&run);
    let ending = tokio::select! {
        ending = ended(session, &id) => ending,
        never = tell_begun(session, &id, &placed) => match never {},
        ending = inner_shell_ended(session, &id, inner) => ending,
        ending = untold(session) => ending,
        () = sleep_for(left) => Ending::TimedOut,
        input = asked(session, patience, shell) => Ending::Asks(input),
        () = stalled(session, patience) => Ending::Stalled,
        () = cancel => interrupt(session, &id).await,
    };
    let outcome = outcome(session, &run, ending, started);
    // A shell that has not begun yet still needs the file that carries the command.
    if let Some(file) = file
        .filter(|_| outcome.record.is_none() && matches!(ending, Ending::TimedOut | Ending::Asks(_) | Ending::Stalled))
    {
        file.leave();
    }
    let is_over = matches!(ending, Ending::Code(_) | Ending::Process(_) | Ending::InnerShellEnded | Ending::Untold);
    if let Some(path) = end_file.filter(|_| is_over) {
        // What is left goes with the terminal's folder.
        let _ = std::fs::remove_file(path);
    }
    Ok(outcome)
}

/// Waits behind other commands.
async fn in_line<'a>(
    session: &'a Session,
    timeout: Option<Duration>,
    placed: &impl Fn(Placed),
) -> Result<tokio::sync::MutexGuard<'a, ()>, RunError> {
    // Its place is taken with the first poll, which must not be put off.
    let mut turn = pin!(tokio::task::unconstrained(session.runs.lock()));
    if let Poll::Ready(turn) = poll_fn(|context| Poll::Ready(turn.as_mut().poll(context))).await {
        return Ok(turn);
    }
    placed(Placed::InLine);
    match timeout {
        Some(timeout) => tokio::time::timeout(timeout, turn).await.map_err(|_| busy(session)),
        None => Ok(turn.await),
    }
}

/// Tells that the command has begun: what is typed now is not for the prompt. A shell that does not say so is given a moment.
async fn tell_begun(session: &Session, run: &RunId, placed: &impl Fn(Placed)) -> Infallible {
    let mut progress = session.follow_milestones();
    let begun = async {
        while session.record_of(run).is_none() {
            if progress.changed().await.is_err() {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(SETTLED, begun).await;
    placed(Placed::Begun);
    std::future::pending().await
}

/// Resolves when the run's end mark has come, or there is nothing left that could print it.
async fn ended(session: &Session, run: &RunId) -> Ending {
    let mut progress = session.follow_milestones();
    loop {
        let now = *progress.borrow_and_update();
        if let Some(code) = session.record_of(run).and_then(|record| record.exit) {
            return leaving(session).await.map_or(Ending::Code(code), Ending::Process);
        }
        if let Some(lost) = now.lost {
            return Ending::Lost(lost);
        }
        if let Some(exit) = now.exit {
            session.settle_last();
            return Ending::Process(exit);
        }
        if progress.changed().await.is_err() {
            return Ending::Lost(Lost::Keeper);
        }
    }
}

/// Resolves when the shell inside of ours is gone that the command was typed to: it can't tell the end any more.
async fn inner_shell_ended(session: &Session, run: &RunId, shell: Option<(u32, u64)>) -> Ending {
    let Some((shell, began)) = shell else { return std::future::pending().await };
    while start_time(shell) == Some(began) {
        tokio::time::sleep(SURE).await;
    }
    // The mark may be on its way: of the end, or of our own shell, which knows the code.
    if let Ok(ending) = tokio::time::timeout(SETTLED, ended(session, run)).await {
        return ending;
    }
    session.inner_shell_ended();
    Ending::InnerShellEnded
}

/// Whether a command has begun although writing it has failed: it may end the shell before the write is through.
async fn has_run(session: &Session, run: &RunId, error: &InputError) -> bool {
    let is_over = matches!(error, InputError::Ended);
    is_over && tokio::time::timeout(SETTLED, ended(session, run)).await.is_ok() && session.record_of(run).is_some()
}

/// Resolves when our own shell is at its prompt although it has not told the end.
async fn untold(session: &Session) -> Ending {
    loop {
        tokio::time::sleep(SETTLED).await;
        // Not twice in a row: what it prints and reads is looked at with it.
        if session.is_unmarked() {
            session.end_untold();
            return Ending::Untold;
        }
    }
}

/// How the shell itself ended, if the command was its last one.
///
/// Only fish tells the end of `exit` before it goes. What it does next decides: it prompts, or it is gone.
async fn leaving(session: &Session) -> Option<Exit> {
    if !matches!(session.kind(), Kind::Shell(setup) if setup.kind == ShellKind::Fish) {
        return None;
    }
    let mut progress = session.follow_milestones();
    let next = progress.wait_for(|p| !p.running() || session.is_prompting());
    match tokio::time::timeout(FIRST_PROMPT, next).await {
        Ok(Ok(progress)) => progress.exit,
        _ => None,
    }
}

/// Does what Ctrl-C does, and waits a little for it to work.
async fn interrupt(session: &Session, run: &RunId) -> Ending {
    let began = Instant::now();
    loop {
        let struck = session.facts().front();
        // Gone already is what we want.
        let _ = session.signal(SIGINT, Target::Foreground);
        // Between two commands of a loop, or before a new process has become its program, a signal hits nobody. Only
        // then there is another one: many programs take a second one as the order to leave everything behind.
        loop {
            let left = CANCEL_GRACE.saturating_sub(began.elapsed());
            if tokio::time::timeout(AGAIN.min(left), ended(session, run)).await.is_ok() {
                return Ending::Cancelled { running: false };
            }
            if left <= AGAIN {
                return Ending::Cancelled { running: true };
            }
            if session.facts().front() != struck {
                break;
            }
        }
    }
}

fn outcome(session: &Session, run: &PendingRun, ending: Ending, started: Instant) -> Outcome {
    let log_end = match ending {
        Ending::Process(_) => log_end(session),
        _ => session.progress().seen,
    };
    let record = session.record_of(&run.run);
    // A shell without any marks has not told where it began either.
    let begin = if ending == Ending::Untold { run.from } else { log_end };
    let start = record.as_ref().map_or(begin, |record| record.start);
    Outcome {
        ending,
        start,
        end: record.as_ref().and_then(|record| record.end).unwrap_or(log_end).max(start),
        stages: record.as_ref().map(|record| record.stages.clone()).unwrap_or_default(),
        duration: record.as_ref().and_then(|record| record.duration).unwrap_or_else(|| started.elapsed()),
        record: record.map(|record| record.number),
    }
}

/// A command on its way to the shell.
struct Handed {
    line: Vec<u8>,
    file: Option<RunFile>,
    end_file: Option<RunFile>,
}

impl Handed {
    fn of(delivery: Delivery, setup: &ShellSetup) -> Result<Self, RunError> {
        match delivery {
            Delivery::Typed(line) => Ok(Handed { line, file: None, end_file: None }),
            Delivery::File { name, contents, end, line } => {
                let end_file = end.map(|end| RunFile::write(setup, &end_name(&name), &end)).transpose()?;
                Ok(Handed { line, file: Some(RunFile::write(setup, &name, &contents)?), end_file })
            }
        }
    }
}

/// A file that carries a command to the shell, removed when the run is over.
struct RunFile {
    path: PathBuf,
    leave: bool,
}

impl RunFile {
    fn write(setup: &ShellSetup, name: &str, contents: &[u8]) -> Result<Self, RunError> {
        let dir = setup.dir.join("run");
        let path = dir.join(name);
        std::fs::create_dir_all(&dir)
            .and_then(|()| OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path))
            .and_then(|mut file| file.write_all(contents))
            .map_err(|source| RunError::File { path: path.clone(), source })?;
        Ok(RunFile { path, leave: false })
    }

    /// Leaves the file where it is; it goes with the terminal's folder.
    fn leave(mut self) -> PathBuf {
        self.leave = true;
        self.path.clone()
    }
}

impl Drop for RunFile {
    fn drop(&mut self) {
        if !self.leave {
            // Gone already is what we want.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_is_in_the_way_is_quoted_to_its_last_word() {
        for (command, shown) in [(Some("make \n"), " with `make`"), (Some("a\r\nb"), " with `a`"), (None, "")] {
            assert_eq!(quoted(command), shown);
        }
    }
}
