//! `flightdeck restart`: another hub process, and nothing else changes for terminals, agents and people.

use flightdeck_e2e::{Agent, Deck, SOON};
use rustix::process::{Pid, Signal, kill_process};
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

/// The number of an agent, and the terminals that are shown as its own.
fn own(deck: &Deck, agent: &mut Agent) -> (String, Vec<String>) {
    // Said again to the next hub where the one before is just going; what comes after it is said to the next one only.
    agent.ok("flightdeck.terminal.list", &json!({}));
    let made = agent.ok("flightdeck.terminal.new", &json!({ "command": ["true"] }));
    let id = made["data"]["id"].as_str().unwrap().to_owned();
    let name = deck.info(&id).created_by;
    let all = agent.ok("flightdeck.terminal.list", &json!({}))["data"]["terminals"].clone();
    let own = all.as_array().unwrap().iter().filter(|one| one["createdBy"] == *name);
    let own = own.map(|one| one["id"].as_str().unwrap().to_owned()).filter(|one| *one != id).collect();
    (name, own)
}

#[test]
fn agents_keep_their_numbers_and_terminals_when_their_hub_is_killed() {
    let deck = Deck::new();
    let start = |agent: &mut Agent| {
        let made = agent.ok("flightdeck.terminal.new", &json!({ "command": ["sleep", "1000"] }));
        made["data"]["id"].as_str().unwrap().to_owned()
    };
    let mut agents = ["claude-code", "claude-code", "gemini-cli"].map(|name| Agent::new(&deck, name));
    let terminals = agents.each_mut().map(start);
    agents[0].ok("flightdeck.terminal.lease", &json!({ "id": terminals[0], "action": "take" }));
    let before = terminals.each_ref().map(|id| deck.info(id).created_by);
    let slow = Pid::from_raw(agents[0].pid() as i32).unwrap();
    kill_process(slow, Signal::STOP).unwrap();
    deck.kill_hub();
    for (agent, (name, id)) in agents.iter_mut().zip(before.iter().zip(&terminals)).skip(1).rev() {
        assert_eq!(own(&deck, agent), (name.clone(), vec![id.clone()]));
    }
    // One that is new has what is nobody's, and the first one's is not.
    let mut fresh = Agent::new(&deck, "claude-code");
    assert_eq!(own(&deck, &mut fresh), ("claude-code#4".to_owned(), vec![]));
    for other in [&mut agents[1], &mut fresh] {
        let typed = other.call("flightdeck.terminal.keys", &json!({ "id": terminals[0], "text": "x" }));
        assert_eq!(typed["code"], "lease_held", "{typed}");
    }
    kill_process(slow, Signal::CONT).unwrap();
    assert_eq!(own(&deck, &mut agents[0]), (before[0].clone(), vec![terminals[0].clone()]));
    agents[0].ok("flightdeck.terminal.keys", &json!({ "id": terminals[0], "text": "x" }));
    // The same again with a hub that ends in order, and in another order of return.
    deck.cli(&["restart"]).expect(0);
    for (agent, name) in agents.iter_mut().zip(&before) {
        assert_eq!(own(&deck, agent).0, *name);
    }
}

#[test]
fn what_an_agent_left_waits_for_that_agent_and_ends_when_it_stays_away() {
    let deck = Deck::new();
    deck.settings("[agents]\ngrace_seconds = 3.0\n");
    let mut agents = ["claude-code", "claude-code"].map(|name| Agent::new(&deck, name));
    let [left, others] = agents.each_mut().map(|agent| {
        let made = agent.ok("flightdeck.terminal.new", &json!({ "command": ["sleep", "1000"] }));
        made["data"]["id"].as_str().unwrap().to_owned()
    });
    let slow = Pid::from_raw(agents[0].pid() as i32).unwrap();
    kill_process(slow, Signal::STOP).unwrap();
    deck.kill_hub();
    let [first, second] = &mut agents;
    second.ok("flightdeck.terminal.list", &json!({}));
    deck.wait_until("its time is over", SOON, || (!deck.info(&left).running).then_some(()));
    assert!(deck.info(&others).running, "the other one is here");
    kill_process(slow, Signal::CONT).unwrap();
    assert_eq!(own(&deck, first).0, "claude-code#1", "its number stays its own");
}

#[test]
fn what_an_agent_left_that_has_ended_goes_to_the_next_of_its_name() {
    let deck = Deck::new();
    deck.settings("[agents]\ngrace_seconds = 6.0\n");
    let mut agent = Agent::new(&deck, "claude-code");
    let made = agent.ok("flightdeck.terminal.new", &json!({ "title": "server" }));
    let id = made["data"]["id"].as_str().unwrap().to_owned();
    let mut other = Agent::new(&deck, "codex");
    let others = other.ok("flightdeck.terminal.new", &json!({ "title": "other" }));
    let others = others["data"]["id"].as_str().unwrap().to_owned();
    drop((agent, other));
    deck.kill_hub();
    let mut again = Agent::new(&deck, "claude-code");
    deck.wait_until("the other one's is ended", SOON, || (!deck.info(&others).running).then_some(()));
    assert_eq!(again.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo here" }))["output"], "here\n");
}
