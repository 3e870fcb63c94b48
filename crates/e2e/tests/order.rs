//! Calls that a client sends without waiting for answers take effect in the order in which they came.

use std::collections::HashMap;

use flightdeck_contract::control::CallId;
use flightdeck_contract::terminal::InputState;
use flightdeck_e2e::{Agent, Deck, Event, SOON, Socket};
use serde_json::{Value, json};

fn deck() -> Deck {
    let deck = Deck::new();
    deck.settings("[limits]\nburst = 1e9\nper_second = 1e9\n");
    deck
}

/// Somebody who can send calls without waiting: over MCP, and over the hub's own protocol.
trait Pipeline {
    type Id: Copy;
    fn begin(&mut self, command: &str, args: &Value) -> Self::Id;
    fn finish(&mut self, id: Self::Id) -> Value;
}

impl Pipeline for Agent {
    type Id = u64;

    fn begin(&mut self, command: &str, args: &Value) -> u64 {
        Agent::begin(self, command, args)
    }

    fn finish(&mut self, id: u64) -> Value {
        let result = self.result(id);
        assert_eq!(result["success"], true, "{result}");
        // The `openspace` tools have no envelope.
        result.get("data").unwrap_or(&result).clone()
    }
}

/// A connection of the hub's own protocol, with the results that came before they were asked for.
struct Connection {
    socket: Socket,
    done: HashMap<CallId, Value>,
}

impl Pipeline for Connection {
    type Id = CallId;

    fn begin(&mut self, command: &str, args: &Value) -> CallId {
        self.socket.begin(command, args.clone())
    }

    fn finish(&mut self, wanted: CallId) -> Value {
        loop {
            if let Some(result) = self.done.remove(&wanted) {
                return result;
            }
            match self.socket.next() {
                Event::Done(id, result) => drop(self.done.insert(id, result)),
                other => panic!("no result: {other:?}"),
            }
        }
    }
}

fn runs_of_one_shell_begin_in_order(deck: &Deck, client: &mut impl Pipeline) {
    let id = deck.shell("bash");
    let log = deck.workspace().join(format!("{id}.log"));
    let run = |number: usize| json!({ "id": id, "command": format!("echo {number} >> {}", log.display()) });
    let calls: Vec<_> = (0..12).map(|number| client.begin("flightdeck.terminal.run", &run(number))).collect();
    for call in calls {
        assert_eq!(client.finish(call)["exitCode"], 0);
    }
    let wanted: String = (0..12).map(|number| format!("{number}\n")).collect();
    assert_eq!(std::fs::read_to_string(log).unwrap(), wanted);
}

#[test]
fn commands_run_in_order() {
    let deck = deck();
    runs_of_one_shell_begin_in_order(&deck, &mut Connection { socket: deck.socket(), done: HashMap::new() });
    runs_of_one_shell_begin_in_order(&deck, &mut Agent::new(&deck, "agent"));
}

#[test]
fn what_is_typed_after_a_command_is_for_that_command() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    for round in 0..5 {
        let id = deck.shell("bash");
        let out = deck.workspace().join(format!("typed{round}"));
        let command = format!("head -n 6 > {}", out.display());
        let run = agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": command }));
        let keys: Vec<u64> = (0..6)
            .map(|number| {
                let args = json!({ "id": id, "text": format!("line {number}"), "keys": ["Enter"] });
                agent.begin("flightdeck.terminal.keys", &args)
            })
            .collect();
        for key in keys {
            agent.finish(key);
        }
        // It asks for lines, or has got all of them before that was noticed.
        let ran = agent.finish(run);
        assert!(ran["exitCode"] == 0 || ran["input"] == "line", "{ran}");
        let wait = agent.begin("flightdeck.terminal.wait", &json!({ "id": id, "prompt": true }));
        assert_eq!(agent.finish(wait)["reason"], "prompt");
        let wanted: String = (0..6).map(|number| format!("line {number}\n")).collect();
        assert_eq!(std::fs::read_to_string(out).unwrap(), wanted);
    }
}

