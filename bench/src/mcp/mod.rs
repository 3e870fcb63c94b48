//! A small MCP client, the same for every server: JSON-RPC in lines over a child's stdin and stdout.
//!
//! Whoever waits for a reply reads for all, so that a single caller costs no change of threads, and many can call at
//! once.

mod lines;

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use lines::Lines;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::room::ended;

/// What a peer that has to load half a megabyte of JavaScript on a busy machine needs at most.
const START: Duration = Duration::from_mins(1);
/// How long a server has to go when its input ends.
const FAREWELL: Duration = Duration::from_secs(1);
/// How much of what a server printed on stderr says why it failed.
const COMPLAINT: usize = 300;

#[derive(Debug)]
pub struct Client {
    child: Child,
    input: Mutex<Option<ChildStdin>>,
    inbox: Mutex<Inbox>,
    arrived: Condvar,
    last: AtomicU64,
    complaints: PathBuf,
    /// Name and version, as the server says them.
    pub server: String,
}

/// Replies that nobody has taken yet.
#[derive(Debug, Default)]
struct Inbox {
    /// `None`: somebody is reading.
    lines: Option<Lines>,
    replies: HashMap<u64, Message>,
}

/// What a server answered.
#[derive(Debug)]
pub struct Reply {
    pub result: Value,
    /// Its length on the wire.
    pub bytes: usize,
}

#[derive(Debug, Deserialize)]
struct Message {
    #[serde(default)]
    id: Value,
    method: Option<String>,
    result: Option<Value>,
    error: Option<Value>,
    #[serde(skip)]
    bytes: usize,
}

impl Client {
    /// Starts a server and shakes hands. What it prints on stderr goes to the file `complaints`.
    pub fn start(command: &mut Command, complaints: PathBuf) -> anyhow::Result<Self> {
        let stderr = std::fs::File::create(&complaints).with_context(|| complaints.display().to_string())?;
        // Whoever writes to the server is an agent's client, and all below it are no people: the benchmark itself ends
        // hubs, as a person does.
        let mut feeder = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cat")?;
        let fed = feeder.stdout.take().map_or_else(Stdio::null, Stdio::from);
        let input = feeder.stdin.take();
        // It ends with its input.
        std::thread::spawn(move || feeder.wait());
        let mut child = command
            .stdin(fed)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .with_context(|| format!("{} can't be started", command.get_program().display()))?;
        let lines = child.stdout.take().map(|output| Lines::new(output.into()));
        let inbox = Mutex::new(Inbox { lines, replies: HashMap::new() });
        let (arrived, last) = (Condvar::new(), AtomicU64::new(0));
        let mut client =
            Client { child, input: Mutex::new(input), inbox, arrived, last, complaints, server: String::new() };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "flightdeck-bench", "version": env!("CARGO_PKG_VERSION") },
        });
        let welcome = client.request("initialize", &hello, START)?.result;
        let info = |name: &str| welcome["serverInfo"][name].as_str().unwrap_or("?").to_owned();
        client.server = format!("{} {}", info("name"), info("version"));
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    pub fn tools(&self) -> anyhow::Result<Vec<String>> {
        let result = self.request("tools/list", &json!({}), START)?.result;
        let tools = result["tools"].as_array().context("a list of tools without tools")?;
        Ok(tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect())
    }

    pub fn call(&self, tool: &str, args: &Value, patience: Duration) -> anyhow::Result<Reply> {
        self.request("tools/call", &json!({ "name": tool, "arguments": args }), patience).context(tool.to_owned())
    }

    pub fn request(&self, method: &str, params: &Value, patience: Duration) -> anyhow::Result<Reply> {
        let deadline = Instant::now() + patience;
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let message = self.reply(id, deadline)?;
        match (message.result, message.error) {
            (Some(result), None) => Ok(Reply { result, bytes: message.bytes }),
            (_, Some(error)) => bail!("the server refused: {}", error["message"].as_str().unwrap_or("no reason")),
            (None, None) => bail!("neither a result nor an error"),
        }
    }

    fn send(&self, message: &Value) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let input = input.as_mut().context("the server's input is closed")?;
        input.write_all(&line).map_err(|_| self.gone())
    }

    /// Waits for a reply: reads for everybody if nobody does, else waits until somebody has read it.
    fn reply(&self, id: u64, deadline: Instant) -> anyhow::Result<Message> {
        let mut inbox = self.inbox();
        loop {
            if let Some(message) = inbox.replies.remove(&id) {
                return Ok(message);
            }
            let Some(mut lines) = inbox.lines.take() else {
                let left = deadline.checked_duration_since(Instant::now()).context("no answer in time")?;
                let waited = self.arrived.wait_timeout(inbox, left).unwrap_or_else(PoisonError::into_inner);
                inbox = waited.0;
                continue;
            };
            drop(inbox);
            let line = lines.next(deadline).and_then(|line| line.ok_or_else(|| self.gone()));
            let message = line.and_then(|line| self.understood(&line));
            inbox = self.inbox();
            inbox.lines = Some(lines);
            self.arrived.notify_all();
            match message {
                Ok(Some(message)) => {
                    let id = message.id.as_u64().unwrap_or_default();
                    inbox.replies.insert(id, message);
                }
                Ok(None) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// `None` for what is not a reply: notifications, requests (which are refused), and what is no JSON at all.
    fn understood(&self, line: &[u8]) -> anyhow::Result<Option<Message>> {
        let Ok(mut message) = serde_json::from_slice::<Message>(line) else { return Ok(None) };
        message.bytes = line.len();
        if message.method.is_none() {
            return Ok(Some(message));
        }
        if !message.id.is_null() {
            let error = json!({ "code": -32601, "message": "this client can do nothing for servers" });
            self.send(&json!({ "jsonrpc": "2.0", "id": message.id, "error": error }))?;
        }
        Ok(None)
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// That the server ended, with what it said on stderr.
    fn gone(&self) -> anyhow::Error {
        let text = std::fs::read(&self.complaints).unwrap_or_default();
        let text = String::from_utf8_lossy(&text[text.len().saturating_sub(COMPLAINT)..]).trim().replace('\n', " | ");
        anyhow!("the server ended and left on stderr: {}", if text.is_empty() { "nothing" } else { &text })
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input.lock().unwrap_or_else(PoisonError::into_inner).take();
        if !matches!(ended(&mut self.child, FAREWELL), Ok(Some(_))) {
            // Gone already is what we want.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
