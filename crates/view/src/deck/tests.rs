#![allow(clippy::needless_pass_by_value, reason = "what is shown is written in place")]

use serde_json::{Value, json};

use super::*;

fn terminal(id: u32, more: Value) -> Value {
    let mut terminal = json!({
        "id": format!("t{id}"), "title": "bash", "kind": "shell", "cwd": "/w/shop", "size": {"rows": 24, "cols": 80},
        "atPrompt": true, "bells": 0, "running": true, "stalled": false, "createdBy": "codex#1"
    });
    terminal.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    terminal
}

fn approval(id: u32, asked: i64) -> Value {
    json!({
        "id": format!("a{id}"), "agent": "codex#1", "call": "flightdeck.terminal.run",
        "subject": {"kind": "command", "text": "cd x && rm -rf y", "cwd": "/w/shop/web", "editable": true,
            "pieces": [{"text": "rm -rf y", "start": 8, "end": 16, "depth": 0, "danger": "deletes a folder"}]},
        "rule": "danger:deletes-tree", "reason": "it deletes", "dangerous": true,
        "scopes": ["once", "session", "always"], "askedAtMs": asked, "expiresAtMs": asked + 1000
    })
}

fn deck(terminals: Vec<Value>, agents: Vec<Value>, approvals: Vec<Value>) -> Deck {
    let mut deck = Deck::new("window:me", "/w/shop");
    let snapshot = json!({"type": "snapshot", "snapshot": {
        "epoch": 1, "seq": 5, "terminals": terminals, "agents": agents, "approvals": []}});
    deck.take(serde_json::from_value(snapshot).unwrap());
    deck.approvals = approvals.into_iter().map(|one| serde_json::from_value(one).unwrap()).collect();
    deck
}

fn shown(deck: &Deck, list: List) -> Vec<Value> {
    deck.rows(list).iter().map(|row| serde_json::from_str(&row.json).unwrap()).collect()
}

#[test]
fn terminals_say_what_they_do_and_who_holds_them() {
    let held = |actor: &str, human: bool| json!({"lease": {"actor": actor, "human": human, "since": 1.0}});
    let deck = deck(
        vec![
            terminal(1, json!({})),
            terminal(2, json!({"atPrompt": false, "runningCommand": "npm run dev", "cwd": "/w/shop/web"})),
            terminal(3, json!({"running": false, "exitCode": 2})),
            terminal(4, held("window:me", true)),
            terminal(5, held("codex#1", false)),
        ],
        vec![],
        vec![],
    );
    let rows = shown(&deck, List::Terminals);
    let of = |at: usize, name: &str| rows[at][name].as_str().unwrap().to_owned();
    assert_eq!((of(0, "mark"), of(0, "state")), ("○".to_owned(), "shop".to_owned()));
    assert_eq!((of(1, "mark"), of(1, "state")), ("●".to_owned(), "npm run dev".to_owned()));
    assert_eq!((of(2, "mark"), of(2, "state"), of(2, "tone")), ("✗".into(), "ended · exit 2".into(), "danger".into()));
    assert_eq!((&rows[3]["mine"], &rows[3]["holder"]["name"]), (&json!(true), &json!("you")));
    assert_eq!((&rows[4]["mine"], &rows[4]["holder"]["name"]), (&json!(false), &json!("codex")));
    assert!(deck.holds("t4".parse().unwrap()) && !deck.holds("t5".parse().unwrap()));
}

#[test]
fn what_needs_a_person_is_in_order_and_complete() {
    // The call that began it has returned, and the program waits on.
    let idle = json!({"name": "codex", "number": 1, "state": "idle", "reason": "nothing", "sinceMs": 150});
    let asks = json!({"asks": {"kind": "password", "agent": "codex#1", "sinceMs": 150}, "atPrompt": false});
    let mut deck = deck(vec![terminal(2, asks)], vec![idle], vec![approval(2, 200), approval(1, 100)]);
    deck.consent =
        Some(Consent { ask: true, allowed: None, by: None, at_ms: None, version: 2, text: "May they?".into() });
    let keys: Vec<_> = deck.rows(List::Needs).into_iter().map(|row| row.key).collect();
    assert_eq!(keys, ["a1", "input-t2", "a2", "consent"]);
    let asked = &shown(&deck, List::Needs)[1];
    assert_eq!((&asked["terminal"], &asked["text"]), (&json!("t2"), &json!("the program in t2 asks for a password")));
    assert_eq!(asked["actor"]["name"], "codex");
    let first = &shown(&deck, List::Needs)[0];
    assert_eq!(
        first["spans"],
        json!([{"text": "cd x && ", "danger": ""}, {"text": "rm -rf y", "danger": "deletes a folder"}])
    );
    assert_eq!((&first["folder"], &first["heading"]), (&json!("web"), &json!("wants to run")));
    // There is no rule to offer, so `always` is not offered.
    let scopes: Vec<_> = first["scopes"].as_array().unwrap().iter().map(|scope| scope["name"].clone()).collect();
    assert_eq!(scopes, [json!("once"), json!("session")]);
}

#[test]
fn an_agent_keeps_its_colour_when_others_come_and_go() {
    let agent = |name: &str| json!({"name": name, "number": 1, "state": "idle", "reason": "", "sinceMs": 1});
    let mut deck = deck(vec![], vec![agent("one"), agent("two")], vec![]);
    let hue = |deck: &Deck, name: &str| {
        let row = shown(deck, List::Agents).into_iter().find(|row| row["actor"]["name"] == name).unwrap();
        row["actor"]["hue"].as_u64().unwrap()
    };
    let before = hue(&deck, "two");
    for change in [
        json!({"type": "agent_forgotten", "name": "one", "number": 1}),
        json!({"type": "agent", "agent": agent("three")}),
    ] {
        let changes = json!({"type": "changes", "changes": [{"seq": 6, "change": change}]});
        deck.take(serde_json::from_value(changes).unwrap());
    }
    assert_eq!(hue(&deck, "two"), before);
    assert_ne!(hue(&deck, "three"), before);
}

