//! Much at once: terminals, output, and updates.

use std::time::{Duration, Instant};

use flightdeck_contract::chat::{ChatEvent, ChatState};
use flightdeck_e2e::{Deck, Socket, processes};
use serde_json::{Value, json};

use super::{LONG, Talk, about, call, said};

/// Processor time is measured in these: what the hub does is the same on a machine that is busy with other things.
const TICKS_PER_SECOND: u64 = 100;
/// What the hub may do during `flightdeck status` beside thousands of open requests. Alone it does a hundredth of it.
const MAX_STATUS_TICKS: u64 = 3 * TICKS_PER_SECOND;

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

/// Reads events of a conversation until one is as wanted.
fn follow(socket: &mut Socket, wanted: impl Fn(&ChatEvent) -> bool) {
    while !wanted(&serde_json::from_value(socket.event().0).unwrap()) {}
}

/// The agent's requests that wait for one terminal, by how many there are: what the hub does until all are open, and until
/// all are answered, in ticks of processor time.
fn open_and_answer(deck: &Deck, talk: &Talk<'_>, count: usize) -> u64 {
    let hub = deck.hub_pid();
    let go = deck.workspace().join(format!("go{count}"));
    let line = format!("until test -e {}; do sleep 0.05; done", go.display());
    // It is told of the end: looking again and again would be work of the hub as well.
    let mut socket = deck.socket();
    socket.begin("flightdeck.chat.watch", json!({ "id": talk.id, "last": 1 }));
    let before = processes::cpu_ticks(hub);
    let turn = talk.run(json!([
        call("t", "terminal/create", json!({ "command": line })),
        { "burst": count, "method": "terminal/wait_for_exit", "params": { "terminalId": "${t.terminalId}" }, "as": "waits" },
        // It is answered behind all that came before.
        about("output", "output"),
        { "say": format!("{count} are open\n") },
        { "gather": "waits" },
        about("released", "release"),
    ]));
    let open = format!("{count} are open");
    follow(&mut socket, |event| match event {
        ChatEvent::Entry { entry } => said([&**entry]).contains(&open),
        ChatEvent::Text { text, .. } => text.contains(&open),
        _ => false,
    });
    let looked = processes::cpu_ticks(hub);
    deck.cli(&["status"]).expect(0);
    let took = processes::cpu_ticks(hub) - looked;
    println!("status beside {count} open requests: {took} ticks");
    assert!(took < MAX_STATUS_TICKS, "the hub has so much to do that it stands still: {took} ticks");
    std::fs::write(&go, "").unwrap();
    follow(
        &mut socket,
        |event| matches!(event, ChatEvent::Chat { chat } if u64::from(chat.turn) == turn && !chat.state.is_busy()),
    );
    let took = processes::cpu_ticks(hub) - before;
    let chat = talk.chat();
    assert_eq!(chat.state, ChatState::Done, "{}", chat.reason);
    assert_eq!(talk.told(turn)["waits"], json!({ "ok": count }));
    took
}

/// One more open request costs as much as the first. Where each costs as much as all before it, eight times as many cost 64
/// times as much.
#[test]
fn open_requests_cost_the_same_each() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let (few, many) = (500, 4000);
    let short = open_and_answer(&deck, &talk, few);
    let long = open_and_answer(&deck, &talk, many);
    println!("{few} open requests: {short} ticks, {many}: {long}");
    assert!(long < short * 16 + TICKS_PER_SECOND / 2, "{few} took {short} ticks, {many} took {long}");
}

/// Few long requests are bounded as many short ones are.
#[test]
fn open_requests_are_bounded_in_bytes() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let go = deck.workspace().join("go");
    let line = format!("until test -e {}; do sleep 0.05; done", go.display());
    let bursts: Vec<String> = (0..7).map(|number| format!("waits{number}")).collect();
    let mut steps = vec![call("t", "terminal/create", json!({ "command": line }))];
    for name in &bursts {
        steps.extend([
            json!({ "burst": 10, "padding": 1 << 20, "method": "terminal/wait_for_exit", "as": name,
                    "params": { "terminalId": "${t.terminalId}" } }),
            // Answered when all before it were read: an agent that is far ahead of the hub runs out of its log.
            about("read", "output"),
        ]);
    }
    steps.push(call("refused", "terminal/create", json!({ "command": "true" })));
    steps.extend(bursts.iter().map(|name| json!({ "gather": name })));
    steps.extend([call("t", "terminal/create", json!({ "command": "true" })), about("exit", "wait_for_exit")]);
    let turn = talk.run(Value::Array(steps));
    deck.wait_until("it is refused", LONG, || talk.told(turn).contains_key("refused").then_some(()));
    std::fs::write(&go, "").unwrap();
    let chat = talk.wait_long_for("all are answered", LONG, |chat| !chat.state.is_busy());
    assert_eq!(chat.state, ChatState::Done, "{}", chat.reason);
    let told = talk.told(turn);
    // Each is a little longer than a mebibyte, so that the 64th is the last to find room.
    for name in &bursts[..6] {
        assert_eq!(told[name], json!({ "ok": 10 }), "{name}");
    }
    assert_eq!(told["waits6"], json!({ "ok": 4, "-32603": 6 }));
    let refused = &told["refused"]["error"];
    assert_eq!((&refused["code"], &refused["data"]["code"]), (&json!(-32603), &json!("too_many_calls")), "{refused}");
    assert_eq!((&refused["data"]["open"], &refused["data"]["limitBytes"]), (&json!(64), &json!(64 << 20)), "{refused}");
    assert_eq!(told["exit"]["exitCode"], 0, "it goes on after that");
}

#[test]
fn open_requests_are_bounded_with_an_error() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let go = deck.workspace().join("go");
    let line = format!("until test -e {}; do sleep 0.05; done", go.display());
    let turn = talk.run(json!([
        call("t", "terminal/create", json!({ "command": line })),
        { "burst": 10_050, "method": "terminal/wait_for_exit", "params": { "terminalId": "${t.terminalId}" }, "as": "waits" },
        call("refused", "terminal/create", json!({ "command": "true" })),
        { "gather": "waits" },
        about("output", "output"),
        about("released", "release"),
    ]));
    deck.wait_until("it is refused", LONG, || talk.told(turn).contains_key("refused").then_some(()));
    std::fs::write(&go, "").unwrap();
    talk.wait_long_for("all are answered", LONG, |chat| !chat.state.is_busy());
    let told = talk.told(turn);
    assert_eq!(told["waits"], json!({ "ok": 10_000, "-32603": 50 }));
    let refused = &told["refused"]["error"];
    assert_eq!((&refused["code"], &refused["data"]["code"]), (&json!(-32603), &json!("too_many_calls")), "{refused}");
    assert_eq!(refused["data"]["limit"], 10_000);
    assert!(told["output"]["exitStatus"].is_object(), "it goes on after that");
}
