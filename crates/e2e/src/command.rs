//! One run of a program with a deadline: its output, its exit code, and never a test that hangs.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::de::DeserializeOwned;

/// How long a command of the command line may take unless the test says otherwise.
const DEADLINE: Duration = Duration::from_mins(1);

/// A program that was run to its end.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The exit code; 128 + N when signal N ended it.
    pub code: i32,
    pub took: Duration,
    what: String,
}

impl Outcome {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text.
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Fails the test unless the exit code is this one.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "often the check is all that is wanted")]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "the exit code of {self}");
        self
    }

    /// Standard output, read as JSON.
    #[track_caller]
    pub fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cut = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned();
        write!(f, "{}\n--- stdout\n{}\n--- stderr\n{}\n---", self.what, cut(&self.stdout), cut(&self.stderr))
    }
}

/// A program about to be run, or running.
#[derive(Debug)]
pub struct Invocation {
    command: Command,
    what: String,
    stdin: Vec<u8>,
    deadline: Duration,
}

impl Invocation {
    pub(crate) fn new(command: Command) -> Self {
        let words: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let shown: String = words.join(" ").chars().take(300).collect();
        Invocation { what: format!("flightdeck {shown}"), command, stdin: Vec::new(), deadline: DEADLINE }
    }

    /// Sets an environment variable of the caller.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Leaves out an environment variable of the caller.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Runs in this folder.
    #[must_use]
    pub fn cwd(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Gives it this to read.
    #[must_use]
    pub fn stdin(mut self, bytes: &[u8]) -> Self {
        bytes.clone_into(&mut self.stdin);
        self
    }

    /// Fails when it takes longer.
    #[must_use]
    pub fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Runs it to its end.
    #[track_caller]
    pub fn run(self) -> Outcome {
        self.start().finish()
    }

    /// Starts it and goes on.
    pub fn start(mut self) -> Running {
        let mut child = self
            .command
            .stdin(if self.stdin.is_empty() { Stdio::null() } else { Stdio::piped() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{:?} can't be started: {error}", self.command));
        if let Some(mut stdin) = child.stdin.take() {
            let bytes = std::mem::take(&mut self.stdin);
            // A program that ends without reading is free to do so.
            std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        }
        let (closed, both_closed) = mpsc::channel();
        let stdout = collect(child.stdout.take().expect("stdout is a pipe"), closed.clone());
        let stderr = collect(child.stderr.take().expect("stderr is a pipe"), closed);
        Running {
            child,
            stdout,
            stderr,
            both_closed,
            started: Instant::now(),
            what: self.what,
            deadline: self.deadline,
        }
    }
}

/// A program that runs.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: JoinHandle<Vec<u8>>,
    stderr: JoinHandle<Vec<u8>>,
    both_closed: mpsc::Receiver<()>,
    started: Instant,
    what: String,
    deadline: Duration,
}

impl Running {
    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Waits for its end. Panics with what it has printed when that takes too long.
    #[track_caller]
    pub fn finish(mut self) -> Outcome {
        let until = self.started + self.deadline;
        let closed = (0..2).all(|_| {
            let left = until.saturating_duration_since(Instant::now());
            // A sender that is dropped without a word means that its thread panicked, which join tells.
            !matches!(self.both_closed.recv_timeout(left), Err(mpsc::RecvTimeoutError::Timeout))
        });
        if !closed {
            // The output may be held open by somebody else than the child itself, so it is not read to its end.
            let gone = self.child.try_wait().ok().flatten();
            let _ = self.child.kill();
            let _ = self.child.wait();
            let state = gone.map_or("it still ran".to_owned(), |status| {
                format!("it had ended ({status}), but its output was held open")
            });
            panic!("{} was not over after {:?}: {state}", self.what, self.deadline);
        }
        let status = self.child.wait().expect("it is our child");
        Outcome {
            stdout: self.stdout.join().expect("the reader does not panic"),
            stderr: self.stderr.join().expect("the reader does not panic"),
            code: code(status),
            took: self.started.elapsed(),
            what: self.what,
        }
    }
}

pub(crate) fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).expect("it ended")
}

fn collect(mut from: impl Read + Send + 'static, closed: mpsc::Sender<()>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        let _ = closed.send(());
        bytes
    })
}