/// What was typed just before a command is run first, whether its caller has waited for the answer or not; only half a line
/// is dropped.
#[test]
fn a_line_that_was_typed_before_a_command_is_not_lost() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        for (round, typed) in ["echo typed >> FILE\n", "echo one >> FILE; true\necho two >> FILE\n"].iter().enumerate()
        {
            let file = format!("{shell}{round}");
            let text = typed.replace("FILE", &file);
            agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": text }));
            let ran = agent.ok(
                "flightdeck.terminal.run",
                &json!({ "id": id, "command": format!("echo ran >> {file}; cat {file}") }),
            );
            let wanted = if round == 0 { "typed\nran\n" } else { "one\ntwo\nran\n" };
            assert_eq!(ran["output"], wanted, "{shell}: {ran}");
        }
        agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "echo half" }));
        let ran = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo whole" }));
        assert_eq!(ran["output"], "whole\n", "{shell}: {ran}");
        // One that takes long is not interrupted, and the next is told of it.
        agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "sleep 1000\n" }));
        let busy = agent.call("flightdeck.terminal.run", &json!({ "id": id, "command": "echo no" }));
        assert_eq!(busy["code"], "terminal_busy", "{shell}: {busy}");
        assert!(busy["hint"].as_str().unwrap().contains("flightdeck.terminal.signal"), "{shell}: {busy}");
        assert_eq!(deck.info(&id).foreground.as_deref(), Some("sleep"), "{shell}");
    }
}

#[test]
fn a_signal_is_not_held_up_by_a_command_that_waits_for_its_turn() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    let id = deck.shell("bash");
    let first = agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": "sleep 100" }));
    let second = agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": "echo second" }));
    deck.wait_until("it sleeps", SOON, || (deck.info(&id).foreground.as_deref() == Some("sleep")).then_some(()));
    let signal = agent.begin("flightdeck.terminal.signal", &json!({ "id": id, "signal": "INT" }));
    agent.finish(signal);
    assert_eq!(agent.finish(first)["exitCode"], 130);
    let second = agent.result(second);
    assert_eq!((&second["data"]["exitCode"], &second["output"]), (&json!(0), &json!("second\n")), "{second}");
}

/// A command that stands in line comes before what is typed after it, unless the one that runs asks for something.
#[test]
fn what_is_typed_comes_after_commands_that_stand_in_line() {
    let deck = deck();
    deck.settings("[limits]\nburst = 1e9\nper_second = 1e9\n[tabs]\nbackend = \"pty\"\n");
    let mut agent = Agent::new(&deck, "agent");
    let tab = agent.call("create_tab", &json!({}))["window_id"].clone();
    let write = |word: String| json!({ "window_id": tab, "command": format!("echo {word} >> log") });
    let mut calls = Vec::new();
    for number in 0..8 {
        calls.push(agent.begin("execute_command", &write(format!("e{number}"))));
    }
    for number in 0..3 {
        calls.push(agent.begin("start_process", &write(format!("s{number}"))));
    }
    calls.push(agent.begin("execute_command", &write("last".to_owned())));
    for call in calls {
        let answer = agent.answer(call);
        assert!(answer["result"]["isError"] != true, "{answer}");
    }
    let log = std::fs::read_to_string(deck.workspace().join("log")).unwrap();
    assert_eq!(log.split_whitespace().collect::<Vec<_>>().join(" "), "e0 e1 e2 e3 e4 e5 e6 e7 s0 s1 s2 last");
    // Looks go past what stands in line, and an answer reaches the program that asks.
    let asks = json!({ "window_id": tab, "command": "read word; echo \"<$word>\"", "timeout_ms": 60_000 });
    let first = agent.begin("execute_command", &asks);
    let second = agent.begin("execute_command", &json!({ "window_id": tab, "command": "echo second" }));
    deck.wait_until("it runs", SOON, || (deck.info("t1").input == InputState::Line).then_some(()));
    agent.call("read_logs_from_tab", &json!({ "window_id": tab }));
    let typed = agent.begin("start_process", &json!({ "window_id": tab, "command": "answer" }));
    let typed = agent.answer(typed)["result"]["structuredContent"].clone();
    assert!(typed["started"] == false && typed["note"].as_str().unwrap().contains("has got it"), "{typed}");
    let output = |agent: &mut Agent, call| agent.answer(call)["result"]["structuredContent"]["output"].clone();
    assert_eq!(output(&mut agent, first), "answer\n<answer>\n");
    assert_eq!(output(&mut agent, second), "second\n");
}

