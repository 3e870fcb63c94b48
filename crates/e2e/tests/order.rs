//! Calls that a client sends without waiting for answers take effect in the order in which they came.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use flightdeck_contract::control::CallId;
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

/// Random pipelines against a model that does one call after the other.
#[test]
fn files_are_as_if_one_call_came_after_the_other() {
    let deck = deck();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
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
