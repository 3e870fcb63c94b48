//! `flightdeck agent` in a plain terminal.

use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

use super::command;

/// How a turn is shown that was cancelled.
const CANCELLED: &str = "\x1b[33mcancelled";

fn agent(before: &[&str]) -> Vec<String> {
    let mut words = vec!["agent".to_owned()];
    words.extend(before.iter().map(|word| (*word).to_owned()));
    words.push("--".to_owned());
    words.extend(command(&[]));
    words
}

fn refs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn one_prompt_prints_the_answer_and_leaves() {
    let deck = Deck::new();
    let ran = deck.cli(&refs(&agent(&["--prompt", "hello there"]))).expect(0);
    assert_eq!(ran.text(), "You said: hello there\n");
    let listed = deck.json(&["agent", "--list", "--json"]);
    assert_eq!((&listed[0]["state"], &listed[0]["title"]), (&json!("gone"), &json!("hello there")), "{listed}");
    let failed = deck.cli(&refs(&agent(&["--prompt", "[{\"fail\": \"no\"}]"])));
    assert_eq!(failed.code, 1);
    let told = deck.cli(&refs(&agent(&["--json", "--prompt", "again"]))).expect(0).text();
    let events: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["type"], "snapshot");
    assert!(events.iter().any(|event| event["entry"]["kind"] == "ended"), "{told}");
}

#[test]
fn the_agents_are_listed_with_how_to_install_them() {
    let deck = Deck::new();
    let listed = deck.cli(&["agent"]).expect(0).text();
    for words in ["claude", "npm install -g @agentclientprotocol/codex-acp", "gemini --acp", "kimi acp", "opencode acp"]
    {
        assert!(listed.contains(words), "{words} is missing in\n{listed}");
    }
}

#[test]
fn a_person_talks_answers_and_cancels_in_a_window() {
    let deck = Deck::new();
    let mut window = deck.window(&refs(&agent(&[])));
    window.wait_for("> ");
    window.type_in(b"demo\r");
    window.wait_for("Always allow");
    window.type_in(b"1\r");
    window.wait_for("you said yes");
    window.wait_for("✓\x1b[0m Edit demo.txt");
    // Not as it is shown: the terminal echoes what is typed.
    window.type_in(b"[{\"say\": \"\\u0062egun\\n\"}, {\"until_cancelled\": true}]\r");
    window.wait_for("begun");
    window.type_in(b"\x03");
    window.wait_for(CANCELLED);
    window.type_in(b"\x04");
    window.wait_for("the agent goes on");
    assert_eq!(window.exit_code(SOON), 0);
    assert_eq!(std::fs::read_to_string(deck.workspace().join("demo.txt")).unwrap(), "one\nthree\n");
    let mut window = deck.window(&["agent", "--resume"]);
    window.wait_for(CANCELLED);
    window.type_in(b"back\r");
    window.wait_for("You said: back");
    window.type_in(b"\x04");
    assert_eq!(window.exit_code(SOON), 0);
    deck.cli(&["agent", "--remove", "c1"]).expect(0);
}
