//! What the protocol's documents ask of a client, checked by an agent that was written from them alone: sessions, errors,
//! parameters, and what is left out of output.

use flightdeck_contract::approval::Subject;
use flightdeck_contract::chat::{ChatState, EntryContent, ToolStatus};
use flightdeck_e2e::{Deck, Person};
use serde_json::{Value, json};

use super::{Talk, about, call};

const NOBODY: &str = "sess_of_nobody";

fn options() -> Value {
    json!([{ "optionId": "yes", "name": "Allow", "kind": "allow_once" }])
}

/// "The Session ID for this request": another one is no session here, whatever is asked in its name.
#[test]
fn requests_of_another_session_are_refused() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let path = deck.workspace().join("notes.txt");
    std::fs::write(&path, "one\n").unwrap();
    let form = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let requests = [
        ("create", "terminal/create", json!({ "command": "true" })),
        ("output", "terminal/output", json!({ "terminalId": "${t.terminalId}" })),
        ("wait", "terminal/wait_for_exit", json!({ "terminalId": "${t.terminalId}" })),
        ("kill", "terminal/kill", json!({ "terminalId": "${t.terminalId}" })),
        ("release", "terminal/release", json!({ "terminalId": "${t.terminalId}" })),
        ("read", "fs/read_text_file", json!({ "path": path })),
        ("write", "fs/write_text_file", json!({ "path": path, "content": "two\n" })),
        ("ask", "session/request_permission", json!({ "toolCall": { "toolCallId": "c" }, "options": options() })),
        ("form", "elicitation/create", json!({ "mode": "form", "message": "?", "requestedSchema": form })),
    ];
    let mut steps = vec![call("t", "terminal/create", json!({ "command": "sleep 1000" }))];
    for (name, method, params) in &requests {
        let mut params = params.clone();
        params["sessionId"] = json!(NOBODY);
        steps.push(call(name, method, params));
    }
    steps.push(about("own", "output"));
    steps.push(about("released", "release"));
    let values = talk.values(Value::Array(steps));
    for (name, ..) in &requests {
        let error = &values[*name]["error"];
        assert_eq!((&error["code"], &error["data"]["sessionId"]), (&json!(-32002), &json!(NOBODY)), "{name}: {error}");
    }
    assert_eq!(values["own"], json!({ "output": "", "truncated": false }), "it was not killed");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n");
}

#[test]
fn updates_of_another_session_are_no_part_of_the_conversation() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let say =
        |text: &str| json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } });
    talk.values(json!([
        { "say": "mine " },
        { "update": say("theirs "), "session": NOBODY },
        { "update": { "sessionUpdate": "session_info_update", "title": "Theirs" }, "session": NOBODY },
        { "notify": "session/update", "params": [{ "sessionId": NOBODY, "update": say("listed ") }] },
        { "say": "mine too" },
    ]));
    assert_eq!(talk.said(), "mine mine too");
    assert_ne!(talk.chat().title, "Theirs");
}

/// What is told of a session before its name is answered is shown once the name is known, and is its own only.
#[test]
fn updates_may_come_before_the_name_of_their_session() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &["--early"]);
    assert_eq!(talk.said(), "before its name\n");
}

/// The protocol names its parameters, and has no others.
#[test]
fn parameters_that_are_a_list_are_refused() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let session = talk.chat().session.unwrap();
    let listed = json!([session, "true"]);
    let values = talk.values(json!([
        { "call": "terminal/create", "params": listed, "as": "create" },
        { "call": "fs/read_text_file", "params": [session, deck.workspace().join("x")], "as": "read" },
        { "call": "terminal/release", "params": [session, "t1"], "as": "release" },
        { "call": "session/of_tomorrow", "params": [], "as": "unknown" },
    ]));
    for name in ["create", "read", "release"] {
        assert_eq!(values[name]["error"]["code"], -32602, "{name}: {}", values[name]);
    }
    assert_eq!(values["unknown"]["error"]["code"], -32601);
}

/// "Absolute path to the file": a relative one is refused. "Resource not found" begins what is said of a missing one; Gemini
/// CLI writes a new file only where it finds these words.
#[test]
fn paths_are_absolute_and_missing_files_are_called_so() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    std::fs::write(deck.workspace().join("notes.txt"), "one\n").unwrap();
    let missing = deck.workspace().join("missing.txt");
    let deeper = deck.workspace().join("no/such/folder/missing.txt");
    let values = talk.values(json!([
        call("read", "fs/read_text_file", json!({ "path": "notes.txt" })),
        call("write", "fs/write_text_file", json!({ "path": "./notes.txt", "content": "two\n" })),
        call("missing", "fs/read_text_file", json!({ "path": missing })),
        call("deeper", "fs/read_text_file", json!({ "path": deeper, "line": 3, "limit": 1 })),
        call("terminal", "terminal/output", json!({ "terminalId": "t99" })),
    ]));
    for name in ["read", "write"] {
        assert_eq!(values[name]["error"]["code"], -32602, "{name}: {}", values[name]);
    }
    assert_eq!(std::fs::read_to_string(deck.workspace().join("notes.txt")).unwrap(), "one\n");
    for (name, path) in [("missing", &missing), ("deeper", &deeper)] {
        let error = &values[name]["error"];
        assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32002), &json!("file_not_found")), "{error}");
        assert_eq!(error["message"], format!("Resource not found: {}", path.display()));
        assert_eq!(error["data"]["uri"], json!(path));
    }
    let message = values["terminal"]["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("Resource not found: "), "{message}");
}

