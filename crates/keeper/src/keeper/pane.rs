//! The holder of a pane: what tmux starts in a window, between it and the shell.
//!
//! It gives the shell its environment and folder as they are (tmux would cut and expand them), tells the hub how the
//! start went, and notes how the shell ended, which tmux does not keep for us. Otherwise it is not there: the shell has
//! the terminal's foreground, and keys that send signals reach the shell and what runs in it.
#![allow(unsafe_code)]

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, setpgid};
use rustix::termios::tcsetpgrp;
use serde::{Deserialize, Serialize};

use super::signals::{self, Incoming, SignalFd};
use super::{program, spawn};
use crate::{Exit, OsBytes, Refusal, SpawnSpec, descriptors, layout};

/// On a full disk the status waits; it is tried again this often.
const RETRY_EVERY: Duration = Duration::from_millis(250);

/// What the holder tells the hub through the FIFO `ready`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaneWord {
    /// The shell runs as this process.
    Started(u32),
    Refused(Refusal),
}

impl PaneWord {
    /// Reads the line that came through the FIFO.
    pub fn parse(line: &[u8]) -> io::Result<Self> {
        Ok(serde_json::from_slice(line)?)
    }
}

/// Why a pane could not be held.
#[derive(Debug, thiserror::Error)]
pub enum PaneError {
    #[error("{} can't be read: {source}", path.display())]
    Spec { path: PathBuf, source: io::Error },
    #[error("the pane can't take its signals: {0}")]
    Signals(io::Error),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// What to start in the pane: a `SpawnSpec` as JSON. It goes as soon as it was read.
fn pane_spec_path(dir: &Path) -> PathBuf {
    dir.join("pane.json")
}

/// Writes that file, for nobody else's eyes.
pub fn write_pane_spec(dir: &Path, spec: &SpawnSpec) -> io::Result<()> {
    let json = serde_json::to_vec(spec)?;
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(pane_spec_path(dir));
    file?.write_all(&json)
}

/// The FIFO for the one `PaneWord`.
pub fn pane_ready_path(dir: &Path) -> PathBuf {
    dir.join("ready")
}

/// Starts what the folder says on this process's terminal and waits for its end, which is noted there. Call it while
/// the process has one thread.
pub fn hold_pane(dir: &Path) -> Result<Exit, PaneError> {
    let signals = SignalFd::for_pane().map_err(PaneError::Signals)?;
    // What leaves the shell's tree stays in the tab's, even when there is no keeper above. Without it, it goes there.
    let _refused = set_child_subreaper(Some(getpid()));
    let started = read_spec(dir).and_then(|spec| Ok((start(&spec)?, spec)));
    let word = match &started {
        Ok((child, _)) => PaneWord::Started(child.as_raw_nonzero().get().cast_unsigned()),
        Err(PaneError::Refused(refusal)) => PaneWord::Refused(refusal.clone()),
        Err(error) => PaneWord::Refused(Refusal::Other { text: error.to_string() }),
    };
    tell(dir, &word);
    let (child, spec) = started?;
    let exit = wait(child, &signals);
    while layout::write_exit(spec.log_dir.as_path(), exit).is_err() && spec.log_dir.as_path().exists() {
        std::thread::sleep(RETRY_EVERY);
    }
    Ok(exit)
}

impl Exit {
    /// Ends this process as the other one has ended.
    pub fn pass_on(self) -> ! {
        if let Exit::Signal(signal) = self {
            // One core file is enough, and it is the program's.
            let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
            let _refused = rustix::process::setrlimit(rustix::process::Resource::Core, none);
            signals::end_by(signal);
        }
        std::process::exit(self.shell_code())
    }
}

fn read_spec(dir: &Path) -> Result<SpawnSpec, PaneError> {
    let path = pane_spec_path(dir);
    let read = fs::read(&path).and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
    // It holds the environment, which may hold secrets.
    let _gone = fs::remove_file(&path);
    read.map_err(|source| PaneError::Spec { path, source })
}

fn start(spec: &SpawnSpec) -> Result<Pid, PaneError> {
    let program = program::resolve(spec)?;
    let mut command = Command::new(&program);
    if let Some(name) = spec.arg0.as_ref().or(spec.argv.first()) {
        command.arg0(name.as_os_str());
    }
    command
        .args(spec.argv.iter().skip(1).map(OsBytes::as_os_str))
        .env_clear()
        .envs(spec.env.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str())))
        .current_dir(spec.cwd.as_path());
    let prepare = || -> io::Result<()> {
        // A group of its own in the foreground, as a shell expects that is started on a terminal.
        setpgid(None, None)?;
        tcsetpgrp(rustix::stdio::stdin(), getpid())?;
        signals::reset_in_child();
        descriptors::close_on_exec();
        Ok(())
    };
    // SAFETY: `prepare` makes system calls only; it takes no lock and allocates nothing.
    unsafe { command.pre_exec(prepare) };
    let child = command.spawn().map_err(|error| spawn::refusal(spec, &program, &error))?;
    let nobody = || Refusal::Other { text: "the system gave a child without a process id".to_owned() };
    Ok(Pid::from_raw(child.id().cast_signed()).ok_or_else(nobody)?)
}

/// A hub that is gone meanwhile finds out by itself.
fn tell(dir: &Path, word: &PaneWord) {
    let Ok(mut line) = serde_json::to_vec(word) else { return };
    line.push(b'\n');
    let fifo = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(pane_ready_path(dir));
    let _gone = fifo.and_then(|mut fifo| fifo.write_all(&line));
}

fn wait(child: Pid, signals: &SignalFd) -> Exit {
    loop {
        while let Some(signal) = signals.next() {
            let passed_on = match signal {
                Incoming::Child => continue,
                Incoming::HangUp => Signal::HUP,
                Incoming::Terminate => Signal::TERM,
            };
            // A stopped shell sees it only when it goes on. One that has just ended needs none.
            let _ended = kill_process(child, passed_on).and_then(|()| kill_process(child, Signal::CONT));
        }
        match rustix::process::wait(WaitOptions::NOHANG) {
            // An orphan that was only ours to reap. There may be more.
            Ok(Some((pid, _))) if pid != child => continue,
            Ok(Some((_, status))) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => return Exit::Code(code),
                (None, Some(signal)) => return Exit::Signal(signal),
                (None, None) => {}
            },
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            // Nobody else reaps here, so this does not happen; without a child there is nothing to wait for.
            Err(_) => return Exit::Code(255),
        }
        let _interrupted = poll(&mut [PollFd::new(signals, PollFlags::IN)], None);
    }
}
