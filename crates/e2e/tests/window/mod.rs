//! The desktop window on a real display: real keys, a real hub, real agents. It is built apart from the rest, so these are
//! run by `make desktop-test`, the last step of `make test`.

mod answers;
mod heard;
mod launched;
mod protect;
mod rules;
mod starting;
mod typing;

use flightdeck_e2e::{Agent, Deck, Window};
use serde_json::{Value, json};

const TOOL: &str = "memory_terminal_interactive";

fn execute(mode: &str, command: &str) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": mode, "intent": "execute_command" },
        "execution": { "command": command },
    })
}

/// A workspace whose person has answered about panes already.
fn deck() -> Deck {
    let deck = Deck::new();
    deck.cli(&["consent", "--allow"]).expect(0);
    deck
}

/// How a prompt of bash ends.
fn prompt() -> &'static str {
    if rustix::process::getuid().is_root() { "#" } else { "$" }
}

/// A deck with one terminal, whose shell is at its prompt.
fn with_terminal(deck: &Deck) {
    deck.cli(&["new"]).expect(0);
    deck.cli(&["wait", "t1", "--prompt"]).expect(0);
}

/// What waits for a person.
fn waiting(deck: &Deck) -> usize {
    deck.json(&["approve", "--list", "--json"])["approvals"].as_array().unwrap().len()
}

/// A command that removes a folder, which nobody runs unasked.
const REMOVAL: &str = "rm -rf build && echo do''ne";

/// Allows the removal that was asked for, by the keyboard, and sees that it was carried out.
#[track_caller]
fn allow_removal(deck: &Deck, window: &mut Window, agent: &mut Agent, asked: u64) {
    window.tab_to("Allow once");
    window.press(&["space"]);
    let answer = agent.result(asked);
    assert_eq!(answer["success"], true, "{answer}");
    assert!(answer["result"]["stdout"].as_str().unwrap().contains("done"), "{answer}");
    assert!(!deck.workspace().join("build").exists(), "it ran");
}
