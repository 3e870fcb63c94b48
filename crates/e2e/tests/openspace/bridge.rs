//! An external IDE stands in for the workbench: it registers, gets commands over its socket, and answers them.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Http, SOON, wait_until};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::handshake::HandshakeError;
use tungstenite::{Message, WebSocket};

use super::*;

pub struct Ide {
    http: Http,
    id: String,
    pub socket: WebSocket<TcpStream>,
}

fn register(http: &Http, name: &str) -> flightdeck_e2e::Response {
    http.request("POST", "/openspace/register-bridge", &[], json!({ "name": name }).to_string().as_bytes())
}

impl Ide {
    #[track_caller]
    pub fn new(http: &Http, name: &str) -> Self {
        Self::with(http, name, &json!([]))
    }

    /// One that brings commands of its own.
    #[track_caller]
    pub fn with(http: &Http, name: &str, brought: &Value) -> Self {
        let body = json!({ "name": name, "commands": brought }).to_string();
        let registered = http.request("POST", "/openspace/register-bridge", &[], body.as_bytes()).json();
        let id = registered["bridgeId"].as_str().unwrap_or_else(|| panic!("{registered}")).to_owned();
        let commands = registered["commands"].as_array().unwrap();
        let further = brought.as_array().unwrap().len();
        assert_eq!(commands.len(), 11 + further, "five of panes and six of editors: {commands:?}");
        Ide { http: http.clone(), socket: connect(http, registered["socket"].as_str().unwrap()), id }
    }

    /// The next command. Pings of the hub don't make the wait for it any longer.
    #[track_caller]
    pub fn command(&mut self) -> Value {
        let deadline = Instant::now() + SOON;
        loop {
            assert!(Instant::now() < deadline, "no command came within {SOON:?}");
            if let Message::Text(text) = self.socket.read().expect("a command") {
                return serde_json::from_str(text.as_str()).unwrap();
            }
        }
    }

    /// Answers over the socket.
    pub fn answer(&mut self, command: &Value, mut result: Value) {
        result["requestId"] = command["requestId"].clone();
        self.socket.send(Message::text(result.to_string())).unwrap();
    }

    pub fn post(&self, path: &str, mut body: Value) -> flightdeck_e2e::Response {
        body["bridgeId"] = self.id.as_str().into();
        self.http.request("POST", path, &[], body.to_string().as_bytes())
    }
}

pub fn connect(http: &Http, path: &str) -> WebSocket<TcpStream> {
    try_connect(http, path).unwrap()
}

