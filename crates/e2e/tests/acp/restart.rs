//! The hub is killed or stopped in the middle: the next one goes on, and nothing is asked, run or said twice.

use flightdeck_contract::ErrorCode;
use flightdeck_contract::chat::{ChatState, EntryContent};
use flightdeck_e2e::{Deck, Person, SOON};
use serde_json::{Value, json};

use super::{Talk, about, call};

fn permission() -> Value {
    let options = json!([
        { "optionId": "yes", "name": "Allow", "kind": "allow_once" },
        { "optionId": "no", "name": "Reject", "kind": "reject_once" },
    ]);
    json!({ "toolCall": { "toolCallId": "c", "title": "Go on" }, "options": options })
}

#[test]
fn a_killed_hub_finds_terminal_and_permission_again_and_settles_each_once() {
    let deck = Deck::new();
    let record = deck.home().join("record");
    let talk = Talk::start(&deck, &["--record", record.to_str().unwrap()]);
    let go = deck.workspace().join("go");
    let ran = deck.workspace().join("ran");
    let line = format!("echo run >> {}; until test -e {}; do sleep 0.01; done; echo over", ran.display(), go.display());
    let turn = talk.run(json!([
        { "say": "before\n" },
        call("t", "terminal/create", json!({ "command": line })),
        { "begin": "terminal/wait_for_exit", "params": { "terminalId": "${t.terminalId}" }, "as": "exit" },
        { "begin": "session/request_permission", "params": permission(), "as": "asked" },
        { "await": "asked" },
        { "await": "exit" },
        about("output", "output"),
        about("released", "release"),
        { "say": "after\n" },
    ]));
    let first = talk.wait_for("it waits", |chat| chat.state == ChatState::WaitsForApproval).approval.unwrap();
    deck.wait_until("the command runs", SOON, || ran.exists().then_some(()));
    for _ in 0..3 {
        deck.kill_hub();
        let again = talk.wait_for("it waits again", |chat| chat.state == ChatState::WaitsForApproval).approval.unwrap();
        assert_ne!(again, first, "an answer to the first question would be one to another");
    }
    let mut person = Person::at(&deck);
    let waiting = deck.socket().call("flightdeck.approval.list", json!({})).unwrap();
    let waiting = waiting["approvals"].as_array().unwrap();
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    person.answer(json!({ "id": waiting[0]["id"], "choice": "approve" })).unwrap();
    talk.wait_for("the question is settled", |chat| chat.state != ChatState::WaitsForApproval);
    deck.kill_hub();
    std::fs::write(&go, "").unwrap();
    let chat = talk.done();
    assert_eq!(chat.state, ChatState::Done, "{}", talk.story());
    let told = talk.told(turn);
    assert_eq!(told["asked"]["outcome"], json!({ "outcome": "selected", "optionId": "yes" }));
    assert_eq!(told["exit"], json!({ "exitCode": 0, "signal": null }));
    assert_eq!(told["output"]["output"], "over\n");
    assert_eq!(std::fs::read_to_string(&ran).unwrap(), "run\n", "it ran once");
    // Each answer reached the agent once, and so did the prompt.
    let said = std::fs::read_to_string(&record).unwrap();
    let mut answers: Vec<String> = Vec::new();
    let mut prompts = 0;
    for line in said.lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        prompts += usize::from(message["method"] == "session/prompt");
        if message.get("method").is_none() {
            answers.push(message["id"].to_string());
        }
    }
    let count = answers.len();
    answers.sort();
    answers.dedup();
    assert_eq!((answers.len(), prompts), (count, 1), "{said}");
    let text = talk.said();
    assert_eq!((text.matches("before").count(), text.matches("after").count()), (1, 1), "{text}");
    let questions = talk.entries().iter().filter(|entry| matches!(entry.content, EntryContent::Permission(_))).count();
    assert_eq!(questions, 1);
}

#[test]
fn what_an_agent_says_while_no_hub_is_there_is_heard() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let go = deck.workspace().join("go");
    talk.run(json!([{ "say": "first\n" }, { "until_file": go }, { "flood": 300 }, { "say": "last\n" }]));
    talk.wait_for_entry("the first words", |content| matches!(content, EntryContent::Agent { .. }).then_some(()));
    deck.kill_hub();
    std::fs::write(&go, "").unwrap();
    let chat = talk.done();
    assert_eq!(chat.state, ChatState::Done, "{}", chat.reason);
    let text = talk.said();
    let expected: String = (0..300).map(|number| format!("word {number}\n")).collect();
    assert_eq!(text, format!("first\n{expected}last\n"));
}

#[test]
fn an_agent_that_has_ended_is_started_again_with_its_session() {
    let deck = Deck::new();
    for (options, method) in [(&[][..], "session/load"), (&["--resume"][..], "session/resume")] {
        let record = deck.home().join(format!("record{}", options.len()));
        let options: Vec<&str> = options.iter().copied().chain(["--record", record.to_str().unwrap()]).collect();
        let talk = Talk::start(&deck, &options);
        talk.prompt("remember me");
        let session = talk.done().session;
        let before = talk.entries();
        talk.call("stop", json!({}));
        let chat = talk.wait_for("it is gone", |chat| chat.state == ChatState::Gone);
        assert_eq!(chat.reason, "test stopped it");
        let gone = talk.try_call("prompt", json!({ "content": [{ "type": "text", "text": "hi" }] })).unwrap_err();
        assert_eq!(gone.code, ErrorCode::ChatNotReady);
        deck.cli(&["restart"]).expect(0);
        assert_eq!(talk.chat().state, ChatState::Gone, "its end is kept");
        talk.call("restart", json!({}));
        let chat = talk.wait_for("it is back", |chat| chat.state == ChatState::Done);
        assert_eq!(chat.session, session, "never a new session unasked");
        let said = std::fs::read_to_string(&record).unwrap();
        assert_eq!(said.matches(method).count(), 1, "{said}");
        let after = talk.entries();
        assert_eq!(after[..before.len()], before[..], "history stays, and is not told twice");
        assert!(!talk.story().contains("as before"), "{}", talk.story());
        talk.prompt("go on");
        assert_eq!(talk.done().state, ChatState::Done);
    }
}

#[test]
fn one_that_cannot_go_on_says_so() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &["--no-load"]);
    talk.prompt("hello");
    talk.done();
    talk.call("stop", json!({}));
    talk.wait_for("it is gone", |chat| chat.state == ChatState::Gone);
    let refused = talk.try_call("restart", json!({})).unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotSupported, "{refused:?}");
    talk.call("restart", json!({ "fresh": true }));
    talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
    assert!(talk.story().contains("knows nothing of what was said"), "{}", talk.story());
    talk.call("remove", json!({}));
    let gone = deck.socket().call("flightdeck.chat.read", json!({ "id": talk.id })).unwrap_err();
    assert_eq!(gone.code, ErrorCode::ChatNotFound);
}