/// What comes and goes is in the list that was asked for after it, and can be named by its title.
#[test]
fn lists_have_what_came_before_them() {
    let deck = deck();
    deck.settings("[limits]\nburst = 1e9\nper_second = 1e9\n[tabs]\nbackend = \"pty\"\n");
    let mut agent = Agent::new(&deck, "agent");
    for round in 0..5 {
        let tabs: Vec<u64> = (0..3).map(|_| agent.begin("create_tab", &json!({}))).collect();
        let list = agent.begin("list_tabs", &json!({}));
        let ids: Vec<Value> =
            tabs.into_iter().map(|tab| agent.answer(tab)["result"]["structuredContent"]["window_id"].clone()).collect();
        let named = |answer: &Value| -> Vec<Value> {
            let tabs = answer["result"]["structuredContent"]["tabs"].as_array().unwrap();
            tabs.iter().map(|tab| tab["window_id"].clone()).collect()
        };
        let listed = named(&agent.answer(list));
        assert!(ids.iter().all(|id| listed.contains(id)), "round {round}: {ids:?} in {listed:?}");
        let closed: Vec<u64> = ids.iter().map(|id| agent.begin("close_tab", &json!({ "window_id": id }))).collect();
        let list = agent.begin("list_tabs", &json!({}));
        for call in closed {
            let answer = agent.answer(call);
            assert_eq!(answer["result"]["structuredContent"]["closed"], true, "round {round}: {answer}");
        }
        assert_eq!(named(&agent.answer(list)), [] as [Value; 0], "round {round}");
    }
    let made = agent.begin("openspace.terminal.create", &json!({ "title": "dev" }));
    let sent: Vec<u64> = (0..6)
        .map(|number| {
            let text = format!("echo {number} >> named.log\n");
            agent.begin("openspace.terminal.send", &json!({ "terminalId": "dev", "text": text }))
        })
        .collect();
    let list = agent.begin("openspace.terminal.list", &json!({}));
    let id = agent.finish(made)["terminalId"].clone();
    for call in sent {
        drop(agent.finish(call));
    }
    let listed = agent.finish(list);
    assert_eq!((&listed["terminals"][0]["id"], &listed["terminals"][0]["title"]), (&id, &json!("dev")), "{listed}");
    let file = deck.workspace().join("named.log");
    deck.wait_until("all are written, in order", SOON, || {
        (std::fs::read_to_string(&file).ok()? == "0\n1\n2\n3\n4\n5\n").then_some(())
    });
}

/// Random numbers that are the same each time.
fn random() -> impl FnMut(u64) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}

