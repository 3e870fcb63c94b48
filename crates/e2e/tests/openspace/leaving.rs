//! An agent leaves: what it has opened goes with it, what a person uses stays.

use flightdeck_e2e::{SOON, wait_until};

use super::*;

fn contents(deck: &Deck) -> Vec<String> {
    let snapshot = snapshot(deck);
    let panes = snapshot["panes"].as_array().unwrap().clone();
    let tabs = panes.iter().flat_map(|pane| pane["tabs"].as_array().unwrap());
    tabs.map(|tab| tab["contentId"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn panes_editors_and_highlights_go_with_their_agent() {
    let deck = deck();
    deck.settings("[agents]\ngrace_seconds = 0.0\n");
    put(&deck, "pinned.txt", "x\n");
    put(&deck, "persons.txt", "x\n");
    let mut agent = Agent::new(&deck, "visitor");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts", "line": 3, "highlight": true }));
    let pinned = agent.ok(
        "openspace.pane.open",
        &json!({ "type": "editor", "contentId": "pinned.txt", "splitDirection": "vertical" }),
    );
    person(&deck, "flightdeck.workbench.pin", &json!({ "paneId": pinned["paneId"], "pinned": true }));
    person(&deck, "openspace.editor.open", &json!({ "path": "persons.txt" }));
    agent.ok("openspace.terminal.create", &json!({ "title": "its own" }));
    assert_eq!(contents(&deck).len(), 4);
    agent.hang_up();
    wait_until("what the agent opened is gone", SOON, || {
        let mut left = contents(&deck);
        left.sort();
        (left == ["persons.txt", "pinned.txt"]).then_some(())
    });
    let snapshot = snapshot(&deck);
    assert_eq!(snapshot["highlights"], json!([]));
    wait_until("its terminal is ended", SOON, || {
        let running = deck.json(&["ls", "--json"]);
        running.as_array().unwrap().is_empty().then_some(())
    });
}
