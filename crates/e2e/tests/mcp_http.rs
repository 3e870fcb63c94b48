//! HTTP: who is let in, what is refused, and MCP with and without sessions.

use std::os::unix::fs::PermissionsExt as _;

use flightdeck_e2e::{Deck, Http, Response, SOON, processes};
use serde_json::{Value, json};

#[track_caller]
fn refused(response: Response, status: u16, code: &str) -> Value {
    assert_eq!(response.status, status);
    assert_eq!(response.header("content-type"), Some("application/json"));
    let body = response.json();
    assert_eq!(body["error"]["code"], code, "{body}");
    body
}

#[test]
fn only_who_has_the_token_is_let_in() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    let stranger = http.clone().without("Authorization");
    let health = stranger.get("/healthz");
    assert_eq!(health.status, 200);
    assert_eq!(health.json()["status"], "ok");
    for path in ["/metrics", "/mcp"] {
        let response = stranger.get(path);
        assert_eq!(response.header("www-authenticate"), Some("Bearer realm=\"flightdeck\""));
        let error = refused(response, 401, "unauthorized");
        assert!(error["error"]["hint"].as_str().unwrap().contains("flightdeck status --json"), "{error}");
    }
    let token = http.headers[0].1.trim_start_matches("Bearer ").to_owned();
    for wrong in [
        "Bearer",
        "Bearer ",
        &format!("Bearer {}", "0".repeat(64)),
        &format!("Bearer {token}0"),
        &format!("Basic {token}"),
    ] {
        refused(http.clone().with("Authorization", wrong).get("/metrics"), 401, "unauthorized");
    }
    assert_eq!(http.clone().with("authorization", &format!("bearer {token}")).get("/metrics").status, 200);
    let metrics = http.get("/metrics");
    assert!(metrics.header("content-type").unwrap().starts_with("text/plain"));
    assert!(metrics.text().contains("# TYPE flightdeck_"));
    let file = deck.status()["tokenFile"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let shown = [deck.cli(&["status", "--json"]).text(), deck.cli(&["doctor"]).text()].concat();
    assert!(!shown.contains(&token), "the token itself is shown nowhere");
}

#[test]
fn a_link_lets_one_browser_in_once() {
    let deck = Deck::new();
    let browser = Http::of(&deck).without("Authorization");
    let link = deck.cli(&["open", "--print"]).expect(0).text().trim().to_owned();
    let path = link.strip_prefix(&format!("http://{}", browser.address)).unwrap();
    assert!(path.starts_with("/login?code="), "{link}");
    refused(browser.get("/login?code=0000"), 403, "login_link");
    assert_eq!(browser.request("HEAD", path, &[], b"").status, 403, "a preview does not use it up");
    let entered = browser.get(path);
    assert_eq!((entered.status, entered.header("location")), (303, Some("/")));
    let cookie = entered.header("set-cookie").unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Path=/"), "{cookie}");
    refused(browser.get(path), 403, "login_link");
    let pair = cookie.split(';').next().unwrap();
    let inside = browser.clone().with("Cookie", pair);
    assert_eq!(inside.get("/metrics").status, 200);
    refused(inside.clone().with("Sec-Fetch-Site", "same-site").get("/metrics"), 401, "unauthorized");
    assert_eq!(inside.with("Sec-Fetch-Site", "same-origin").get("/metrics").status, 200);
    refused(browser.with("Cookie", &pair.replace('=', "=0")).get("/metrics"), 401, "unauthorized");
}

#[test]
fn strange_names_and_pages_are_turned_away_from_every_path() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    let port = http.address.rsplit_once(':').unwrap().1.to_owned();
    for path in ["/healthz", "/login?code=1", "/metrics", "/mcp", "/nothing"] {
        for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost:1"] {
            refused(http.clone().with("Host", host).get(path), 403, "forbidden_host");
        }
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1", &format!("https://127.0.0.1:{port}")] {
            refused(http.clone().with("Origin", origin).get(path), 403, "forbidden_origin");
        }
    }
    assert_eq!(http.clone().with("Host", &format!("localhost:{port}")).get("/metrics").status, 200);
    assert_eq!(http.clone().with("Origin", &format!("http://localhost:{port}")).get("/metrics").status, 200);
}

