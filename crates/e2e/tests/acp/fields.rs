//! What else an agent does: files, questions, modes, sign-in, plans, budgets; and that all of it passes the gate.

use flightdeck_contract::chat::{
    ChatState, EntryContent, PermissionOutcome, QuestionOutcome, StopReason, ToolContent, ToolStatus,
};
use flightdeck_contract::{ErrorCode, agents::Standing};
use flightdeck_e2e::{Deck, Person, SOON};
use serde_json::{Value, json};

use super::{Talk, about, call};

fn options() -> Value {
    json!([
        { "optionId": "yes", "name": "Allow", "kind": "allow_once" },
        { "optionId": "always", "name": "Always", "kind": "allow_always" },
        { "optionId": "no", "name": "Reject", "kind": "reject_once" },
    ])
}

fn ask(name: &str, title: &str) -> Value {
    call(
        name,
        "session/request_permission",
        json!({ "toolCall": { "toolCallId": "call-1", "title": title }, "options": options() }),
    )
}

#[test]
fn files_are_read_and_written_through_the_hub() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let path = deck.workspace().join("notes.txt");
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    std::fs::write(deck.workspace().join(".env"), "SECRET=1\n").unwrap();
    let values = talk.values(json!([
        call("all", "fs/read_text_file", json!({ "path": path })),
        call("some", "fs/read_text_file", json!({ "path": path, "line": 2, "limit": 1 })),
        call("beyond", "fs/read_text_file", json!({ "path": path, "line": 9 })),
        call("missing", "fs/read_text_file", json!({ "path": deck.workspace().join("missing") })),
        call("secret", "fs/read_text_file", json!({ "path": deck.workspace().join(".env") })),
        call("outside", "fs/read_text_file", json!({ "path": "/etc/hostname" })),
        call(
            "write",
            "fs/write_text_file",
            json!({ "path": deck.workspace().join("new/file.txt"), "content": "new\n" })
        ),
    ]));
    assert_eq!(values["all"], json!({ "content": "one\ntwo\nthree\n" }));
    assert_eq!(values["some"], json!({ "content": "two\n" }));
    assert_eq!(values["beyond"], json!({ "content": "" }));
    assert_eq!(values["missing"]["error"]["code"], -32002);
    assert_eq!(values["secret"]["error"]["data"]["code"], "sensitive_file");
    assert_eq!(values["outside"]["error"]["data"]["code"], "outside_workspace");
    assert_eq!(std::fs::read_to_string(deck.workspace().join("new/file.txt")).unwrap(), "new\n");
    let audit = deck.cli(&["audit", "--json"]).expect(0).text();
    assert!(
        audit.lines().any(|line| line.contains("flightdeck.chat.file.write") && line.contains("script-agent#")),
        "{audit}"
    );
}

#[test]
fn an_agent_reads_what_a_person_has_not_saved() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let path = deck.workspace().join("draft.txt");
    std::fs::write(&path, "on disk\n").unwrap();
    let mut socket = deck.socket();
    socket.call("openspace.editor.open", json!({ "path": "draft.txt" })).unwrap();
    let document = socket.call("flightdeck.workbench.document", json!({ "path": "draft.txt" })).unwrap();
    let change = json!({ "from": 0, "to": 2, "insert": "in the editor, not on" });
    let edit = json!({ "path": "draft.txt", "base": document["version"], "changes": [change], "client": "test", "clientSeq": 1 });
    let edited = socket.call("flightdeck.workbench.edit", edit);
    assert!(edited.is_ok(), "{edited:?} {document}");
    let values = talk.values(json!([call("all", "fs/read_text_file", json!({ "path": path }))]));
    assert_eq!(values["all"]["content"], "in the editor, not on disk\n");
}

