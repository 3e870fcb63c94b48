//! The protocol of the private socket over a WebSocket, as a page speaks it.

use std::net::TcpStream;

use flightdeck_contract::control::{Frame, Request, VERSION, decode, encode_input};
use flightdeck_e2e::{Agent, Deck, Http, SOON, browser};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

type Page = WebSocket<TcpStream>;

fn open(http: &Http) -> Result<Page, u16> {
    let mut request = format!("ws://{}/ws", http.address).into_client_request().unwrap();
    for (name, value) in &http.headers {
        let name: tungstenite::http::HeaderName = name.parse().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(&http.address).unwrap();
    stream.set_read_timeout(Some(SOON)).unwrap();
    match tungstenite::client(request, stream) {
        Ok((page, _)) => Ok(page),
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
            Err(response.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

fn say(page: &mut Page, request: &Request) {
    page.send(Message::text(serde_json::to_string(request).unwrap())).unwrap();
}

/// The next message that is JSON, or the next event.
fn hear(page: &mut Page) -> (Value, Vec<u8>) {
    loop {
        match page.read().unwrap() {
            Message::Text(text) => return (serde_json::from_str(text.as_str()).unwrap(), Vec::new()),
            Message::Binary(bytes) => {
                let Frame::Event { event, bytes, .. } = decode(bytes.to_vec()).unwrap() else { panic!("no event") };
                return (serde_json::from_slice(&event).unwrap(), bytes);
            }
            _ => {}
        }
    }
}

#[test]
fn a_page_calls_watches_and_types() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut page = open(&browser(&deck)).unwrap();
    say(&mut page, &Request::Hello { version: VERSION, actor: "whatever".into() });
    assert_eq!(hear(&mut page).0["type"], "welcome");
    let call = |id, command: &str, args| Request::Call { id, command: command.into(), args, credit: None };
    // It is a person, so it may do what is for people, under the name of its cookie.
    say(&mut page, &call(1, "flightdeck.approval.list", json!({})));
    assert_eq!(hear(&mut page).0["type"], "done");
    say(&mut page, &call(2, "flightdeck.terminal.attach", json!({ "id": id })));
    assert_eq!(hear(&mut page).0["type"], "attached");
    assert_eq!(hear(&mut page).0["type"], "snapshot");
    let typed = encode_input(2, b"echo from-the-$((1 + 1))nd-page\r");
    page.send(Message::binary(typed[4..].to_vec())).unwrap();
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("from-the-2nd-page") {
        seen.extend(hear(&mut page).1);
    }
    let holder = deck.info(&id).lease.unwrap();
    assert_eq!((holder.actor.as_str(), holder.human), ("web:1", true));
    drop(page);
    deck.wait_until("the page has left", SOON, || deck.info(&id).lease.is_none().then_some(()));
}

#[test]
fn only_who_was_let_in_gets_a_socket() {
    let deck = Deck::new();
    let page = browser(&deck);
    assert_eq!(open(&Http::of(&deck).without("Authorization")).err(), Some(401));
    assert_eq!(open(&page.clone().with("Origin", "http://evil.example")).err(), Some(403));
    // The token lets a program in, which is no person.
    let mut program = open(&Http::of(&deck)).unwrap();
    say(&mut program, &Request::Hello { version: VERSION, actor: "cli:root".into() });
    assert_eq!(hear(&mut program).0["type"], "welcome");
    let args = json!({ "attend": true });
    say(&mut program, &Request::Call { id: 1, command: "flightdeck.approval.watch".into(), args, credit: None });
    let refused = hear(&mut program).0;
    assert_eq!(refused["error"]["code"], "not_allowed", "{refused}");
    // Nonsense closes it, with words.
    program.send(Message::binary(b"\x09nonsense".to_vec())).unwrap();
    assert_eq!(hear(&mut program).0["error"]["code"], "invalid_argument");
}

#[test]
fn a_program_is_told_of_no_agent_and_of_no_session_that_is_an_agents_own() {
    let deck = Deck::new();
    let shared = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    let list = json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": "ls" },
    });
    assert_eq!(agent.call("memory_terminal_interactive", &list)["success"], true);
    let told = |http: &Http, args: Value| {
        let mut page = open(http).unwrap();
        say(&mut page, &Request::Hello { version: VERSION, actor: "test".into() });
        assert_eq!(hear(&mut page).0["type"], "welcome");
        say(&mut page, &Request::Call { id: 1, command: "flightdeck.hub.watch".into(), args, credit: None });
        hear(&mut page).0
    };
    let ids = |told: &Value| -> Vec<String> {
        let terminals = told["snapshot"]["terminals"].as_array().unwrap();
        terminals.iter().map(|terminal| terminal["id"].as_str().unwrap().to_owned()).collect()
    };
    let person = told(&browser(&deck), json!({}));
    assert!(ids(&person).len() == 2 && ids(&person).contains(&shared), "{person}");
    assert_eq!(person["snapshot"]["agents"][0]["name"], "codex", "{person}");
    let program = told(&Http::of(&deck), json!({}));
    assert_eq!(ids(&program), [shared], "{program}");
    assert_eq!((&program["snapshot"]["agents"], &program["snapshot"]["approvals"]), (&json!([]), &json!([])));
    for more in [json!({ "audit": {} }), json!({ "folders": [""] })] {
        let refused = told(&Http::of(&deck), more);
        assert_eq!(refused["error"]["code"], "not_allowed", "{refused}");
    }
}
