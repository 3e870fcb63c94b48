//! Agents that crash, flood, send garbage, or never answer: each is shown clearly, and nothing of it stays behind.

use std::time::Duration;

use flightdeck_contract::ErrorCode;
use flightdeck_contract::chat::{ChatState, EntryContent, Level, StopReason};
use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

use super::{Talk, call};

fn note(talk: &Talk<'_>) -> (Level, String, Option<String>) {
    talk.wait_for_entry("a note", |content| match content {
        EntryContent::Note { level, text, details } => Some((*level, text.clone(), details.clone())),
        _ => None,
    })
}

#[test]
fn one_that_is_not_there_is_said_to_be_missing() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    let missing = socket.call("flightdeck.chat.new", json!({ "command": ["no-such-agent-here"] })).unwrap_err();
    assert_eq!(missing.code, ErrorCode::ProgramNotFound, "{missing:?}");
    let preset = socket.call("flightdeck.chat.new", json!({ "agent": "claude" })).unwrap_err();
    assert!(preset.hint.unwrap().contains("npm install -g @agentclientprotocol/claude-agent-acp"));
    let unknown = socket.call("flightdeck.chat.new", json!({ "agent": "hal" })).unwrap_err();
    assert_eq!(unknown.code, ErrorCode::InvalidArgument);
    assert_eq!(socket.call("flightdeck.chat.list", json!({})).unwrap()["chats"], json!([]));
}

#[test]
fn one_that_crashes_at_once_shows_its_last_words() {
    let deck = Deck::new();
    let talk = Talk::begin(&deck, &["--crash"]);
    let chat = talk.wait_for("it has failed", |chat| chat.state == ChatState::Failed && chat.agent.number.is_none());
    assert!(chat.reason.contains("exit code 7"), "{}", chat.reason);
    let (level, _, details) = note(&talk);
    assert_eq!((level, details.as_deref()), (Level::Error, Some("cannot start: the key is missing")));
}

#[test]
fn one_that_crashes_in_its_work_is_cleaned_up_after() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    talk.run(json!([
        call("t", "terminal/create", json!({ "command": "sleep 1000" })),
        { "begin": "session/request_permission", "as": "asked", "params": {
            "toolCall": { "toolCallId": "c", "title": "Go on" },
            "options": [{ "optionId": "yes", "name": "Allow", "kind": "allow_once" }],
        } },
        { "stderr": "Traceback: something is wrong" },
        { "sleep": 0.2 },
        { "exit": 3 },
    ]));
    let chat = talk.wait_for("it has failed", |chat| chat.state == ChatState::Failed && chat.agent.number.is_none());
    assert!(chat.reason.contains("exit code 3"), "{}", chat.reason);
    let (_, _, details) = note(&talk);
    assert!(details.unwrap().contains("Traceback: something is wrong"));
    let ended = talk.find(|content| match content {
        EntryContent::Ended { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(ended, Some(StopReason::Failed));
    deck.wait_until("nothing runs or waits any more", SOON, || {
        let mut socket = deck.socket();
        let waiting = socket.call("flightdeck.approval.list", json!({})).unwrap();
        let running = socket.call("flightdeck.terminal.list", json!({})).unwrap();
        (waiting["approvals"] == json!([]) && running["terminals"] == json!([])).then_some(())
    });
    talk.call("restart", json!({ "fresh": true }));
    talk.wait_for("it is back", |chat| chat.state == ChatState::Ready);
}

#[test]
fn one_that_never_answers_is_given_up() {
    let deck = Deck::new();
    deck.settings("[agents]\nstart_seconds = 1\n");
    let talk = Talk::begin(&deck, &["--silent"]);
    let chat = talk.wait_for("it is given up", |chat| chat.state == ChatState::Failed && chat.agent.number.is_none());
    assert!(chat.reason.contains("has not answered for 1 s"), "{}", chat.reason);
    // A program that is no agent at all.
    let started = deck.socket().call("flightdeck.chat.new", json!({ "command": ["cat"] })).unwrap();
    let cat = Talk { deck: &deck, id: started["id"].as_str().unwrap().to_owned() };
    cat.wait_for("it is given up", |chat| chat.state == ChatState::Failed && chat.agent.number.is_none());
}

#[test]
fn another_version_of_the_protocol_is_refused() {
    let deck = Deck::new();
    let talk = Talk::begin(&deck, &["--version-two"]);
    let chat = talk.wait_for("it is refused", |chat| chat.state == ChatState::Failed && chat.agent.number.is_none());
    assert!(chat.reason.contains("version 2"), "{}", chat.reason);
}

#[test]
fn lines_that_are_no_messages_are_passed_over() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &["--chatter"]);
    let raw = |text: &str| json!({ "raw": text });
    let values = talk.values(json!([
        raw("hello"),
        raw(""),
        raw("{\"jsonrpc\":\"2.0\",\"id\":"),
        raw("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}"),
        raw("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"wrong\":1}}"),
        raw("{\"jsonrpc\":\"2.0\",\"method\":\"_vendor/thing\",\"params\":{}}"),
        raw("[]"),
        raw("null"),
        raw(&"[".repeat(10_000)),
        call("unknown", "session/of_tomorrow", json!({})),
        call("wrong", "terminal/create", json!({ "command": 3 })),
        call("fine", "terminal/create", json!({ "command": "true" })),
    ]));
    assert_eq!(values["unknown"]["error"]["code"], -32601);
    assert_eq!(values["wrong"]["error"]["code"], -32602);
    assert!(values["fine"]["terminalId"].is_string());
}

