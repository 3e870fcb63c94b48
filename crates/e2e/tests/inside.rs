//! Who was started inside of one of the hub's own terminals does not decide about agents, however it hides: an agent
//! could have typed it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::programs::Programs;
use flightdeck_e2e::{Agent, Deck, Http, SOON};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";

/// Ways to start a program so that it looks like somebody else's. `{}` is the program.
const DISGUISES: [(&str, &str); 5] = [
    ("plain", "{}"),
    ("without its environment", "env -i {env} {}"),
    ("in another session", "setsid --wait {}"),
    ("as an orphan", "(setsid {} &) &"),
    ("as an orphan without its environment", "(env -i {env} setsid setsid --fork {} &) &"),
];

/// What decides about agents, with arguments that would do.
pub fn for_people() -> [(&'static str, Value); 7] {
    [
        ("flightdeck.approval.answer", json!({ "id": "a1", "choice": "approve" })),
        ("flightdeck.approval.list", json!({})),
        ("flightdeck.policy.add", json!({ "patterns": ["cargo test *"] })),
        ("flightdeck.policy.accept", json!({ "versions": [] })),
        ("flightdeck.policy.reject", json!({})),
        ("flightdeck.consent.set", json!({ "allow": true, "version": 2 })),
        ("flightdeck.approval.watch", json!({ "attend": true })),
    ]
}

struct Scene {
    agent: Agent,
    /// The agent's terminal.
    terminal: String,
    scripts: usize,
    /// The last to go: it checks that nothing is left.
    deck: Deck,
}

impl Scene {
    fn new(settings: &str) -> Self {
        let deck = Deck::new();
        deck.settings(settings);
        fs::create_dir_all(deck.workspace().join("doomed")).unwrap();
        let mut agent = Agent::new(&deck, "sly");
        let made = agent.ok("flightdeck.terminal.new", &json!({}));
        let terminal = made["data"]["id"].as_str().unwrap().to_owned();
        deck.at_prompt(&terminal);
        Scene { agent, terminal, scripts: 0, deck }
    }

    fn is_whole(&self) -> bool {
        self.deck.workspace().join("doomed").exists()
    }

    fn binary(&self) -> String {
        self.deck.command(&[]).get_program().to_str().unwrap().to_owned()
    }

    /// What a process needs to find the hub, as words for `env`.
    fn env(&self) -> String {
        let command = self.deck.command(&[]);
        let pairs = command.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?)));
        pairs.map(|(name, value)| format!("{name}={value} ")).collect()
    }

    /// Has the agent run a script, whose text the policy does not see, and gives what it printed at the end.
    #[track_caller]
    fn inside(&mut self, disguise: &str, script: &str) -> String {
        self.scripts += 1;
        let [inner, outer, out] =
            ["inner", "outer", "out"].map(|name| self.deck.workspace().join(format!("{name}{}", self.scripts)));
        let done = out.with_extension("done");
        // Renamed when it is whole.
        write_script(&inner, &format!("{{ {script}\n}} >{0}.new 2>&1\nmv {0}.new {1}", out.display(), done.display()));
        let disguised = disguise.replace("{env}", &self.env()).replace("{}", inner.to_str().unwrap());
        write_script(&outer, &disguised);
        let run = json!({ "id": self.terminal, "command": outer.to_str().unwrap() });
        self.agent.ok(RUN, &run);
        self.deck.wait_until(&format!("the end of {script} {disguise}"), SOON, || fs::read_to_string(&done).ok())
    }

    fn call(&self, command: &str, args: &Value) -> String {
        format!("timeout 10 {} call {command} '{args}'", self.binary())
    }
}

fn write_script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn what_decides_about_agents_is_refused_in_every_disguise() {
    let mut scene = Scene::new("[approvals]\nwait_unattended = true\n");
    let mut other = Agent::new(&scene.deck, "other");
    let waiting = other.begin(RUN, &json!({ "command": "rm -rf doomed" }));
    let mut socket = scene.deck.socket();
    scene.deck.wait_until("the call waits", SOON, || {
        let listed = socket.call("flightdeck.approval.list", json!({})).unwrap();
        (listed["approvals"][0]["id"] == "a1").then_some(())
    });
    for (how, disguise) in DISGUISES {
        for (command, args) in for_people() {
            let script = scene.call(command, &args);
            let said = scene.inside(disguise, &script);
            assert!(said.contains("is for people only"), "{how} {command}: {said}");
        }
    }
    assert!(scene.is_whole());
    // The same from outside.
    for (command, args) in for_people().into_iter().take(6) {
        scene.deck.cli(&["call", command, &args.to_string()]).expect(0);
    }
    assert_eq!(other.result(waiting)["success"], true);
    assert!(!scene.is_whole());
}

#[test]
fn the_words_for_people_are_refused_too() {
    let mut scene = Scene::new("");
    for words in ["approve a1", "approve --list", "policy add 'rm *'", "policy accept --yes", "consent --allow"] {
        let script = format!("timeout 10 {} {words}", scene.binary());
        let said = scene.inside("{}", &script);
        assert!(said.contains("is for people only"), "{words}: {said}");
    }
}

