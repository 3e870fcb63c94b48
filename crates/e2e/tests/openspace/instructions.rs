//! What an agent is told about the workspace, and what it is told again because it fails again.

use flightdeck_e2e::Http;

use super::*;

fn instructions(http: &Http) -> String {
    let response = http.get("/openspace/instructions");
    assert_eq!(response.status, 200);
    response.text()
}

#[test]
fn they_tell_what_is_open_and_follow_it() {
    let deck = deck();
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "agent");
    let empty = instructions(&http);
    assert!(empty.contains("openspace.editor.open") && empty.contains("No pane is open"), "{empty}");
    assert!(empty.len() < 6000, "it costs every conversation its place: {}", empty.len());
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    agent.ok("openspace.terminal.create", &json!({ "title": "web" }));
    let told = instructions(&http);
    assert!(told.contains("src/index.ts") && told.contains("\"web\""), "{told}");
    agent.ok("openspace.editor.close", &json!({ "path": "src/index.ts" }));
    let told = instructions(&http);
    assert!(!told.contains("editor src/index.ts"), "{told}");
    let prompt = agent.request("prompts/get", &json!({ "name": "instructions" }));
    assert!(prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("\"web\""), "{prompt}");
    let resource = agent.request("resources/read", &json!({ "uri": "flightdeck://instructions" }));
    assert!(resource["result"]["contents"][0]["text"].as_str().unwrap().contains("\"web\""), "{resource}");
}

#[test]
fn what_fails_again_and_again_is_told_until_it_works() {
    let deck = deck();
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "agent");
    for _ in 0..2 {
        refused(&mut agent, "openspace.editor.open", &json!({ "path": "lost.ts" }), "file_not_found");
    }
    assert!(!instructions(&http).contains("lost.ts"), "twice may be an accident");
    refused(&mut agent, "openspace.editor.open", &json!({ "path": "lost.ts" }), "file_not_found");
    let told = instructions(&http);
    assert!(told.contains("`openspace.editor.open` failed 3 times: file not found: lost.ts"), "{told}");
    put(&deck, "lost.ts", "found\n");
    agent.ok("openspace.editor.open", &json!({ "path": "lost.ts" }));
    assert!(!instructions(&http).contains("failed 3 times"));
    for _ in 0..25 {
        agent.ok("openspace.pane.list", &json!({}));
    }
    let results = person(&deck, "flightdeck.hub.results", &json!({}))["data"].clone();
    assert_eq!(results["results"].as_array().unwrap().len(), 20, "the last 20 are kept: {results:#}");
}

#[test]
fn only_who_has_the_token_is_told() {
    let deck = deck();
    let http = Http::of(&deck).without("Authorization");
    for path in ["/openspace/instructions", "/openspace/state", "/openspace/bridge/x"] {
        assert_eq!(http.get(path).status, 401, "{path}");
    }
}
