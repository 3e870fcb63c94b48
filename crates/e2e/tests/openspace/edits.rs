//! A person types in an editor, files change on disk, agents write: what meets is never lost.

use flightdeck_e2e::{SOON, wait_until};

use super::*;

fn workbench(deck: &Deck, command: &str, args: &Value) -> Value {
    person(deck, &format!("flightdeck.workbench.{command}"), args)["data"].clone()
}

#[track_caller]
fn fails(deck: &Deck, command: &str, args: &Value) -> String {
    deck.cli(&["call", &format!("flightdeck.workbench.{command}"), &args.to_string()]).expect(1).errors()
}

fn document(deck: &Deck) -> Value {
    workbench(deck, "document", &json!({ "path": "src/index.ts" }))
}

/// Types at the beginning of the file, as a browser would.
fn type_text(deck: &Deck, text: &str, seq: u64) -> Value {
    let base = document(deck)["version"].clone();
    let changes = json!([{ "from": 0, "to": 0, "insert": text }]);
    workbench(
        deck,
        "edit",
        &json!({ "path": "src/index.ts", "base": base, "changes": changes, "client": "web-1", "clientSeq": seq }),
    )
}

#[test]
fn two_browsers_and_an_agent_meet_in_one_text() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let base = document(&deck)["version"].clone();
    let edit = |client: &str, from: usize, insert: &str| {
        let changes = json!([{ "from": from, "to": from, "insert": insert }]);
        json!({ "path": "src/index.ts", "base": base, "changes": changes, "client": client, "clientSeq": 1 })
    };
    workbench(&deck, "edit", &edit("web-1", 0, "A"));
    // The other one has not seen that; its edit is moved over it.
    let second = workbench(&deck, "edit", &edit("web-2", 6, "B"));
    assert_eq!(second["changes"][0]["from"], 7);
    assert!(document(&deck)["text"].as_str().unwrap().starts_with("Aline 1B\n"));
    let again = workbench(&deck, "edit", &edit("web-2", 6, "B"));
    assert_eq!(again["repeated"], true, "an edit that is sent again is applied once");
    assert!(text(&deck, "src/index.ts").starts_with("line 1\n"), "nothing is on disk yet");

    // The agent reads what is not saved, is refused without having read it, and not after.
    let blind = json!({ "path": "src/index.ts", "content": "mine\n" });
    let unsaved = refused(&mut agent, "openspace.file.write", &blind, "unsaved_changes");
    assert!(!unsaved.to_string().contains("buffer:"), "only who reads it gets its version: {unsaved}");
    assert!(unsaved["hint"].as_str().unwrap().contains("openspace.editor.read_file"), "{unsaved}");
    let read = agent.ok("openspace.editor.read_file", &json!({ "path": "src/index.ts", "endLine": 1 }));
    assert_eq!((&read["content"], &read["unsaved"]), (&json!("Aline 1B\n"), &json!(true)));
    let knowing = json!({ "path": "src/index.ts", "content": "ours\n", "expectedVersion": read["version"] });
    agent.ok("openspace.file.write", &knowing);
    assert_eq!(text(&deck, "src/index.ts"), "ours\n");
    let now = document(&deck);
    assert_eq!((&now["text"], &now["dirty"]), (&json!("ours\n"), &json!(false)));
}

#[test]
fn an_open_editor_sees_changes_from_outside() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let mark = json!({ "path": "src/index.ts", "ranges": [{ "startLine": 10, "endLine": 10 }], "highlightId": "x" });
    agent.ok("openspace.editor.highlight", &mark);
    let changed = format!("new first line\n{}", text(&deck, "src/index.ts"));
    put(&deck, "src/index.ts", &changed);
    wait_until("the document follows its file", SOON, || (document(&deck)["text"] == changed.as_str()).then_some(()));
    let shown = snapshot(&deck);
    assert_eq!(shown["highlights"][0]["ranges"][0]["startLine"], 11, "the highlight too");
    // As editors save: a new file in place of the old one.
    let beside = put(&deck, "src/index.ts.new", "by rename\n");
    fs::rename(beside, deck.workspace().join("src/index.ts")).unwrap();
    wait_until("the document follows a rename", SOON, || (document(&deck)["text"] == "by rename\n").then_some(()));
    fs::remove_file(deck.workspace().join("src/index.ts")).unwrap();
    wait_until("it is known that the file is gone", SOON, || {
        (snapshot(&deck)["documents"][0]["deleted"] == true).then_some(())
    });
    assert_eq!(document(&deck)["text"], "by rename\n", "the text stays");
}

