//! Much at once: terminals, output, and updates.

use std::time::{Duration, Instant};

use flightdeck_contract::chat::{ChatEvent, ChatState};
use flightdeck_e2e::Deck;
use serde_json::{Value, json};

use super::{Talk, about, call};

/// The machine may be busy.
const LONG: Duration = Duration::from_mins(2);

/// The memory of a process that is its own, in bytes.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[test]
fn a_hundred_terminals_at_once() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let turn = talk.run(json!([{ "many": 100, "each": [
        call("t", "terminal/create", json!({ "command": "echo number ${n}; exit 7" })),
        about("exit", "wait_for_exit"),
        about("output", "output"),
        about("released", "release"),
    ] }]));
    let chat = talk.wait_long_for("all are over", LONG, |chat| !chat.state.is_busy());
    assert_eq!(chat.state, ChatState::Done, "{}", chat.reason);
    let told = talk.told(turn);
    let all = told["many"].as_array().unwrap();
    assert_eq!(all.len(), 100);
    for (number, values) in all.iter().enumerate() {
        assert_eq!(values["exit"]["exitCode"], 7, "{number}: {values}");
        assert_eq!(values["output"]["output"], format!("number {number}\n"));
    }
}

#[test]
fn a_hundred_megabytes_through_one_terminal_cost_no_memory() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let hub = deck.hub_pid();
    let before = resident(hub);
    talk.run(json!([
        call("t", "terminal/create", json!({ "command": "yes 0123456789abcde | head -c 100000000; echo; echo over", "outputByteLimit": 1_048_576 })),
        about("exit", "wait_for_exit"),
        about("output", "output"),
        about("released", "release"),
    ]));
    let chat = talk.wait_long_for("it is over", LONG, |chat| !chat.state.is_busy());
    assert_eq!(chat.state, ChatState::Done, "{}", chat.reason);
    // What the agent was given is said in entries of 64 KiB; its end is what counts.
    let text = talk.story();
    assert!(text.contains("over"), "the end of the output is there");
    let after = resident(hub);
    assert!(after < before + (48 << 20), "{before} bytes before, {after} after");
}

#[test]
fn a_conversation_of_five_thousand_updates_is_cheap_to_look_at() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let hub = deck.hub_pid();
    let before = resident(hub);
    // Words and tool calls in turn, so that they become entries of their own.
    let update = |number: usize| json!({ "update": { "sessionUpdate": "tool_call", "toolCallId": format!("c{number}"), "title": format!("step {number}"), "status": "completed" } });
    let steps: Vec<Value> =
        (0..2500).flat_map(|number| [json!({ "say": format!("word {number}") }), update(number)]).collect();
    talk.run(Value::Array(steps));
    let chat = talk.wait_long_for("all is told", LONG, |chat| !chat.state.is_busy());
    assert!(chat.last_entry >= 5000, "{}", chat.last_entry);
    let begun = Instant::now();
    let mut socket = deck.socket();
    socket.begin("flightdeck.chat.watch", json!({ "id": talk.id, "last": 100 }));
    let event: ChatEvent = serde_json::from_value(socket.event().0).unwrap();
    let ChatEvent::Snapshot { entries, earlier, .. } = event else { panic!("{event:?}") };
    assert_eq!((entries.len(), earlier), (100, true));
    let mut seen: Vec<u64> = entries.iter().map(|entry| entry.number).collect();
    while seen[0] > 1 {
        let page = talk.call("read", json!({ "before": seen[0], "limit": 500 }));
        let numbers = page["entries"].as_array().unwrap().iter().map(|entry| entry["number"].as_u64().unwrap());
        seen.splice(0..0, numbers);
    }
    let whole: Vec<u64> = (1..=chat.last_entry).collect();
    assert_eq!(seen, whole, "no entry is missing, and none is there twice");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let after = resident(hub);
    assert!(after < before + (32 << 20), "{before} bytes before, {after} after");
}
