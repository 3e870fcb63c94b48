//! Who holds the controls: a person takes over, the agent is told who and why, and is woken when they are handed back.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

#[test]
fn a_person_takes_over_and_hands_back() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo mine" }));
    deck.cli(&["lease", &id, "take", "--reason", "let me try"]).expect(0);
    for (tool, args) in [
        ("flightdeck.terminal.run", json!({ "id": id, "command": "echo no" })),
        ("flightdeck.terminal.keys", json!({ "id": id, "text": "no" })),
        ("flightdeck.terminal.kill", json!({ "id": id })),
        ("flightdeck.terminal.signal", json!({ "id": id, "signal": "INT" })),
        ("flightdeck.terminal.resize", json!({ "id": id, "size": { "rows": 10, "cols": 10 } })),
        ("openspace.terminal.send", json!({ "terminalId": id, "text": "no" })),
        ("openspace.terminal.close", json!({ "terminalId": id })),
        ("flightdeck.terminal.lease", json!({ "id": id, "action": "take" })),
        ("flightdeck.terminal.lease", json!({ "id": id, "action": "release" })),
    ] {
        let refused = agent.call(tool, &args);
        assert_eq!((&refused["success"], &refused["code"]), (&json!(false), &json!("lease_held")), "{tool}: {refused}");
        assert_eq!(refused["details"]["holder"]["actor"], "cli:pilot", "{refused}");
        assert_eq!(refused["error"], format!("the user holds the controls of {id} (let me try)"));
    }
    // Reading goes on.
    agent.ok("flightdeck.terminal.read", &json!({ "id": id }));
    let waiting = agent.begin("flightdeck.terminal.lease", &json!({ "id": id, "action": "wait", "timeoutMs": 20000 }));
    let shown = agent.ok("flightdeck.terminal.lease", &json!({ "id": id }));
    assert_eq!(shown["data"]["yours"], false, "{shown}");
    deck.cli(&["lease", &id, "release"]).expect(0);
    let woken = agent.result(waiting);
    assert_eq!((&woken["data"]["yours"], &woken["data"]["holder"]["human"]), (&json!(true), &json!(false)), "{woken}");
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo again" }));
    assert!(deck.cli(&["lease", &id]).expect(0).text().contains("codex#"));
}

#[test]
fn a_wait_that_is_not_met_says_so() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.cli(&["lease", &id, "take"]).expect(0);
    let mut agent = Agent::new(&deck, "codex");
    let waited = agent.call("flightdeck.terminal.lease", &json!({ "id": id, "action": "wait", "timeoutMs": 50 }));
    assert_eq!((&waited["success"], &waited["code"]), (&json!(false), &json!("timed_out")), "{waited}");
    assert_eq!(waited["details"]["holder"]["actor"], "cli:pilot", "{waited}");
}

#[test]
fn agents_do_not_take_from_each_other_and_leaving_frees() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut one = Agent::new(&deck, "one");
    let mut two = Agent::new(&deck, "two");
    one.ok("flightdeck.terminal.lease", &json!({ "id": id, "action": "take" }));
    let refused = two.call("flightdeck.terminal.run", &json!({ "id": id, "command": "true" }));
    assert_eq!(refused["code"], "lease_held", "{refused}");
    let waiting = two.begin("flightdeck.terminal.lease", &json!({ "id": id, "action": "wait" }));
    drop(one);
    assert_eq!(two.result(waiting)["data"]["yours"], true);
    two.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "true" }));
}

#[test]
fn typing_in_a_window_holds_the_controls_until_the_end() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    let mut window = deck.window(&["attach", &id]);
    window.wait_for("/w");
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo watched" }));
    window.wait_for("watched");
    window.type_in(b"echo typed\r");
    window.wait_for("typed");
    let refused = agent.call("flightdeck.terminal.keys", &json!({ "id": id, "text": "x" }));
    assert_eq!(refused["code"], "lease_held", "{refused}");
    window.type_in(b"\x1c");
    deck.wait_until("the controls are free", SOON, || {
        (agent.call("flightdeck.terminal.lease", &json!({ "id": id }))["data"]["yours"] == true).then_some(())
    });
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo free" }));
}

#[test]
fn a_command_that_waits_for_its_turn_is_not_typed_into_a_terminal_that_was_taken() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let fifo = deck.workspace().join("go");
    let mut agent = Agent::new(&deck, "codex");
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "mkfifo go" }));
    let first = agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": "cat go" }));
    deck.wait_until("it runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("cat")).then_some(()));
    let second =
        agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": "touch typed-behind-your-back" }));
    // Once this is answered, the second one has been let in and waits for its turn.
    agent.ok("flightdeck.terminal.list", &json!({}));
    deck.cli(&["lease", &id, "take"]).expect(0);
    std::fs::write(&fifo, "").unwrap();
    assert_eq!(agent.result(first)["success"], true);
    assert_eq!(agent.result(second)["code"], "lease_held");
    assert!(!deck.workspace().join("typed-behind-your-back").exists());
}

#[test]
fn an_agent_can_not_have_a_persons_terminal_ended() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    let refused = agent.call("flightdeck.terminal.pin", &json!({ "id": id, "keep": false }));
    assert_eq!(refused["code"], "invalid_argument", "{refused}");
}

#[test]
fn what_was_taken_by_word_survives_a_hub_that_is_killed() {
    let deck = Deck::new();
    let (mine, ended) = (deck.shell("bash"), deck.shell("bash"));
    let mut agent = Agent::new(&deck, "codex");
    let own = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    agent.ok("flightdeck.terminal.lease", &json!({ "id": own, "action": "take", "reason": "a build" }));
    for id in [&mine, &ended] {
        deck.cli(&["lease", id, "take", "--reason", "let me try"]).expect(0);
    }
    deck.cli(&["kill", &ended]).expect(0);
    deck.kill_hub();
    let refused = agent.call("flightdeck.terminal.run", &json!({ "id": mine, "command": "echo no" }));
    assert_eq!(refused["error"], format!("the user holds the controls of {mine} (let me try)"), "{refused}");
    let mut other = Agent::new(&deck, "other");
    let refused = other.call("flightdeck.terminal.run", &json!({ "id": own, "command": "echo no" }));
    assert_eq!((&refused["code"], &refused["details"]["holder"]["reason"]), (&json!("lease_held"), &json!("a build")));
    // It is the agent's again, whose connection the relay has made anew.
    agent.ok("flightdeck.terminal.run", &json!({ "id": own, "command": "echo mine" }));
    let shown = agent.ok("flightdeck.terminal.lease", &json!({ "id": ended }));
    assert_eq!(shown["data"]["holder"], json!(null), "{shown}");
    deck.cli(&["restart"]).expect(0);
    assert!(deck.cli(&["lease", &mine]).expect(0).text().contains("cli:pilot"));
    deck.cli(&["lease", &mine, "release"]).expect(0);
    deck.kill_hub();
    agent.ok("flightdeck.terminal.run", &json!({ "id": mine, "command": "echo free" }));
}

#[test]
fn an_agent_that_does_not_come_back_holds_nothing() {
    let deck = Deck::new();
    deck.settings("[agents]\ngrace_seconds = 0.5\n");
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    agent.ok("flightdeck.terminal.lease", &json!({ "id": id, "action": "take" }));
    deck.kill_hub();
    drop(agent);
    let mut other = Agent::new(&deck, "other");
    let waited = other.ok("flightdeck.terminal.lease", &json!({ "id": id, "action": "wait", "timeoutMs": 20000 }));
    assert_eq!(waited["data"]["yours"], true, "{waited}");
}