#[test]
fn what_runs_there_is_the_agents_doing() {
    let mut scene = Scene::new("");
    for (how, disguise) in DISGUISES {
        let script = format!("timeout 10 {} run -- rm -rf doomed", scene.binary());
        let said = scene.inside(disguise, &script);
        assert!(said.contains("needs a person's yes"), "{how}: {said}");
        assert!(scene.is_whole(), "{how}");
        let script = format!("timeout 10 {} run -- echo harmless", scene.binary());
        let said = scene.inside(disguise, &script);
        assert_eq!(said.trim(), "harmless", "{how}");
        // What it reads there could not be seen to.
        for kind in ["--pipes", "--pty"] {
            let script = format!("echo harmless | timeout 10 {} run {kind} -- cat", scene.binary());
            let said = scene.inside(disguise, &script);
            assert!(said.contains("can't stream into another one"), "{how} {kind}: {said}");
        }
    }
    scene.deck.cli(&["run", "--", "rm", "-rf", "doomed"]).expect(0);
    assert!(!scene.is_whole(), "a person's own is theirs to run");
}

/// The kernel tells which process connected. It may have ended, and a child of it goes on with the connection.
#[test]
fn a_connection_that_was_handed_on_is_no_persons() {
    const CLIENT: &str = r#"
import json, os, socket, struct, sys

parent = os.getpid()
hub = socket.socket(socket.AF_UNIX)
hub.connect(sys.argv[1])
if os.fork():
    os._exit(0)
while os.getppid() == parent:
    pass

def send(message):
    body = b"\0" + json.dumps(message).encode()
    hub.sendall(struct.pack("<I", len(body)) + body)

send({"type": "hello", "version": 2, "actor": "cli:somebody"})
send({"type": "call", "id": 1, "command": "flightdeck.approval.list", "args": {}})
read = b""
while b'"id":1' not in read:
    more = hub.recv(65536)
    if not more:
        break
    read += more
with open(sys.argv[2] + ".new", "wb") as file:
    file.write(read)
os.rename(sys.argv[2] + ".new", sys.argv[2])
"#;
    let mut scene = Scene::new("");
    let python = Programs::installed().folder.join("python/bin/python");
    let (client, found) = (scene.deck.workspace().join("client.py"), scene.deck.workspace().join("found"));
    fs::write(&client, CLIENT).unwrap();
    let socket = scene.deck.socket_path();
    let script = [&python, &client, &socket, &found].map(|path: &PathBuf| path.display().to_string()).join(" ");
    scene.inside("{}", &script);
    let said = scene.deck.wait_until("what the hub said", SOON, || fs::read(&found).ok());
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("is for people only"), "{said}");
}

/// A client of MCP inside of a terminal could be one that answers its own questions.
mod a_client_that_would_answer_itself {
    use super::*;

    const CAPABILITIES: &str = r#"{ "elicitation": { "form": {} } }"#;

    fn call() -> Value {
        let capabilities: Value = serde_json::from_str(CAPABILITIES).unwrap();
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": RUN, "arguments": { "command": "rm -rf doomed" }, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "sly", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": capabilities,
            } } })
    }

    #[test]
    fn is_not_asked_over_stdio() {
        let mut scene = Scene::new("");
        let (lines, answers) = (scene.deck.workspace().join("lines"), scene.deck.workspace().join("answers"));
        let hello = json!({ "protocolVersion": "2025-11-25", "clientInfo": { "name": "sly", "version": "1" },
                            "capabilities": serde_json::from_str::<Value>(CAPABILITIES).unwrap() });
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello });
        let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let params = json!({ "name": RUN, "arguments": { "command": "rm -rf doomed" } });
        let legacy = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        for said in [format!("{hello}\n{greeted}\n{legacy}\n"), format!("{}\n", call())] {
            fs::write(&lines, said).unwrap();
            fs::write(&answers, "").unwrap();
            // It hangs up when it has an answer.
            let script = format!(
                "{{ cat {0}; timeout 10 sh -c 'until grep -q \\\"id\\\":1 {1}; do sleep 0.05; done'; }} | {2} mcp >{1}\ncat {1}",
                lines.display(),
                answers.display(),
                scene.binary(),
            );
            let said = scene.inside("{}", &script);
            assert!(said.contains("approval_unavailable") && !said.contains("elicitation/create"), "{said}");
        }
        assert!(scene.is_whole());
    }

    #[test]
    fn is_not_asked_over_http() {
        let mut scene = Scene::new("");
        let http = Http::of(&scene.deck);
        let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", RUN)];
        let outside = http.mcp(&headers, &call()).json();
        assert_eq!(outside["result"]["resultType"], "input_required", "{outside}");
        let body = call().to_string();
        let all = http.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(headers);
        let all: String = all.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nConnection: close\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n{all}\r\n",
            http.address,
            body.len()
        );
        let request = scene.deck.workspace().join("request");
        fs::write(&request, format!("{head}{body}")).unwrap();
        let place = http.address.replace(':', "/");
        for (how, disguise) in DISGUISES {
            let talk = format!("exec 3<>/dev/tcp/{place}; cat {} >&3; timeout 10 cat <&3", request.display());
            let said = scene.inside(disguise, &format!("bash -c '{talk}'"));
            assert!(said.contains("approval_unavailable") && !said.contains("input_required"), "{how}: {said}");
        }
        assert!(scene.is_whole());
    }
}
