//! A command that needs a yes is put to the user of the agent's client when no front end is attached.

use std::time::Duration;

use flightdeck_e2e::{Agent, Deck, Http, Person, SOON};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";
const ONCE: &str = "approve once";
const SESSION: &str = "approve for this session";

/// A workspace with a folder that a dangerous command would delete.
struct Scene {
    deck: Deck,
}

impl Scene {
    fn new() -> Self {
        let scene = Scene { deck: Deck::new() };
        scene.restore();
        scene
    }

    fn restore(&self) {
        std::fs::create_dir_all(self.deck.workspace().join("doomed/files")).unwrap();
    }

    fn is_whole(&self) -> bool {
        self.deck.workspace().join("doomed/files").exists()
    }

    /// Waits until nothing waits for an answer.
    #[track_caller]
    fn nothing_waits(&self) {
        let mut socket = self.deck.socket();
        self.deck.wait_until("nothing waits for an answer", SOON, || {
            let listed = socket.call("flightdeck.approval.list", json!({})).unwrap();
            listed["approvals"].as_array().unwrap().is_empty().then_some(())
        });
    }

    /// Waits until this is noted as the decision about the last deletion, and gives the reason.
    #[track_caller]
    fn decided(&self, wanted: &str) -> String {
        self.deck.wait_until(&format!("it is noted as {wanted}"), SOON, || {
            let text = self.deck.cli(&["audit", "--json", "-c", RUN, "--text", "doomed"]).expect(0).text();
            let last: Value = serde_json::from_str(text.lines().last()?).unwrap();
            (last["decision"] == wanted).then(|| last["reason"].as_str().unwrap().to_owned())
        })
    }
}

fn deletion() -> Value {
    json!({ "command": "rm -rf doomed && echo deleted" })
}

#[test]
fn a_yes_lets_it_run_once() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    let params = &question["params"];
    let message = params["message"].as_str().unwrap();
    let workspace = scene.deck.workspace();
    for part in
        ["asker#1", "> rm -rf doomed && echo deleted\n", workspace.to_str().unwrap(), "Dangerous: `rm -rf doomed`"]
    {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
    assert_eq!(params["requestedSchema"]["properties"]["answer"]["enum"], json!(["decline", ONCE, SESSION]));
    assert!(scene.is_whole(), "nothing runs before the answer");
    agent.choose(&question, ONCE);
    let ran = agent.result(call);
    assert_eq!((&ran["success"], &ran["data"]["exitCode"]), (&json!(true), &json!(0)), "{ran}");
    assert!(!scene.is_whole());
    let reason = scene.decided("approved");
    // Nobody can have read it so soon; on a busy machine it was not so soon.
    assert!(reason.starts_with("asker on its own ") || reason.starts_with("asker's user "), "{reason}");
    scene.restore();
    let again = agent.begin(RUN, &deletion());
    let question = agent.question();
    agent.choose(&question, "decline");
    assert_eq!(agent.result(again)["code"], "declined");
    assert!(scene.is_whole(), "the yes was for once");
}

#[test]
fn a_yes_for_the_session_is_given_once() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    agent.choose(&question, SESSION);
    assert_eq!(agent.result(call)["success"], true);
    scene.restore();
    agent.ok(RUN, &deletion());
    assert!(!scene.is_whole());
    assert_eq!(agent.questions(), 1, "the second call asked nobody");
    scene.restore();
    let mut other = Agent::asking(&scene.deck, "other");
    let call = other.begin(RUN, &deletion());
    let question = other.question();
    other.choose(&question, "decline");
    assert_eq!(other.result(call)["code"], "declined", "it was another agent's session");
}

