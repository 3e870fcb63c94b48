//! What a shell reads without showing it is a password, however it reads it: it is told as one, stands nowhere, and reaches
//! the shell as it was typed.

use flightdeck_contract::terminal::InputState;
use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

const KEYS: &str = "flightdeck.terminal.keys";
const RUN: &str = "flightdeck.terminal.run";
const WAIT: &str = "flightdeck.terminal.wait";

/// A secret of seven letters, as some of the questions want it.
const SECRET: &str = "hunter2";

/// A deck whose shells know a function that asks.
fn deck() -> Deck {
    let deck = Deck::new();
    let folder = deck.home().join(".config/fish");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.fish"), "function ask; read --silent -g x; end\n").unwrap();
    deck
}

fn is_nowhere(deck: &Deck, secret: &str, what: &str) {
    let audit = deck.cli(&["audit", "--json", "-n", "1000"]).expect(0).text();
    assert!(!audit.contains(secret), "{what}: {audit}");
    assert!(!deck.dump().contains(secret), "{what}: {}", deck.dump());
}

#[test]
fn what_is_typed_at_a_hidden_question_stands_nowhere() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "codex");
    for (shell, commands) in [
        ("fish", &["read -s x", "read --silent x", "read -s -n 7 x", "ask"] as &[&str]),
        ("bash", &["read -s x", "read -s -n 7 x", "read -e -s x"]),
        ("zsh", &["read -s x", "read -s -k 7 x"]),
        ("dash", &["stty -echo; read x; stty echo"]),
    ] {
        let id = deck.shell(shell);
        for command in commands {
            let enter = if command.contains('7') { "" } else { "\n" };
            let length = if shell == "fish" { "string length $x" } else { "echo ${#x}" };
            // Run, and typed by an agent and by a person.
            for way in ["run", "typed", "person"] {
                let case = format!("{shell} {command} {way}");
                match way {
                    "run" => {
                        let ran = agent.ok(RUN, &json!({ "id": id, "command": command, "timeoutMs": 20_000 }));
                        assert_eq!(ran["data"]["input"], "password", "{case}: {ran}");
                    }
                    "typed" => {
                        deck.type_line(&id, command);
                        let wait = json!({ "id": id, "input": true, "timeoutMs": 20_000 });
                        let waited = agent.ok(WAIT, &wait);
                        assert_eq!(waited["data"]["input"], "password", "{case}: {waited}");
                    }
                    _ => deck.type_line(&id, command),
                }
                deck.wait_until(&case, SOON, || (deck.screen(&id).input == InputState::Password).then_some(()));
                if way == "person" {
                    deck.cli(&["send", &id, &format!("{SECRET}{enter}")]).expect(0);
                } else {
                    agent.ok(KEYS, &json!({ "id": id, "text": format!("{SECRET}{enter}") }));
                }
                deck.at_prompt(&id);
                assert_eq!(deck.run_in(&id, length).output, "7\n", "{case}");
                is_nowhere(&deck, SECRET, &case);
            }
        }
    }
}

#[test]
fn a_question_of_fish_that_shows_what_is_typed_is_no_secret() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = deck.shell("fish");
    let ran = agent.ok(RUN, &json!({ "id": id, "command": "read -P 'name? ' x; echo \"<$x>\"", "timeoutMs": 20_000 }));
    assert_eq!(ran["data"]["input"], "line", "{ran}");
    // It is input and no command: nobody has to be asked about it, unless it looks dangerous.
    let blocked = agent.call(KEYS, &json!({ "id": id, "text": "rm -rf ~\n" }));
    assert_eq!(blocked["code"], "blocked", "{blocked}");
    agent.ok(KEYS, &json!({ "id": id, "text": "it's (me\n" }));
    agent.ok(WAIT, &json!({ "id": id, "pattern": "<it's \\(me>", "timeoutMs": 20_000 }));
    let audit = deck.cli(&["audit", "--json"]).expect(0).text();
    assert!(audit.contains("it's (me"), "{audit}");
    // The next line is a command again.
    deck.at_prompt(&id);
    let asked = agent.call(KEYS, &json!({ "id": id, "text": "rm -rf somewhere\n" }));
    assert_eq!(asked["code"], "approval_unavailable", "{asked}");
}

#[test]
fn hidden_questions_of_scripts_and_of_shells_inside_stand_nowhere_either() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "codex");
    for script in [&["fish", "-c", "read -s x"] as &[&str], &["bash", "-c", "read -s -n 7 x"]] {
        let id = deck.new_terminal(&[&["--"], script].concat());
        let waited = agent.ok(WAIT, &json!({ "id": id, "input": true, "timeoutMs": 20_000 }));
        assert_eq!(waited["data"]["input"], "password", "{script:?}: {waited}");
        agent.ok(KEYS, &json!({ "id": id, "text": format!("{SECRET}\n") }));
        assert_eq!(deck.ended(&id, SOON), 0, "{script:?}");
        is_nowhere(&deck, SECRET, script[0]);
    }
    // Such a shell tells nothing of itself. What was typed there is known.
    let id = deck.shell("bash");
    agent.ok(KEYS, &json!({ "id": id, "text": "fish --no-config\n" }));
    deck.wait_until("fish", SOON, || {
        let info = deck.info(&id);
        (info.foreground.as_deref() == Some("fish") && info.input == InputState::Raw).then_some(())
    });
    agent.ok(KEYS, &json!({ "id": id, "text": "read -s x\n" }));
    deck.on_screen(&id, "read>");
    agent.ok(KEYS, &json!({ "id": id, "text": format!("{SECRET}\n") }));
    is_nowhere(&deck, SECRET, "inside");
}
