//! What a person is shown, and what counts as which answer.

use super::*;

fn approval(command: &str, scopes: &[Scope]) -> Approval {
    let pieces = json!([{ "text": command, "start": 0, "end": command.len(), "depth": 0, "danger": "it deletes" }]);
    serde_json::from_value(json!({
        "id": "a1", "agent": "tester#1", "call": "flightdeck.terminal.run", "terminal": "t3",
        "subject": { "kind": "command", "text": command, "cwd": "/work", "pieces": pieces }, "rule": "builtin:rm", "reason": "it deletes files", "dangerous": true,
        "scopes": scopes, "askedAtMs": 0, "expiresAtMs": 1,
    }))
    .unwrap()
}

fn shown(approval: &Approval) -> String {
    message(approval, approval.subject.command().unwrap())
}

#[test]
fn only_an_explicit_yes_is_one() {
    let both = approval("rm -rf x", &[Scope::Once, Scope::Session]);
    let once = approval("rm -rf x", &[Scope::Once]);
    let yes = |scope| Some(Answer::Approved { by: "tester's user".into(), scope, command: None });
    let no =
        |reason: Option<&str>| Some(Answer::Declined { by: "tester's user".into(), reason: reason.map(str::to_owned) });
    let dismissed = |how: &str| Some(Answer::Dismissed { how: format!("tester {how}") });
    let odd = || dismissed("gave an answer that is none of those to choose from");
    for (asked, given, expected) in [
        (&both, json!({ "action": "accept", "content": { "answer": "approve once" } }), yes(Scope::Once)),
        (
            &both,
            json!({ "action": "accept", "content": { "answer": "approve for this session" } }),
            yes(Scope::Session),
        ),
        (&once, json!({ "action": "accept", "content": { "answer": "approve for this session" } }), odd()),
        (
            &both,
            json!({ "action": "accept", "content": { "answer": "decline", "reason": " too risky " } }),
            no(Some("too risky")),
        ),
        (&both, json!({ "action": "accept", "content": { "answer": "decline", "reason": "" } }), no(None)),
        (&both, json!({ "action": "decline" }), no(None)),
        (&both, json!({ "action": "decline", "content": { "answer": "approve once" } }), no(None)),
        (
            &both,
            json!({ "action": "cancel", "content": { "answer": "approve once" } }),
            dismissed("dismissed the question"),
        ),
        (&both, json!({ "action": "accept" }), odd()),
        (&both, json!({ "action": "accept", "content": {} }), odd()),
        (&both, json!({ "action": "accept", "content": { "answer": true } }), odd()),
        (&both, json!({ "action": "accept", "content": { "answer": "approve" } }), odd()),
        (&both, json!({ "action": "accept", "content": { "answer": "Approve once" } }), odd()),
        (&both, json!({ "action": "accept", "content": "approve once" }), odd()),
        (&both, json!({ "action": "ACCEPT", "content": { "answer": "approve once" } }), None),
        (&both, json!({ "answer": "approve once" }), None),
        (&both, json!("approve once"), None),
        (&both, json!(null), None),
    ] {
        assert_eq!(answer(&given, TOO_SOON, asked, "tester"), expected, "{given}");
    }
    let by_itself = dismissed("declined by itself, before anybody can have read the question");
    for given in [json!({ "action": "decline" }), json!({ "action": "accept", "content": { "answer": "decline" } })] {
        assert_eq!(answer(&given, Duration::ZERO, &both, "tester"), by_itself, "{given}");
    }
    let at_once = json!({ "action": "accept", "content": { "answer": "approve once" } });
    let by = "tester on its own".to_owned();
    let told = Some(Answer::Approved { by, scope: Scope::Once, command: None });
    assert_eq!(answer(&at_once, Duration::ZERO, &both, "tester"), told, "no person is said to have spoken");
    let with_reason = json!({ "action": "accept", "content": { "answer": "decline", "reason": "no" } });
    assert_eq!(answer(&with_reason, Duration::ZERO, &both, "tester"), no(Some("no")));
}

#[test]
fn a_reason_is_one_plain_line() {
    let given = json!({ "action": "decline", "content": { "reason": format!("no\u{1b}[2J\n{}", "x".repeat(1000)) } });
    let Some(Answer::Declined { reason: Some(reason), .. }) = answer(&given, TOO_SOON, &approval("ls", &[]), "tester")
    else {
        panic!("a no with a reason");
    };
    assert!(reason.starts_with("no\\u{1b}[2J\\nxxx") && reason.len() == REASON, "{reason}");
}

#[test]
fn the_message_has_what_a_person_needs() {
    let text = shown(&approval("rm -rf x", &[Scope::Once]));
    for part in ["tester#1", "\n> rm -rf x\n", "/work", "terminal t3", "it deletes files", "`rm -rf x`: it deletes"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn nothing_hides_in_the_message() {
    for (command, visible) in [
        ("echo \u{202e}txt", "\n> echo \\u{202e}txt\n"),
        ("echo \u{200b}x\u{e0041}", "\n> echo \\u{200b}x\\u{e0041}\n"),
        ("echo \u{1b}[8mx", "\n> echo \\u{1b}[8mx\n"),
        ("echo a\rls", "\n> echo a\\rls\n"),
        ("ls\n\nWhere: /safe", "\n> ls\n> \n> Where: /safe\n"),
        ("echo 'it\\'s' \"ä 中\"", "\n> echo 'it\\'s' \"ä 中\"\n"),
    ] {
        let text = shown(&approval(command, &[Scope::Once]));
        assert!(text.contains(visible), "{visible:?} is not in {text:?}");
        assert!(!text.chars().any(|char| char != '\n' && char.is_control()), "{text:?}");
    }
    let long = shown(&approval(&format!("echo {} && rm -rf x", "ä".repeat(2 * SHOWN)), &[]));
    assert!(long.contains("more characters: `flightdeck approve --list`"), "{long}");
}

#[test]
fn a_question_is_a_form_that_begins_with_a_no() {
    for (scopes, choices) in
        [(&[Scope::Once][..], json!([DECLINE, ONCE])), (&Scope::ALL, json!([DECLINE, ONCE, SESSION]))]
    {
        let question = serde_json::to_value(question(&approval("ls", scopes)).unwrap()).unwrap();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        let params = &question["params"];
        assert_eq!(params["mode"], "form", "{question}");
        let schema = &params["requestedSchema"];
        assert_eq!(schema["properties"]["answer"]["enum"], choices, "{question}");
        assert_eq!(schema["properties"]["answer"]["default"], Value::Null, "nothing is chosen before: {question}");
        assert_eq!(schema["required"], json!(["answer"]), "{question}");
    }
}

#[test]
fn clients_say_that_they_can_ask() {
    for (capabilities, supported) in [
        (json!({}), false),
        (json!({ "elicitation": {} }), true),
        (json!({ "elicitation": { "form": {} } }), true),
        (json!({ "elicitation": { "form": {}, "url": {} } }), true),
        (json!({ "elicitation": { "url": {} } }), false),
    ] {
        let client: ClientCapabilities = serde_json::from_value(capabilities.clone()).unwrap();
        assert_eq!(is_supported(Some(&client)), supported, "{capabilities}");
    }
    assert!(!is_supported(None));
}