/// `codex exec` announces that it can ask, and declines by itself: then nobody is there, and the agent is not sent round in a
/// circle.
#[test]
fn a_client_that_answers_by_itself_is_nobody() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let unseen = json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": "rm -rf doomed" },
    });
    let is_somebody_there = |agent: &mut Agent| {
        let answer = agent.call("memory_terminal_interactive", &unseen).to_string();
        assert!(scene.is_whole(), "{answer}");
        answer.contains("a person is there")
    };
    assert!(is_somebody_there(&mut agent));
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    agent.reply(&question, &json!({ "action": "decline" }));
    let refused = agent.result(call);
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("was not run") && error.contains("asker declined by itself"), "{refused}");
    assert!(error.contains("deletes"), "why it was asked: {refused}");
    assert!(!is_somebody_there(&mut agent));
    // It is asked again all the same: somebody may have come.
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    agent.reply(&question, &json!({ "action": "accept", "content": { "answer": "decline", "reason": "no" } }));
    assert_eq!(agent.result(call)["code"], "declined");
    assert!(is_somebody_there(&mut agent));
}

#[test]
fn nothing_but_a_yes_is_one() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    for (reply, code, words) in [
        (
            json!({ "action": "accept", "content": { "answer": "decline", "reason": "use git clean" } }),
            "declined",
            "use git clean",
        ),
        // Nobody can have read it: the client has answered by itself.
        (json!({ "action": "decline" }), "approval_unavailable", "asker declined by itself"),
        (
            json!({ "action": "accept", "content": { "answer": "decline" } }),
            "approval_unavailable",
            "asker declined by itself",
        ),
        (json!({ "action": "cancel" }), "approval_unavailable", "asker dismissed the question"),
        (json!({ "action": "accept" }), "approval_unavailable", "none of those to choose from"),
        (
            json!({ "action": "accept", "content": { "answer": "yes" } }),
            "approval_unavailable",
            "none of those to choose from",
        ),
        (json!({}), "approval_unavailable", "nobody is there to ask"),
    ] {
        let call = agent.begin(RUN, &deletion());
        let question = agent.question();
        agent.reply(&question, &reply);
        let refused = agent.result(call);
        let error = refused["error"].to_string();
        assert!(refused["code"] == code && error.contains(words), "{reply}: {refused}");
        assert!(scene.is_whole(), "{reply}");
    }
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    let error = json!({ "code": -32603, "message": "the dialog broke" });
    agent.send_line(&json!({ "jsonrpc": "2.0", "id": question["id"], "error": error }).to_string());
    assert_eq!(agent.result(call)["code"], "approval_unavailable");
    assert!(scene.is_whole());
}

#[test]
fn a_client_that_cannot_ask_gets_a_refusal_with_a_hint() {
    let scene = Scene::new();
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let mut agent = Agent::able(&scene.deck, "mute", &[], &capabilities);
        let refused = agent.call(RUN, &deletion());
        assert_eq!(refused["code"], "approval_unavailable", "{refused}");
        assert!(refused.to_string().contains("flightdeck approve --watch"), "{refused}");
        assert_eq!(agent.questions(), 0);
    }
    assert!(scene.is_whole());
}

#[test]
fn an_attached_front_end_is_asked_instead() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let mut person = Person::at(&scene.deck);
    let call = agent.begin(RUN, &deletion());
    person.approve_next();
    assert_eq!(agent.result(call)["success"], true);
    assert_eq!(agent.questions(), 0);
    assert!(!scene.is_whole());
}

#[test]
fn a_question_that_is_answered_elsewhere_is_taken_back() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    let mut socket = scene.deck.socket();
    let listed = socket.call("flightdeck.approval.list", json!({})).unwrap();
    let id = &listed["approvals"][0]["id"];
    socket.call("flightdeck.approval.answer", json!({ "id": id, "choice": "approve" })).unwrap();
    assert_eq!(agent.result(call)["success"], true);
    agent.taken_back(&question);
    // It comes too late, and is about nothing.
    agent.choose(&question, SESSION);
    scene.restore();
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    agent.choose(&question, "decline");
    assert_eq!(agent.result(call)["code"], "declined");
}

#[test]
fn a_call_that_is_given_up_takes_its_question_back() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let call = agent.begin(RUN, &deletion());
    let question = agent.question();
    agent.notify("notifications/cancelled", &json!({ "requestId": call }));
    agent.taken_back(&question);
    scene.nothing_waits();
    agent.choose(&question, ONCE);
    agent.ok(RUN, &json!({ "command": "true" }));
    assert!(scene.is_whole());
    scene.decided("withdrawn");
}