#[test]
fn what_is_not_there_or_too_much_is_said_in_json() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    refused(http.get("/nothing"), 404, "not_found");
    refused(http.get("/mcp/x"), 404, "not_found");
    refused(http.request("POST", "/metrics", &[], b"{}"), 405, "method_not_allowed");
    let post = |headers: &[(&str, &str)], body: &[u8]| {
        let usual = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        http.request("POST", "/mcp", &[&usual, headers].concat(), body)
    };
    refused(post(&[], &vec![b' '; flightdeck_contract::control::MAX_MESSAGE + 1]), 413, "too_large");
    for (body, code) in [
        ("nonsense", -32700),
        ("{\"id\":", -32700),
        ("{}", -32600),
        ("[]", -32600),
        ("{\"id\":7,\"jsonrpc\":\"2.0\"}", -32600),
    ] {
        let response = post(&[], body.as_bytes());
        assert_eq!(response.status, 400, "{body}");
        assert_eq!(response.json()["error"]["code"], code, "{body}");
    }
    let lost = post(
        &[("Mcp-Session-Id", "gone")],
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string().as_bytes(),
    );
    assert_eq!(lost.status, 404);
    assert!(lost.json()["error"]["message"].is_string());
    let put = http.request("PUT", "/mcp", &[], b"");
    assert_eq!((put.status, put.header("allow")), (405, Some("GET, POST, DELETE")));
    assert!(put.json()["error"]["message"].is_string());
    let unsupported = http.request("POST", "/mcp", &[("Accept", "application/json, text/event-stream")], b"{}");
    assert_eq!(unsupported.status, 415);
}

fn session(http: &Http, version: &str) -> (Http, Value) {
    session_of("web", http, version)
}

fn session_of(client: &str, http: &Http, version: &str) -> (Http, Value) {
    let params =
        json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": client, "version": "1" } });
    let response = http.mcp(&[], &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
    assert_eq!(response.status, 200);
    let id = response.header("mcp-session-id").unwrap().to_owned();
    let result = response.json()["result"].clone();
    let version = result["protocolVersion"].as_str().unwrap();
    let http = http.clone().with("Mcp-Session-Id", &id).with("MCP-Protocol-Version", version);
    let noted = http.mcp(&[], &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(noted.status, 202);
    (http, result)
}

fn call(id: u32, tool: &str, args: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": args } })
}

#[test]
fn a_session_lasts_until_its_client_ends_it() {
    let deck = Deck::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let (http, result) = session(&Http::of(&deck), version);
        assert_eq!(result["protocolVersion"], version);
        let ran = http.mcp(&[], &call(1, "flightdeck.terminal.run", &json!({ "command": "echo hi; exit 3" }))).json();
        assert_eq!(ran["result"]["structuredContent"]["data"]["exitCode"], 3, "{ran}");
        assert_eq!(deck.status()["agents"].as_array().unwrap().len(), 1, "one session is one agent");
        assert_eq!(http.request("DELETE", "/mcp", &[], b"").status, 202);
        assert_eq!(http.mcp(&[], &call(2, "flightdeck.terminal.list", &json!({}))).status, 404);
        deck.wait_until("its agent has left", SOON, || (deck.status()["agents"] == json!([])).then_some(()));
    }
}

#[test]
fn tools_are_named_for_each_session_as_suits_its_client() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    let sessions = ["claude-code", "web"].map(|client| session_of(client, &http, "2025-11-25").0);
    for (http, name) in sessions.iter().zip(["flightdeck_terminal_run", "flightdeck.terminal.run"]) {
        let listed = http.mcp(&[], &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })).json();
        let tools = listed["result"]["tools"].as_array().unwrap();
        assert!(tools.iter().any(|tool| tool["name"] == name), "{name}");
    }
    let listed = http.modern("tools/list", json!({})).json();
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["name"] == "flightdeck.terminal.run"), "a client of its own");
}

#[test]
fn a_session_is_told_of_changes_by_its_own_stream() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let (http, _) = session(&Http::of(&deck), "2025-11-25");
    let mut news = http.request("GET", "/mcp", &[("Accept", "text/event-stream")], b"");
    assert_eq!(news.status, 200);
    let uri = format!("terminal://{id}/screen");
    let subscribe = json!({ "jsonrpc": "2.0", "id": 5, "method": "resources/subscribe", "params": { "uri": uri } });
    assert_eq!(http.mcp(&[], &subscribe).json()["result"], json!({}));
    deck.run_in(&id, "echo new");
    let update = news.event(|message| message["method"] == "notifications/resources/updated");
    assert_eq!(update["params"]["uri"], uri);
    deck.shell("bash");
    news.event(|message| message["method"] == "notifications/resources/list_changed");
}

