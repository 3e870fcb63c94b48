//! What each agent does or waits for is known, and not guessed.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";

fn states(deck: &Deck) -> Vec<Value> {
    serde_json::from_str(&deck.cli(&["agents", "--json"]).expect(0).text()).unwrap()
}

/// Waits until the only agent stands like this, and gives how it stands.
#[track_caller]
fn stands(deck: &Deck, state: &str) -> Value {
    deck.wait_until(&format!("it is {state}"), SOON, || {
        let states = states(deck);
        assert_eq!(states.len(), 1, "{states:?}");
        states.into_iter().find(|agent| agent["state"] == state)
    })
}

#[test]
fn an_agent_works_waits_fails_and_goes() {
    let deck = Deck::new();
    deck.settings("[approvals]\nwait_unattended = true\n");
    let mut agent = Agent::new(&deck, "codex");
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    let idle = stands(&deck, "idle");
    assert_eq!((&idle["name"], &idle["command"]), (&json!("codex"), &json!(null)), "{idle}");

    let asks = agent.begin(RUN, &json!({ "id": id, "command": "read -p 'name? ' name; sleep 1000" }));
    let waits = stands(&deck, "waits_for_input");
    assert_eq!((&waits["terminal"], &waits["command"]), (&json!(id), &json!(RUN)), "{waits}");
    deck.cli(&["send", &id, "anna\r"]).expect(0);
    let works = stands(&deck, "working");
    assert_eq!(works["command"], RUN, "{works}");
    assert!(works["sinceMs"].as_i64().unwrap() >= idle["sinceMs"].as_i64().unwrap(), "{works} {idle}");
    deck.cli(&["signal", &id, "INT"]).expect(0);
    agent.result(asks);

    let asks = agent.begin(RUN, &json!({ "id": id, "command": "rm -rf nothing" }));
    let waits = stands(&deck, "waits_for_approval");
    let approval = waits["approval"].as_str().unwrap();
    let table = deck.cli(&["agents"]).expect(0).text();
    assert!(table.contains("codex#1") && table.contains(&format!("waits for approval {approval}")), "{table}");
    deck.cli(&["approve", approval, "--decline", "--reason", "not now"]).expect(0);
    assert_eq!(agent.result(asks)["success"], false);
    // Whoever has declined it knows.
    stands(&deck, "idle");
    assert_eq!(agent.call(RUN, &json!({ "id": "t99", "command": "true" }))["code"], "terminal_not_found");
    let failed = stands(&deck, "failed");
    assert!(failed["reason"].as_str().unwrap().contains("t99"), "{failed}");
    agent.ok(RUN, &json!({ "id": id, "command": "true" }));
    stands(&deck, "idle");

    drop(agent);
    let gone = stands(&deck, "gone");
    assert_eq!((&gone["name"], &gone["number"]), (&json!("codex"), &json!(1)), "{gone}");
}

#[test]
fn what_a_program_asks_for_is_told_until_it_is_answered() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    for (command, kind) in [("read -p 'name? ' name", "line"), ("read -s -p 'secret? ' secret", "password")] {
        let ran = agent.ok(RUN, &json!({ "id": id, "command": command }));
        assert_eq!(ran["data"]["input"], kind, "{ran}");
        // The call has returned, and the agent does something else.
        let waits = stands(&deck, "waits_for_input");
        assert_eq!((&waits["terminal"], &waits["asks"]), (&json!(id), &json!(kind)), "{waits}");
        assert_eq!(waits["command"], json!(null), "no call waits for it: {waits}");
        agent.ok("flightdeck.terminal.list", &json!({}));
        stands(&deck, "waits_for_input");
        deck.cli(&["send", &id, "anna\r"]).expect(0);
        let idle = stands(&deck, "idle");
        assert_eq!((&idle["terminal"], &idle["asks"]), (&json!(null), &json!(null)), "{idle}");
    }
    // A shell at its prompt asks for nothing, and neither does what a person runs.
    let own = deck.shell("bash");
    deck.cli(&["send", &own, "read -p 'mine? ' x\r"]).expect(0);
    deck.cli(&["wait", &own, "--input"]).expect(0);
    assert_eq!(states(&deck)[0]["state"], "idle");
}
