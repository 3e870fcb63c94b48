//! A real hub whose tabs run in tmux or on PTYs, in a private folder that always goes when the benchmark goes.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use flightdeck_bench::room::{Room, program};
use serde_json::{Value, json};

use crate::client::Client;

/// Waits for the end of its input, which comes even when the benchmark is killed, and ends everything then.
const GUARD: &str = r#"
trap '' INT TERM HUP
read -r _
"$0" --workspace "$1/w" stop --all >/dev/null && rm -rf "$1"
"#;
const PATIENCE_MS: u64 = 240_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Tmux,
    Pty,
}

impl Backend {
    fn name(self) -> &'static str {
        match self {
            Backend::Tmux => "tmux",
            Backend::Pty => "pty",
        }
    }
}

#[derive(Debug)]
pub struct Hub {
    room: Room,
    socket: PathBuf,
}

/// A tab with a connection of its own.
#[derive(Debug)]
pub struct Tab {
    client: Client,
    id: Value,
}

impl Hub {
    pub fn start(backend: Backend) -> anyhow::Result<Self> {
        let program = program()?;
        let room = Room::open(&std::env::temp_dir(), GUARD, &program)?;
        let settings = room.dir().join("h/.config/flightdeck");
        std::fs::create_dir_all(&settings)?;
        std::fs::write(settings.join("settings.toml"), format!("[tabs]\nbackend = \"{}\"\n", backend.name()))?;
        let started = room.command(&program).arg("--workspace").arg(room.dir().join("w")).arg("restart").output()?;
        ensure!(started.status.success(), "no hub: {}", String::from_utf8_lossy(&started.stderr).trim());
        let home = room.dir().join("r/flightdeck");
        for entry in std::fs::read_dir(&home).with_context(|| format!("no hub in {}", home.display()))? {
            let socket = entry?.path().join("hub.sock");
            if socket.exists() {
                return Ok(Hub { room, socket });
            }
        }
        bail!("no hub in {}", home.display())
    }

    pub fn tab(&self) -> anyhow::Result<Tab> {
        let mut client = Client::connect(&self.socket)?;
        let created: Value = client.call("create_tab", &json!({}))?;
        let mut tab = Tab { client, id: created["window_id"].clone() };
        tab.execute("true")?;
        Ok(tab)
    }

    pub fn stop(mut self) -> anyhow::Result<()> {
        self.room.close()
    }
}

impl Tab {
    /// Runs a command that must succeed, and gives its output.
    pub fn execute(&mut self, command: &str) -> anyhow::Result<String> {
        let args = json!({ "window_id": self.id, "command": command, "timeout_ms": PATIENCE_MS });
        let ran: Value = self.client.call("execute_command", &args)?;
        ensure!(ran["exit_code"] == 0, "{command:?} went wrong: {ran}");
        Ok(ran["output"].as_str().context("no output")?.to_owned())
    }

    /// Where its log ends.
    pub fn log_end(&mut self) -> anyhow::Result<u64> {
        let listed: Value = self.client.call("flightdeck.terminal.list", &json!({ "all": true }))?;
        let newest = listed["terminals"].as_array().and_then(|all| {
            all.iter().filter(|info| info["running"] == true).filter_map(|info| info["logEnd"].as_u64()).max()
        });
        newest.context("no terminal is listed")
    }
}
