//! What the protocol has beside prompts: other sessions, signing in and out, more folders, the user's MCP servers, pages to open,
//! limits in forms, and agents of the registry.

use flightdeck_contract::ErrorCode;
use flightdeck_contract::chat::{AgentSessions, ChatState, EntryContent, Question, QuestionOutcome};
use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

use super::{Talk, call, command};

/// What the agent was asked, by method.
fn asked(record: &std::path::Path, method: &str) -> Vec<Value> {
    let said = std::fs::read_to_string(record).unwrap();
    let messages = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    messages.filter(|message| message["method"] == method).map(|message| message["params"].clone()).collect()
}

fn question(talk: &Talk<'_>) -> (u64, Question) {
    talk.wait_for("it waits", |chat| chat.state == ChatState::WaitsForInput);
    let found = talk.entries().into_iter().rev().find_map(|entry| match entry.content {
        EntryContent::Question(question) => Some((entry.number, *question)),
        _ => None,
    });
    found.expect("a question")
}

#[test]
fn sessions_are_listed_page_by_page_and_deleted() {
    let deck = Deck::new();
    let record = deck.home().join("record");
    let talk = Talk::start(&deck, &["--abilities", "--record", record.to_str().unwrap()]);
    let abilities = talk.chat().abilities;
    assert!(abilities.list_sessions && abilities.delete_sessions && abilities.logout);
    let listed = |all: bool| -> AgentSessions {
        serde_json::from_value(talk.call("session.list", json!({ "all": all }))).unwrap()
    };
    let AgentSessions { sessions, more } = listed(false);
    let names: Vec<_> = sessions.iter().map(|session| session.session.as_str()).collect();
    assert_eq!((names, more), (vec!["old-0", "old-1", "old-2", "old-3", "old-4"], false));
    assert_eq!(sessions[0].cwd, deck.workspace().to_string_lossy());
    assert_eq!(sessions[0].title.as_deref(), Some("About old-0"));
    assert_eq!((sessions[0].updated_at.as_deref(), sessions[0].conversation), (Some("2026-01-02T03:04:05Z"), None));
    let asked_for: Vec<_> = asked(&record, "session/list").iter().map(|params| params["cursor"].clone()).collect();
    assert_eq!(asked_for, [Value::Null, json!("opaque-2"), json!("opaque-4")]);
    talk.call("session.delete", json!({ "session": "old-1" }));
    let names: Vec<_> = listed(true).sessions.into_iter().map(|session| (session.session, session.cwd)).collect();
    assert_eq!(names.len(), 4);
    assert!(names.iter().all(|(name, cwd)| name != "old-1" && cwd == "/elsewhere"), "{names:?}");
    let table = deck.cli(&["agent", "--sessions", &talk.id]).expect(0).text();
    assert!(table.contains("old-0") && table.contains("About old-4") && !table.contains("old-1"), "{table}");
    let own = talk.chat().session.unwrap();
    let refused = talk.try_call("session.delete", json!({ "session": own })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidArgument);
    assert!(asked(&record, "session/delete").iter().all(|params| params["sessionId"] == "old-1"));
}

/// "Clients MUST NOT attempt to call" what the agent has not advertised.
#[test]
fn what_an_agent_cannot_do_is_not_asked_of_it() {
    let deck = Deck::new();
    let record = deck.home().join("record");
    let more = deck.workspace().join("more");
    std::fs::create_dir(&more).unwrap();
    let words = command(&["--record", record.to_str().unwrap()]);
    let talk = Talk::of(&deck, json!({ "command": words, "additionalDirectories": ["more"] }));
    talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
    for (what, args) in
        [("session.list", json!({})), ("session.delete", json!({ "session": "x" })), ("logout", json!({}))]
    {
        assert_eq!(talk.try_call(what, args).unwrap_err().code, ErrorCode::NotSupported, "{what}");
    }
    for method in ["session/list", "session/delete", "logout"] {
        assert!(asked(&record, method).is_empty(), "{method}");
    }
    assert_eq!(asked(&record, "session/new")[0].get("additionalDirectories"), None);
    assert!(talk.story().contains("one folder only"), "{}", talk.story());
}

