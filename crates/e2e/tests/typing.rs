//! What agents type at a prompt is a command, however it comes; what they answer to a program is not.

use flightdeck_e2e::{Agent, Deck, Person, SOON, in_each_shell};
use serde_json::{Value, json};

const KEYS: &str = "flightdeck.terminal.keys";

fn doomed(deck: &Deck) -> std::path::PathBuf {
    let folder = deck.workspace().join("doomed");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[track_caller]
fn refused(answer: &Value) {
    assert_eq!((&answer["success"], &answer["code"]), (&json!(false), &json!("approval_unavailable")), "{answer}");
}

fn a_dangerous_line_is_refused_however_it_is_typed(shell: &str) {
    let deck = Deck::new();
    let folder = doomed(&deck);
    let id = deck.shell(shell);
    deck.at_prompt(&id);
    let mut agent = Agent::new(&deck, "codex");
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed\n" })));
    refused(&agent.call(KEYS, &json!({ "id": id, "paste": "rm -rf doomed\n" })));
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed", "keys": ["Enter"] })));
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed", "keys": ["C-m"] })));
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed", "keys": ["C-j"] })));
    refused(&agent.call("openspace.terminal.send", &json!({ "terminalId": id, "text": "echo 1; rm -rf doomed\r" })));
    // In pieces, none of which says anything.
    for piece in ["r", "m -r", "f doo", "med"] {
        agent.ok(KEYS, &json!({ "id": id, "text": piece }));
    }
    let answer = agent.call(KEYS, &json!({ "id": id, "keys": ["Enter"] }));
    refused(&answer);
    let advice = "`rm -rf doomed` still stands at the prompt: C-u clears it";
    assert!(answer["hint"].as_str().unwrap().contains(advice), "{answer}");
    agent.ok(KEYS, &json!({ "id": id, "keys": ["C-u"] }));
    // Of what is refused whole, nothing is typed.
    let answer = agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed\n" }));
    assert!(!answer["hint"].as_str().unwrap().contains("stands"), "{answer}");
    agent.ok(KEYS, &json!({ "id": id, "text": "echo cl'ear'ed\n" }));
    deck.on_screen(&id, "cleared");
    // What is harmless runs.
    let id = deck.shell(shell);
    deck.at_prompt(&id);
    agent.ok(KEYS, &json!({ "id": id, "text": "echo 4'2'2\n" }));
    deck.on_screen(&id, "422");
    assert!(folder.is_dir());
}

in_each_shell!(a_dangerous_line_is_refused_however_it_is_typed);

#[test]
fn a_line_that_only_the_shell_knows_is_asked_about() {
    let deck = Deck::new();
    let folder = doomed(&deck);
    let id = deck.shell("bash");
    // A person ran it before: it is in the history, one key away.
    deck.run_in(&id, "echo rm -rf doomed");
    let mut agent = Agent::new(&deck, "codex");
    refused(&agent.call(KEYS, &json!({ "id": id, "keys": ["Up", "Home", "Delete", "Enter"] })));
    refused(&agent.call(KEYS, &json!({ "id": id, "keys": ["C-r"] })));
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "!!\n" })));
    // What was left in the line before a prompt came is still there.
    agent.ok(KEYS, &json!({ "id": id, "text": "true\nrm -rf doomed" }));
    deck.on_screen(&id, "rm -rf doomed");
    refused(&agent.call(KEYS, &json!({ "id": id, "keys": ["Enter"] })));
    agent.ok(KEYS, &json!({ "id": id, "keys": ["C-c"] }));
    deck.at_prompt(&id);
    // What a person has begun to type is not known either.
    deck.cli(&["send", &id, "rm -rf doo"]).expect(0);
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "med\n" })));
    let mut person = Person::at(&deck);
    let asked = agent.begin(KEYS, &json!({ "id": id, "text": "med\n" }));
    let approval = person.decline_next("not that");
    assert!(approval.dangerous, "{approval:?}");
    assert_eq!(agent.result(asked)["code"], "declined");
    assert!(folder.is_dir());
}

