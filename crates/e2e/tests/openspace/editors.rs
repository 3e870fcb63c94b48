//! Editors and highlights.

use super::*;

#[test]
fn an_editor_is_opened_scrolled_and_closed() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "shower");
    let opened = agent
        .ok("openspace.editor.open", &json!({ "path": "src/index.ts", "line": 42, "column": 3, "highlight": true }));
    assert!(opened["editorId"].is_string() && opened["highlightId"].is_string(), "{opened}");
    let again = agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    assert_eq!(again["editorId"], opened["editorId"], "ids are stable");
    agent.ok("openspace.editor.scroll_to", &json!({ "path": "src/index.ts", "line": 90 }));
    let snapshot = snapshot(&deck);
    let editor = &snapshot["editors"][0];
    assert_eq!((&editor["path"], &editor["reveal"]), (&json!("src/index.ts"), &json!(90)), "{snapshot:#}");
    assert_eq!(snapshot["highlights"][0]["ranges"][0]["startLine"], 42);
    // Behind the end of the file is its end, and that is told.
    let scrolled = agent.ok("openspace.editor.scroll_to", &json!({ "path": "src/index.ts", "line": 90_000 }));
    let marked = json!({ "path": "src/index.ts", "ranges": [{ "startLine": 1, "endLine": 90_000 }] });
    let marked = agent.ok("openspace.editor.highlight", &marked);
    assert!(scrolled["lastLine"].as_u64().is_some_and(|line| line < 90_000), "{scrolled}");
    assert_eq!((&marked["lastLine"], &scrolled["shown"]), (&scrolled["lastLine"], &json!(false)), "{marked}");
    agent.ok("openspace.editor.close", &json!({ "path": "src/index.ts" }));
    refused(&mut agent, "openspace.editor.close", &json!({ "path": "src/index.ts" }), "editor_not_open");
    refused(&mut agent, "openspace.editor.scroll_to", &json!({ "path": "src/index.ts", "line": 1 }), "editor_not_open");
}

#[test]
fn a_missing_file_is_a_failure_in_words() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "shower");
    for tool in ["openspace.editor.open", "openspace.editor.read_file", "openspace.file.read"] {
        let error = refused(&mut agent, tool, &json!({ "path": "missing.ts" }), "file_not_found");
        assert!(error["error"].as_str().unwrap().starts_with("file not found"), "{error}");
    }
    assert_eq!(open(&mut agent), [] as [&str; 0], "nothing was opened");
    refused(&mut agent, "openspace.editor.open", &json!({ "path": "src/index.ts", "line": 0 }), "invalid_argument");
    refused(&mut agent, "openspace.editor.open", &json!({ "path": "src/index.ts", "line": "42" }), "invalid_argument");
}

fn highlights(deck: &Deck) -> Value {
    snapshot(deck)["highlights"].clone()
}

#[test]
fn highlights_have_names_and_colours_and_can_be_cleared() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "shower");
    let mark = |id: Option<&str>, start: u32, color: Option<&str>| json!({ "path": "src/index.ts", "ranges": [{ "startLine": start, "endLine": start + 8 }], "highlightId": id, "color": color });
    let named = agent.ok("openspace.editor.highlight", &mark(Some("fix-1"), 42, Some("green")));
    assert_eq!(named["highlightId"], "fix-1");
    let made = agent.ok("openspace.editor.highlight", &mark(None, 10, None));
    let shown = highlights(&deck);
    assert_eq!(shown.as_array().unwrap().len(), 2, "{shown:#}");
    let fix = shown.as_array().unwrap().iter().find(|highlight| highlight["id"] == "fix-1").unwrap();
    assert_eq!((&fix["color"], &fix["ranges"][0]), (&json!("green"), &json!({ "startLine": 42, "endLine": 50 })));
    agent.ok("openspace.editor.highlight", &mark(Some("fix-1"), 60, None));
    assert_eq!(highlights(&deck).as_array().unwrap().len(), 2, "the same name replaces");
    agent.ok("openspace.editor.clear_highlight", &json!({ "highlightId": "fix-1" }));
    refused(&mut agent, "openspace.editor.clear_highlight", &json!({ "highlightId": "fix-1" }), "highlight_not_found");
    let left = highlights(&deck);
    assert_eq!(left[0]["id"], made["highlightId"]);
    let pink = json!({ "path": "src/index.ts", "ranges": [{ "startLine": 1, "endLine": 1 }], "color": "pink" });
    refused(&mut agent, "openspace.editor.highlight", &pink, "invalid_argument");
    let backwards = json!({ "path": "src/index.ts", "ranges": [{ "startLine": 5, "endLine": 2 }] });
    refused(&mut agent, "openspace.editor.highlight", &backwards, "invalid_argument");
}

#[test]
fn highlights_follow_what_is_written() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "shower");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let mark = json!({ "path": "src/index.ts", "ranges": [{ "startLine": 42, "endLine": 43 }], "highlightId": "x" });
    agent.ok("openspace.editor.highlight", &mark);
    let longer = format!("one more\nand another\n{}", text(&deck, "src/index.ts"));
    agent.ok("openspace.file.write", &json!({ "path": "src/index.ts", "content": longer }));
    let shown = highlights(&deck);
    assert_eq!(shown[0]["ranges"][0]["startLine"], 44, "{shown:#}");
}

#[test]
fn what_nobody_sees_is_not_told_as_seen() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    let open = json!({ "path": "src/index.ts", "line": 9999 });
    let opened = agent.ok("openspace.editor.open", &open);
    assert_eq!((&opened["shown"], &opened["seenBy"]), (&json!(false), &Value::Null), "{opened}");
    assert_eq!(opened["lastLine"], 100, "the line is behind the end: {opened}");
    put(&deck, "b.txt", "x\n");
    let beside = json!({ "type": "editor", "contentId": "b.txt", "splitDirection": "vertical" });
    let pane = agent.ok("openspace.pane.open", &beside)["paneId"].clone();
    for (tool, args) in [
        ("openspace.pane.focus", json!({ "paneId": pane })),
        ("openspace.pane.resize", json!({ "paneId": pane, "width": 40 })),
    ] {
        let done = agent.ok(tool, &args);
        assert_eq!((&done["shown"], &done["seenBy"]), (&json!(false), &Value::Null), "{tool}: {done}");
    }
    let mut window = deck.socket();
    window.begin("flightdeck.workbench.watch", json!({}));
    window.event();
    let ranges = json!([{ "startLine": 2, "endLine": 3 }]);
    for (tool, args) in [
        ("openspace.editor.open", json!({ "path": "src/index.ts", "line": 7 })),
        ("openspace.editor.highlight", json!({ "path": "src/index.ts", "ranges": ranges })),
        ("openspace.pane.open", json!({ "type": "editor", "contentId": "src/index.ts" })),
        ("openspace.pane.focus", json!({ "paneId": pane })),
        ("openspace.pane.resize", json!({ "paneId": pane, "width": 60 })),
    ] {
        let shown = agent.ok(tool, &args);
        assert_eq!((&shown["shown"], &shown["lastLine"]), (&json!(true), &Value::Null), "{tool}: {shown}");
        assert!(shown["seenBy"][0].is_string(), "{tool}: {shown}");
    }
}
