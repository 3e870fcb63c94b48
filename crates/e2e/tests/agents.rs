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
    let failed = stands(&deck, "failed");
    assert!(failed["reason"].as_str().unwrap().contains("not now"), "{failed}");
    agent.ok(RUN, &json!({ "id": id, "command": "true" }));
    stands(&deck, "idle");

    drop(agent);
    let gone = stands(&deck, "gone");
    assert_eq!((&gone["name"], &gone["number"]), (&json!("codex"), &json!(1)), "{gone}");
}
