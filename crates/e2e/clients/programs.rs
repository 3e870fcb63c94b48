//! How tests run the programs of this folder: installed by `scripts/clients`, with a deadline, their output kept.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flightdeck_e2e::wait_until;
use rustix::process::{Pid, Signal, kill_process_group};

/// The first run on a machine installs everything, and others wait for it.
const INSTALLATION: Duration = Duration::from_secs(170);

/// The programs, installed.
#[derive(Debug)]
pub struct Programs {
    pub folder: PathBuf,
}

impl Programs {
    /// Installs them unless they are there.
    pub fn installed() -> Self {
        let script = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/clients"));
        let ran = run(script, INSTALLATION);
        assert_eq!(ran.code, Some(0), "{ran}");
        Programs { folder: ran.stdout.trim().into() }
    }

    /// A file of this folder.
    pub fn source(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(name)
    }

    /// A program of this folder, ready for its arguments.
    pub fn command(&self, name: &str) -> Command {
        let mut command = if Path::new(name).extension().is_some_and(|kind| kind == "py") {
            Command::new(self.folder.join("python/bin/python"))
        } else {
            let mut node = Command::new(self.folder.join("node"));
            node.arg("--import").arg(Self::source("packages.mjs"));
            node
        };
        command.arg(Self::source(name)).env("FLIGHTDECK_CLIENTS", &self.folder);
        command
    }
}

/// A program that was run to its end.
#[derive(Debug)]
pub struct Ran {
    /// `None`: a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    what: String,
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { code, stdout, stderr, what } = self;
        write!(f, "{what}: exit code {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n---")
    }
}

/// Runs a program to its end, or ends it and all that it started when the time is up.
pub fn run(mut command: Command, deadline: Duration) -> Ran {
    let output = tempfile::tempdir().expect("a temporary folder");
    let (out, err) = (output.path().join("out"), output.path().join("err"));
    let create = |path: &Path| Stdio::from(File::create(path).expect("a temporary file"));
    // Files instead of pipes: a process that was left behind can't hold the test up by keeping its output open.
    command.stdin(Stdio::null()).stdout(create(&out)).stderr(create(&err)).process_group(0);
    let what = format!("{command:?}");
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{what} can't be started: {error}"));
    let until = Instant::now() + deadline;
    let status = wait_until("the program's end", deadline + deadline, || {
        if Instant::now() > until {
            let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        }
        child.try_wait().expect("it is our child")
    });
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).expect("it is there")).into_owned();
    Ran { code: status.code(), stdout: read(&out), stderr: read(&err), what }
}