/// The same; an error is the status that came instead of a socket.
fn try_connect(http: &Http, path: &str) -> Result<WebSocket<TcpStream>, u16> {
    let mut request = format!("ws://{}{path}", http.address).into_client_request().unwrap();
    for (name, value) in &http.headers {
        let name: tungstenite::http::HeaderName = name.parse().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(&http.address).unwrap();
    stream.set_read_timeout(Some(SOON)).unwrap();
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(HandshakeError::Failure(tungstenite::Error::Http(response))) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn commands_go_to_the_ide_and_come_back() {
    let deck = deck();
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "agent");
    let mut ide = Ide::new(&http, "Theia");
    let call = agent.begin("openspace.editor.open", &json!({ "path": "./src/index.ts", "line": 42 }));
    let command = ide.command();
    assert_eq!(command["commandId"], "openspace.editor.open");
    assert_eq!((&command["args"]["path"], &command["args"]["line"]), (&json!("src/index.ts"), &json!(42)));
    ide.answer(&command, json!({ "success": true, "data": { "editorId": "monaco-7" } }));
    assert_eq!(agent.result(call)["editorId"], "monaco-7");

    // The same by POST, and a failure in the IDE's words.
    let call = agent.begin("openspace.pane.focus", &json!({ "paneId": "widget 1" }));
    let command = ide.command();
    let failure = json!({ "requestId": command["requestId"], "success": false, "error": "no such widget" });
    assert_eq!(ide.post("/openspace/command-results", failure.clone()).status, 200);
    let result = agent.result(call);
    assert_eq!((&result["code"], &result["error"]), (&json!("bridge_failed"), &json!("no such widget")));
    assert_eq!(ide.post("/openspace/command-results", failure).status, 408, "it was answered already");

    // What a pane is made of is the IDE's own affair.
    let call = agent.begin("openspace.pane.list", &json!({}));
    let command = ide.command();
    let pane = json!({
        "id": "dock/1", "area": "main", "title": "index.ts", "geometry": { "x": 0, "y": 0, "width": 100, "height": 100 },
        "tabs": [{ "id": "w1", "contentId": "src/index.ts", "type": "editor", "title": "index.ts" }],
    });
    ide.answer(&command, json!({ "success": true, "data": { "panes": [pane] } }));
    assert_eq!(agent.result(call)["panes"][0]["id"], "dock/1");

    // Nothing that is secret gets there, and an answer of another form is no success.
    put(&deck, ".env", "x");
    refused(&mut agent, "openspace.editor.open", &json!({ "path": ".env" }), "sensitive_file");
    let call = agent.begin("openspace.pane.open", &json!({ "type": "editor", "contentId": "src/index.ts" }));
    let command = ide.command();
    ide.answer(&command, json!({ "success": true, "data": { "pane": 7 } }));
    assert_eq!(agent.result(call)["code"], "bridge_failed");
    // Files and terminals are the hub's own.
    agent.ok("openspace.file.read", &json!({ "path": "src/index.ts" }));
}

#[test]
fn a_second_ide_does_not_steal_the_first_ones_place() {
    let deck = deck();
    let http = Http::of(&deck);
    let mut first = Ide::new(&http, "first");
    let second = register(&http, "second");
    assert_eq!(second.status, 409);
    let problem = second.json();
    assert_eq!(
        (&problem["error"]["code"], &problem["error"]["details"]["holder"]),
        (&json!("bridge_taken"), &json!("first"))
    );
    // The same one may come again, and its new socket counts.
    let again = first.post("/openspace/register-bridge", json!({ "name": "first" })).json();
    assert_eq!(again["bridgeId"], first.id.as_str());
    first.socket = connect(&http, again["socket"].as_str().unwrap());
    let mut agent = Agent::new(&deck, "agent");
    let call = agent.begin("openspace.pane.list", &json!({}));
    let command = first.command();
    first.answer(&command, json!({ "success": true, "data": { "panes": [] } }));
    assert_eq!(agent.result(call)["success"], true);
}

#[test]
fn an_ide_that_is_gone_is_told_of_and_then_replaced_by_the_workbench() {
    let deck = deck_without_limits();
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "agent");
    let mut ide = Ide::new(&http, "Theia");
    let call = agent.begin("openspace.pane.list", &json!({}));
    ide.command();
    ide.socket.close(None).unwrap();
    drop(ide);
    let gone = agent.result(call);
    assert_eq!(gone["code"], "bridge_gone", "{gone}");
    assert!(gone["error"].as_str().unwrap().contains("Theia"), "{gone}");
    // After its time is over the workbench of the hub does it.
    wait_until("the workbench does it again", SOON + Duration::from_secs(20), || {
        let listed = agent.call("openspace.pane.list", &json!({}));
        assert!(listed["success"] == true || listed["code"] == "bridge_gone", "{listed}");
        (listed["success"] == true).then_some(())
    });
}

/// What an IDE tells of one pane.
fn pane(id: &str, path: &str, pinned: bool) -> Value {
    json!({
        "id": id, "area": "main", "title": path, "geometry": { "x": 0, "y": 0, "width": 100, "height": 100 },
        "tabs": [{ "id": format!("{id}/1"), "contentId": path, "type": "editor", "title": path }], "pinned": pinned,
    })
}

