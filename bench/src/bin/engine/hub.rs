//! A real hub with its keeper, in a private folder, that always goes when the benchmark goes.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::{Created, List, Listed, New, Ran, Remove, Run, TerminalInfo};
use flightdeck_term::log::Log;
use serde_json::{Value, json};

use crate::client::Client;
use crate::process::Process;

/// Waits for the end of its input, which comes even when the benchmark is killed, and ends everything then. A hub that
/// could not be ended keeps its folder.
const GUARD: &str = r#"
trap '' INT TERM HUP
read -r _
TMUX_TMPDIR="$1" tmux -L bench kill-server 2>/dev/null
"$0" --workspace "$1/w" stop --all >/dev/null && rm -rf "$1"
"#;

#[derive(Debug)]
pub struct Hub {
    dir: PathBuf,
    socket: PathBuf,
    state: PathBuf,
    pub process: Process,
    pub keeper: Process,
    guard: Child,
}

impl Hub {
    /// Starts one with its files where temporary files are.
    pub fn start() -> anyhow::Result<Self> {
        Self::start_in(&std::env::temp_dir())
    }

    /// Starts one with all its files in a folder of its own below `parent`.
    pub fn start_in(parent: &Path) -> anyhow::Result<Self> {
        let program = program()?;
        // Short, because the path of a socket is.
        let dir = tempfile::Builder::new().prefix("fdb").tempdir_in(parent)?.keep();
        for name in ["w", "r", "s", "h"] {
            std::fs::create_dir(dir.join(name))?;
        }
        let guard = private(Command::new("sh").args(["-c", GUARD]).arg(&program).arg(&dir), &dir)
            .stdin(Stdio::piped())
            // Out of reach of the terminal's Ctrl-C.
            .process_group(0)
            .spawn()
            .context("sh can't be started")?;
        let started = private(Command::new(&program).arg("--workspace").arg(dir.join("w")).arg("ls"), &dir)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("{} can't be started", program.display()))?;
        let mut hub =
            Hub { socket: socket(&dir)?, state: PathBuf::new(), process: Process(0), keeper: Process(0), dir, guard };
        ensure!(started.status.success(), "no hub: {}", String::from_utf8_lossy(&started.stderr).trim());
        let status: Value = hub.connect()?.call("hub.status", &json!({}))?;
        let pid = |name: &str| status[name].as_u64().map(|pid| Process(pid as u32)).context("a status without pids");
        (hub.process, hub.keeper) = (pid("pid")?, pid("keeperPid")?);
        hub.state = status["state"].as_str().context("a status without a state folder")?.into();
        Ok(hub)
    }

    pub fn connect(&self) -> anyhow::Result<Client> {
        Client::connect(&self.socket)
    }

    /// A private folder that goes with the hub.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A terminal's log as it is on disk, without asking the hub.
    pub fn log(&self, id: TerminalId) -> Log {
        Log::new(self.state.join("terminals").join(id.to_string()))
    }

    /// Ends it, with everything in it, and says how long that took.
    pub fn stop(mut self) -> anyhow::Result<Duration> {
        let began = Instant::now();
        self.end()?;
        Ok(began.elapsed())
    }

    fn end(&mut self) -> anyhow::Result<()> {
        let Some(input) = self.guard.stdin.take() else { return Ok(()) };
        drop(input);
        let status = self.guard.wait()?;
        ensure!(status.success(), "`flightdeck stop --all` failed; {} is left", self.dir.display());
        Ok(())
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            eprintln!("{error:#}");
        }
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
fn program() -> anyhow::Result<PathBuf> {
    let path = match std::env::var_os("FLIGHTDECK_BIN") {
        Some(path) => PathBuf::from(path),
        None => std::env::current_exe()?.with_file_name("flightdeck"),
    };
    path.canonicalize().with_context(|| {
        format!("{} is not there: build it with `cargo build --release --package flightdeck`", path.display())
    })
}

/// The only socket of a hub below this private folder.
fn socket(dir: &Path) -> anyhow::Result<PathBuf> {
    let home = dir.join("r/flightdeck");
    for entry in std::fs::read_dir(&home).with_context(|| format!("no hub in {}", home.display()))? {
        let path = entry?.path().join("hub.sock");
        if path.exists() {
            return Ok(path);
        }
    }
    bail!("no hub in {}", home.display())
}

/// What measurements do with terminals.
impl Client {
    pub fn terminal(&mut self, new: &New) -> anyhow::Result<TerminalId> {
        Ok(self.call::<Created>("terminal.new", new)?.id)
    }

    /// A shell at its prompt.
    pub fn shell(&mut self) -> anyhow::Result<TerminalId> {
        let id = self.terminal(&New { shell: Some("/bin/bash".to_owned()), ..New::default() })?;
        self.run(id, "true")?;
        Ok(id)
    }

    /// A bounded command that must succeed.
    pub fn run(&mut self, id: TerminalId, command: &str) -> anyhow::Result<Ran> {
        let run = Run { id, command: command.to_owned(), timeout_ms: None, max_bytes: None, raw: false };
        let ran: Ran = self.call("terminal.run", &run)?;
        ensure!(ran.exit_code == Some(0), "{command:?} went wrong: {ran:?}");
        Ok(ran)
    }

    pub fn info(&mut self, id: TerminalId) -> anyhow::Result<TerminalInfo> {
        let listed: Listed = self.call("terminal.list", &List { all: true })?;
        listed.terminals.into_iter().find(|info| info.id == id).with_context(|| format!("{id} is not listed"))
    }

    /// Removes a terminal that has ended, and its log with it, so that the disk does not fill up.
    pub fn remove(&mut self, id: TerminalId) -> anyhow::Result<()> {
        self.call::<Value>("terminal.remove", &Remove { id }).map(drop)
    }
}
