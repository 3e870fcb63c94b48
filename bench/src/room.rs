//! A private folder in which a program under test runs, that always goes when the benchmark goes, with what runs in it.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

/// In the environment of everything that is started in a room, so that it is found wherever it went.
pub const MARK: &str = "FLIGHTDECK_BENCH_ROOM";

/// Longer than ending everything takes; a guard that hangs must not hang the benchmark.
const PATIENCE: Duration = Duration::from_mins(1);

/// The folder has a workspace `w`, and `r`, `s` and `h` for runtime files, state and home.
#[derive(Debug)]
pub struct Room {
    dir: PathBuf,
    guard: Child,
}

impl Room {
    /// Opens one below `parent`. `guard` is a shell script that is there from the beginning to end everything. It gets
    /// the end of its input when that is to be done, which comes even when the benchmark is killed, the program under
    /// test as `$0` and the folder as `$1`, and removes the folder.
    pub fn open(parent: &Path, guard: &str, program: &Path) -> anyhow::Result<Self> {
        // Short, because the path of a socket is.
        let dir = tempfile::Builder::new().prefix("fdb").tempdir_in(parent)?.keep();
        for name in ["w", "r", "s", "h"] {
            std::fs::create_dir(dir.join(name))?;
        }
        let guard = private(Command::new("sh").args(["-c", guard]).arg(program).arg(&dir), &dir)
            .stdin(Stdio::piped())
            // Out of reach of the terminal's Ctrl-C.
            .process_group(0)
            .spawn()
            .context("sh can't be started")?;
        Ok(Room { dir, guard })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A command that runs in here, with the mark.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        private(&mut command, &self.dir).env(MARK, &self.dir).stdin(Stdio::null());
        command
    }

    /// Ends everything in it and removes it. Doing that again does nothing.
    pub fn close(&mut self) -> anyhow::Result<()> {
        let Some(input) = self.guard.stdin.take() else { return Ok(()) };
        drop(input);
        match ended(&mut self.guard, PATIENCE)? {
            Some(status) => ensure!(status.success(), "not everything ended; {} is left", self.dir.display()),
            None => bail!("ending everything takes longer than {} s", PATIENCE.as_secs()),
        }
        Ok(())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            eprintln!("{error:#}");
        }
    }
}

/// Waits for a child's end, but not for ever.
pub fn ended(child: &mut Child, patience: Duration) -> anyhow::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Nothing of the caller's environment that could change what is measured.
fn private<'a>(command: &'a mut Command, dir: &Path) -> &'a mut Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    command
        .env_clear()
        .env("PATH", path)
        .env("LANG", "C.UTF-8")
        .env("SHELL", "/bin/bash")
        .env("HOME", dir.join("h"))
        .env("XDG_RUNTIME_DIR", dir.join("r"))
        .env("XDG_STATE_HOME", dir.join("s"))
        .current_dir(dir.join("w"))
}

/// The program under test.
pub fn program() -> anyhow::Result<PathBuf> {
    let path = match std::env::var_os("FLIGHTDECK_BIN") {
        Some(path) => PathBuf::from(path),
        None => std::env::current_exe()?.with_file_name("flightdeck"),
    };
    path.canonicalize().with_context(|| {
        format!("{} is not there: build it with `cargo build --release --package flightdeck`", path.display())
    })
}
