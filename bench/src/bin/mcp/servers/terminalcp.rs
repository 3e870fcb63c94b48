//! `@mariozechner/terminalcp`: terminals in a daemon. It starts things and shows what they print; that a process has
//! ended, and how, is a line in its output, and of a command in a shell it knows nothing.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use flightdeck_bench::room::Room;
use serde_json::{Value, json};

use crate::server::{self, Answer, Exit, Place, Terminal, Way, found, peer};
use crate::servers::{Polling, number_after, text};
use flightdeck_bench::mcp::{Client, Reply};

const PACKAGE: &str = "@mariozechner/terminalcp";
const SCRIPT: &str = "dist/index.js";
const START: Duration = Duration::from_secs(30);
/// What it adds to the output of a process that has ended.
const EXITED: &str = "[Process exited with code";
/// How much of a long output is kept for the check of its end.
const KEPT: usize = 64 << 10;

pub struct Adapter;

/// Numbers for the marks by which we find the end of a command in a shell.
static MARKS: AtomicU64 = AtomicU64::new(0);

impl server::Adapter for Adapter {
    fn ways(&self) -> &'static [Way] {
        &[Way::Live, Way::Fresh]
    }

    fn programs(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(vec![found("node")?])
    }

    fn command(&self, room: &Room) -> anyhow::Result<Command> {
        let mut command = room.command(found("node")?);
        command.arg(peer(PACKAGE, SCRIPT)?).arg("--mcp");
        Ok(command)
    }

    /// It gives its daemon little more than a second to start, and never tries again when a busy machine takes longer.
    fn prepare(&self, room: &Room) -> anyhow::Result<()> {
        let script = peer(PACKAGE, SCRIPT)?;
        let status = room
            .command("setsid")
            .arg("--fork")
            .arg(found("node")?)
            .arg(script)
            .arg("--server")
            .stderr(Stdio::null())
            .status()?;
        ensure!(status.success(), "its daemon can't be started");
        let socket = room.dir().join("h/.terminalcp/server.sock");
        let mut polling = Polling::until(START);
        while !socket.exists() {
            polling.pause().context("its daemon does not start")?;
        }
        Ok(())
    }

    fn open(&self, client: &Client) -> anyhow::Result<Terminal> {
        let id = start(client, "bash --norc --noprofile", START)?;
        let terminal = Terminal(id);
        // Without prompts and echo, what comes is what commands print.
        let answer = live(client, &terminal, "stty -echo; PS1=; PS2=", START)?;
        ensure!(answer.exit == Exit::Code(0), "a shell that does not work: {answer:?}");
        Ok(terminal)
    }

    fn run(&self, client: &Client, place: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer> {
        match place {
            Place::Live(terminal) => live(client, terminal, command, patience),
            Place::Fresh => {
                let id = start(client, command, patience)?;
                let (said, bytes) = listen(client, &id, EXITED, patience)?;
                let output = said.find(EXITED).map_or(&*said, |end| &said[..end]).to_owned();
                Ok(Answer { output, exit: exit(&said, EXITED), bytes })
            }
        }
    }
}

fn live(client: &Client, terminal: &Terminal, command: &str, patience: Duration) -> anyhow::Result<Answer> {
    let mark = MARKS.fetch_add(1, Ordering::Relaxed);
    // The quotes keep the echo of what is typed from looking like the mark. A line ends with a line feed here because
    // the carriage return of its manual is sent 200 ms late.
    let data = format!("{command}; echo END''-{mark}:$?\n");
    call(client, &json!({ "action": "stdin", "id": terminal.0, "data": data }), patience)?;
    let mark = format!("END-{mark}:");
    let (said, bytes) = listen(client, &terminal.0, &mark, patience)?;
    let output = said.find(&mark).map_or(&*said, |end| &said[..end]).to_owned();
    Ok(Answer { output, exit: exit(&said, &mark), bytes })
}

/// Reads what is new until there is a line with the mark. Gives the last part of it all.
fn listen(client: &Client, id: &str, mark: &str, patience: Duration) -> anyhow::Result<(String, usize)> {
    let mut polling = Polling::until(patience);
    let (mut said, mut bytes) = (String::new(), 0);
    loop {
        let args = json!({ "action": "stream", "id": id, "since_last": true });
        let reply = call(client, &args, polling.left())?;
        bytes += reply.bytes;
        said.push_str(&text(&reply.result));
        if said.find(mark).is_some_and(|at| said[at..].contains('\n')) {
            return Ok((said, bytes));
        }
        if said.len() > 2 * KEPT {
            let from = said.ceil_char_boundary(said.len() - KEPT);
            said.drain(..from);
        }
        polling.pause()?;
    }
}

fn exit(said: &str, mark: &str) -> Exit {
    number_after(said, mark).map_or(Exit::Untold, |code| Exit::Code(code as i32))
}

fn start(client: &Client, command: &str, patience: Duration) -> anyhow::Result<String> {
    Ok(text(&call(client, &json!({ "action": "start", "command": command }), patience)?.result))
}

fn call(client: &Client, args: &Value, patience: Duration) -> anyhow::Result<Reply> {
    client.call("terminalcp", &json!({ "args": args }), patience)
}
