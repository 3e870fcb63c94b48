//! A server that does nothing but what has to be done, as the floor that all others stand on: one thread, one `poll`.
//!
//! No session is kept on disk, no screen, no record of what ran; a command's output is in memory, its head and its tail.

mod bounded;
mod exec;
mod shell;

use std::collections::HashMap;
use std::io::Write;

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use serde_json::{Value, json};

use bounded::Bounded;
use exec::Exec;
use shell::Shell;

/// Runs a command in a live bash on a terminal.
pub const SHELL: &str = "shell_run";
/// Runs a command in a shell of its own on pipes.
pub const EXEC: &str = "exec_run";

/// What is read at once.
const CHUNK: usize = 64 << 10;

/// Serves until the end of the input.
pub fn serve() -> anyhow::Result<()> {
    let mut floor = Floor::default();
    let mut chunk = vec![0; CHUNK];
    let mut input = Vec::new();
    loop {
        let ready = floor.wait()?;
        if ready.input {
            match rustix::io::read(std::io::stdin(), &mut chunk)? {
                0 => return Ok(()),
                read => input.extend_from_slice(&chunk[..read]),
            }
            while let Some(end) = memchr::memchr(b'\n', &input) {
                let line: Vec<u8> = input.drain(..=end).collect();
                floor.hear(&serde_json::from_slice(&line).context("a line that is no JSON")?)?;
            }
        }
        for name in ready.shells {
            floor.advance_shell(&name, &mut chunk)?;
        }
        // From the last, because those that have ended are taken out.
        for at in ready.execs.into_iter().rev() {
            floor.advance_exec(at, &mut chunk)?;
        }
    }
}

#[derive(Debug, Default)]
struct Floor {
    shells: HashMap<String, Shell>,
    execs: Vec<Exec>,
}

/// What can be read.
struct Ready {
    input: bool,
    shells: Vec<String>,
    execs: Vec<usize>,
}

/// How a command ended.
#[derive(Debug)]
struct Ended {
    id: Value,
    output: Bounded,
    code: i32,
}

impl Floor {
    fn wait(&self) -> anyhow::Result<Ready> {
        let stdin = std::io::stdin();
        let busy: Vec<_> = self.shells.iter().filter(|(_, shell)| shell.is_busy()).collect();
        let mut fds = vec![PollFd::new(&stdin, PollFlags::IN)];
        fds.extend(busy.iter().map(|(_, shell)| PollFd::new(shell.descriptor(), PollFlags::IN)));
        fds.extend(self.execs.iter().map(|exec| PollFd::new(exec.descriptor(), PollFlags::IN)));
        while let Err(error) = poll(&mut fds, None) {
            if error != Errno::INTR {
                return Err(error.into());
            }
        }
        let is_ready = |fd: &PollFd| !fd.revents().is_empty();
        let (input, rest) = fds.split_first().context("no input to wait for")?;
        let (shells, execs) = rest.split_at(busy.len());
        let shells = busy.iter().zip(shells).filter(|(_, fd)| is_ready(fd)).map(|((name, _), _)| (*name).clone());
        let execs = execs.iter().enumerate().filter(|(_, fd)| is_ready(fd)).map(|(at, _)| at);
        Ok(Ready { input: is_ready(input), shells: shells.collect(), execs: execs.collect() })
    }

    fn hear(&mut self, message: &Value) -> anyhow::Result<()> {
        let id = &message["id"];
        let params = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => answer(
                id,
                &json!({
                    "protocolVersion": params["protocolVersion"],
                    "capabilities": { "tools": {} },
                    "serverInfo": { "name": "floor", "version": env!("CARGO_PKG_VERSION") },
                }),
            ),
            "tools/list" => answer(id, &tools()),
            "tools/call" => self.call(id, params),
            // Notifications, and what nobody asks of a floor.
            _ => Ok(()),
        }
    }

    fn call(&mut self, id: &Value, params: &Value) -> anyhow::Result<()> {
        let args = &params["arguments"];
        let command = args["command"].as_str().context("no command")?;
        if params["name"] == SHELL {
            let name = args["shell"].as_str().unwrap_or_default().to_owned();
            let shell = match self.shells.entry(name) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => entry.insert(Shell::start()?),
            };
            shell.begin(id.clone(), command)
        } else {
            self.execs.push(Exec::start(id.clone(), command)?);
            Ok(())
        }
    }

    fn advance_shell(&mut self, name: &str, chunk: &mut [u8]) -> anyhow::Result<()> {
        match self.shells.get_mut(name).map(|shell| shell.advance(chunk)).transpose()?.flatten() {
            Some(ended) => tell(&ended),
            None => Ok(()),
        }
    }

    fn advance_exec(&mut self, at: usize, chunk: &mut [u8]) -> anyhow::Result<()> {
        if self.execs[at].advance(chunk)? {
            tell(&self.execs.swap_remove(at).end()?)?;
        }
        Ok(())
    }
}

fn tools() -> Value {
    let command = json!({ "type": "string", "description": "The command, as it would be typed." });
    let shell =
        json!({ "type": "string", "description": "Which of the live shells; a new one is started if need be." });
    json!({ "tools": [
        {
            "name": SHELL,
            "description": "Runs a command in a live shell.",
            "inputSchema": {
                "type": "object",
                "properties": { "command": command, "shell": shell },
                "required": ["command"],
            },
        },
        {
            "name": EXEC,
            "description": "Runs a command in a process of its own.",
            "inputSchema": { "type": "object", "properties": { "command": command }, "required": ["command"] },
        },
    ] })
}

fn tell(ended: &Ended) -> anyhow::Result<()> {
    let output = ended.output.text();
    answer(
        &ended.id,
        &json!({
            "content": [{ "type": "text", "text": output }],
            "structuredContent": { "output": output, "exitCode": ended.code },
        }),
    )
}

fn answer(id: &Value, result: &Value) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))?;
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    out.write_all(&line)?;
    Ok(out.flush()?)
}
