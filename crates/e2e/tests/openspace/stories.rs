//! The user stories of the document, one test each.

use flightdeck_e2e::{SOON, wait_until};

use super::*;

/// The tools that the document names.
const TOOLS: [&str; 20] = [
    "openspace.pane.open",
    "openspace.pane.close",
    "openspace.pane.focus",
    "openspace.pane.list",
    "openspace.pane.resize",
    "openspace.editor.open",
    "openspace.editor.read_file",
    "openspace.editor.close",
    "openspace.editor.scroll_to",
    "openspace.editor.highlight",
    "openspace.editor.clear_highlight",
    "openspace.terminal.create",
    "openspace.terminal.send",
    "openspace.terminal.read_output",
    "openspace.terminal.list",
    "openspace.terminal.close",
    "openspace.file.read",
    "openspace.file.write",
    "openspace.file.list",
    "openspace.file.search",
];

#[test]
fn all_twenty_tools_are_there_with_schemas() {
    let deck = deck();
    let mut agent = Agent::with(&deck, "looker", &["--tools", "openspace"]);
    let listed = agent.request("tools/list", &json!({}))["result"]["tools"].clone();
    for name in TOOLS {
        let tool = listed.as_array().unwrap().iter().find(|tool| tool["name"] == name);
        let tool = tool.unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
        assert!(tool["annotations"].is_object(), "{name}");
    }
}

/// US-3.1: the person sees the line that the agent talks about.
#[test]
fn the_agent_opens_a_file_at_a_line() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts", "line": 42 }));
    let snapshot = snapshot(&deck);
    assert_eq!(snapshot["editors"][0]["cursor"]["line"], 42);
    let missing = refused(&mut agent, "openspace.editor.open", &json!({ "path": "missing.ts" }), "file_not_found");
    assert!(missing["error"].as_str().unwrap().contains("file not found"), "{missing}");
}

/// US-3.3: a terminal, a command, its output.
#[test]
fn the_agent_creates_a_terminal_and_runs_a_command() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.terminal.create", &json!({ "title": "test-runner" }));
    let shown = panes(&mut agent);
    assert_eq!((&shown[0]["area"], &shown[0]["title"]), (&json!("bottom"), &json!("test-runner")));
    agent.ok("openspace.terminal.send", &json!({ "terminalId": "test-runner", "text": "echo hel''lo\n" }));
    wait_until("the command's output", SOON, || {
        let read = agent.ok("openspace.terminal.read_output", &json!({ "terminalId": "test-runner" }));
        read["output"].as_array().unwrap().iter().any(|line| line == "hello").then_some(())
    });
}

/// US-3.5: panes side by side, and the layout with its geometry.
#[test]
fn the_agent_manages_the_layout() {
    let deck = deck();
    put(&deck, "src/auth.ts", "x\n");
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let opened = agent.ok(
        "openspace.pane.open",
        &json!({ "type": "editor", "contentId": "src/auth.ts", "splitDirection": "vertical" }),
    );
    let listed = panes(&mut agent);
    let right = listed.iter().find(|pane| pane["id"] == opened["paneId"]).unwrap();
    assert_eq!(right["geometry"], json!({ "x": 50, "y": 0, "width": 50, "height": 100 }));
}

/// US-3.6: a failure comes back in the same call, with what to do about it.
#[test]
fn the_agent_corrects_itself() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    let failed = refused(&mut agent, "openspace.editor.open", &json!({ "path": "index.ts" }), "file_not_found");
    assert!(failed["hint"].as_str().is_some(), "{failed}");
    let found = agent.ok("openspace.file.list", &json!({ "recursive": true }));
    let path =
        found["files"].as_array().unwrap().iter().find(|file| file["name"] == "index.ts").unwrap()["path"].clone();
    agent.ok("openspace.editor.open", &json!({ "path": path }));
}
