//! Tabs belong to the workspace: all agents and people see them; who types needs the controls; closing ends everything.

use flightdeck_e2e::Agent;
use serde_json::json;

use super::{Backend, in_log, listed, ok, refused, run, tab};

on_both_backends!(
    another_agent_sees_and_uses_the_same_tabs,
    while_a_person_holds_the_controls_agents_only_read,
    closing_ends_everything_in_the_tab_and_can_be_repeated,
);

fn another_agent_sees_and_uses_the_same_tabs(backend: Backend) {
    let deck = backend.deck();
    let mut one = Agent::new(&deck, "one");
    let mut two = Agent::new(&deck, "two");
    let id = tab(&mut one, "shared");
    run(&mut one, &id, "X=from-one");
    assert_eq!(listed(&mut two), (vec![(id.clone(), "shared".to_owned())], Some(id.clone())));
    assert_eq!(run(&mut two, &id, "echo $X").0, "from-one\n");
    // A tab is a terminal: people find it under its name.
    assert_eq!(deck.info("t1").title, "shared");
}

fn while_a_person_holds_the_controls_agents_only_read(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "echo seen");
    deck.cli(&["lease", "t1", "take", "--reason", "let me try"]).expect(0);
    for (tool, args) in [
        ("execute_command", json!({ "window_id": id, "command": "true" })),
        ("start_process", json!({ "window_id": id, "command": "true" })),
        ("stop_process", json!({ "window_id": id })),
        ("close_tab", json!({ "window_id": id })),
    ] {
        let error = refused(&mut agent, tool, &args, "lease_held");
        assert!(error["error"].as_str().unwrap().contains("let me try"), "{tool}: {error}");
    }
    in_log(&deck, &mut agent, &id, "seen\n");
    deck.cli(&["lease", "t1", "release"]).expect(0);
    assert_eq!(run(&mut agent, &id, "echo again").0, "again\n");
}

fn closing_ends_everything_in_the_tab_and_can_be_repeated(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let (id, other) = (tab(&mut agent, "t"), tab(&mut agent, "other"));
    run(&mut agent, &id, "setsid sleep 1000 & sleep 1001 & echo started");
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "sleep 1002" }));
    for _ in 0..2 {
        assert_eq!(ok(&mut agent, "close_tab", &json!({ "window_id": id })), json!({ "closed": true }));
    }
    deck.nothing_left_of("t1");
    assert_eq!(listed(&mut agent).0, [(other.clone(), "other".to_owned())]);
    in_log(&deck, &mut agent, &id, "started\n");
    assert_eq!(run(&mut agent, &other, "echo untouched").0, "untouched\n");
}
