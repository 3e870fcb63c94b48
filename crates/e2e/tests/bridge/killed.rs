//! Either hub is killed in the middle: what was asked for once runs once.

use std::fs;

use flightdeck_e2e::{Agent, SOON};
use serde_json::json;

use super::{Pair, TOOL, failed, named, printed};

const SLOW: &str = "echo run >> runs; echo before; until [ -e go ]; do sleep 0.05; done; echo after";

#[test]
fn the_containers_hub_is_killed_and_its_successor_gets_the_answer() {
    let pair = Pair::new();
    let mut person = pair.person();
    let mut agent = pair.agent("codex");
    agent.begin(TOOL, &named(SLOW, "one"));
    person.approve_next();
    pair.wait_for_file("runs");
    pair.container.kill_hub();
    pair.start_container(&[]);
    let mut again = Agent::new(&pair.container, "codex");
    let asked = again.begin(TOOL, &named(SLOW, "one"));
    fs::write(pair.host.workspace().join("go"), "").unwrap();
    printed(&again.result(asked), "before\nafter\n", 0);
    // And once more, when it is over.
    printed(&again.call(TOOL, &named(SLOW, "one")), "before\nafter\n", 0);
    assert_eq!(pair.count("runs"), 1);
    // The same name for another request is a mistake, and is told.
    failed(&again.call(TOOL, &named("echo other", "one")), "PM_TERM_INVALID_PAYLOAD");
}

#[test]
fn the_containers_hub_is_killed_while_a_person_decides() {
    let pair = Pair::new();
    let mut person = pair.person();
    let mut agent = pair.agent("codex");
    agent.begin(TOOL, &named("touch made", "one"));
    let approval = person.asked();
    pair.container.kill_hub();
    pair.host.wait_until("it is withdrawn", SOON, || {
        (pair.host.json(&["approve", "--list", "--json"])["approvals"] == json!([])).then_some(())
    });
    assert!(person.answer(json!({ "id": approval.id, "choice": "approve" })).is_err());
    assert!(!pair.host.workspace().join("made").exists());
}

#[test]
fn the_hosts_hub_is_killed_and_nothing_is_run_again() {
    let pair = Pair::new();
    let mut agent = pair.agent("codex");
    let asked = {
        let mut person = pair.person();
        let asked = agent.begin(TOOL, &named(SLOW, "one"));
        person.approve_next();
        pair.wait_for_file("runs");
        pair.host.kill_hub();
        asked
    };
    pair.start_host();
    let answer = agent.result(asked);
    failed(&answer, "PM_TERM_DISCONNECTED");
    assert_eq!(answer["fallback"]["next_action"], "list", "{answer}");
    let _person = pair.person();
    failed(&agent.call(TOOL, &named(SLOW, "one")), "PM_TERM_DISCONNECTED");
    // What was started goes on, and the container finds it.
    fs::write(pair.host.workspace().join("go"), "").unwrap();
    let listed = agent.ok(TOOL, &json!({ "action": "list" }));
    let id = listed["result"]["items"][0]["session_id"].clone();
    let read = json!({ "action": "read_output", "target": { "session_id": id } });
    pair.host.wait_until("it ends", SOON, || {
        let answer = agent.call(TOOL, &read);
        (answer["result"]["stdout"] == "before\nafter\n" && answer["result"]["exit_code"] == 0).then_some(())
    });
    assert_eq!(pair.count("runs"), 1);
}