#[test]
fn nothing_runs_for_an_agent_that_has_left() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    agent.begin(RUN, &deletion());
    agent.question();
    assert_eq!(agent.hang_up(), Some(0));
    scene.nothing_waits();
    assert!(scene.is_whole());
    scene.decided("withdrawn");
}

#[test]
fn the_time_to_think_is_not_the_commands() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let call = agent.begin(RUN, &json!({ "command": "rm -rf doomed && echo deleted", "timeoutMs": 2000 }));
    let question = agent.question();
    // A person who takes longer than the command may is what this is about.
    std::thread::sleep(Duration::from_millis(2500));
    agent.choose(&question, ONCE);
    let ran = agent.result(call);
    assert_eq!((&ran["success"], &ran["data"]["timedOut"]), (&json!(true), &json!(false)), "{ran}");
    assert!(!scene.is_whole());
}

#[test]
fn an_answer_to_a_hub_that_is_gone_is_none_to_the_next() {
    let scene = Scene::new();
    let mut agent = Agent::asking(&scene.deck, "asker");
    let lost = agent.begin(RUN, &deletion());
    let old = agent.question();
    scene.deck.cli(&["restart"]).expect(0);
    agent.taken_back(&old);
    assert!(agent.answer(lost).to_string().contains("restart"));
    let call = agent.begin(RUN, &deletion());
    let new = agent.question();
    assert_ne!(old["id"], new["id"]);
    agent.choose(&old, ONCE);
    agent.choose(&new, "decline");
    assert_eq!(agent.result(call)["code"], "declined");
    assert!(scene.is_whole());
}

#[test]
fn a_session_over_http_is_asked_in_the_stream_of_its_call() {
    let scene = Scene::new();
    let http = Http::of(&scene.deck);
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
                        "clientInfo": { "name": "web", "version": "1" } });
    let hello = http.mcp(&[], &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }));
    let session = hello.header("mcp-session-id").unwrap().to_owned();
    hello.json();
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    http.mcp(&headers, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    for (choice, code) in [("decline", json!("declined")), (ONCE, Value::Null)] {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                           "params": { "name": RUN, "arguments": deletion() } });
        let mut stream = http.mcp(&headers, &call);
        let question = stream.event(|message| message["method"] == "elicitation/create");
        assert!(scene.is_whole());
        let reply = json!({ "action": "accept", "content": { "answer": choice, "reason": "because" } });
        let answered = http.mcp(&headers, &json!({ "jsonrpc": "2.0", "id": question["id"], "result": reply }));
        assert_eq!(answered.status, 202);
        let result = stream.event(|message| message["id"] == 1);
        assert_eq!(result["result"]["structuredContent"]["code"], code, "{result}");
        assert_eq!(scene.is_whole(), choice == "decline");
    }
}

/// The client of the Python SDK, with its own idea of how a user is asked.
mod a_client_that_others_wrote {
    use std::process::Command;

    use super::*;
    use crate::programs::{Programs, run};

    const DEADLINE: Duration = Duration::from_secs(100);

    fn check(mode: &str, connect: impl FnOnce(&Deck, &mut Command)) {
        let scene = Scene::new();
        let mut client = Programs::installed().command("approvals.py");
        let environment = scene.deck.command(&[]);
        client.envs(environment.get_envs().filter_map(|(name, value)| Some((name, value?))));
        client.current_dir(scene.deck.workspace()).args(["--mode", mode, "--folder"]);
        client.arg(scene.deck.workspace().join("doomed"));
        connect(&scene.deck, &mut client);
        let ran = run(client, DEADLINE);
        assert!(ran.code == Some(0) && ran.stdout == "OK\n", "{ran}\n{}", scene.deck.dump());
    }

    fn over_stdio(deck: &Deck, client: &mut Command) {
        client.arg("--").arg(deck.command(&[]).get_program()).arg("mcp");
    }

    fn over_http(deck: &Deck, client: &mut Command) {
        deck.socket_path();
        let status = deck.status();
        let url = format!("{}/mcp", status["http"]["url"].as_str().unwrap());
        client.args(["--url", &url, "--token-file", status["tokenFile"].as_str().unwrap()]);
    }

