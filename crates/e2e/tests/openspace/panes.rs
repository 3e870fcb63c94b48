//! Panes: opened, split, resized, focused and closed.

use super::*;

/// The geometry of all panes fills the whole.
#[track_caller]
fn tiles(panes: &[Value]) {
    let area =
        |pane: &Value| pane["geometry"]["width"].as_f64().unwrap() * pane["geometry"]["height"].as_f64().unwrap();
    let sum: f64 = panes.iter().map(area).sum();
    assert!((sum - 10_000.0).abs() < 1.0, "{sum}: {panes:#?}");
}

#[test]
fn a_split_opens_a_pane_to_the_right_or_below() {
    let deck = deck();
    put(&deck, "src/auth.ts", "x\n");
    put(&deck, "README.md", "x\n");
    let mut agent = Agent::new(&deck, "arranger");
    let open =
        |path: &str, split: Option<&str>| json!({ "type": "editor", "contentId": path, "splitDirection": split });
    let first = agent.ok("openspace.pane.open", &open("src/index.ts", None))["paneId"].clone();
    let right = agent.ok("openspace.pane.open", &open("src/auth.ts", Some("vertical")))["paneId"].clone();
    let below = agent.ok("openspace.pane.open", &open("README.md", Some("horizontal")))["paneId"].clone();
    let listed = panes(&mut agent);
    tiles(&listed);
    let pane = |id: &Value| listed.iter().find(|pane| pane["id"] == *id).unwrap().clone();
    let of = |id: &Value, name: &str| pane(id)["geometry"][name].as_f64().unwrap();
    assert!(of(&right, "x") >= of(&first, "x") + of(&first, "width") - 0.01, "{listed:#?}");
    assert!(of(&below, "y") >= of(&right, "y") + of(&right, "height") - 0.01, "{listed:#?}");
    assert_eq!(pane(&below)["geometry"]["x"], pane(&right)["geometry"]["x"]);
    assert_eq!(pane(&first)["tabs"][0]["contentId"], "src/index.ts");
    assert_eq!((&pane(&first)["area"], &pane(&first)["title"]), (&json!("main"), &json!("index.ts")));
    // What is open already is focused and not opened twice.
    let again = agent.ok("openspace.pane.open", &open("src/index.ts", None))["paneId"].clone();
    assert_eq!((again, panes(&mut agent).len()), (first, 3));
}

#[test]
fn panes_are_resized_within_what_is_possible() {
    let deck = deck();
    put(&deck, "b.txt", "x\n");
    let mut agent = Agent::new(&deck, "arranger");
    let left =
        agent.ok("openspace.pane.open", &json!({ "type": "editor", "contentId": "src/index.ts" }))["paneId"].clone();
    let alone = json!({ "paneId": left, "width": 50 });
    refused(&mut agent, "openspace.pane.resize", &alone, "layout_impossible");
    agent.ok("openspace.pane.open", &json!({ "type": "editor", "contentId": "b.txt", "splitDirection": "vertical" }));
    agent.ok("openspace.pane.resize", &json!({ "paneId": left, "width": 70 }));
    let listed = panes(&mut agent);
    tiles(&listed);
    let widths: Vec<_> = listed.iter().map(|pane| pane["geometry"]["width"].as_f64().unwrap()).collect();
    assert_eq!(widths, [70.0, 30.0]);
    let too_wide =
        refused(&mut agent, "openspace.pane.resize", &json!({ "paneId": left, "width": 100 }), "layout_impossible");
    assert!(too_wide["error"].as_str().unwrap().contains("possible"), "{too_wide}");
    for args in
        [json!({ "paneId": left }), json!({ "paneId": left, "width": -5 }), json!({ "paneId": left, "width": 500 })]
    {
        refused(&mut agent, "openspace.pane.resize", &args, "invalid_argument");
    }
    assert_eq!(panes(&mut agent), listed, "what was refused has changed nothing");
}

#[test]
fn terminals_stand_at_the_bottom_and_go_on_when_their_pane_is_closed() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "arranger");
    let terminal = agent.ok("openspace.terminal.create", &json!({ "title": "tests" }))["terminalId"].clone();
    let listed = panes(&mut agent);
    assert_eq!((&listed[0]["area"], &listed[0]["tabs"][0]["contentId"]), (&json!("bottom"), &terminal));
    assert_eq!(listed[0]["tabs"][0]["title"], "tests");
    agent.ok("openspace.pane.close", &json!({ "paneId": listed[0]["id"] }));
    assert_eq!(panes(&mut agent), [] as [Value; 0]);
    let running = agent.ok("openspace.terminal.list", &json!({}));
    assert_eq!(running["terminals"][0]["id"], terminal);
    // By its title as well.
    agent.ok("openspace.pane.open", &json!({ "type": "terminal", "contentId": "tests" }));
    assert_eq!(open(&mut agent), [terminal.as_str().unwrap()]);
    agent.ok("openspace.terminal.close", &json!({ "terminalId": "tests" }));
    flightdeck_e2e::wait_until("the pane of a closed terminal is gone", flightdeck_e2e::SOON, || {
        panes(&mut agent).is_empty().then_some(())
    });
}

#[test]
fn focus_moves_and_mistakes_are_named() {
    let deck = deck();
    put(&deck, "b.txt", "x\n");
    let mut agent = Agent::new(&deck, "arranger");
    let first =
        agent.ok("openspace.pane.open", &json!({ "type": "editor", "contentId": "src/index.ts" }))["paneId"].clone();
    agent.ok("openspace.pane.open", &json!({ "type": "editor", "contentId": "b.txt", "splitDirection": "vertical" }));
    agent.ok("openspace.pane.focus", &json!({ "paneId": first }));
    assert_eq!(agent.ok("openspace.pane.list", &json!({}))["activePane"], first);
    for (tool, args, code) in [
        ("openspace.pane.focus", json!({ "paneId": "p99" }), "pane_not_found"),
        ("openspace.pane.close", json!({ "paneId": "left" }), "pane_not_found"),
        ("openspace.pane.open", json!({ "type": "editor", "contentId": "missing.ts" }), "file_not_found"),
        ("openspace.pane.open", json!({ "type": "terminal", "contentId": "t99" }), "terminal_not_found"),
        ("openspace.pane.open", json!({ "type": "presentation", "contentId": "a.deck.md" }), "not_supported"),
        ("openspace.pane.open", json!({ "type": "sculpture", "contentId": "x" }), "invalid_argument"),
        ("openspace.pane.open", json!({ "type": "editor" }), "invalid_argument"),
    ] {
        refused(&mut agent, tool, &args, code);
    }
}

#[test]
fn the_layout_outlives_the_hub() {
    let deck = deck();
    put(&deck, "b.txt", "x\n");
    let mut agent = Agent::new(&deck, "arranger");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts", "line": 42 }));
    agent.ok("openspace.pane.open", &json!({ "type": "editor", "contentId": "b.txt", "splitDirection": "vertical" }));
    agent.ok(
        "openspace.editor.highlight",
        &json!({ "path": "src/index.ts", "ranges": [{ "startLine": 3, "endLine": 4 }], "highlightId": "x" }),
    );
    let before = panes(&mut agent);
    deck.cli(&["restart"]).expect(0);
    assert_eq!(panes(&mut agent), before);
    agent.ok("openspace.editor.clear_highlight", &json!({ "highlightId": "x" }));
}
