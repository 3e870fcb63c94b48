//! `mcp-server-commands`: a process per command, no sessions. It says whether a command failed, but not with which exit
//! code, and refuses more than a mebibyte of output (the default of Node's `exec`).

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::bail;
use flightdeck_bench::room::Room;
use serde_json::json;

use crate::server::{self, Answer, Exit, Place, Terminal, Way, found, peer};
use flightdeck_bench::mcp::Client;

pub struct Adapter;

impl server::Adapter for Adapter {
    fn ways(&self) -> &'static [Way] {
        // Node's `exec` takes `/bin/sh`, whatever the user's shell is.
        &[Way::FreshSh]
    }

    fn programs(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(vec![found("node")?])
    }

    fn command(&self, room: &Room) -> anyhow::Result<Command> {
        let mut command = room.command(found("node")?);
        command.arg(peer("mcp-server-commands", "build/index.js")?);
        Ok(command)
    }

    fn open(&self, _: &Client) -> anyhow::Result<Terminal> {
        bail!("it has no live shells")
    }

    fn run(&self, client: &Client, _: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer> {
        let reply = client.call("run_command", &json!({ "command": command }), patience)?;
        let parts = reply.result["content"].as_array().cloned().unwrap_or_default();
        let part = |name: &str| {
            let part = parts.iter().find(|part| part["name"] == name);
            part.and_then(|part| part["text"].as_str()).unwrap_or_default().to_owned()
        };
        let exit = if reply.result["isError"] == true { Exit::Failed } else { Exit::Code(0) };
        Ok(Answer { output: part("STDOUT"), exit, bytes: reply.bytes })
    }
}