/// "Maximum number of output bytes to retain": of the output that is given. What a terminal adds to it is none of it.
#[test]
fn the_limit_counts_text_and_nothing_else() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let plain = "yes | head -n 500000";
    let coloured = "yes \"$(printf '\\033[31mred\\033[0m')\" | head -n 300000";
    for (command, limit, bytes, truncated) in [
        (plain, Some(1 << 20), 1_000_000, false),
        (plain, Some(1_000_000), 1_000_000, false),
        (plain, Some(999_999), 999_999, true),
        (coloured, Some(1_200_000), 1_200_000, false),
        // None is less than is asked for, and none is cut where none is asked for.
        ("yes | head -n 9000000", Some(18_000_000), 18_000_000, false),
        (plain, None, 1_000_000, false),
        ("yes | head -n 8000000", None, 16_000_000, false),
        ("yes | head -n 9000000", None, 16 << 20, true),
    ] {
        let limited = limit.map_or(
            json!({ "command": command }),
            |limit: u32| json!({ "command": command, "outputByteLimit": limit }),
        );
        let turn = talk.run(json!([
            call("t", "terminal/create", limited),
            about("exit", "wait_for_exit"),
            { "measure": "terminal/output", "params": { "terminalId": "${t.terminalId}" }, "as": "output" },
            about("released", "release"),
        ]));
        let chat = talk.wait_long_for("the turn is over", super::LONG, |chat| !chat.state.is_busy());
        assert_eq!(chat.state, ChatState::Done, "{}", chat.reason);
        let told = talk.told(turn);
        let ending = if command == coloured { "red\n" } else { "y\n" };
        let expected = json!({ "bytes": bytes, "truncated": truncated, "ending": ending });
        assert_eq!(told["output"], expected, "{command} with {limit:?}");
    }
}

/// A request may name a tool call and nothing else: what is approved is what was told of that before.
#[test]
fn an_approval_shows_what_was_told_of_the_tool_call_before() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let mut person = Person::at(&deck);
    let change = json!({ "type": "diff", "path": "/w/a.txt", "oldText": "old\n", "newText": "new\n" });
    let turn = talk.run(json!([
        { "update": { "sessionUpdate": "tool_call", "toolCallId": "run", "title": "Bash", "kind": "execute", "status": "pending",
                      "rawInput": { "command": "make release", "description": "x".repeat(20_000) } } },
        { "update": { "sessionUpdate": "tool_call", "toolCallId": "edit", "title": "Edit a.txt", "kind": "edit", "status": "pending",
                      "content": [change], "locations": [{ "path": "/w/a.txt", "line": 1 }, { "path": "/w/b.txt" }] } },
        call("run", "session/request_permission", json!({ "toolCall": { "toolCallId": "run" }, "options": options() })),
        call("edit", "session/request_permission", json!({ "toolCall": { "toolCallId": "edit" }, "options": options() })),
        // What the request says itself counts more.
        call("again", "session/request_permission",
             json!({ "toolCall": { "toolCallId": "edit", "title": "Edit it again" }, "options": options() })),
        call("unknown", "session/request_permission", json!({ "toolCall": { "toolCallId": "c9" }, "options": options() })),
    ]));
    let mut asked = || {
        let approval = person.asked();
        person.answer(json!({ "id": approval.id, "choice": "approve" })).unwrap();
        match approval.subject {
            Subject::Permission(subject) => (subject, approval.reason),
            other => panic!("{other:?}"),
        }
    };
    let (run, reason) = asked();
    assert_eq!((run.title.as_str(), run.deed.as_deref()), ("Bash: make release", Some("execute")));
    assert_eq!(reason, "the agent asks: Bash: make release");
    for title in ["Edit a.txt", "Edit it again"] {
        let (edit, _) = asked();
        assert_eq!((edit.title.as_str(), edit.deed.as_deref()), (title, Some("edit")));
        assert!(edit.diff.as_deref().is_some_and(|diff| diff.contains("-old\n+new\n")), "{edit:?}");
        assert_eq!(edit.locations, ["/w/a.txt", "/w/b.txt"]);
    }
    let (unknown, _) = asked();
    assert_eq!((unknown.title.as_str(), unknown.diff), ("c9", None));
    talk.done();
    let told = talk.told(turn);
    assert_eq!(told["run"]["outcome"], json!({ "outcome": "selected", "optionId": "yes" }));
    let shown = talk.entries().into_iter().find_map(|entry| match entry.content {
        EntryContent::Permission(asked) => Some(asked.title),
        _ => None,
    });
    assert_eq!(shown.as_deref(), Some("Bash: make release"));
}