#[test]
fn an_answer_to_a_program_is_no_command() {
    let deck = Deck::new();
    let folder = doomed(&deck);
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    let asking =
        agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": "read -p 'name? ' x; echo \"<$x>\"" }));
    deck.on_screen(&id, "name?");
    deck.wait_until("the question", SOON, || (deck.info(&id).foreground.as_deref() == Some("bash")).then_some(()));
    agent.ok(KEYS, &json!({ "id": id, "text": "cat\n" }));
    assert!(agent.result(asking)["output"].as_str().unwrap().contains("<cat>"));
    agent.ok(KEYS, &json!({ "id": id, "text": "cat\n" }));
    deck.wait_until("cat reads", SOON, || (deck.info(&id).foreground.as_deref() == Some("cat")).then_some(()));
    deck.wait_until("cat waits for a line", SOON, || {
        (serde_json::to_value(deck.info(&id).input).unwrap() == "line").then_some(())
    });
    // No shell could read it, and none has to.
    agent.ok(KEYS, &json!({ "id": id, "text": "it's a (fine day\n" }));
    deck.on_screen(&id, "it's a (fine day\nit's a (fine day");
    // But a program may end and leave the rest to the shell below it.
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "\u{4}rm -rf doomed\n" })));
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "x\nrm -rf doomed\n" })));
    agent.ok(KEYS, &json!({ "id": id, "keys": ["C-c"] }));
    assert!(folder.is_dir());
}

#[test]
fn what_is_typed_ahead_waits_for_the_shell_and_is_a_command() {
    let deck = Deck::new();
    let folder = doomed(&deck);
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    agent.ok(KEYS, &json!({ "id": id, "text": "sleep 60\n" }));
    deck.wait_until("it sleeps", SOON, || (deck.info(&id).foreground.as_deref() == Some("sleep")).then_some(()));
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed\n" })));
    agent.ok(KEYS, &json!({ "id": id, "keys": ["C-c"] }));
    // A shell in the shell is a shell.
    agent.ok(KEYS, &json!({ "id": id, "text": "bash --norc\n" }));
    deck.on_screen(&id, "bash-5");
    refused(&agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed\n" })));
    assert!(folder.is_dir());
}

#[test]
fn what_is_written_to_a_shell_on_pipes_is_a_command_too() {
    let deck = Deck::new();
    let folder = doomed(&deck);
    let mut agent = Agent::new(&deck, "codex");
    for command in [json!(["sh"]), json!(["env", "bash"]), json!(["sh", "-c", "nice sh; true"])] {
        let new = json!({ "command": command, "pipes": true, "stdin": true });
        let id = agent.ok("flightdeck.terminal.new", &new)["data"]["id"].as_str().unwrap().to_owned();
        agent.ok(KEYS, &json!({ "id": id, "text": "echo 4'2'2\n" }));
        deck.cli(&["wait", &id, "--pattern", "422", "--from", "0"]).expect(0);
        refused(&agent.call(KEYS, &json!({ "id": id, "text": "rm -rf doomed\n" })));
        agent.ok(KEYS, &json!({ "id": id, "text": "rm -rf doo" }));
        refused(&agent.call(KEYS, &json!({ "id": id, "text": "med", "keys": ["Enter"] })));
    }
    assert!(folder.is_dir());
}

/// The terminal makes signals of them, and nothing is typed.
#[test]
fn a_program_that_does_not_read_can_be_suspended_and_quit() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in ["bash", "zsh", "fish", "dash"] {
        for key in ["C-z", "C-\\"] {
            let id = agent.ok("flightdeck.terminal.new", &json!({ "shell": shell }))["data"]["id"].clone();
            let name = id.as_str().unwrap();
            deck.at_prompt(name);
            agent.ok(KEYS, &json!({ "id": id, "text": "sleep 1234\n" }));
            let runs = || (deck.info(name).foreground.as_deref() == Some("sleep")).then_some(());
            deck.wait_until("it runs", SOON, runs);
            // The second one would be a key at the prompt.
            refused(&agent.call(KEYS, &json!({ "id": id, "keys": [key, key] })));
            agent.ok(KEYS, &json!({ "id": id, "keys": [key] }));
            deck.at_prompt(name);
            // The line is known after it.
            let typed = agent.ok(KEYS, &json!({ "id": id, "text": "echo ty''ped\n" }));
            let waited = agent.ok(
                "flightdeck.terminal.wait",
                &json!({ "id": id, "pattern": "^typed", "from": typed["data"]["cursor"] }),
            );
            assert_eq!(waited["data"]["line"], "typed", "{shell} {key}: {waited}");
        }
    }
}
