//! Limits of an agent: so many at once, in a turn and in a second; beyond them an error that says when to go on.
#![allow(clippy::unwrap_used)]

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

#[test]
fn calls_beyond_those_at_once_wait_in_order_and_beyond_that_are_refused() {
    let deck = Deck::new();
    deck.settings("[limits]\nat_once = 2\nqueue = 3\n");
    let mut agent = Agent::new(&deck, "eager");
    let fifo = deck.workspace().join("go");
    let run = |text: &str| json!({ "command": format!("{text}; echo $?") });
    agent.ok("flightdeck.terminal.run", &run(&format!("mkfifo {}", fifo.display())));
    // Both read the same pipe: they end when it is opened for writing and closed.
    let first: Vec<_> = (0..2).map(|_| agent.begin("flightdeck.terminal.run", &run("cat go"))).collect();
    deck.wait_until("two run", SOON, || (deck.json(&["ls", "--json"]).as_array().unwrap().len() == 2).then_some(()));
    let waiting: Vec<_> = (0..4).map(|_| agent.begin("flightdeck.terminal.run", &run("true"))).collect();
    let code = |message: &serde_json::Value| message["result"]["structuredContent"]["code"].clone();
    let refused = agent.message("one is refused", |message| code(message) == "too_many_calls");
    let details = &refused["result"]["structuredContent"]["details"];
    assert_eq!(details, &json!({ "running": 2, "waiting": 3 }), "{refused}");
    deck.cli(&["run", "--", "sh", "-c", "echo > go"]).expect(0);
    for id in first.into_iter().chain(waiting).filter(|id| refused["id"] != *id) {
        assert_eq!(agent.result(id)["success"], true);
    }
    agent.ok("flightdeck.terminal.list", &json!({}));
}

#[test]
fn a_flood_is_told_when_to_go_on() {
    let deck = Deck::new();
    deck.settings("[limits]\nburst = 5.0\nper_second = 0.5\n");
    let mut agent = Agent::new(&deck, "flood");
    let answers: Vec<_> = (0..7).map(|_| agent.call("flightdeck.terminal.list", &json!({}))).collect();
    assert!(answers[..5].iter().all(|answer| answer["success"] == true), "{answers:#?}");
    let refused = &answers[6];
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    let wait = refused["details"]["retryAfterMs"].as_u64().unwrap();
    assert!((1..=4000).contains(&wait), "{refused}");
    // People are not held up by an agent's limits.
    for _ in 0..10 {
        deck.cli(&["ls"]).expect(0);
    }
}

#[test]
fn a_turn_has_its_own_limit() {
    let deck = Deck::new();
    deck.settings("[limits]\nper_turn = 3\n");
    let mut agent = Agent::new(&deck, "turns");
    let mut call = |turn: &str| {
        let params = json!({ "name": "flightdeck.terminal.list", "arguments": {}, "_meta": { "turnId": turn } });
        agent.request("tools/call", &params)["result"]["structuredContent"].clone()
    };
    for _ in 0..3 {
        assert_eq!(call("one")["success"], true);
    }
    assert_eq!(call("one")["code"], "turn_limit");
    assert_eq!(call("two")["success"], true);
}

#[test]
fn wrong_settings_are_named() {
    let deck = Deck::new();
    deck.settings("[limits]\nat_onse = 2\n");
    let failed = deck.cli(&["ls"]).expect(1);
    assert!(failed.errors().contains("at_onse") && failed.errors().contains("settings.toml"), "{}", failed.errors());
    deck.settings("");
}