#[test]
fn more_folders_are_named_with_every_session() {
    let deck = Deck::new();
    let record = deck.home().join("record");
    let more = deck.workspace().join("more");
    std::fs::create_dir(&more).unwrap();
    let env = json!({ "SCRIPT_AGENT_STATE": deck.home() });
    let words = command(&["--abilities", "--record", record.to_str().unwrap()]);
    let missing = json!({ "command": words, "additionalDirectories": ["none"] });
    let refused = deck.socket().call("flightdeck.chat.new", missing).unwrap_err();
    assert_eq!(refused.code, ErrorCode::CwdMissing);
    let talk = Talk::of(&deck, json!({ "command": words, "env": env, "additionalDirectories": ["more"] }));
    talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
    talk.prompt("hello");
    talk.done();
    talk.call("stop", json!({}));
    talk.wait_for("it is gone", |chat| chat.state == ChatState::Gone);
    talk.call("restart", json!({}));
    talk.wait_for("it is back", |chat| chat.state == ChatState::Done);
    for method in ["session/new", "session/load"] {
        assert_eq!(asked(&record, method)[0]["additionalDirectories"], json!([more]), "{method}");
    }
}

#[test]
fn signing_out_wants_a_sign_in_again() {
    let deck = Deck::new();
    let talk = Talk::begin(&deck, &["--abilities", "--auth"]);
    talk.wait_for("it wants a sign-in", |chat| chat.state == ChatState::WaitsForSignIn);
    assert_eq!(talk.call("authenticate", json!({ "method": "key" })), json!({}));
    talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
    talk.call("logout", json!({}));
    talk.wait_for("it is signed out", |chat| chat.state == ChatState::WaitsForSignIn);
    talk.call("authenticate", json!({ "method": "key" }));
    talk.wait_for("it is signed in", |chat| chat.state == ChatState::Done);
}

/// Signs in with this word in the terminal that is made for that.
fn sign_in(talk: &Talk<'_>, word: &str) {
    let mut socket = talk.deck.socket();
    let begun = talk.call("authenticate", json!({ "method": "login" }));
    let terminal = begun["terminal"].as_str().unwrap().to_owned();
    talk.deck.wait_until("it asks", SOON, || {
        let read = socket.call("flightdeck.terminal.read", json!({ "id": terminal })).unwrap();
        read["text"].as_str().unwrap().contains("The word:").then_some(())
    });
    socket.call("flightdeck.terminal.keys", json!({ "id": terminal, "text": word, "keys": ["Enter"] })).unwrap();
}

/// "Launches a separate interactive process using the same configured Agent program", with more arguments and variables;
/// "exit status zero signals success"; then "reconnects and reinitializes".
#[test]
fn a_sign_in_in_a_terminal_starts_the_agent_again() {
    let deck = Deck::new();
    let record = deck.home().join("record");
    let talk = Talk::begin(&deck, &["--terminal-auth", "--record", record.to_str().unwrap()]);
    let chat = talk.wait_for("it wants a sign-in", |chat| chat.state == ChatState::WaitsForSignIn);
    let words = command(&["--terminal-auth", "--record", record.to_str().unwrap(), "--login"]);
    assert_eq!(chat.auth[0].command.as_ref(), Some(&words));
    sign_in(&talk, "no");
    talk.wait_for_entry("it has failed", |content| match content {
        EntryContent::Note { text, .. } => text.contains("exit code 3").then_some(()),
        _ => None,
    });
    assert_eq!(talk.chat().state, ChatState::WaitsForSignIn);
    sign_in(&talk, "please");
    talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
    assert_eq!(asked(&record, "initialize").len(), 2);
    assert!(asked(&record, "authenticate").is_empty(), "MUST NOT be sent for a terminal method");
    talk.prompt("hello");
    talk.done();
}

