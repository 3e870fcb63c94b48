//! Limits of an agent: so many at once, in a turn and in a second; beyond them an error that says when to go on.

use std::time::{Duration, Instant};

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

#[test]
fn calls_beyond_those_at_once_wait_in_order_and_beyond_that_are_refused() {
    let deck = Deck::new();
    deck.settings("[limits]\nat_once = 2\nqueue = 3\n");
    let mut agent = Agent::new(&deck, "eager");
    let run = |text: &str| json!({ "command": format!("{text}; echo $?") });
    // Whenever each of them begins, both end when the file is there.
    let gate = run("until [ -e go ]; do sleep 0.02; done");
    let first: Vec<_> = (0..2).map(|_| agent.begin("flightdeck.terminal.run", &gate)).collect();
    deck.wait_until("two run", SOON, || (deck.json(&["ls", "--json"]).as_array().unwrap().len() == 2).then_some(()));
    let waiting: Vec<_> = (0..4).map(|_| agent.begin("flightdeck.terminal.run", &run("true"))).collect();
    let code = |message: &serde_json::Value| message["result"]["structuredContent"]["code"].clone();
    let refused = agent.message("one is refused", |message| code(message) == "too_many_calls");
    let details = &refused["result"]["structuredContent"]["details"];
    assert_eq!(details, &json!({ "running": 2, "waiting": 3 }), "{refused}");
    std::fs::write(deck.workspace().join("go"), "").unwrap();
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
fn an_agent_that_comes_again_under_other_names_gets_no_more_and_a_person_always_has_room() {
    let deck = Deck::new();
    deck.settings("[limits]\nterminals = 4\nworkspace_terminals = 6\n");
    let start = json!({ "command": ["sleep", "1000"], "keep": true });
    let mut refused = Vec::new();
    let mut started = 0;
    for name in ["one", "two", "three"] {
        let mut agent = Agent::new(&deck, name);
        for _ in 0..4 {
            let answer = agent.call("flightdeck.terminal.new", &start);
            if answer["success"] == true {
                started += 1;
            } else {
                refused.push(answer);
            }
        }
        agent.hang_up();
    }
    assert_eq!((started, refused.len()), (6, 6), "{refused:#?}");
    for answer in &refused {
        assert_eq!(answer["code"], "resource_limit", "{answer}");
        assert_eq!(answer["details"], json!({ "quota": "workspace_terminals", "used": 6, "limit": 6 }), "{answer}");
        assert!(answer["hint"].as_str().unwrap().contains("limits.workspace_terminals"), "{answer}");
    }
    // By every way that starts one.
    let mut agent = Agent::new(&deck, "four");
    for (command, args) in [
        ("flightdeck.terminal.run", json!({ "command": "true" })),
        ("openspace.terminal.create", json!({})),
        ("create_tab", json!({})),
    ] {
        // The tab tools have results of their own form.
        let answer = agent.request("tools/call", &json!({ "name": command, "arguments": args }));
        let result = &answer["result"];
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["code"]),
            (&json!(true), &json!("resource_limit")),
            "{command}: {answer}"
        );
    }
    // A person is not held up, and what they end makes room.
    for _ in 0..3 {
        deck.cli(&["new", "--", "sleep", "1000"]).expect(0);
    }
    deck.cli(&["kill", "t1"]).expect(0);
    deck.wait_until("there is room for one more", SOON, || {
        (agent.call("flightdeck.terminal.new", &start)["success"] == true).then_some(())
    });
    assert_eq!(agent.call("flightdeck.terminal.new", &start)["code"], "resource_limit");
}

#[test]
fn what_the_machine_has_left_is_kept_for_people() {
    let deck = Deck::new();
    // No machine has so many.
    deck.settings("[limits]\npeople_terminals = 1000000000\n");
    let answer = Agent::new(&deck, "codex").call("flightdeck.terminal.new", &json!({}));
    assert_eq!(answer["code"], "resource_limit", "{answer}");
    assert!(["open_files", "ptys"].contains(&answer["details"]["quota"].as_str().unwrap()), "{answer}");
    deck.cli(&["run", "--", "true"]).expect(0);
}

