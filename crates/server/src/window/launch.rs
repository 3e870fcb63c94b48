//! One start of a window: the process, its `ready`, and the end of one that never gets there.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::{RUNTIME_SESSION_VARIABLE, TERMINAL_VARIABLE, TRACE_VARIABLE, WORKSPACE_VARIABLE, control};
use flightdeck_core::{Hub, StartedWindow};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The longest `ready` line.
const LONGEST_LINE: u64 = 4096;
/// So much of what it says is kept for its last line.
const KEPT: usize = 4096;
/// How long a window that is told to end may take.
const GRACE: Duration = Duration::from_secs(1);
/// The window's own code for what passes: the hub did not answer.
const EX_TEMPFAIL: i32 = 75;

/// What is to be started.
#[derive(Debug)]
pub struct Launch<'a> {
    pub hub: &'a Arc<Hub>,
    pub path: &'a Path,
    pub trace: &'a str,
    pub time: Duration,
}

/// Why a window did not come.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error("it can't be started: {0}")]
    Spawn(io::Error),
    #[error("it ended before it was ready ({status}){}", said(.words))]
    Ended { status: ExitStatus, words: String },
    #[error("it was not ready within {} ms{}", .time.as_millis(), said(.words))]
    TimedOut { time: Duration, words: String },
    #[error("it speaks version {theirs} of the hub's protocol, and the hub version {}", control::VERSION)]
    Version { theirs: u32 },
    #[error("what it said instead of `ready` is not of the protocol: {0}")]
    Garbled(String),
    #[error("it said that it was ready, but no front end was attached within {} ms", .0.as_millis())]
    NotAttached(Duration),
}

fn said(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(": {words}") }
}

impl Failed {
    /// Whether the same start may succeed at once.
    pub fn is_transient(&self) -> bool {
        match self {
            Failed::Spawn(error) => {
                matches!(
                    error.kind(),
                    io::ErrorKind::ExecutableFileBusy | io::ErrorKind::WouldBlock | io::ErrorKind::AddrInUse
                )
            }
            // One that a signal has ended has no code.
            Failed::Ended { status, .. } => status.code().is_none_or(|code| code == EX_TEMPFAIL),
            _ => false,
        }
    }
}

/// What a window says when it is shown and its hub can ask there.
#[derive(Debug, Deserialize)]
struct Ready {
    event: String,
    protocol_version: u32,
    trace_id: String,
    runtime_session_id: String,
}