#[test]
fn changes_touch_the_lists_that_they_are_about() {
    let mut deck = deck(vec![terminal(1, json!({}))], vec![], vec![]);
    let change = |seq: u64, change: Value| {
        serde_json::from_value(json!({"type": "changes", "changes": [{"seq": seq, "change": change}]})).unwrap()
    };
    let lists = deck.take(change(
        6,
        json!({"type": "terminal_changed", "terminal": terminal(1, json!({"title": "new"})), "aspects": ["title"]}),
    ));
    assert_eq!((lists, deck.at), (vec![List::Terminals], Some((1, 6))));
    assert_eq!(shown(&deck, List::Terminals)[0]["title"], "new");
    assert_eq!(deck.take(change(7, json!({"type": "terminal_gone", "id": "t1"}))), [List::Terminals]);
    assert!(deck.rows(List::Terminals).is_empty());
}

#[test]
fn a_request_that_has_just_come_is_not_taken_back_by_an_older_look() {
    let mut deck = deck(vec![], vec![], vec![approval(1, 1)]);
    let earlier = json!({"type": "changes", "changes": [{"seq": 6, "change": {"type": "approvals", "approvals": []}}]});
    assert_eq!(deck.take(serde_json::from_value(earlier).unwrap()), []);
    assert_eq!(deck.rows(List::Needs).len(), 1);
}

#[test]
fn the_log_is_bounded_and_newest_first() {
    let mut deck = deck(vec![], vec![], vec![]);
    let call = |seq: u64| {
        json!({"seq": seq, "atMs": 1, "actor": "codex#1", "surface": "mcp-stdio", "command": "x", "args": "{}",
            "decision": "allowed", "rule": "", "reason": "", "result": "ok"})
    };
    let calls: Vec<_> = (1..=600).map(call).collect();
    deck.take(serde_json::from_value(json!({"type": "audit", "calls": calls, "next": 601})).unwrap());
    let rows = deck.rows(List::Activity);
    assert_eq!((rows.len(), rows[0].key.as_str(), deck.audit_next), (500, "600", Some(601)));
}

#[test]
fn an_agent_at_work_is_shown_with_what_it_runs() {
    let works = json!({"name": "codex", "number": 1, "state": "working", "reason": "1 call", "sinceMs": 1,
        "command": "flightdeck.terminal.run"});
    let mut deck = deck(vec![], vec![works], vec![]);
    assert_eq!(shown(&deck, List::Agents)[0]["doing"], "1 call");
    let call = json!({"seq": 1, "atMs": 1, "actor": "codex#1", "surface": "mcp-stdio", "command": "flightdeck.terminal.run",
        "args": "{\"command\":\"npm test\"}", "terminal": "t3", "decision": "allowed", "rule": "", "reason": "",
        "result": "running", "summary": [{"kind": "text", "text": "ran "}, {"kind": "command", "text": "npm test"},
            {"kind": "text", "text": " in "}, {"kind": "terminal", "id": "t3"}]});
    let lists = deck.take(serde_json::from_value(json!({"type": "audit", "calls": [call], "next": 2})).unwrap());
    assert_eq!(lists, [List::Activity, List::Agents]);
    assert_eq!(shown(&deck, List::Agents)[0]["doing"], "npm test in t3");
}

#[test]
fn what_an_agent_asks_is_shown_with_its_files_and_hides_nothing() {
    let asks = |id: u32, subject: Value| {
        let mut asked = approval(id, i64::from(id));
        asked["subject"] = subject;
        asked
    };
    let permission = json!({"kind": "permission", "title": "Edit \u{202e}txt.sh", "options": [],
        "diff": "+a\u{200b}b\n\tc", "locations": ["/w/shop/src/\u{1b}a.rs", "/etc/passwd"]});
    let write = json!({"kind": "file_write", "path": "/w/shop/x\u{202e}y", "diff": "-a\n+b"});
    let deck = deck(vec![], vec![], vec![asks(1, permission), asks(2, write), approval(3, 3)]);
    let rows = shown(&deck, List::Needs);
    assert_eq!(rows[0]["text"], "Edit \\u{202e}txt.sh");
    assert_eq!(rows[0]["locations"], json!(["src/\\x1ba.rs", "/etc/passwd"]));
    assert_eq!(rows[0]["diff"], "+a\\u{200b}b\n\tc");
    assert_eq!((&rows[1]["text"], &rows[1]["locations"]), (&json!("/w/shop/x\\u{202e}y"), &json!([])));
    assert_eq!((&rows[0]["unseen"], &rows[2]["unseen"]), (&json!(true), &json!(false)));
    // A command can be edited: it is given as it is, and shown by its spans.
    assert_eq!(rows[2]["text"], "cd x && rm -rf y");
}

#[test]
fn another_window_of_the_same_person_is_theirs_too() {
    let held = json!({"lease": {"actor": "web:1", "human": true, "since": 1.0}, "sizeBy": "web:1"});
    let row = &shown(&deck(vec![terminal(1, held)], vec![], vec![]), List::Terminals)[0];
    assert_eq!((&row["holder"]["name"], &row["mine"]), (&json!("you"), &json!(false)));
    assert_eq!(row["sizeBy"], "another window of yours");
}
