//! The floor: this program itself as a server that does nothing but what has to be done.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use flightdeck_bench::room::Room;
use serde_json::json;

use crate::floor::{EXEC, SHELL};
use crate::server::{self, Answer, Exit, Place, Terminal, Way};
use flightdeck_bench::mcp::Client;

const START: Duration = Duration::from_secs(30);

pub struct Adapter;

/// Shells are numbered, and there when they are first used.
static SHELLS: AtomicU64 = AtomicU64::new(0);

impl server::Adapter for Adapter {
    fn ways(&self) -> &'static [Way] {
        &[Way::Live, Way::Fresh, Way::FreshSh]
    }

    fn programs(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(vec![std::env::current_exe()?.canonicalize()?])
    }

    fn command(&self, room: &Room) -> anyhow::Result<Command> {
        let mut command = room.command(std::env::current_exe()?);
        command.arg(crate::args::FLOOR);
        Ok(command)
    }

    fn open(&self, client: &Client) -> anyhow::Result<Terminal> {
        let terminal = Terminal(SHELLS.fetch_add(1, Ordering::Relaxed).to_string());
        let answer = self.run(client, Place::Live(&terminal), "true", START)?;
        ensure!(answer.exit == Exit::Code(0), "a shell that does not work: {answer:?}");
        Ok(terminal)
    }

    fn run(&self, client: &Client, place: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer> {
        let reply = match place {
            Place::Live(shell) => client.call(SHELL, &json!({ "shell": shell.0, "command": command }), patience)?,
            Place::Fresh => client.call(EXEC, &json!({ "command": command }), patience)?,
        };
        let said = &reply.result["structuredContent"];
        let output = said["output"].as_str().context("no output")?.to_owned();
        let exit = said["exitCode"].as_i64().map_or(Exit::Untold, |code| Exit::Code(code as i32));
        Ok(Answer { output, exit, bytes: reply.bytes })
    }
}