#[test]
fn a_sign_in_in_a_terminal_keeps_a_session_that_cannot_be_taken_up() {
    let deck = Deck::new();
    let record = deck.home().join("record");
    let talk = Talk::begin(&deck, &["--terminal-auth", "--no-load", "--record", record.to_str().unwrap()]);
    talk.wait_for("it wants a sign-in", |chat| chat.state == ChatState::WaitsForSignIn);
    // Nothing was said yet.
    sign_in(&talk, "please");
    talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
    let session = talk.chat().session;
    talk.prompt("hello");
    talk.done();
    std::fs::remove_file(deck.home().join("sessions/signed-in")).unwrap();
    talk.prompt("again");
    talk.wait_for("it wants another sign-in", |chat| chat.state == ChatState::WaitsForSignIn);
    sign_in(&talk, "please");
    talk.wait_for("it goes on", |chat| chat.state == ChatState::Done);
    talk.prompt("once more");
    talk.done();
    let story = talk.story();
    assert!(story.contains("was not started again") && !story.contains("has failed: it"), "{story}");
    assert_eq!((asked(&record, "initialize").len(), talk.chat().session), (2, session));
}

/// "An accept response means the user consented to open the URL." "Clients MUST ignore unknown or already-completed IDs."
#[test]
fn a_page_is_opened_by_a_person_and_completed_by_the_agent() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let page = |id: &str, url: &str| json!({ "mode": "url", "elicitationId": id, "url": url, "message": "Let me in." });
    let complete = |id: &str| json!({ "notify": "elicitation/complete", "params": { "elicitationId": id } });
    let go = deck.workspace().join("go");
    let turn = talk.run(json!([
        call("script", "elicitation/create", page("x", "javascript:alert(1)")),
        call("named", "elicitation/create", page("x", "https://github.com@evil.example/")),
        call("nobody", "elicitation/create", json!({ "mode": "url", "elicitationId": "x", "url": "https://a.example", "message": "m",
                                                   "sessionId": null, "requestId": 4711 })),
        call("page", "elicitation/create", page("one", "https://agent.example.com/connect?id=one")),
        call("twice", "elicitation/create", page("one", "https://agent.example.com/again")),
        { "until_file": go },
        complete("unknown"),
        complete("one"),
        complete("one"),
        call("declined", "elicitation/create", page("one", "https://agent.example.com/third")),
    ]));
    let (entry, asked) = question(&talk);
    assert_eq!(asked.url.as_deref(), Some("https://agent.example.com/connect?id=one"));
    assert_eq!((asked.host.as_deref(), asked.completed), (Some("agent.example.com"), false));
    talk.call("answer", json!({ "entry": entry, "values": {} }));
    talk.wait_for_entry("it is answered", |content| match content {
        EntryContent::Question(question) => {
            matches!(question.outcome, Some(QuestionOutcome::Accepted { .. })).then_some(())
        }
        _ => None,
    });
    std::fs::write(&go, "").unwrap();
    let (declined, _) = question(&talk);
    assert_ne!(declined, entry);
    talk.call("answer", json!({ "entry": declined }));
    talk.done();
    let told = talk.told(turn);
    for name in ["script", "named", "nobody", "twice"] {
        assert_eq!(told[name]["error"]["code"], -32602, "{name}: {}", told[name]);
    }
    assert_eq!((&told["page"], &told["declined"]), (&json!({ "action": "accept" }), &json!({ "action": "decline" })));
    let completed = talk.entries().into_iter().filter_map(|entry| match entry.content {
        EntryContent::Question(question) => Some(question.completed),
        _ => None,
    });
    assert_eq!(completed.collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_form_says_how_large_long_and_many() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let properties = json!({
        "count": { "type": "integer", "minimum": 1, "maximum": 10 },
        "share": { "type": "number", "minimum": 0.5 },
        "name": { "type": "string", "minLength": 2, "maxLength": 3 },
        "some": { "type": "array", "minItems": 1, "maxItems": 1, "items": { "type": "string", "enum": ["a", "b"] } },
    });
    let schema = json!({ "type": "object", "properties": properties, "required": [] });
    let turn = talk.run(json!([call(
        "form",
        "elicitation/create",
        json!({ "mode": "form", "message": "?", "requestedSchema": schema })
    )]));
    let (entry, asked) = question(&talk);
    let count = asked.fields.iter().find(|field| field.name == "count").unwrap();
    assert_eq!((count.limits.minimum, count.limits.maximum), (Some(1.0), Some(10.0)));
    for values in [
        json!({ "count": 0 }),
        json!({ "count": 11 }),
        json!({ "share": 0.4 }),
        json!({ "name": "a" }),
        json!({ "name": "abcd" }),
        json!({ "some": [] }),
        json!({ "some": ["a", "b"] }),
    ] {
        let refused = talk.try_call("answer", json!({ "entry": entry, "values": values })).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidArgument, "{values}");
    }
    let values = json!({ "count": 10, "share": 0.5, "name": "üü", "some": ["b"] });
    talk.call("answer", json!({ "entry": entry, "values": values }));
    talk.done();
    assert_eq!(talk.told(turn)["form"], json!({ "action": "accept", "content": values }));
}

