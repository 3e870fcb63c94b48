//! Taking writes back.

use super::*;

#[test]
fn the_last_write_is_taken_back_and_can_be_brought_back() {
    let deck = deck();
    let before = text(&deck, "src/index.ts");
    let mut agent = Agent::new(&deck, "writer");
    agent.ok("openspace.file.write", &json!({ "path": "src/index.ts", "content": "all gone\n" }));
    let undone = agent.ok("openspace.file.undo", &json!({}));
    assert_eq!((&undone["path"], text(&deck, "src/index.ts")), (&json!("src/index.ts"), before));
    agent.ok("openspace.file.undo", &json!({ "undoId": undone["undoId"] }));
    assert_eq!(text(&deck, "src/index.ts"), "all gone\n");
}

#[test]
fn a_file_that_a_write_has_made_is_gone_again() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "writer");
    agent.ok("openspace.file.write", &json!({ "path": "new.txt", "content": "x\n" }));
    let undone = agent.ok("openspace.file.undo", &json!({ "path": "new.txt" }));
    assert!(undone.get("version").is_none() && !deck.workspace().join("new.txt").exists(), "{undone}");
}

#[test]
fn what_has_changed_since_is_not_touched() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "writer");
    agent.ok("openspace.file.write", &json!({ "path": "src/index.ts", "content": "mine\n" }));
    put(&deck, "src/index.ts", "a person's work\n");
    refused(&mut agent, "openspace.file.undo", &json!({ "path": "src/index.ts" }), "stale_version");
    assert_eq!(text(&deck, "src/index.ts"), "a person's work\n");
}

#[test]
fn an_agent_takes_back_its_own_writes_and_a_person_any() {
    let deck = deck();
    let mut one = Agent::new(&deck, "one");
    let mut other = Agent::new(&deck, "other");
    let before = text(&deck, "src/index.ts");
    one.ok("openspace.file.write", &json!({ "path": "src/index.ts", "content": "one\n" }));
    refused(&mut other, "openspace.file.undo", &json!({}), "nothing_to_undo");
    refused(&mut other, "openspace.file.undo", &json!({ "path": "src/index.ts" }), "nothing_to_undo");
    let listed = deck.cli(&["undo", "--list"]).expect(0).text();
    assert!(listed.contains("src/index.ts") && listed.contains("by one"), "{listed}");
    let said = deck.cli(&["undo"]).expect(0).text();
    assert!(said.contains("src/index.ts is as it was before"), "{said}");
    assert_eq!(text(&deck, "src/index.ts"), before);
}

#[test]
fn it_outlives_the_hub() {
    let deck = deck();
    let before = text(&deck, "src/index.ts");
    {
        let mut agent = Agent::new(&deck, "writer");
        agent.ok("openspace.file.write", &json!({ "path": "src/index.ts", "content": "x\n" }));
    }
    deck.cli(&["restart"]).expect(0);
    deck.cli(&["undo", "src/index.ts"]).expect(0);
    assert_eq!(text(&deck, "src/index.ts"), before);
    let failed = deck.cli(&["undo", "missing.txt"]).expect(1);
    assert!(failed.errors().contains("nothing to undo"), "{}", failed.errors());
}