#[test]
fn unsaved_changes_and_a_change_on_disk_are_a_conflict_and_both_stay() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    type_text(&deck, "typed ", 1);
    put(&deck, "src/index.ts", "theirs\n");
    wait_until("the conflict is seen", SOON, || (document(&deck)["theirs"] == "theirs\n").then_some(()));
    assert!(document(&deck)["text"].as_str().unwrap().starts_with("typed line 1"));
    let refused = fails(&deck, "save", &json!({ "path": "src/index.ts" }));
    assert!(refused.contains("has changed on disk"), "{refused}");
    workbench(&deck, "resolve", &json!({ "path": "src/index.ts", "keep": "mine" }));
    workbench(&deck, "save", &json!({ "path": "src/index.ts" }));
    assert!(text(&deck, "src/index.ts").starts_with("typed line 1"));
    // What was on disk is not lost either.
    deck.cli(&["undo", "src/index.ts"]).expect(0);
    assert_eq!(text(&deck, "src/index.ts"), "theirs\n");
}

#[test]
fn what_was_typed_outlives_the_hub() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    type_text(&deck, "typed ", 1);
    refused(&mut agent, "openspace.editor.close", &json!({ "path": "src/index.ts" }), "unsaved_changes");
    deck.cli(&["restart"]).expect(0);
    let now = document(&deck);
    assert!(now["text"].as_str().unwrap().starts_with("typed line 1") && now["dirty"] == true, "{now}");
    workbench(&deck, "save", &json!({ "path": "src/index.ts" }));
    assert!(text(&deck, "src/index.ts").starts_with("typed line 1"));
}

#[test]
fn agents_do_not_type_in_a_persons_place() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let tools = agent.request("tools/list", &json!({}));
    assert!(!tools.to_string().contains("flightdeck.workbench"), "these are for front ends");
    let edit = json!({ "path": "src/index.ts", "base": 1, "changes": [], "client": "x", "clientSeq": 1 });
    let answer = agent.request("tools/call", &json!({ "name": "flightdeck.workbench.edit", "arguments": edit }));
    assert!(answer["error"].is_object() || answer["result"]["isError"] == true, "{answer}");
}

#[test]
fn an_undo_does_not_go_over_what_a_person_has_not_saved() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.file.write", &json!({ "path": "src/index.ts", "content": "agent's\n" }));
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    type_text(&deck, "typed ", 1);
    let undo = json!({ "path": "src/index.ts" });
    refused(&mut agent, "openspace.file.undo", &undo, "unsaved_changes");
    let said = deck.cli(&["undo", "src/index.ts"]).expect(1).errors();
    assert!(said.contains("unsaved changes") && said.contains("save"), "{said}");
    assert_eq!(text(&deck, "src/index.ts"), "agent's\n");
    workbench(&deck, "save", &json!({ "path": "src/index.ts" }));
    assert_eq!(text(&deck, "src/index.ts"), "typed agent's\n");
    // Now the person's own save is the last change, and what the agent did is under it.
    refused(&mut agent, "openspace.file.undo", &undo, "nothing_to_undo");
}

#[test]
fn a_save_that_overwrites_ends_the_conflict() {
    let deck = deck();
    person(&deck, "openspace.editor.open", &json!({ "path": "src/index.ts" }));
    type_text(&deck, "mine ", 1);
    put(&deck, "src/index.ts", "outside\n");
    wait_until("the conflict", SOON, || document(&deck)["theirs"].is_string().then_some(()));
    assert!(fails(&deck, "save", &json!({ "path": "src/index.ts" })).contains("changed on disk"));
    workbench(&deck, "save", &json!({ "path": "src/index.ts", "overwrite": true }));
    let now = document(&deck);
    assert_eq!((&now["dirty"], now.get("theirs")), (&json!(false), None), "{now}");
    assert!(text(&deck, "src/index.ts").starts_with("mine line 1\n"));
    type_text(&deck, "more ", 2);
    workbench(&deck, "save", &json!({ "path": "src/index.ts" }));
    assert!(text(&deck, "src/index.ts").starts_with("more mine line 1\n"));
}

#[test]
fn unsaved_text_of_a_file_that_is_gone_can_be_opened_and_saved() {
    let deck = deck();
    person(&deck, "openspace.editor.open", &json!({ "path": "src/index.ts" }));
    type_text(&deck, "mine ", 1);
    put(&deck, "src/index.ts", "outside\n");
    wait_until("the conflict", SOON, || document(&deck)["theirs"].is_string().then_some(()));
    fs::remove_file(deck.workspace().join("src/index.ts")).unwrap();
    wait_until("its end", SOON, || document(&deck).get("theirs").is_none().then_some(()));
    person(&deck, "openspace.editor.open", &json!({ "path": "src/index.ts", "line": 2 }));
    assert!(document(&deck)["text"].as_str().unwrap().starts_with("mine line 1\n"));
    workbench(&deck, "save", &json!({ "path": "src/index.ts" }));
    assert!(text(&deck, "src/index.ts").starts_with("mine line 1\n"));
}
