//! What an agent started ends some time after it has left, unless it comes back, or it is kept.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

fn start(agent: &mut Agent, args: &Value) -> String {
    agent.ok("flightdeck.terminal.new", args)["data"]["id"].as_str().unwrap().to_owned()
}

#[test]
fn what_was_left_behind_is_ended_and_what_is_kept_stays() {
    let deck = Deck::new();
    deck.settings("[agents]\ngrace_seconds = 0.3\n");
    let persons = deck.shell("bash");
    let mut agent = Agent::new(&deck, "claude-code");
    let left = start(&mut agent, &json!({ "command": ["sleep", "1000"] }));
    let kept = start(&mut agent, &json!({ "command": ["sleep", "1000"], "keep": true }));
    let pinned = start(&mut agent, &json!({ "command": ["sleep", "1000"] }));
    let created = agent.ok("openspace.terminal.create", &json!({ "title": "tests" }));
    let created = created["terminalId"].as_str().unwrap().to_owned();
    deck.cli(&["keep", &pinned]).expect(0);
    let timed_out = agent.ok("flightdeck.terminal.run", &json!({ "command": "sleep 1000", "timeoutMs": 20 }));
    assert_eq!((&timed_out["data"]["timedOut"], &timed_out["data"]["running"]), (&json!(true), &json!(true)));
    let running = timed_out["data"]["id"].as_str().unwrap().to_owned();
    // Its terminal has ended long before.
    let background = "setsid sleep 1000 >/dev/null 2>&1 & until grep -q sleep /proc/$!/comm; do :; done; echo";
    let background = agent.ok("flightdeck.terminal.run", &json!({ "command": background }));
    assert_eq!(background["data"]["background"][0]["running"], true, "{background}");
    let background = background["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(agent.hang_up(), Some(0));
    deck.wait_until("nothing is left of it", SOON, || deck.processes_of(&background).is_empty().then_some(()));
    for id in [&left, &created, &running] {
        deck.wait_until("it is ended", SOON, || (!deck.info(id).running).then_some(()));
        deck.nothing_left_of(id);
    }
    for id in [&kept, &pinned, &persons] {
        assert!(deck.info(id).running, "{id} stays");
    }
}

#[test]
fn who_comes_back_in_time_finds_everything() {
    let deck = Deck::new();
    // Long enough for all that comes before the return, on a busy machine too.
    deck.settings("[agents]\ngrace_seconds = 6.0\n");
    let mut agent = Agent::new(&deck, "claude-code");
    let id = start(&mut agent, &json!({ "title": "server" }));
    drop(agent);
    let mut other = Agent::new(&deck, "codex");
    let others = start(&mut other, &json!({ "title": "other" }));
    drop(other);
    let mut again = Agent::new(&deck, "claude-code");
    // The other one left later and did not come back: when its time is over, so is the first one's.
    deck.wait_until("the other one's is ended", SOON, || (!deck.info(&others).running).then_some(()));
    let ran = again.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo still here" }));
    assert_eq!(ran["output"], "still here\n");
}

#[test]
fn a_hub_that_was_killed_gives_agents_the_same_time() {
    let deck = Deck::new();
    deck.settings("[agents]\ngrace_seconds = 0.5\n");
    let mut agent = Agent::new(&deck, "claude-code");
    let id = start(&mut agent, &json!({ "command": ["sleep", "1000"] }));
    drop(agent);
    deck.kill_hub();
    deck.wait_until("it is ended by the next hub", SOON, || (!deck.info(&id).running).then_some(()));
    deck.nothing_left_of(&id);
}
