//! `@wonderwhy-er/desktop-commander`: a process per command, whose exit code takes a second call, or a shell on pipes
//! whose prompt it looks for every 50 ms and whose exit codes it does not tell.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};
use flightdeck_bench::room::Room;
use serde_json::{Value, json};

use crate::server::{self, Answer, Exit, Place, Terminal, Way, found, peer};
use crate::servers::{Polling, between, number_after, text};
use flightdeck_bench::mcp::{Client, Reply};

const START: Duration = Duration::from_secs(30);
/// The last lines of output that are asked for with the exit code.
const TAIL: i64 = 100;
/// In a shell we have to ask for the exit code ourselves.
const EXIT: &str = "exit code of the command:";

pub struct Adapter;

impl server::Adapter for Adapter {
    fn ways(&self) -> &'static [Way] {
        &[Way::Live, Way::Fresh]
    }

    fn programs(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(vec![found("node")?])
    }

    fn command(&self, room: &Room) -> anyhow::Result<Command> {
        let script = peer("@wonderwhy-er/desktop-commander", "dist/index.js")?;
        // It looks for a browser for its PDFs and downloads one when there is none; this one it finds.
        let own = room.dir().join("h/.claude-server-commander");
        let browser = own.join("puppeteer-cache/chrome/linux-0/chrome-linux64");
        std::fs::create_dir_all(&browser)?;
        std::fs::write(browser.join("chrome"), "")?;
        std::fs::write(own.join("config.json"), json!({ "telemetryEnabled": false }).to_string())?;
        let mut command = room.command(found("node")?);
        command.arg(script).arg("--no-onboarding").env("DESKTOP_COMMANDER_DISABLE_TELEMETRY", "1");
        // Nothing listens there, so nothing leaves the machine and nothing is waited for.
        command.env("DC_FLAG_URL", "http://127.0.0.1:9/");
        Ok(command)
    }

    fn open(&self, client: &Client) -> anyhow::Result<Terminal> {
        // It answers when it sees the prompt, which must not overtake the output on a pipe of its own.
        let reply = start(client, "bash --norc --noprofile -i 2>&1", START)?;
        Ok(Terminal(pid(&reply)?.to_string()))
    }

    fn run(&self, client: &Client, place: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer> {
        match place {
            Place::Live(terminal) => live(client, terminal.0.parse()?, command, patience),
            Place::Fresh => fresh(client, command, patience),
        }
    }
}

fn fresh(client: &Client, command: &str, patience: Duration) -> anyhow::Result<Answer> {
    let mut polling = Polling::until(patience);
    let started = start(client, command, patience)?;
    let (pid, mut bytes) = (pid(&started)?, started.bytes);
    loop {
        let reply = read(client, pid, polling.left())?;
        bytes += reply.bytes;
        let said = text(&reply.result);
        if let Some(code) = number_after(&said, "Process completed with exit code") {
            let output = between(&said, "\n\n", "\n✅ Process completed").unwrap_or_default();
            let output = if output == "(No output in requested range)" { "" } else { output };
            return Ok(Answer { output: output.to_owned(), exit: Exit::Code(code as i32), bytes });
        }
        polling.pause()?;
    }
}

fn live(client: &Client, pid: i64, command: &str, patience: Duration) -> anyhow::Result<Answer> {
    let input = format!("{command}; echo \"{EXIT}$?\"");
    let args = json!({ "pid": pid, "input": input, "timeout_ms": patience.as_millis() as u64 });
    let reply = client.call("interact_with_process", &args, patience + Duration::from_secs(5))?;
    let mut said = text(&reply.result);
    let mut bytes = reply.bytes;
    if !said.contains(EXIT) {
        // More than a thousand lines: it shows the first ones.
        let reply = read(client, pid, patience)?;
        bytes += reply.bytes;
        said = text(&reply.result).replace("lines)]\n\n", "📤 Output:\n");
    }
    let Some(code) = number_after(&said, EXIT) else { bail!("no end of the command in {said:.200}") };
    let output = between(&said, "📤 Output:\n", EXIT).context("a reply without output")?;
    Ok(Answer { output: output.to_owned(), exit: Exit::Code(code as i32), bytes })
}

fn start(client: &Client, command: &str, patience: Duration) -> anyhow::Result<Reply> {
    let args = json!({ "command": command, "timeout_ms": patience.as_millis() as u64 });
    client.call("start_process", &args, patience + Duration::from_secs(5))
}

/// Its last lines, and its exit code if it has ended.
fn read(client: &Client, pid: i64, patience: Duration) -> anyhow::Result<Reply> {
    client.call("read_process_output", &json!({ "pid": pid, "offset": -TAIL, "length": TAIL }), patience)
}

fn pid(reply: &Reply) -> anyhow::Result<i64> {
    let said = text(&reply.result);
    let is_error = reply.result.get("isError").is_some_and(|error| *error == Value::Bool(true));
    let pid = number_after(&said, "PID").filter(|_| !is_error);
    pid.with_context(|| format!("no process: {said:.200}"))
}
