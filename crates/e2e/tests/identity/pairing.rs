//! A person vouches for a program by a code: it becomes theirs, and nothing of an agent ever does.

use std::process::Command;
use std::time::Duration;

use flightdeck_e2e::{Deck, Pty};
use serde_json::{Value, json};

use super::places::{Tmux, is_person, is_refused, person};
use super::shell::{self, ATTENDED, BuiltInShell, Scene, executable};

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

/// A sandboxed editor or shell of the person's.
#[test]
fn a_confined_window_is_a_persons_once_it_is_paired_and_what_is_confined_more_is_not() {
    let deck = Deck::new();
    deck.start();
    let mut bash = Command::new("setpriv");
    bash.args(["--no-new-privs", "bash", "--norc", "--noprofile"]).env_clear();
    bash.current_dir(deck.workspace()).envs(shell::variables(&deck));
    let mut window = Pty::start(&bash, 24, 120);
    let ask = |window: &mut Pty, name: &str, wrapper: &str| {
        let (script, found) = person(&deck, name);
        window.type_in(format!("{wrapper} {}\n", script.display()).as_bytes());
        found
    };
    is_refused(&deck, &ask(&mut window, "before", ""), "a confined window");
    window.type_in(b"$BINARY pair\n");
    window.wait_for("Code: ");
    window.type_in(format!("{}\n", new_code(&deck)).as_bytes());
    window.wait_for("paired: ");
    is_person(&deck, &ask(&mut window, "after", ""), "a paired window");
    is_refused(
        &deck,
        &ask(&mut window, "inside", "unshare --user --map-current-user"),
        "a namespace in a paired window",
    );
    window.type_in(b"exit\n");
    window.exit_code(Duration::from_secs(30));
}
