//! Ours.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use flightdeck_bench::room::{Room, program};
use serde_json::json;

use crate::server::{self, Answer, Exit, Place, Terminal, Way};
use crate::servers::text;
use flightdeck_bench::mcp::Client;

const START: Duration = Duration::from_secs(30);

pub struct Adapter;

impl server::Adapter for Adapter {
    fn ways(&self) -> &'static [Way] {
        &[Way::Live, Way::Fresh, Way::FreshSh]
    }

    /// The hub and the keeper are the same program.
    fn programs(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(vec![program()?])
    }

    fn command(&self, room: &Room) -> anyhow::Result<Command> {
        let mut command = room.command(program()?);
        command.arg("--workspace").arg(room.dir().join("w")).arg("mcp");
        Ok(command)
    }

    fn open(&self, client: &Client) -> anyhow::Result<Terminal> {
        let result = client.call("flightdeck.terminal.new", &json!({}), START)?.result;
        let id = result["structuredContent"]["data"]["id"].as_str();
        Ok(Terminal(id.with_context(|| format!("a terminal without an id: {}", text(&result)))?.to_owned()))
    }

    fn run(&self, client: &Client, place: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer> {
        let mut args = json!({ "command": command, "timeoutMs": patience.as_millis() as u64 });
        if let Place::Live(terminal) = place {
            args["id"] = json!(terminal.0);
        }
        // The hub's own limit comes first, with a better message.
        let reply = client.call("flightdeck.terminal.run", &args, patience + Duration::from_secs(5))?;
        let said = &reply.result["structuredContent"];
        let data = &said["data"];
        ensure!(data["running"] != true, "the command still runs: {}", text(&reply.result));
        let output = said["output"].as_str().with_context(|| format!("no output: {}", text(&reply.result)))?;
        let exit = data["exitCode"].as_i64().map_or(Exit::Untold, |code| Exit::Code(code as i32));
        Ok(Answer { output: output.to_owned(), exit, bytes: reply.bytes })
    }
}