    #[test]
    fn with_a_handshake_over_stdio() {
        check("legacy", over_stdio);
    }

    #[test]
    fn with_a_handshake_over_http() {
        check("legacy", over_http);
    }

    #[test]
    fn without_one_over_stdio() {
        check("auto", over_stdio);
    }

    #[test]
    fn without_one_over_http() {
        check("auto", over_http);
    }
}

/// The protocol without a handshake: the question is the answer to the call, and the answer comes with the next one.
mod without_a_handshake {
    use super::*;

    fn params(arguments: &Value, capabilities: &Value) -> Value {
        json!({ "name": RUN, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "modern", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        } })
    }

    /// A way to send the parameters of a call, and to get its result or error.
    type Send<'a> = &'a mut dyn FnMut(&Value) -> Value;

    fn rounds(scene: &Scene, send: Send<'_>) {
        let can = json!({ "elicitation": { "form": {} } });
        let first = params(&deletion(), &can);
        let asked = send(&first);
        let result = &asked["result"];
        assert_eq!(result["resultType"], "input_required", "{asked}");
        let question = &result["inputRequests"]["approval"];
        assert_eq!(question["method"], "elicitation/create", "{asked}");
        assert!(question["params"]["message"].as_str().unwrap().contains("> rm -rf doomed"), "{asked}");
        assert!(scene.is_whole());
        let with = |state: &Value, mut params: Value, responses: Value| {
            params["requestState"] = state.clone();
            params["inputResponses"] = responses;
            params
        };
        let yes = json!({ "approval": { "action": "accept", "content": { "answer": ONCE } } });
        // None of these goes on with the call, and none of them ends it.
        let state = &result["requestState"];
        let elsewhere = params(&json!({ "command": "rm -rf doomed /tmp/x" }), &can);
        for wrong in [with(state, elsewhere, yes.clone()), with(&json!("made up"), first.clone(), yes.clone())] {
            assert_eq!(send(&wrong)["error"]["code"], -32602, "{wrong}");
        }
        // What is no answer is asked again.
        let again = send(&with(state, first.clone(), json!({})));
        assert_eq!(again["result"]["resultType"], "input_required", "{again}");
        assert!(scene.is_whole());
        let used = send(&with(state, first.clone(), yes.clone()));
        assert_eq!(used["error"]["code"], -32602, "a state is good for once: {used}");
        let ran = send(&with(&again["result"]["requestState"], first.clone(), yes));
        assert_eq!(ran["result"]["structuredContent"]["data"]["exitCode"], 0, "{ran}");
        assert!(!scene.is_whole());
        scene.restore();
        let state = &send(&first)["result"]["requestState"];
        let no =
            json!({ "approval": { "action": "accept", "content": { "answer": "decline", "reason": "not today" } } });
        let declined = send(&with(state, first.clone(), no));
        let refused = &declined["result"]["structuredContent"];
        assert!(refused["code"] == "declined" && refused["error"].to_string().contains("not today"), "{declined}");
        let mute = send(&params(&deletion(), &json!({})));
        assert_eq!(mute["result"]["structuredContent"]["code"], "approval_unavailable", "{mute}");
        assert!(scene.is_whole());
        scene.nothing_waits();
    }

    #[test]
    fn over_stdio() {
        let scene = Scene::new();
        let mut agent = Agent::silent(&scene.deck, &[]);
        rounds(&scene, &mut |params| agent.request("tools/call", params));
    }

    #[test]
    fn over_http() {
        let scene = Scene::new();
        let http = Http::of(&scene.deck);
        let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", RUN)];
        rounds(&scene, &mut |params| {
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            http.mcp(&headers, &call).json()
        });
    }

    #[test]
    fn a_call_whose_client_has_left_is_withdrawn() {
        let scene = Scene::new();
        let mut agent = Agent::silent(&scene.deck, &[]);
        let asked = agent.request("tools/call", &params(&deletion(), &json!({ "elicitation": {} })));
        assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
        assert_eq!(agent.hang_up(), Some(0));
        scene.nothing_waits();
        assert!(scene.is_whole());
    }
}
