//! `flightdeck consent`: asked once, shown, given and taken.

use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

#[test]
fn it_is_shown_given_and_taken() {
    let deck = Deck::new();
    deck.start();
    let open = deck.cli(&["consent"]).expect(0).text();
    assert!(open.starts_with("nobody has answered yet"), "{open}");
    let shown = deck.json(&["consent", "--json"]);
    assert_eq!((&shown["ask"], &shown["version"]), (&json!(true), &json!(2)), "{shown}");
    let allowed = deck.json(&["consent", "--allow", "--json"]);
    assert_eq!((&allowed["allowed"], &allowed["by"]), (&json!(true), &json!("cli:pilot")), "{allowed}");
    let text = deck.cli(&["consent", "--decline"]).expect(0).text();
    assert!(text.contains("declined by cli:pilot, 0s ago"), "{text}");
    deck.cli(&["restart"]).expect(0);
    assert_eq!(deck.json(&["consent", "--json"])["allowed"], false);
    deck.cli(&["consent", "--allow", "--decline"]).expect(2);
    let noted = deck.cli(&["audit", "--json", "-c", "flightdeck.consent.set"]).expect(0).text();
    let calls: Vec<Value> = noted.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(calls.len() == 2 && calls.iter().all(|call| call["result"] == "ok"), "{calls:#?}");
}

#[test]
fn an_answer_for_now_is_asked_about_again() {
    let deck = Deck::new();
    deck.cli(&["consent", "--decline", "--for-now"]).expect(0);
    assert_eq!(deck.json(&["consent", "--json"])["ask"], false);
    deck.cli(&["restart"]).expect(0);
    assert_eq!(deck.json(&["consent", "--json"])["ask"], true);
}

#[test]
fn a_window_is_asked() {
    let deck = Deck::new();
    let mut window = deck.window(&["consent"]);
    window.wait_for("Allow it? [y/n] ");
    assert!(window.seen().contains("The AI agent can now control your IDE"), "{}", window.seen());
    window.type_in(b"maybe\r");
    window.wait_for_nth("Allow it? [y/n] ", 2);
    window.type_in(b"y\r");
    assert_eq!(window.exit_code(SOON), 0);
    assert_eq!(deck.json(&["consent", "--json"])["allowed"], true);
    let mut again = deck.window(&["consent"]);
    again.wait_for("allowed");
    assert_eq!(again.exit_code(SOON), 0);
    assert!(again.seen().contains("allowed") && !again.seen().contains("[y/n]"), "{}", again.seen());
}
