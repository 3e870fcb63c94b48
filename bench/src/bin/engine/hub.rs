//! A real hub with its keeper, in a private folder, that always goes when the benchmark goes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use flightdeck_bench::process::Process;
use flightdeck_bench::room::{Room, program};
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::{Created, List, Listed, New, Ran, Remove, TerminalInfo};
use flightdeck_term::log::Log;
use serde_json::{Value, json};

use crate::client::Client;

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
    room: Room,
    socket: PathBuf,
    state: PathBuf,
    pub process: Process,
    pub keeper: Process,
}

impl Hub {
    /// Starts one with its files where temporary files are.
    pub fn start() -> anyhow::Result<Self> {
        Self::start_in(&std::env::temp_dir())
    }

    /// Starts one with all its files in a folder of its own below `parent`.
    pub fn start_in(parent: &Path) -> anyhow::Result<Self> {
        let program = program()?;
        let room = Room::open(parent, GUARD, &program)?;
        let started = room
            .command(&program)
            .arg("--workspace")
            .arg(room.dir().join("w"))
            .arg("restart")
            .output()
            .with_context(|| format!("{} can't be started", program.display()))?;
        ensure!(started.status.success(), "no hub: {}", String::from_utf8_lossy(&started.stderr).trim());
        let mut hub =
            Hub { socket: socket(room.dir())?, state: PathBuf::new(), process: Process(0), keeper: Process(0), room };
        let status: Value = hub.connect()?.call("flightdeck.hub.status", &json!({}))?;
        let pid = |name: &str| status[name].as_u64().map(|pid| Process(pid as u32)).context("a status without pids");
        (hub.process, hub.keeper) = (pid("pid")?, pid("keeperPid")?);
        hub.state = status["state"].as_str().context("a status without a state folder")?.into();
        Ok(hub)
    }

    pub fn connect(&self) -> anyhow::Result<Client> {
        Client::connect(&self.socket)
    }

    /// The program under test, which finds this hub.
    pub fn command(&self) -> anyhow::Result<Command> {
        let mut command = self.room.command(program()?);
        command.arg("--workspace").arg(self.room.dir().join("w"));
        Ok(command)
    }

    /// Where it listens.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// A private folder that goes with the hub.
    pub fn dir(&self) -> &Path {
        self.room.dir()
    }

    /// A terminal's log as it is on disk, without asking the hub.
    pub fn log(&self, id: TerminalId) -> Log {
        Log::new(self.state.join("terminals").join(id.to_string()))
    }

    /// Ends it, with everything in it, and says how long that took.
    pub fn stop(mut self) -> anyhow::Result<Duration> {
        let began = Instant::now();
        self.room.close()?;
        Ok(began.elapsed())
    }
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
        Ok(self.call::<Created>("flightdeck.terminal.new", new)?.id)
    }

    /// A shell at its prompt.
    pub fn shell(&mut self) -> anyhow::Result<TerminalId> {
        let id = self.terminal(&New { shell: Some("/bin/bash".to_owned()), ..New::default() })?;
        self.run(id, "true")?;
        Ok(id)
    }

    /// A bounded command that must succeed.
    pub fn run(&mut self, id: TerminalId, command: &str) -> anyhow::Result<Ran> {
        let ran: Ran = self.call("flightdeck.terminal.run", &json!({ "id": id, "command": command }))?;
        ensure!(ran.exit_code == Some(0), "{command:?} went wrong: {ran:?}");
        Ok(ran)
    }

    pub fn info(&mut self, id: TerminalId) -> anyhow::Result<TerminalInfo> {
        let listed: Listed =
            self.call("flightdeck.terminal.list", &List { all: true, limit: Some(500), after: None })?;
        listed.terminals.into_iter().find(|info| info.id == id).with_context(|| format!("{id} is not listed"))
    }

    /// Removes a terminal that has ended, and its log with it, so that the disk does not fill up.
    pub fn remove(&mut self, id: TerminalId) -> anyhow::Result<()> {
        self.call::<Value>("flightdeck.terminal.remove", &Remove { id }).map(drop)
    }
}