/// Random pipelines of every surface that types into shells, each under every name that it has, beside files and editors.
#[test]
fn shells_and_editors_are_as_if_one_call_came_after_the_other() {
    let deck = deck();
    deck.settings("[limits]\nburst = 1e9\nper_second = 1e9\n[tabs]\nbackend = \"pty\"\n");
    for name in ["a.txt", "b.txt"] {
        std::fs::write(deck.workspace().join(name), "text\n").unwrap();
    }
    let mut agent = Agent::new(&deck, "agent");
    let tab = agent.begin("create_tab", &json!({}));
    let tab = agent.answer(tab)["result"]["structuredContent"]["window_id"].clone();
    let own = agent.ok("openspace.terminal.create", &json!({ "title": "own" }))["terminalId"].clone();
    let of_tab = deck.json(&["ls", "--json"]);
    let of_tab = of_tab.as_array().unwrap().iter().find(|terminal| terminal["id"] != own).unwrap()["id"].clone();
    let shells = [(of_tab, Some(tab), None), (own, None, Some("own"))];
    for (id, ..) in &shells {
        deck.at_prompt(id.as_str().unwrap());
    }
    let (mut random, mut wanted) = (random(), [String::new(), String::new()]);
    let mut open = std::collections::BTreeSet::new();
    for round in 0..6 {
        let (mut calls, mut lists) = (Vec::new(), Vec::new());
        for step in 0..24 {
            if random(4) == 0 {
                let path = if random(2) == 0 { "a.txt" } else { "b.txt" };
                let (tool, args) = match (random(3), open.contains(path)) {
                    (0, true) => {
                        open.remove(path);
                        ("openspace.editor.close", json!({ "path": path }))
                    }
                    (0 | 1, _) => {
                        open.insert(path);
                        ("openspace.editor.open", json!({ "path": path }))
                    }
                    _ => ("openspace.pane.list", json!({})),
                };
                let call = agent.begin(tool, &args);
                calls.push(call);
                if tool == "openspace.pane.list" {
                    lists.push((call, open.clone()));
                }
                continue;
            }
            let at = random(2) as usize;
            let (id, tab, title) = &shells[at];
            let line = format!("{round}.{step}");
            let command = format!("echo {line} >> shell{at}.log");
            wanted[at].extend([line.as_str(), "\n"]);
            let named = title.filter(|_| random(2) == 0).map_or_else(|| id.clone(), |title| json!(title));
            let way = random(5);
            calls.push(match (way, tab) {
                (1, Some(tab)) => agent.begin("execute_command", &json!({ "window_id": tab, "command": command })),
                (4, Some(tab)) => agent.begin("start_process", &json!({ "window_id": tab, "command": command })),
                (0 | 1, _) => agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": command })),
                (2, _) => {
                    agent.begin("flightdeck.terminal.keys", &json!({ "id": id, "text": command, "keys": ["Enter"] }))
                }
                _ => {
                    let args = json!({ "terminalId": named, "text": format!("{command}\n") });
                    agent.begin("openspace.terminal.send", &args)
                }
            });
        }
        for call in calls {
            let answer = agent.answer(call);
            assert!(answer["result"]["isError"] != true, "round {round}: {answer}");
        }
        for (call, open) in lists {
            let panes = agent.answer(call)["result"]["structuredContent"]["panes"].to_string();
            for path in ["a.txt", "b.txt"] {
                assert_eq!(panes.contains(path), open.contains(path), "round {round}: {path} in {panes}");
            }
        }
        for (at, wanted) in wanted.iter().enumerate() {
            let log = deck.workspace().join(format!("shell{at}.log"));
            let read = || std::fs::read_to_string(&log).unwrap_or_default();
            // What was typed last may still be running.
            deck.wait_until("all have run", SOON, || (read().lines().count() >= wanted.lines().count()).then_some(()));
            assert_eq!(read(), *wanted, "round {round}, shell {at}");
        }
    }
}

/// Random pipelines against a model that does one call after the other.
#[test]
fn files_are_as_if_one_call_came_after_the_other() {
    let deck = deck();
    let mut random = random();
    for round in 0..8 {
        let mut agent = Agent::new(&deck, "agent");
        let mut model: HashMap<String, String> = HashMap::new();
        let mut calls = Vec::new();
        for step in 0..40 {
            let path = format!("r{round}/f{}", random(3));
            if random(2) == 0 {
                let content = format!("{round} {step}");
                let call = agent.begin("openspace.file.write", &json!({ "path": path, "content": content }));
                model.insert(path, content);
                calls.push((call, None));
            } else if random(3) == 0 {
                let list = agent.begin("openspace.file.list", &json!({ "path": "." , "recursive": true }));
                let own = format!("r{round}/");
                let mut there: Vec<&String> = model.keys().filter(|path| path.starts_with(&own)).collect();
                there.sort();
                calls.push((list, Some(json!(there))));
            } else if let Some(content) = model.get(&path) {
                let call = agent.begin("openspace.file.read", &json!({ "path": path }));
                calls.push((call, Some(json!(content))));
            }
        }
        for (number, (call, wanted)) in calls.into_iter().enumerate() {
            let result = agent.finish(call);
            let Some(wanted) = wanted else { continue };
            let found = match result.get("files").and_then(Value::as_array) {
                Some(entries) => {
                    let own = format!("r{round}/");
                    let paths = entries
                        .iter()
                        .filter(|entry| entry["type"] == "file")
                        .map(|entry| entry["path"].as_str().unwrap());
                    let mut there: Vec<&str> = paths.filter(|path| path.starts_with(&own)).collect();
                    there.sort_unstable();
                    json!(there)
                }
                None => result["content"].clone(),
            };
            assert_eq!(found, wanted, "round {round}, call {number}: {result}");
        }
    }
}
