//! Terminals as resources of MCP: read, watched, linked to, and still there when the hub was not.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

fn updates(agent: &Agent, uri: &str) -> usize {
    let of_uri = |m: &&Value| m["method"] == "notifications/resources/updated" && m["params"]["uri"] == uri;
    agent.messages().iter().filter(of_uri).count()
}

fn text(agent: &mut Agent, uri: &str) -> String {
    let answer = agent.request("resources/read", &json!({ "uri": uri }));
    let contents = &answer["result"]["contents"][0];
    assert_eq!((&contents["uri"], &contents["mimeType"]), (&json!(uri), &json!("text/plain")), "{answer}");
    contents["text"].as_str().unwrap().to_owned()
}

#[test]
fn terminals_are_listed_and_read() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "seq 1 50");
    let mut agent = Agent::new(&deck, "reader");
    let listed = agent.request("resources/list", &json!({}));
    let uris: Vec<_> =
        listed["result"]["resources"].as_array().unwrap().iter().map(|r| r["uri"].as_str().unwrap()).collect();
    assert_eq!(
        uris,
        ["flightdeck://instructions", &format!("terminal://{id}/screen"), &format!("terminal://{id}/log")]
    );
    let screen = text(&mut agent, &format!("terminal://{id}/screen"));
    assert!(screen.contains("\n50\n") && !screen.contains("\n1\n"), "the last lines: {screen:?}");
    assert!(text(&mut agent, &format!("terminal://{id}/log")).contains("\n1\n2\n3\n"));
    assert!(!text(&mut agent, &format!("terminal://{id}/log?lines=3")).contains("\n40\n"));
    assert!(text(&mut agent, &format!("terminal://{id}/log?from=0&to=5")).len() <= 5);
    assert!(text(&mut agent, "flightdeck://instructions").contains("flightdeck.terminal.run"));
    let templates = agent.request("resources/templates/list", &json!({}));
    assert_eq!(templates["result"]["resourceTemplates"][1]["uriTemplate"], "terminal://{id}/log{?from,to,lines}");
    let prompt = agent.request("prompts/get", &json!({ "name": "instructions" }));
    assert!(prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("flightdeck.terminal.run"));
    let reference = json!({ "type": "ref/resource", "uri": "terminal://{id}/screen" });
    let complete = |agent: &mut Agent, value: &str| {
        let argument = json!({ "name": "id", "value": value });
        agent.request("completion/complete", &json!({ "ref": reference, "argument": argument }))["result"]["completion"]
            .clone()
    };
    assert_eq!(complete(&mut agent, "t")["values"], json!([id]));
    assert_eq!(complete(&mut agent, "x")["values"], json!([]));
}

#[test]
fn a_long_list_comes_in_pages() {
    let deck = Deck::new();
    deck.settings("[limits]\nterminals = 1000\n");
    let mut agent = Agent::new(&deck, "lister");
    let ids: Vec<_> = (0..260)
        .map(|_| agent.ok("flightdeck.terminal.new", &json!({ "command": ["sleep", "1000"] }))["data"]["id"].clone())
        .collect();
    let (mut found, mut params) = (Vec::new(), json!({}));
    loop {
        let page = agent.request("resources/list", &params)["result"].clone();
        let resources = page["resources"].as_array().unwrap().clone();
        assert!(resources.len() <= 1 + 2 * 40, "{} at once", resources.len());
        found.extend(resources);
        let Some(cursor) = page.get("nextCursor") else { break };
        params = json!({ "cursor": cursor });
    }
    // The newest first, each once.
    let logs: Vec<_> = found.iter().skip(2).step_by(2).map(|resource| resource["uri"].clone()).collect();
    let expected: Vec<_> =
        ids.iter().rev().map(|id| json!(format!("terminal://{}/log", id.as_str().unwrap()))).collect();
    assert_eq!((found.len(), logs), (1 + 2 * 260, expected));
    // A page that is shared out among threads is as whole, and in the same order.
    let whole = agent.ok("flightdeck.terminal.list", &json!({ "limit": 500 }))["data"]["terminals"].clone();
    let listed: Vec<_> = whole.as_array().unwrap().iter().map(|terminal| terminal["id"].clone()).collect();
    assert_eq!(listed, ids.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn whoever_subscribes_is_told_until_it_has_enough() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "watcher");
    let (screen, log) = (format!("terminal://{id}/screen"), format!("terminal://{id}/log"));
    for uri in [&screen, &log] {
        assert_eq!(agent.request("resources/subscribe", &json!({ "uri": uri }))["result"], json!({}));
    }
    deck.run_in(&id, "echo one");
    deck.wait_until("news of both", SOON, || (updates(&agent, &screen) > 0 && updates(&agent, &log) > 0).then_some(()));
    agent.request("resources/unsubscribe", &json!({ "uri": log }));
    let before = (updates(&agent, &screen), updates(&agent, &log));
    deck.run_in(&id, "echo two");
    deck.wait_until("news of the screen", SOON, || (updates(&agent, &screen) > before.0).then_some(()));
    assert_eq!(updates(&agent, &log), before.1);
}

#[test]
fn subscriptions_outlive_the_hub() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "watcher");
    let uri = format!("terminal://{id}/log");
    agent.request("resources/subscribe", &json!({ "uri": uri }));
    deck.kill_hub();
    assert_eq!(agent.request("ping", &json!({}))["result"], json!({}), "the relay found another hub");
    agent.message("the news of other tools", |message| message["method"] == "notifications/tools/list_changed");
    let before = updates(&agent, &uri);
    deck.run_in(&id, "echo again");
    deck.wait_until("the news", SOON, || (updates(&agent, &uri) > before).then_some(()));
    let hello = agent.messages().iter().filter(|message| message["result"]["serverInfo"].is_object()).count();
    assert_eq!(hello, 1, "the second handshake is the relay's own affair");
}