#[test]
fn the_users_mcp_servers_are_given_to_the_agent() {
    let deck = Deck::new();
    deck.settings(
        "[agents.mcp.here]\ncommand = \"sh\"\nargs = [\"-c\", \"cat\"]\nenv = { TOKEN = \"x\" }\n\
         [agents.mcp.away]\nurl = \"https://mcp.example/\"\nheaders = { Authorization = \"Bearer y\" }\n\
         [agents.mcp.old]\nurl = \"https://old.example/\"\nsse = true\n\
         [agents.mcp.missing]\ncommand = \"no-such-program-here\"\n",
    );
    let record = deck.home().join("record");
    let talk = Talk::start(&deck, &["--abilities", "--record", record.to_str().unwrap()]);
    let servers = asked(&record, "session/new")[0]["mcpServers"].clone();
    let named = |name: &str| servers.as_array().unwrap().iter().find(|server| server["name"] == name).cloned();
    assert_eq!(servers[0]["name"], "flightdeck");
    let here = named("here").unwrap();
    assert!(std::path::Path::new(here["command"].as_str().unwrap()).is_absolute(), "{here}");
    assert_eq!((&here["args"], &here["env"]), (&json!(["-c", "cat"]), &json!([{ "name": "TOKEN", "value": "x" }])));
    let headers = json!([{ "name": "Authorization", "value": "Bearer y" }]);
    let away = json!({ "type": "http", "name": "away", "url": "https://mcp.example/", "headers": headers });
    assert_eq!(named("away"), Some(away));
    assert_eq!((named("old"), named("missing")), (None, None));
    let story = talk.story();
    assert!(
        story.contains("The MCP server old is left out") && story.contains("The MCP server missing is left out"),
        "{story}"
    );
}

#[test]
fn agents_of_a_registry_are_started_by_name() {
    let deck = Deck::new();
    let path = deck.home().join("registry.json");
    let record = deck.home().join("record");
    let words = command(&["--record", record.to_str().unwrap()]);
    let program = json!({ "archive": "https://x.example/mine.tgz", "cmd": format!("./bin/{}", words[0]), "args": words[1..],
                          "env": { "SCRIPT_AGENT_STATE": deck.home() } });
    let binary = json!({ (format!("linux-{}", std::env::consts::ARCH)): program });
    let missing = json!({ "package": "not-mine==1.0.0", "args": ["--acp"] });
    let agents = json!([
        { "id": "mine", "name": "Mine", "version": "1.0.0", "description": "d", "distribution": { "binary": binary } },
        { "id": "claude", "name": "Claude of the registry", "version": "1.0.0", "description": "d",
          "distribution": { "uvx": missing } },
    ]);
    std::fs::write(&path, json!({ "version": "1.0.0", "agents": agents, "extensions": [] }).to_string()).unwrap();
    deck.settings(&format!("[agents]\nregistry = {path:?}\n"));
    let listed = deck.socket().call("flightdeck.chat.agents", json!({})).unwrap();
    let named =
        |id: &str| listed["agents"].as_array().unwrap().iter().find(|agent| agent["id"] == id).cloned().unwrap();
    assert_eq!((&named("mine")["command"], &named("mine")["name"]), (&json!(words), &json!("Mine")));
    assert!(named("mine")["found"].is_string());
    // One that is not installed is started as the registry says.
    assert_eq!(named("claude")["command"], json!(["uvx", "not-mine==1.0.0", "--acp"]));
    let talk = Talk::of(&deck, json!({ "agent": "mine" }));
    let chat = talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
    assert_eq!((chat.agent.preset.as_deref(), chat.agent.title.as_str()), (Some("mine"), "Mine"));
    talk.prompt("hello");
    talk.done();
    let session = chat.session.unwrap();
    assert!(deck.home().join(session).exists(), "its variables are set");
}