#[test]
fn a_permission_is_an_approval_with_the_agents_own_answers() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let mut person = Person::at(&deck);
    for (answer, outcome) in [
        (json!({ "choice": "approve" }), json!({ "outcome": "selected", "optionId": "yes" })),
        (json!({ "choice": "approve", "option": "always" }), json!({ "outcome": "selected", "optionId": "always" })),
        (json!({ "choice": "decline" }), json!({ "outcome": "selected", "optionId": "no" })),
    ] {
        let turn = talk.run(json!([ask("asked", "Edit a file")]));
        let approval = person.asked();
        assert!(approval.agent.starts_with("script-agent#"), "{approval:?}");
        talk.wait_for("it waits for this", |chat| {
            chat.state == ChatState::WaitsForApproval && chat.approval == Some(approval.id)
        });
        deck.wait_until("the agent is known to wait", SOON, || {
            let agents = deck.socket().call("flightdeck.agent.list", json!({})).unwrap();
            (agents["agents"][0]["state"] == json!(Standing::WaitsForApproval)).then_some(())
        });
        let mut answer = answer.clone();
        answer["id"] = json!(approval.id);
        person.answer(answer).unwrap();
        talk.done();
        assert_eq!(talk.told(turn)["asked"]["outcome"], outcome);
        deck.wait_until("the answer is shown", SOON, || {
            let shown = talk.find(|content| match content {
                EntryContent::Permission(asked) => Some(asked.clone()),
                _ => None,
            })?;
            let chosen = matches!(shown.outcome, Some(PermissionOutcome::Chosen { .. }));
            (shown.approval.is_none() && chosen).then_some(())
        });
    }
}

/// "The Client MUST respond to all pending session/request_permission requests with the cancelled outcome."
#[test]
fn cancelling_takes_questions_back_and_ends_the_turn() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let turn = talk.run(json!([ask("asked", "Wait for it"), { "until_cancelled": true }]));
    talk.wait_for("it waits", |chat| chat.state == ChatState::WaitsForApproval);
    talk.call("cancel", json!({}));
    let chat = talk.done();
    assert_eq!((chat.state, chat.reason.as_str()), (ChatState::Done, "its turn was cancelled"));
    assert_eq!(talk.told(turn)["asked"]["outcome"], json!({ "outcome": "cancelled" }));
    let waiting = deck.socket().call("flightdeck.approval.list", json!({})).unwrap();
    assert_eq!(waiting["approvals"], json!([]));
    let ended = talk.find(|content| match content {
        EntryContent::Ended { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(ended, Some(StopReason::Cancelled));
    let refused = talk.try_call("cancel", json!({})).unwrap_err();
    assert_eq!(refused.code, ErrorCode::ChatNotReady);
}

#[test]
fn commands_pass_the_policy_and_a_person_decides() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let danger = json!({ "command": "git push --force origin main" });
    let unattended = talk.values(json!([call("t", "terminal/create", danger.clone())]));
    let message = unattended["t"]["error"]["message"].as_str().unwrap();
    assert!(message.contains("needs a person's yes"), "{message}");
    let mut person = Person::at(&deck);
    let turn = talk.run(json!([call("t", "terminal/create", danger.clone())]));
    let approval = person.decline_next("not today");
    assert!(approval.agent.starts_with("script-agent#"), "{approval:?}");
    talk.done();
    let declined = talk.told(turn)["t"]["error"]["message"].as_str().unwrap().to_owned();
    assert!(declined.contains("not today"), "{declined}");
    let blocked = talk.values(json!([call("t", "terminal/create", json!({ "command": "rm", "args": ["-rf", "/"] }))]));
    assert_eq!(blocked["t"]["error"]["data"]["code"], "blocked");
    let turn = talk.run(json!([
        call("t", "terminal/create", json!({ "command": "git push --force nowhere x" })),
        about("exit", "wait_for_exit")
    ]));
    person.approve_next();
    talk.done();
    assert!(talk.told(turn)["exit"]["exitCode"].is_u64(), "{}", talk.story());
}

#[test]
fn what_is_told_becomes_entries_and_pieces_of_text_become_one() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let update = |update: Value| json!({ "update": update });
    talk.values(json!([
        { "think": "Hm, " }, { "think": "let me see." },
        { "say": "One " }, { "say": "two " }, { "say": "three." },
        update(json!({ "sessionUpdate": "plan", "entries": [{ "content": "a", "priority": "high", "status": "pending" }] })),
        update(json!({ "sessionUpdate": "plan", "entries": [{ "content": "a", "priority": "high", "status": "completed" }] })),
        update(json!({ "sessionUpdate": "tool_call", "toolCallId": "e", "title": "Edit", "kind": "edit", "status": "pending",
                       "content": [{ "type": "diff", "path": "/x/a.txt", "oldText": "old\n", "newText": "new\n" }] })),
        update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "e", "status": "completed" })),
        update(json!({ "sessionUpdate": "tool_call", "toolCallId": "o", "title": "own", "kind": "execute", "status": "in_progress",
                       "content": [{ "type": "terminal", "terminalId": "own" }], "_meta": { "terminal_info": { "terminal_id": "own" } } })),
        update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "o", "_meta": { "terminal_output": { "terminal_id": "own", "data": "he" } } })),
        update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "o", "_meta": { "terminal_output": { "terminal_id": "own", "data": "llo" } } })),
        update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "o", "status": "completed",
                       "_meta": { "terminal_exit": { "terminal_id": "own", "exit_code": 2, "signal": null } } })),
        update(json!({ "sessionUpdate": "something_of_tomorrow", "what": 1 })),
        update(json!({ "sessionUpdate": "session_info_update", "title": "A better name" })),
        update(json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "image", "mimeType": "image/png", "data": "AAAA" } })),
    ]));
    let contents: Vec<EntryContent> = talk.entries().into_iter().map(|entry| entry.content).collect();
    let kinds: Vec<String> = contents
        .iter()
        .map(|content| serde_json::to_value(content).unwrap()["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["user", "thought", "agent", "plan", "tool", "tool", "shown", "ended"], "{}", talk.story());
    assert!(matches!(&contents[1], EntryContent::Thought { text } if text == "Hm, let me see."));
    assert!(matches!(&contents[2], EntryContent::Agent { text } if text == "One two three."));
    let EntryContent::Tool(edit) = &contents[4] else { panic!("no tool") };
    assert_eq!(edit.status, ToolStatus::Completed);
    assert!(matches!(&edit.content[..], [ToolContent::Diff { added: 1, removed: 1, .. }]), "{edit:?}");
    let EntryContent::Tool(own) = &contents[5] else { panic!("no tool") };
    assert!(
        matches!(&own.content[..], [ToolContent::Output { text, exit_code: Some(2), .. }] if text == "hello"),
        "{own:?}"
    );
    assert_eq!(talk.chat().title, "A better name");
}

#[test]
fn modes_models_and_commands_are_told_and_chosen() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let chat = talk.wait_for("its commands are told", |chat| !chat.commands.is_empty());
    assert_eq!(chat.modes.unwrap().current, "ask");
    talk.call("mode", json!({ "mode": "code" }));
    talk.call("option", json!({ "option": "model", "value": "large" }));
    let chat = talk.chat();
    assert_eq!(chat.modes.unwrap().current, "code");
    let model = serde_json::to_value(&chat.options[0]).unwrap();
    assert_eq!((&model["category"], &model["current"]), (&json!("model"), &json!("large")));
    for (what, args) in [("mode", json!({ "mode": "x" })), ("option", json!({ "option": "model", "value": "x" }))] {
        assert_eq!(talk.try_call(what, args).unwrap_err().code, ErrorCode::InvalidArgument);
    }
}