#[test]
fn a_hub_that_was_stopped_comes_back_when_it_is_wanted() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "sleeper");
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].clone();
    deck.cli(&["stop"]).expect(0);
    // While the old one ends, it says so.
    let call = json!({ "name": "flightdeck.terminal.list", "arguments": {} });
    let listed = deck.wait_until("the next hub", SOON, || {
        let answer = agent.request("tools/call", &call)["result"]["structuredContent"].clone();
        (answer["success"] == true).then_some(answer)
    });
    assert_eq!(listed["data"]["terminals"][0]["id"], id);
    // A client that wants nothing does not bring it back.
    deck.cli(&["stop"]).expect(0);
    assert_eq!(agent.hang_up(), Some(0));
    assert_eq!(deck.cli(&["status"]).code, 1, "no hub runs");
}

#[test]
fn results_lead_to_what_goes_on() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "follower");
    let links = |agent: &mut Agent, args: Value| -> Vec<String> {
        let answer = agent.request("tools/call", &json!({ "name": "flightdeck.terminal.run", "arguments": args }));
        let content = answer["result"]["content"].as_array().unwrap().clone();
        let links = content.iter().filter(|block| block["type"] == "resource_link");
        links.map(|block| block["uri"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(links(&mut agent, json!({ "command": "echo hi" })), Vec::<String>::new());
    let running = links(&mut agent, json!({ "command": "echo here; sleep 1000", "timeoutMs": 2000 }));
    assert_eq!(running.len(), 1, "{running:?}");
    assert!(text(&mut agent, &running[0]).starts_with("here"), "{running:?}");
    let long = links(&mut agent, json!({ "command": "seq 1 100000", "maxBytes": 1000 }));
    assert_eq!(long.len(), 1, "{long:?}");
    assert!(long[0].contains("/log?from=0&to="), "{long:?}");
    assert!(text(&mut agent, &long[0]).starts_with("1\n2\n"));
}

#[test]
fn every_tool_that_shortens_output_leads_to_the_whole_of_it() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "follower");
    let tab = agent.call("create_tab", &json!({}))["window_id"].clone();
    let terminal = deck.shell("bash");
    deck.run_in(&terminal, "seq 1 20000");
    let headless = |command: &str, timeout: u64| {
        json!({
            "action": "execute",
            "invocation": { "mode": "headless", "intent": "execute_command" },
            "execution": { "command": command },
            "runtime": { "timeout_ms": timeout },
        })
    };
    let contract = "memory_terminal_interactive";
    let session = agent.call(contract, &headless("seq 1 20000", 30_000))["identity"].clone();
    for (tool, args) in [
        ("execute_command", json!({ "window_id": tab, "command": "seq 1 20000", "timeout_ms": 30_000 })),
        ("read_logs_from_tab", json!({ "window_id": tab, "lines": 5 })),
        ("openspace.terminal.read_output", json!({ "terminalId": terminal, "lines": 5 })),
        (contract, headless("seq 1 20000", 30_000)),
        (contract, json!({ "action": "read_output", "target": session })),
    ] {
        let answer = agent.request("tools/call", &json!({ "name": tool, "arguments": args }));
        let content = answer["result"]["content"].as_array().unwrap();
        let links: Vec<_> = content.iter().filter(|block| block["type"] == "resource_link").collect();
        let uri = links.first().and_then(|link| link["uri"].as_str());
        let uri = uri.unwrap_or_else(|| panic!("{tool} leads nowhere: {answer:.1000}"));
        assert!(uri.contains("/log?from=") && links.len() == 1, "{tool}: {links:?}");
        let whole = pieces(&mut agent, uri);
        let all: String = (1..=20_000).map(|number| format!("{number}\n")).collect();
        assert!(whole.contains(&all), "{tool} {uri}: {whole:.300} … {}", &whole[whole.len().saturating_sub(300)..]);
        // Clients that show no links find it in the result.
        assert!(answer["result"]["structuredContent"].to_string().contains(uri), "{tool}: {answer:.1000}");
    }
    // What is whole leads nowhere else.
    let short = json!({ "window_id": tab, "command": "echo hi" });
    let answer = agent.request("tools/call", &json!({ "name": "execute_command", "arguments": short }));
    assert_eq!(answer["result"]["content"].as_array().unwrap().len(), 1, "{answer}");
    assert!(!answer.to_string().contains("whole_output"), "{answer}");
}

/// All pieces of a resource, each of which says where the next one is.
fn pieces(agent: &mut Agent, uri: &str) -> String {
    let (mut uri, mut whole) = (uri.to_owned(), String::new());
    loop {
        let piece = text(agent, &uri);
        assert!(piece.len() < 70_000, "{} bytes at once", piece.len());
        let Some((given, next)) = piece.rsplit_once("\n[... ") else { return whole + &piece };
        whole.push_str(given);
        next.split(' ').nth(4).unwrap_or_else(|| panic!("no next one in {next}")).clone_into(&mut uri);
    }
}

#[test]
fn a_screen_can_be_had_as_a_picture() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "viewer");
    let call = json!({ "name": "flightdeck.terminal.screen", "arguments": { "id": id, "image": true } });
    let answer = agent.request("tools/call", &call);
    let image = &answer["result"]["content"][1];
    assert_eq!((&image["type"], &image["mimeType"]), (&json!("image"), &json!("image/png")), "{answer}");
    assert!(image["data"].as_str().unwrap().starts_with("iVBORw0KGgo"), "a PNG in base64");
}