#[test]
fn one_that_fails_a_prompt_can_be_prompted_again() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    talk.run(json!([{ "fail": "the model is overloaded" }]));
    let chat = talk.done();
    assert_eq!((chat.state, chat.reason.as_str()), (ChatState::Failed, "the model is overloaded"));
    talk.run(json!([{ "stop": "refusal" }]));
    assert_eq!(talk.done().reason, "it does not want to");
    let agents: Value = deck.socket().call("flightdeck.agent.list", json!({})).unwrap();
    assert_eq!(agents["agents"][0]["state"], "done", "{agents}");
}

/// What a process has in memory, in bytes.
fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// The hub holds 32 MiB of text at once, each byte of it some times while it is made, written down and said.
#[test]
fn one_that_reads_no_answers_does_not_fill_the_memory() {
    const REQUESTS: usize = 64;
    const BOUND: u64 = 400 << 20;
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let go = deck.workspace().join("go");
    let command = "yes 0123456789012345678901234567890123456789012345678901234567890 | head -c 8388608";
    let turn = talk.run(json!([
        { "call": "terminal/create", "params": { "command": command, "outputByteLimit": 64 << 20 }, "as": "made" },
        { "call": "terminal/wait_for_exit", "params": { "terminalId": "${made.terminalId}" }, "as": "over" },
        { "burst": REQUESTS, "method": "terminal/output", "params": { "terminalId": "${made.terminalId}" }, "as": "all",
          "deaf_until": go },
        { "until_file": go },
        { "gather": "all" },
    ]));
    let hub = deck.hub_pid();
    let most = std::cell::Cell::new(0);
    let measure = || most.set(most.get().max(memory_of(hub)));
    let _never = flightdeck_e2e::try_until(Duration::from_secs(10), || {
        measure();
        (most.get() > BOUND).then_some(())
    });
    assert!(most.get() < BOUND, "{} MiB", most.get() >> 20);
    std::fs::write(&go, "").unwrap();
    talk.wait_long_for("all is answered", Duration::from_mins(4), |chat| {
        measure();
        chat.state == ChatState::Done
    });
    let all = &talk.told(turn)["all"];
    let answers: Vec<_> =
        all.as_object().unwrap().iter().map(|(answer, count)| (answer.as_str(), count.as_u64())).collect();
    assert_eq!(answers.len(), 1, "{all}");
    assert!(answers[0].0.starts_with("8388608 ") && answers[0].1 == Some(REQUESTS as u64), "{all}");
    assert!(most.get() < BOUND, "{} MiB", most.get() >> 20);
}
