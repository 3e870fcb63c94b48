//! An agent: a small MCP client on the pipes of `flightdeck mcp`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};

use crate::wait::try_until;
use crate::{Deck, SOON, binary};

/// A client with its server process. Dropping it hangs up and waits for the process.
#[derive(Debug)]
pub struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    received: Arc<Received>,
    last: u64,
    /// How many of the server's questions were looked at.
    questions: usize,
}

#[derive(Debug, Default)]
struct Received {
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct State {
    messages: Vec<Value>,
    ended: bool,
}

impl Agent {
    /// Starts `flightdeck mcp` and shakes hands under this name.
    #[track_caller]
    pub fn new(deck: &Deck, name: &str) -> Self {
        Agent::with(deck, name, &[])
    }

    /// The same with more arguments.
    #[track_caller]
    pub fn with(deck: &Deck, name: &str, args: &[&str]) -> Self {
        Agent::able(deck, name, args, &json!({}))
    }

    /// The same for a client that can put questions before its user.
    #[track_caller]
    pub fn asking(deck: &Deck, name: &str) -> Self {
        Agent::able(deck, name, &[], &json!({ "elicitation": { "form": {} } }))
    }

    /// The same for a client with these capabilities.
    #[track_caller]
    pub fn able(deck: &Deck, name: &str, args: &[&str], capabilities: &Value) -> Self {
        Agent::silent(deck, args).greets(name, capabilities)
    }

    /// The same for any program that serves MCP on its pipes.
    #[track_caller]
    pub fn of(command: &Command, name: &str) -> Self {
        Agent::start(command).greets(name, &json!({}))
    }

    #[track_caller]
    fn greets(mut self, name: &str, capabilities: &Value) -> Self {
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": { "name": name, "version": "1.0" },
        });
        let answer = self.request("initialize", &hello);
        assert!(answer["result"]["serverInfo"].is_object(), "{answer}");
        self.notify("notifications/initialized", &json!({}));
        self
    }

    /// Starts the process and says nothing.
    pub fn silent(deck: &Deck, args: &[&str]) -> Self {
        Agent::start(&deck.command(&[&["mcp"], args].concat()))
    }

    fn start(command: &Command) -> Self {
        let mut client = by_client(command);
        let mut child = client
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("flightdeck mcp starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        let received = Arc::new(Received::default());
        let filled = Arc::clone(&received);
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line)
                    .unwrap_or_else(|error| json!({ "garbage": line, "error": error.to_string() }));
                filled.state.lock().messages.push(message);
                filled.news.notify_all();
            }
            filled.state.lock().ended = true;
            filled.news.notify_all();
        });
        Agent { child, stdin, received, last: 0, questions: 0 }
    }

    /// Calls a tool and gives its structured result.
    #[track_caller]
    pub fn call(&mut self, tool: &str, args: &Value) -> Value {
        let id = self.begin(tool, args);
        self.result(id)
    }

    /// Calls a tool, which must succeed.
    #[track_caller]
    pub fn ok(&mut self, tool: &str, args: &Value) -> Value {
        let result = self.call(tool, args);
        assert_eq!(result["success"], true, "{tool} {args}: {result}");
        result
    }

    /// Begins to call a tool.
    pub fn begin(&mut self, tool: &str, args: &Value) -> u64 {
        let params =
            json!({ "name": tool, "arguments": args, "_meta": { "progressToken": format!("p{}", self.last + 1) } });
        self.send_request("tools/call", &params)
    }

    /// The structured result of a call that was begun. Whether it failed is told in the same way in both places.
    #[track_caller]
    pub fn result(&mut self, id: u64) -> Value {
        let answer = self.answer(id);
        let result = &answer["result"];
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap_or_default()).unwrap_or_default();
        assert_eq!(result["isError"] == true, text["success"] == false, "{answer}");
        let has_picture = result["content"][1]["type"] == "image";
        let structured = result.get("structuredContent");
        assert_eq!(structured, (!has_picture).then_some(&text), "the text is the same JSON, or beside a picture alone");
        text
    }

    /// Sends a request and waits for its answer.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send_request(method, params);
        self.answer(id)
    }

    /// Sends a request.
    pub fn send_request(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        self.send_line(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }).to_string());
        self.last
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send_line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a line as it is.
    pub fn send_line(&mut self, line: &str) {
        // A process that is gone is noticed by what it does not answer.
        let stdin = self.stdin.as_mut().expect("not hung up");
        let _ = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
    }

    /// The answer to a request.
    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        self.message(&format!("the answer to request {id}"), |message| message["id"] == id)
    }

    /// A message that is there or comes.
    #[track_caller]
    pub fn message(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + SOON;
        let mut state = self.received.state.lock();
        loop {
            if let Some(found) = state.messages.iter().find(|message| wanted(message)) {
                return found.clone();
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !state.ended, "{what} did not come; there was {:#?}", state.messages);
            self.received.news.wait_for(&mut state, left);
        }
    }

    /// The next question of the server to the user. It is left open.
    #[track_caller]
    pub fn question(&mut self) -> Value {
        let id = |message: &Value| (message["method"] == "elicitation/create").then(|| message["id"].clone());
        let before: Vec<_> = self.messages().iter().filter_map(id).take(self.questions).collect();
        self.questions += 1;
        self.message("a question to the user", |message| id(message).is_some_and(|id| !before.contains(&id)))
    }

    /// How many questions came so far.
    pub fn questions(&self) -> usize {
        self.messages().iter().filter(|message| message["method"] == "elicitation/create").count()
    }

    /// Answers a question with this result.
    pub fn reply(&mut self, question: &Value, result: &Value) {
        self.send_line(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }).to_string());
    }

    /// Answers a question by filling in its form, with a reason: a no without one that comes at once is no person's.
    pub fn choose(&mut self, question: &Value, choice: &str) {
        self.reply(question, &json!({ "action": "accept", "content": { "answer": choice, "reason": "because" } }));
    }

    /// Waits until the server has taken a question back.
    #[track_caller]
    pub fn taken_back(&self, question: &Value) -> Value {
        self.message("the question is taken back", |message| {
            message["method"] == "notifications/cancelled" && message["params"]["requestId"] == question["id"]
        })
    }

    /// Everything that came so far.
    pub fn messages(&self) -> Vec<Value> {
        self.received.state.lock().messages.clone()
    }

    /// The process that serves MCP.
    #[track_caller]
    pub fn pid(&self) -> u32 {
        let path = format!("/proc/{0}/task/{0}/children", self.child.id());
        let children = || fs::read_to_string(&path).ok()?.split_whitespace().next()?.parse().ok();
        try_until(SOON, children).expect("the client has started it")
    }

    /// The client's own process.
    pub fn client_pid(&self) -> u32 {
        self.child.id()
    }

    /// Hangs up, and gives the exit code of the process.
    pub fn hang_up(mut self) -> Option<i32> {
        self.stdin = None;
        self.wait()
    }

    fn wait(&mut self) -> Option<i32> {
        if let Some(status) = try_until(SOON, || self.child.try_wait().ok().flatten()) {
            return status.code();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        panic!("flightdeck mcp did not end after its client hung up");
    }
}

/// The same program, started by a client of MCP that is a process of its own: the test itself is a person, too.
pub fn by_client(command: &Command) -> Command {
    let mut client = Command::new(binary::client());
    client.arg("run").arg(command.get_program()).args(command.get_args()).env_clear();
    client.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(dir) = command.get_current_dir() {
        client.current_dir(dir);
    }
    client
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.stdin = None;
        if thread::panicking() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        } else {
            self.wait();
        }
    }
}
