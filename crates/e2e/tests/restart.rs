//! `flightdeck restart`: another hub process, and nothing else changes for terminals, agents and people.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

#[test]
fn terminals_go_on_and_agents_are_connected_anew() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "X=carried");
    let mut agent = Agent::new(&deck, "codex");
    let own = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    let (hub, keeper, url) = (deck.hub_pid(), deck.keeper_pid(), deck.status()["http"]["url"].clone());
    let under_way = agent.begin("flightdeck.terminal.run", &json!({ "id": own, "command": "sleep 1000" }));
    deck.wait_until("it runs", SOON, || (deck.info(&own).foreground.as_deref() == Some("sleep")).then_some(()));
    let text = deck.cli(&["restart"]).expect(0).text();
    assert!(text.contains("2 terminals go on"), "{text}");
    assert_ne!(deck.hub_pid(), hub);
    assert_eq!((deck.keeper_pid(), &deck.status()["http"]["url"]), (keeper, &url), "the keeper and the port stay");
    let answer = agent.answer(under_way);
    let words = answer.to_string();
    assert!(words.contains("hub") && words.contains("goes on"), "{answer}");
    agent.message("the news of other tools", |message| message["method"] == "notifications/tools/list_changed");
    assert_eq!(agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo $X" }))["output"], "carried\n");
    assert_eq!(deck.info(&own).foreground.as_deref(), Some("sleep"), "what it ran goes on");
}

#[test]
fn an_agent_survives_a_hub_that_is_killed() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "X=1" }));
    for round in 0..3 {
        deck.kill_hub();
        let ran = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo $((X += 1))" }));
        assert_eq!(ran["output"], format!("{}\n", round + 2));
    }
}

#[test]
fn calls_under_way_during_a_restart_leave_one_chain() {
    let deck = Deck::new();
    deck.settings("[limits]\nburst = 1000000.0\n");
    let mut agents = [Agent::new(&deck, "one"), Agent::new(&deck, "two")];
    for _ in 0..3 {
        let restarting = deck.invoke(&["restart"]).start();
        for _ in 0..60 {
            for agent in &mut agents {
                // Answered or refused because of the restart; both are fine here.
                let id = agent.begin("flightdeck.terminal.list", &json!({}));
                agent.answer(id);
            }
        }
        restarting.finish().expect(0);
        for agent in &mut agents {
            agent.ok("flightdeck.terminal.run", &json!({ "command": "true" }));
        }
    }
    deck.cli(&["audit", "verify"]).expect(0);
}

#[test]
fn a_lost_database_loses_no_terminal_and_no_number() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let ended = deck.new_terminal(&["--", "true"]);
    deck.ended(&ended, SOON);
    let state = std::path::PathBuf::from(deck.status()["state"].as_str().unwrap());
    let lost = deck.lose_hub();
    for file in ["flightdeck.db", "flightdeck.db-wal", "flightdeck.db-shm"] {
        std::fs::write(state.join(file), "not a database, by no means").unwrap();
    }
    drop(lost);
    assert!(deck.info(&id).running, "it is taken up again");
    let fresh = deck.new_terminal(&["--", "true"]);
    assert!(fresh != id && fresh != ended, "{fresh}");
    deck.cli(&["logs", &ended]).expect(0);
    deck.cli(&["kill", &id]).expect(0);
    assert!(!deck.info(&id).running);
    let aside =
        std::fs::read_dir(&state).unwrap().flatten().any(|e| e.file_name().to_string_lossy().contains("broken"));
    assert!(aside, "the damaged one is kept");
}