#[test]
fn what_an_agent_opened_in_the_ide_goes_with_it() {
    let deck = deck();
    deck.settings("[agents]\ngrace_seconds = 0.0\n");
    let http = Http::of(&deck);
    let mut agent = Agent::new(&deck, "visitor");
    let mut ide = Ide::new(&http, "Theia");
    let persons = pane("persons", "README.md", false);
    assert_eq!(ide.post("/openspace/state", json!({ "panes": [persons] })).status, 200);
    for shown in ["persons", "pinned", "new"] {
        let args = json!({ "type": "editor", "contentId": "src/index.ts", "splitDirection": "vertical" });
        let call = agent.begin("openspace.pane.open", &args);
        let command = ide.command();
        ide.answer(&command, json!({ "success": true, "data": { "paneId": shown } }));
        agent.result(call);
    }
    let marked = json!({ "path": "src/index.ts", "ranges": [{ "startLine": 1, "endLine": 2 }] });
    let call = agent.begin("openspace.editor.highlight", &marked);
    let command = ide.command();
    ide.answer(&command, json!({ "success": true, "data": { "highlightId": "m1" } }));
    agent.result(call);
    let panes = [persons, pane("pinned", "src/index.ts", true), pane("new", "src/index.ts", false)];
    assert_eq!(ide.post("/openspace/state", json!({ "panes": panes })).status, 200);

    agent.hang_up();
    for (id, args) in [
        ("openspace.pane.close", json!({ "paneId": "new" })),
        ("openspace.editor.clear_highlight", json!({ "highlightId": "m1" })),
    ] {
        let command = ide.command();
        assert_eq!((&command["commandId"], &command["args"]), (&json!(id), &args));
        // A refusal of the one does not keep the other.
        ide.answer(&command, json!({ "success": false, "error": "not now" }));
    }
    // Nothing else is asked of it: the next command is the next agent's.
    let mut next = Agent::new(&deck, "next");
    next.begin("openspace.pane.list", &json!({}));
    assert_eq!(ide.command()["commandId"], "openspace.pane.list");
}

#[test]
fn its_state_is_in_the_instructions() {
    let deck = deck();
    let http = Http::of(&deck);
    let ide = Ide::new(&http, "Theia");
    let told = http.get("/openspace/instructions").text();
    assert!(told.contains("those of Theia") && told.contains("not told yet"), "{told}");
    assert_eq!(http.get("/openspace/state").json(), json!({ "panes": [], "ide": "Theia" }));
    let state = json!({
        "panes": [{
            "id": "dock/1", "area": "main", "title": "auth.ts", "geometry": { "x": 0, "y": 0, "width": 100, "height": 100 },
            "tabs": [{ "id": "w1", "contentId": "src/auth.ts", "type": "editor", "title": "auth.ts", "isDirty": true }],
        }],
        "activePane": "dock/1", "timestamp": "2026-02-17T10:00:00Z",
    });
    assert_eq!(ide.post("/openspace/state", state.clone()).status, 200);
    let told = http.get("/openspace/instructions").text();
    assert!(told.contains("dock/1, active: editor src/auth.ts (not saved)"), "{told}");
    let shown = http.get("/openspace/state").json();
    assert_eq!((&shown["panes"][0]["id"], &shown["timestamp"]), (&json!("dock/1"), &state["timestamp"]));
    assert_eq!(ide.post("/openspace/state", json!({ "panes": "many" })).status, 400);
    let mut stranger = state;
    stranger["bridgeId"] = "0".into();
    assert_eq!(http.request("POST", "/openspace/state", &[], stranger.to_string().as_bytes()).status, 410);
}

#[test]
fn garbage_is_answered_in_words() {
    let deck = deck();
    let http = Http::of(&deck);
    let mut ide = Ide::new(&http, "Theia");
    for text in ["not json", "[]", "{}", r#"{"requestId": 99, "success": true}"#] {
        ide.socket.send(Message::text(text)).unwrap();
        let said = ide.command();
        assert!(said["error"]["message"].is_string(), "{text}: {said}");
    }
    assert_eq!(http.request("POST", "/openspace/register-bridge", &[], b"{").status, 400);
    assert_eq!(http.request("POST", "/openspace/register-bridge", &[], b"{\"name\": \"\"}").status, 400);
    let unknown = try_connect(&http, "/openspace/bridge/00000000000000000000000000000000").map(drop);
    assert_eq!(unknown, Err(404), "no socket for an IDE that is not registered");
}
