//! A person vouches for a program by a code: it becomes theirs, and nothing of an agent ever does.

use serde_json::{Value, json};

use flightdeck_e2e::Deck;

use super::places::{Tmux, is_person, is_refused, person};
use super::shell::{ATTENDED, BuiltInShell, Scene, executable};

fn new_code(deck: &Deck) -> String {
    let made: Value = deck.cli(&["pair", "--json"]).expect(0).json();
    made["code"].as_str().unwrap().to_owned()
}

/// A script that gives a code and leaves the answer.
fn gives(deck: &Deck, code: &str) -> String {
    let binary = deck.command(&[]).get_program().to_str().unwrap().to_owned();
    format!("timeout 30 {binary} call flightdeck.hub.pair '{}' 2>/dev/null", json!({ "code": code }))
}

/// Beside an agent nobody can tell whose a tmux server is that puts itself into the background.
#[test]
fn a_tmux_started_beside_an_agent_is_a_persons_once_it_is_paired() {
    let deck = Deck::new();
    deck.start();
    let mut agent = BuiltInShell::start(&deck);
    let tmux = Tmux::of(&deck, "mine.tmux");
    let hold = deck.workspace().join("hold");
    executable(&hold, "exec sleep 1000");
    tmux.open(&deck, &["new-session", "-d"], &hold);
    let ask = |name: &str| {
        let (script, found) = person(&deck, name);
        tmux.open(&deck, &["new-window", "-d"], &script);
        found
    };
    is_refused(&deck, &ask("before"), "an unpaired tmux");

    let give = |number: usize, code: &str| {
        let scene = Scene::new(&deck, number, ATTENDED[0], &gives(&deck, code), false);
        tmux.open(&deck, &["new-window", "-d"], &scene.outer);
        let said = scene.said(&deck, "the pairing");
        serde_json::from_str::<Value>(&said).unwrap_or_else(|_| panic!("{said}"))
    };
    let code = new_code(&deck);
    let refused = give(10, "AAAA-AAAA");
    assert_eq!(refused["code"], "invalid_argument", "{refused}");
    let paired = give(11, &code);
    assert_eq!(paired["data"]["program"], "tmux: server", "{paired}");
    is_person(&deck, &ask("after"), "a paired tmux");
    let refused = give(12, &code);
    assert_eq!(refused["code"], "invalid_argument", "a person already: {refused}");

    // An agent's own shell is refused with the right code, which stays unused.
    let code = new_code(&deck);
    for (number, disguise) in ATTENDED.into_iter().enumerate() {
        let scene = Scene::new(&deck, number, disguise, &gives(&deck, &code), false);
        agent.run(&scene.outer);
        let said = scene.said(&deck, disguise.name);
        assert!(said.contains("not_allowed"), "{}: {said}", disguise.name);
    }
    deck.cli(&["restart"]).expect(0);
    is_person(&deck, &ask("restarted"), "a paired tmux after a restart of the hub");

    // The audit log has who paired what, and no code.
    let log = deck.cli(&["audit", "--json", "--command", "flightdeck.hub.pair"]).expect(0).text();
    assert!(log.contains("unknown program#0") && !log.contains(&code), "{log}");
}

#[test]
fn a_terminal_of_the_hub_is_not_paired() {
    let deck = Deck::new();
    let mut agent = flightdeck_e2e::Agent::new(&deck, "sly");
    let code = new_code(&deck);
    let ran = agent.ok("flightdeck.terminal.run", &json!({ "command": gives(&deck, &code) }));
    assert!(ran.to_string().contains("not_allowed"), "{ran}");
}