#[test]
fn a_form_is_put_to_a_person() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let form = json!({
        "mode": "form",
        "message": "Which way?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "way": { "type": "string", "title": "Way", "enum": ["left", "right"] },
                "often": { "type": "integer" },
            },
            "required": ["way"],
        },
    });
    let turn = talk.run(json!([call("form", "elicitation/create", form)]));
    let question = |content: &EntryContent| match content {
        EntryContent::Question(question) => Some(question.clone()),
        _ => None,
    };
    talk.wait_for_entry("the question", question);
    talk.wait_for("it waits", |chat| chat.state == ChatState::WaitsForInput);
    let entry = talk.entries().iter().find(|entry| question(&entry.content).is_some()).unwrap().number;
    let wrong = talk.try_call("answer", json!({ "entry": entry, "values": { "way": "up" } })).unwrap_err();
    assert_eq!(wrong.code, ErrorCode::InvalidArgument);
    talk.call("answer", json!({ "entry": entry, "values": { "way": "left", "often": 2 } }));
    talk.done();
    assert_eq!(talk.told(turn)["form"], json!({ "action": "accept", "content": { "way": "left", "often": 2 } }));
    assert!(matches!(talk.find(question).unwrap().outcome, Some(QuestionOutcome::Accepted { .. })));
    let late = talk.try_call("answer", json!({ "entry": entry })).unwrap_err();
    assert_eq!(late.code, ErrorCode::ApprovalNotFound);
}