#[test]
fn a_request_without_a_session_stands_for_itself() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    let found = http.modern("server/discover", json!({}));
    assert_eq!((found.status, found.header("mcp-session-id")), (200, None));
    let found = found.json();
    assert_eq!(found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "flightdeck", "{found}");
    for round in 0..2 {
        let ran = http
            .modern("tools/call", json!({ "name": "flightdeck.terminal.run", "arguments": { "command": "exit 5" } }));
        assert_eq!(ran.header("content-type"), Some("application/json"), "a short answer needs no stream");
        let ran = ran.json();
        assert_eq!(ran["result"]["structuredContent"]["data"]["exitCode"], 5, "{ran}");
        assert_eq!(deck.status()["agents"], json!(["walk-in#1"]), "the same agent in round {round}");
    }
    let unknown = http.modern("tools/call", json!({ "name": "nonsense", "arguments": {} }));
    assert_eq!(unknown.json()["error"]["code"], -32602);
    assert_eq!(http.modern("no/such", json!({})).status, 404);
}

#[test]
fn a_long_call_reports_in_its_own_stream_and_ends_with_it() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    let args = json!({ "command": "echo $$ > pid; exec sleep 1000" });
    let mut running = http.modern(
        "tools/call",
        json!({ "name": "flightdeck.terminal.run", "arguments": args, "_meta": { "progressToken": 7 } }),
    );
    assert_eq!(running.header("content-type"), Some("text/event-stream"));
    let report = running.event(|message| message["method"] == "notifications/progress");
    assert_eq!(report["params"]["progressToken"], 7);
    let pid = std::fs::read_to_string(deck.workspace().join("pid")).unwrap().trim().parse().unwrap();
    assert!(processes::is_alive(pid));
    drop(running);
    deck.wait_until("the end of what it ran", SOON, || (!processes::is_alive(pid)).then_some(()));
}

#[test]
fn a_call_whose_client_hangs_up_ends_before_it_has_said_anything() {
    let deck = Deck::new();
    let args = json!({ "command": "echo $$ > pid; exec sleep 1000" });
    let call = json!({ "name": "flightdeck.terminal.run", "arguments": args });
    let waiting = Http::of(&deck).send_modern("tools/call", call);
    let file = deck.workspace().join("pid");
    let pid = deck.wait_until("the process", SOON, || std::fs::read_to_string(&file).ok()?.trim().parse().ok());
    drop(waiting);
    deck.wait_until("its end", SOON, || (!processes::is_alive(pid)).then_some(()));
}

#[test]
fn a_session_that_ends_takes_its_calls_with_it() {
    let deck = Deck::new();
    let (http, _) = session(&Http::of(&deck), "2025-11-25");
    let mut running =
        http.mcp(&[], &call(1, "flightdeck.terminal.run", &json!({ "command": "echo $$ > pid; exec sleep 1000" })));
    let pid_file = deck.workspace().join("pid");
    let pid = deck.wait_until("the process", SOON, || std::fs::read_to_string(&pid_file).ok()?.trim().parse().ok());
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert_eq!(http.mcp(&[], &cancelled).status, 202);
    deck.wait_until("its end", SOON, || (!processes::is_alive(pid)).then_some(()));
    drop(running);
    std::fs::remove_file(&pid_file).unwrap();
    running =
        http.mcp(&[], &call(2, "flightdeck.terminal.run", &json!({ "command": "echo $$ > pid; exec sleep 1000" })));
    let pid = deck.wait_until("the process", SOON, || std::fs::read_to_string(&pid_file).ok()?.trim().parse().ok());
    assert_eq!(http.request("DELETE", "/mcp", &[], b"").status, 202);
    deck.wait_until("its end", SOON, || (!processes::is_alive(pid)).then_some(()));
    drop(running);
}

#[test]
fn a_session_goes_on_when_the_hub_is_another() {
    let deck = Deck::new();
    let (http, _) = session(&Http::of(&deck), "2025-11-25");
    let list = |id: u32| http.mcp(&[], &call(id, "flightdeck.terminal.list", &json!({})));
    assert_eq!(list(1).status, 200);
    deck.kill_hub();
    deck.socket_path();
    assert_eq!(list(2).json()["result"]["isError"], false);
    assert_eq!(deck.status()["agents"], json!(["web#1"]), "the agent is known by its name");
    assert_eq!(http.request("DELETE", "/mcp", &[], b"").status, 202);
    deck.kill_hub();
    deck.socket_path();
    assert_eq!(list(3).status, 404, "what was ended is not brought back");
}

#[test]
fn the_address_and_the_token_stay_when_the_hub_goes() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    assert_eq!(http.get("/metrics").status, 200);
    deck.kill_hub();
    let again = Http::of(&deck);
    assert_eq!((&again.address, &again.headers), (&http.address, &http.headers));
    assert_eq!(again.get("/metrics").status, 200);
}
