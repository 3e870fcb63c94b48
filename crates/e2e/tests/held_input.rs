//! A command on pipes whose standard input is held: it can be written to, outlives the hub, and ends when it is told.

use std::fs;
use std::time::Instant;

use flightdeck_contract::ErrorCode;
use flightdeck_e2e::{Deck, SOON};
use serde_json::json;

fn start(deck: &Deck, command: &[&str]) -> String {
    let args = json!({ "command": command, "pipes": true, "stdin": true });
    deck.socket().call("flightdeck.terminal.new", args).unwrap()["id"].as_str().unwrap().to_owned()
}

/// What was written to it, as it is noted.
fn said(deck: &Deck, id: &str) -> String {
    let folder = fs::read_dir(deck.terminal_dir(id).join("input")).unwrap();
    let mut segments: Vec<_> =
        folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().unwrap() == "seg").collect();
    segments.sort();
    segments.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn it_goes_on_with_the_next_hub_and_ends_with_its_input() {
    let deck = Deck::new();
    let id = start(&deck, &["sh", "-c", "while read line; do echo \"got $line\"; done; echo over; exit 5"]);
    deck.socket().call("flightdeck.terminal.keys", json!({ "id": id, "text": "one\ntw" })).unwrap();
    let pid = deck.info(&id).pid;
    deck.kill_hub();
    deck.socket().call("flightdeck.terminal.keys", json!({ "id": id, "text": "o", "keys": ["Enter"] })).unwrap();
    deck.cli(&["wait", &id, "--pattern", "got two", "--from", "0"]).expect(0);
    assert_eq!(deck.info(&id).pid, pid, "it is the same program");
    assert_eq!(said(&deck, &id), "one\ntwo\n");
    deck.socket().call("flightdeck.terminal.keys", json!({ "id": id, "keys": ["C-d"] })).unwrap();
    assert_eq!(deck.ended(&id, SOON), 5);
    assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), "got one\ngot two\nover\n");
}

#[test]
fn one_that_does_not_read_holds_up_nobody_else() {
    let deck = Deck::new();
    let deaf = start(&deck, &["sleep", "1000"]);
    let echo = start(&deck, &["cat"]);
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            let text = "x".repeat(300_000);
            deck.socket().call("flightdeck.terminal.keys", json!({ "id": deaf, "text": text })).unwrap_err()
        });
        deck.wait_until("the pipe is full", SOON, || {
            let noted = fs::metadata(deck.terminal_dir(&deaf).join("input/00000000000000000000.seg"));
            noted.is_ok_and(|noted| noted.len() >= 65_536).then_some(())
        });
        let begun = Instant::now();
        deck.socket().call("flightdeck.terminal.keys", json!({ "id": echo, "text": "words\n" })).unwrap();
        deck.cli(&["wait", &echo, "--pattern", "words", "--from", "0"]).expect(0);
        assert!(begun.elapsed() < SOON);
        deck.cli(&["kill", &deaf]).expect(0);
        assert_eq!(writing.join().unwrap().code, ErrorCode::TerminalEnded);
    });
}

#[test]
fn a_held_input_needs_pipes() {
    let deck = Deck::new();
    let refused =
        deck.socket().call("flightdeck.terminal.new", json!({ "command": ["cat"], "stdin": true })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidArgument);
    let closed = start(&deck, &["sh", "-c", "exec 0<&-; echo closed; exec sleep 1000"]);
    deck.cli(&["wait", &closed, "--pattern", "closed", "--from", "0"]).expect(0);
    let refused = deck.socket().call("flightdeck.terminal.keys", json!({ "id": closed, "text": "x" })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::NoTerminal, "{refused:?}");
}