#[test]
fn a_sign_in_comes_first_where_the_agent_wants_one() {
    let deck = Deck::new();
    let talk = Talk::begin(&deck, &["--auth"]);
    let chat = talk.wait_for("it wants a sign-in", |chat| chat.state == ChatState::WaitsForSignIn);
    assert_eq!(chat.auth[0].id, "key");
    let early = talk.try_call("prompt", json!({ "content": [{ "type": "text", "text": "hi" }] })).unwrap_err();
    assert_eq!(early.code, ErrorCode::ChatNotReady);
    talk.call("authenticate", json!({ "method": "key" }));
    talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
}

#[test]
fn prompts_hold_text_files_and_pictures() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let content = json!([
        { "type": "text", "text": "look at " },
        { "type": "file", "path": "src/a b.rs", "line": 3 },
        { "type": "image", "mime": "image/png", "data": "AAAA" },
    ]);
    talk.call("prompt", json!({ "content": content }));
    talk.done();
    let said = talk.find(|content| match content {
        EntryContent::Agent { text } => Some(text.clone()),
        _ => None,
    });
    let said = said.unwrap();
    let uri = format!("file://{}/src/a%20b.rs#L3", deck.workspace().display());
    assert!(said.contains(&uri) && said.contains("\"mimeType\": \"image/png\""), "{said}");
    let busy = json!([{ "until_file": deck.workspace().join("go") }]);
    talk.run(busy);
    let early = talk.try_call("prompt", json!({ "content": [{ "type": "text", "text": "more" }] })).unwrap_err();
    assert_eq!(early.code, ErrorCode::ChatNotReady);
    std::fs::write(deck.workspace().join("go"), "").unwrap();
    talk.done();
    let empty = talk.try_call("prompt", json!({ "content": [] })).unwrap_err();
    assert_eq!(empty.code, ErrorCode::InvalidArgument);
}

#[test]
fn a_budget_warns_and_stops() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let use_up = |used: u64| json!({ "update": { "sessionUpdate": "usage_update", "used": used, "size": 1000 } });
    talk.call("budget", json!({ "budget": { "tokens": 100 } }));
    talk.run(json!([use_up(85), use_up(120), { "until_cancelled": true }]));
    let chat = talk.done();
    assert_eq!(chat.state, ChatState::Failed, "what was asked for is not done");
    assert_eq!(chat.reason, "the budget is used up: 120 of 100 tokens; raise it to go on");
    let ended = talk.find(|content| match content {
        EntryContent::Ended { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(ended, Some(StopReason::Budget));
    let story = talk.story();
    assert!(story.contains("85 % of the budget") && story.contains("The budget is used up"), "{story}");
    let refused = talk.try_call("prompt", json!({ "content": [{ "type": "text", "text": "more" }] })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::BudgetExhausted);
    talk.call("budget", json!({}));
    talk.prompt("more");
    talk.done();
}

#[test]
fn nobody_else_speaks_in_its_name() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let mut socket = deck.socket();
    let as_person =
        socket.call("flightdeck.chat.terminal.new", json!({ "id": talk.id, "request": "x", "command": "true" }));
    assert_eq!(as_person.unwrap_err().code, ErrorCode::NotAllowed);
    // The pipes of the agent are no terminal that anybody could type into.
    let listed = socket.call("flightdeck.terminal.list", json!({ "all": true })).unwrap();
    assert_eq!(listed["terminals"], json!([]));
    let typed = socket.call("flightdeck.terminal.keys", json!({ "id": "t1", "text": "x" })).unwrap_err();
    assert_eq!(typed.code, ErrorCode::TerminalNotFound);
    let inside = deck.cli(&["run", "--", "flightdeck", "call", "flightdeck.chat.prompt", "{}"]);
    assert_ne!(inside.code, 0);
    let agent = deck.wait_until("the agent is here", SOON, || {
        let agents = deck.socket().call("flightdeck.agent.list", json!({})).unwrap();
        agents["agents"].as_array()?.iter().find(|agent| agent["name"] == "script-agent").cloned()
    });
    assert_eq!(agent["state"], "idle", "{agent}");
}