impl Launch<'_> {
    /// Starts it and waits until a person can be asked there. One that does not get so far is ended.
    pub async fn run(&self) -> Result<(), Failed> {
        let session = format!("rs_{}", &crate::auth::secret()[..16]);
        let until = Instant::now() + self.time;
        let mut child = self.spawn(&session).map_err(Failed::Spawn)?;
        let window = child.id().map(|pid| self.hub.started_window(pid));
        let mut started = Started { window, stderr: child.stderr.take().map(collect), child, is_left: false };
        let ready = match started.child.stdout.take() {
            Some(stdout) => tokio::time::timeout_at(until, self.ready(stdout, &session)).await,
            None => return Err(Failed::Spawn(io::Error::other("it has no standard output"))),
        };
        let failed = match ready {
            Ok(Ok(())) if self.hub.attended_within(until - Instant::now()).await => {
                if let Some(window) = &started.window {
                    self.hub.keep_window(window).await;
                }
                tracing::info!(path = %self.path.display(), session, trace = self.trace, "a window is ready");
                started.leave();
                return Ok(());
            }
            Ok(Ok(())) => Failed::NotAttached(self.time),
            Ok(Err(Some(failed))) => failed,
            // Its output has ended, and so will it.
            Ok(Err(None)) => match tokio::time::timeout_at(until, started.child.wait()).await {
                Ok(Ok(status)) => Failed::Ended { status, words: started.words().await },
                _ => Failed::TimedOut { time: self.time, words: String::new() },
            },
            Err(_) => Failed::TimedOut { time: self.time, words: String::new() },
        };
        let words = started.end().await;
        Err(match failed {
            Failed::TimedOut { time, .. } => Failed::TimedOut { time, words },
            other => other,
        })
    }

    fn spawn(&self, session: &str) -> io::Result<Child> {
        let root = self.hub.workspace().root();
        let mut command = Command::new(self.path);
        command.arg("--launched").arg("--workspace").arg(root).current_dir(root);
        command.env(TRACE_VARIABLE, self.trace).env(RUNTIME_SESSION_VARIABLE, session);
        // It belongs to no terminal, whoever has started the hub.
        for variable in [TERMINAL_VARIABLE, WORKSPACE_VARIABLE, "TMUX", "TMUX_PANE"] {
            command.env_remove(variable);
        }
        // Keys at the hub's own terminal are not meant for it.
        command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn()
    }

    /// Waits for `ready`; nothing is given when the output has ended without it.
    async fn ready(&self, stdout: impl AsyncRead + Unpin, session: &str) -> Result<(), Option<Failed>> {
        let mut line = Vec::new();
        let mut lines = BufReader::new(stdout.take(LONGEST_LINE));
        if lines.read_until(b'\n', &mut line).await.is_err()
            || !line.ends_with(b"\n") && line.len() < LONGEST_LINE as usize
        {
            return Err(None);
        }
        let shown = || String::from_utf8_lossy(&line).chars().take(200).collect::<String>();
        let ready: Ready = serde_json::from_slice(&line).map_err(|_| Some(Failed::Garbled(shown())))?;
        if ready.event != "ready" || ready.trace_id != self.trace || ready.runtime_session_id != session {
            return Err(Some(Failed::Garbled(shown())));
        }
        if ready.protocol_version != control::VERSION {
            return Err(Some(Failed::Version { theirs: ready.protocol_version }));
        }
        Ok(())
    }
}

/// A process that was started here, and by nobody else.
struct Started {
    window: Option<StartedWindow>,
    stderr: Option<JoinHandle<String>>,
    child: Child,
    is_left: bool,
}

/// A hub that ends in the middle of a start leaves nothing behind.
impl Drop for Started {
    fn drop(&mut self) {
        if !self.is_left {
            self.signal(Signal::KILL);
        }
    }
}

impl Started {
    /// It is the person's from now on; only its end is waited for.
    fn leave(mut self) {
        self.is_left = true;
        tokio::spawn(async move {
            let _ = self.child.wait().await;
            drop(self.window.take());
        });
    }

    /// To it and what it has started. Before it is reaped its number is still its own, and after that it has none.
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.child.id().and_then(|pid| Pid::from_raw(pid.cast_signed())) {
            // Gone already is fine.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Ends it, with what it has started, and gives its last words.
    async fn end(&mut self) -> String {
        self.signal(Signal::TERM);
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            self.signal(Signal::KILL);
            let _ = self.child.wait().await;
        }
        self.words().await
    }

    /// The last line of what it said on standard error. Somebody else may hold that open.
    async fn words(&mut self) -> String {
        let Some(stderr) = self.stderr.take() else { return String::new() };
        let abort = stderr.abort_handle();
        let said = tokio::time::timeout(GRACE, stderr).await;
        abort.abort();
        said.ok().and_then(Result::ok).unwrap_or_default()
    }
}

/// Reads what it says to the end, so that it never waits for us, and keeps the last line.
fn collect(mut stderr: ChildStderr) -> JoinHandle<String> {
    tokio::spawn(async move {
        let (mut kept, mut some) = (Vec::new(), [0; 1024]);
        while let Ok(count @ 1..) = stderr.read(&mut some).await {
            kept.extend_from_slice(&some[..count]);
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
        let text = String::from_utf8_lossy(&kept);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        last.unwrap_or_default().trim().to_owned()
    })
}

/// The folder of this program.
pub fn beside() -> Option<PathBuf> {
    std::env::current_exe().ok()?.parent().map(Path::to_owned)
}
