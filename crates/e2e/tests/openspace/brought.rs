//! Commands that an IDE brings: tools while it is there, behind the same gate as all others, and gone with it.

use flightdeck_e2e::{Http, SOON, wait_until};

use super::bridge::Ide;
use super::*;

const COMMIT: &str = "theia.git.commit";

fn brought() -> Value {
    let schema = json!({
        "type": "object", "required": ["message"],
        "properties": { "message": { "type": "string" }, "author": { "type": ["string", "null"] } },
    });
    json!([
        { "id": COMMIT, "title": "Commit", "description": "Commits what is staged.", "inputSchema": schema },
        { "id": "theia.git.status", "title": "Status of git", "readOnly": true },
    ])
}

/// The tool of this name, if the agent's list has it.
fn tool(agent: &mut Agent, name: &str) -> Option<Value> {
    let listed = agent.request("tools/list", &json!({}));
    listed["result"]["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).cloned()
}

fn told_of_tools(agent: &Agent) -> usize {
    let news = |message: &&Value| message["method"] == "notifications/tools/list_changed";
    agent.messages().iter().filter(news).count()
}

#[test]
fn they_are_tools_while_the_ide_is_there() {
    let deck = deck_without_limits();
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "agent");
    assert!(tool(&mut agent, COMMIT).is_none());
    let mut ide = Ide::with(&http, "Theia", &brought());
    wait_until("the news of more tools", SOON, || (told_of_tools(&agent) == 1).then_some(()));
    let commit = tool(&mut agent, COMMIT).unwrap();
    assert_eq!((&commit["title"], &commit["inputSchema"]), (&json!("Commit"), &brought()[0]["inputSchema"]));
    let hints = &commit["annotations"];
    assert_eq!((&hints["readOnlyHint"], &hints["destructiveHint"]), (&json!(false), &json!(true)), "{commit}");
    assert_eq!(tool(&mut agent, "theia.git.status").unwrap()["annotations"]["readOnlyHint"], true);
    let listed = deck.cli(&["call", "--list"]).expect(0).text();
    assert!(listed.lines().any(|line| line.contains(COMMIT) && line.contains("message, author?")), "{listed}");

    // Arguments get there as they are, and the result comes back beside `success`.
    let call = agent.begin(COMMIT, &json!({ "message": "Fix it", "author": null }));
    let command = ide.command();
    assert_eq!(command["commandId"], COMMIT);
    assert_eq!(command["args"], json!({ "message": "Fix it", "author": null }));
    ide.answer(&command, json!({ "success": true, "data": { "hash": "abc123", "success": false } }));
    assert_eq!(agent.result(call), json!({ "success": true, "hash": "abc123" }));
    let call = agent.begin(COMMIT, &json!({ "message": "" }));
    let command = ide.command();
    ide.answer(&command, json!({ "success": false, "error": "nothing is staged" }));
    let failed = agent.result(call);
    assert_eq!((&failed["code"], &failed["error"]), (&json!("bridge_failed"), &json!("nothing is staged")));
    let noted = deck.cli(&["audit", "--json", "-c", COMMIT]).expect(0).text();
    assert!(noted.contains("Fix it") && noted.contains("bridge_failed"), "{noted}");

    // A call that the IDE leaves without an answer fails with it, and the tools are gone.
    let call = agent.begin(COMMIT, &json!({ "message": "too late" }));
    ide.command();
    drop(ide);
    assert_eq!(agent.result(call)["code"], "bridge_gone");
    wait_until("the news of fewer tools", SOON, || (told_of_tools(&agent) == 2).then_some(()));
    assert!(tool(&mut agent, COMMIT).is_none());
    let unknown = agent.request("tools/call", &json!({ "name": COMMIT, "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().is_some_and(|text| text.contains(COMMIT)), "{unknown}");
    assert!(!deck.cli(&["call", "--list"]).expect(0).text().contains(COMMIT));
}

#[test]
fn they_need_the_consent_of_a_person() {
    let deck = deck();
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "agent");
    let mut ide = Ide::with(&http, "Theia", &brought());
    deck.cli(&["consent", "--decline"]).expect(0);
    refused(&mut agent, COMMIT, &json!({ "message": "x" }), "consent_declined");
    deck.cli(&["consent", "--allow"]).expect(0);
    let call = agent.begin(COMMIT, &json!({ "message": "y" }));
    let command = ide.command();
    assert_eq!(command["args"]["message"], "y", "what was declined never got there");
    ide.answer(&command, json!({ "success": true }));
    assert_eq!(agent.result(call), json!({ "success": true }));
}

#[test]
fn the_same_ide_may_bring_others() {
    let deck = deck();
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "agent");
    let ide = Ide::with(&http, "Theia", &brought());
    assert!(tool(&mut agent, COMMIT).is_some());
    let other = json!([{ "id": "theia.git.push", "title": "Push" }]);
    assert_eq!(ide.post("/openspace/register-bridge", json!({ "name": "Theia", "commands": other })).status, 200);
    assert!(tool(&mut agent, COMMIT).is_none() && tool(&mut agent, "theia.git.push").is_some());
}

#[test]
fn hostile_ones_are_refused() {
    let deck = deck();
    let http = Http::of(&deck);
    let large = json!({ "type": "object", "$comment": "x".repeat(1 << 20) });
    let many: Vec<_> = (0..1000).map(|n| json!({ "id": format!("x.y{n}"), "title": "X" })).collect();
    for (problem, commands) in [
        ("there is a command openspace.pane.open already", json!([{ "id": "openspace.pane.open", "title": "Open" }])),
        ("the hub's own", json!([{ "id": "flightdeck.hub.stopped", "title": "Stop" }])),
        ("is no id", json!([{ "id": "rm -rf /", "title": "Remove" }])),
        ("inputSchema", json!([{ "id": "x.y", "title": "X", "inputSchema": large }])),
        ("inputSchema", json!([{ "id": "x.y", "title": "X", "inputSchema": "object" }])),
        ("too many", json!(many)),
    ] {
        let body = json!({ "name": "Theia", "commands": commands }).to_string();
        let refused = http.request("POST", "/openspace/register-bridge", &[], body.as_bytes());
        assert_eq!(refused.status, 400, "{problem}");
        let refused = refused.json();
        assert!(refused["error"]["message"].as_str().unwrap().contains(problem), "{problem}: {refused}");
    }
    // Nobody is registered by that.
    Ide::new(&http, "Theia");
}