#[test]
fn wrong_settings_are_named_and_stop_nothing() {
    let deck = Deck::new();
    let named = |text: &str| text.contains("settings.toml:2: unknown field `per_trun`");
    deck.settings("[limits]\nper_trun = 2\n");
    let ran = deck.cli(&["run", "--", "echo", "done"]).expect(0);
    assert_eq!(ran.text(), "done\n");
    assert!(named(&ran.errors()) && ran.errors().lines().count() == 1, "who starts the hub is told: {}", ran.errors());
    assert!(deck.status()["settingsProblem"].as_str().unwrap().ends_with("the defaults are in force"));
    // A mistake in settings that were right leaves them in force, also for the next hub.
    deck.settings("[limits]\nper_turn = 2\n");
    deck.cli(&["restart"]).expect(0);
    assert!(deck.status()["settingsProblem"].is_null(), "{}", deck.status());
    deck.settings("[limits]\nper_trun = 3\n");
    let restarted = deck.cli(&["restart"]).expect(0);
    assert!(named(&restarted.errors()), "{restarted}");
    let text = deck.cli(&["status"]).expect(0).text();
    assert!(named(&text) && text.contains("the last good ones stay in force"), "{text}");
    let doctor = deck.cli(&["doctor"]).expect(1).text();
    assert!(doctor.lines().any(|line| line.starts_with("FAIL  settings") && named(line)), "{doctor}");
    let mut agent = Agent::new(&deck, "turns");
    let params = json!({ "name": "flightdeck.terminal.list", "arguments": {}, "_meta": { "turnId": "one" } });
    let mut call = || agent.request("tools/call", &params)["result"]["structuredContent"].clone();
    assert_eq!((call()["success"].clone(), call()["success"].clone()), (json!(true), json!(true)));
    assert_eq!(call()["code"], "turn_limit");
}

#[test]
fn a_call_that_is_a_little_too_early_waits() {
    let deck = Deck::new();
    deck.settings("[limits]\nburst = 1.0\nper_second = 20.0\n");
    let mut agent = Agent::new(&deck, "eager");
    let begun = Instant::now();
    for _ in 0..5 {
        agent.ok("flightdeck.terminal.list", &json!({}));
    }
    // One call at once, and each of the other four 50 ms after the one before.
    let elapsed = begun.elapsed();
    assert!(elapsed >= Duration::from_millis(195), "nothing held the calls up: {elapsed:?}");
}

#[test]
fn an_agent_has_so_many_terminals_and_is_told_what_to_do() {
    let deck = Deck::new();
    deck.settings("[limits]\nterminals = 2\n");
    let mut agent = Agent::new(&deck, "greedy");
    let sleep = json!({ "command": ["sleep", "1000"] });
    let first = agent.ok("flightdeck.terminal.new", &sleep);
    agent.ok("flightdeck.terminal.new", &sleep);
    for (tool, args) in [
        ("flightdeck.terminal.new", sleep.clone()),
        ("flightdeck.terminal.run", json!({ "command": "true" })),
        ("openspace.terminal.create", json!({})),
    ] {
        let refused = agent.call(tool, &args);
        assert_eq!(refused["code"], "resource_limit", "{tool}: {refused}");
        assert_eq!(refused["details"]["limit"], 2, "{refused}");
        assert!(refused["hint"].as_str().unwrap().contains("flightdeck.terminal.kill"), "{refused}");
    }
    // Others are not held up, and what has ended makes room.
    Agent::new(&deck, "modest").ok("flightdeck.terminal.new", &sleep);
    deck.cli(&["run", "--", "true"]).expect(0);
    agent.ok("flightdeck.terminal.kill", &json!({ "id": first["data"]["id"] }));
    agent.ok("flightdeck.terminal.new", &sleep);
}
