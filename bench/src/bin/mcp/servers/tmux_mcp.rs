//! `tmux-mcp`: commands typed into panes of tmux between two marks, looked for in the last thousand lines of the pane.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use flightdeck_bench::room::Room;
use serde_json::{Value, json};

use crate::server::{self, Answer, Exit, Place, Terminal, Way, found, peer};
use crate::servers::{Polling, between, number_after, text};
use flightdeck_bench::mcp::{Client, Reply};

const START: Duration = Duration::from_secs(30);

pub struct Adapter;

static SESSIONS: AtomicU64 = AtomicU64::new(0);

impl server::Adapter for Adapter {
    fn ways(&self) -> &'static [Way] {
        &[Way::Live]
    }

    fn programs(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(vec![found("node")?, found("tmux")?])
    }

    fn command(&self, room: &Room) -> anyhow::Result<Command> {
        let Ok(script) = peer("tmux-mcp", "build/index.js") else {
            bail!("not installed: npm had no such package when the peers were pinned, see bench/peers/README.md")
        };
        found("tmux")?;
        let mut command = room.command(found("node")?);
        command.arg(script);
        Ok(command)
    }

    fn open(&self, client: &Client) -> anyhow::Result<Terminal> {
        let name = format!("bench-{}", SESSIONS.fetch_add(1, Ordering::Relaxed));
        let created = text(&client.call("create-session", &json!({ "name": name }), START)?.result);
        let session = created.find('{').and_then(|at| serde_json::from_str::<Value>(&created[at..]).ok());
        let session = session.with_context(|| format!("no session: {created:.200}"))?;
        let windows = list(client, "list-windows", &json!({ "sessionId": session["id"] }))?;
        let panes = list(client, "list-panes", &json!({ "windowId": windows[0]["id"] }))?;
        let pane = panes[0]["id"].as_str().context("a session without a pane")?;
        Ok(Terminal(pane.to_owned()))
    }

    fn run(&self, client: &Client, place: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer> {
        let Place::Live(pane) = place else { bail!("it has no fresh processes") };
        let mut polling = Polling::until(patience);
        let started = client.call("execute-command", &json!({ "paneId": pane.0, "command": command }), patience)?;
        let said = text(&started.result);
        let id = between(&said, "tmux://command/", "/result").with_context(|| format!("not started: {said:.200}"))?;
        let mut bytes = started.bytes;
        loop {
            let reply = client.call("get-command-result", &json!({ "commandId": id }), polling.left() + START)?;
            bytes += reply.bytes;
            if let Some(answer) = answer(&reply, bytes) {
                return Ok(answer);
            }
            polling.pause().context("the command is pending for ever")?;
        }
    }
}

/// `None` while the command is pending.
fn answer(reply: &Reply, bytes: usize) -> Option<Answer> {
    let said = text(&reply.result);
    let code = number_after(&said, "\nExit code:")?;
    let output = between(&said, "--- Output ---\n", "\0")?;
    Some(Answer { output: output.to_owned(), exit: Exit::Code(code as i32), bytes })
}

fn list(client: &Client, tool: &str, args: &Value) -> anyhow::Result<Value> {
    let said = text(&client.call(tool, args, START)?.result);
    serde_json::from_str(&said).with_context(|| format!("{tool} says {said:.200}"))
}