/// An agent may do much else between telling of a tool call and asking about it.
#[test]
fn an_approval_shows_a_tool_call_of_long_ago() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let mut person = Person::at(&deck);
    let mut steps = vec![
        json!({ "update": { "sessionUpdate": "tool_call", "toolCallId": "far", "title": "Bash", "kind": "execute",
        "status": "pending", "rawInput": { "command": "make release" }, "locations": [{ "path": "/w/a.txt" }] } }),
    ];
    steps.extend((0..700).map(|n| {
        json!({ "update": { "sessionUpdate": "tool_call", "toolCallId": format!("c{n}"), "title": "Read", "status": "completed" } })
    }));
    steps.push(call(
        "run",
        "session/request_permission",
        json!({ "toolCall": { "toolCallId": "far" }, "options": options() }),
    ));
    steps
        .push(json!({ "update": { "sessionUpdate": "tool_call_update", "toolCallId": "far", "status": "completed" } }));
    talk.run(json!(steps));
    let approval = person.asked();
    person.answer(json!({ "id": approval.id, "choice": "approve" })).unwrap();
    let Subject::Permission(subject) = approval.subject else { panic!("{approval:?}") };
    assert_eq!((subject.title.as_str(), subject.deed.as_deref()), ("Bash: make release", Some("execute")));
    assert_eq!(subject.locations, ["/w/a.txt"]);
    talk.done();
    let last = talk.entries().into_iter().rev().find_map(|entry| match entry.content {
        EntryContent::Tool(tool) => Some(tool),
        _ => None,
    });
    let last = last.unwrap();
    assert_eq!((last.id.as_str(), last.title.as_str(), last.status), ("far", "Bash", ToolStatus::Completed));
}

/// A long command is approved as a whole or not at all: it is shown to its end, up to 256 KiB, and a cut is said.
#[test]
fn an_approval_shows_a_long_command_to_its_end() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let mut person = Person::at(&deck);
    let padding = |length: usize| format!("echo {}", "x".repeat(length));
    let long = format!("{}; rm -r hidden", padding(200_000));
    let too_long = format!("{}; rm -r hidden", padding(300_000));
    let shown = format!("{}… ({} more bytes)", &too_long[..256 << 10], too_long.len() - (256 << 10));
    let cases = [
        (json!({ "command": long }), format!("Bash: {long}")),
        (json!({ "cmd": ["bash", "-c", long] }), format!("Bash: bash -c '{long}'")),
        (json!({ "command": too_long, "description": padding(20_000) }), format!("Bash: {shown}")),
    ];
    for (input, title) in cases {
        talk.run(json!([
            { "update": { "sessionUpdate": "tool_call", "toolCallId": "run", "title": "Bash", "kind": "execute",
                          "status": "pending", "rawInput": input } },
            call("run", "session/request_permission", json!({ "toolCall": { "toolCallId": "run" }, "options": options() })),
        ]));
        let approval = person.asked();
        assert!(approval.reason.len() < 300, "{}", approval.reason);
        let Subject::Permission(subject) = &approval.subject else { panic!("{approval:?}") };
        assert!(subject.title == title, "{} … {} bytes", &subject.title[..40], subject.title.len());
        let listed = deck.cli(&["approve", "--list"]).expect(0).text();
        let end = &title[title.len() - 12..];
        assert!(listed.contains(end), "{end:?} is not in {} bytes", listed.len());
        person.answer(json!({ "id": approval.id, "choice": "approve" })).unwrap();
        talk.done();
    }
}

/// "The Agent MUST replay the entire conversation": it is here already. Some go on with that after they have answered.
#[test]
fn a_session_that_is_told_again_late_is_not_shown_twice() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &["--late-replay"]);
    talk.prompt("remember me");
    talk.done();
    let before = talk.entries();
    talk.call("stop", json!({}));
    talk.wait_for("it is gone", |chat| chat.state == ChatState::Gone);
    talk.call("restart", json!({}));
    // Its commands are told last: then all of the session was told.
    talk.wait_for("all is told", |chat| chat.state == ChatState::Done && !chat.commands.is_empty());
    assert!(!talk.story().contains("as before"), "{}", talk.story());
    assert_eq!(talk.entries()[..before.len()], before[..]);
    // The next prompt is answered as ever, over a hub that was killed as well.
    deck.kill_hub();
    talk.prompt("go on");
    talk.done();
    assert!(talk.said().contains("You said: go on"), "{}", talk.story());
}
