//! Commands that no shell can read are refused at once, on every surface, before a person is asked; and the shell goes on.

use flightdeck_e2e::{Agent, Deck};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";
const CANONICAL: &str = "memory_terminal_interactive";

/// Texts, and where what is open in them begins or what is misplaced in them stands.
const FAULTY: &[(&str, usize, usize)] = &[
    ("echo 'unclosed", 1, 6),
    ("echo \"unclosed", 1, 6),
    ("for i in 1 2 3", 1, 1),
    ("echo $(", 1, 6),
    ("cat <<EOF\nhi", 1, 5),
    ("echo a\\", 1, 7),
    ("true\nif true; then", 2, 1),
    ("(", 1, 1),
    ("{", 1, 1),
    (")", 1, 1),
    ("| cat", 1, 1),
    ("ls ;; ls", 1, 4),
    ("true\ndone", 2, 1),
    ("}", 1, 1),
    ("echo hi &&", 1, 9),
    ("ls >", 1, 4),
    ("echo ${", 1, 6),
];

/// The same for fish.
const FAULTY_IN_FISH: &[(&str, usize, usize)] = &[
    ("echo 'unclosed", 1, 6),
    ("echo (ls", 1, 6),
    ("true\nif true", 2, 1),
    ("for i in 1 2; do echo $i; done", 1, 1),
    ("echo hi &&", 1, 9),
    ("ls >", 1, 4),
    (")", 1, 1),
    ("}", 1, 1),
    ("| cat", 1, 1),
    ("true\nend", 2, 1),
    ("cat <<EOF\nhi\nEOF", 1, 5),
    ("echo $?", 1, 6),
    ("x=1", 1, 1),
];

/// What is no text for a shell.
fn faulty(shell: &str) -> &'static [(&'static str, usize, usize)] {
    if shell == "fish" { FAULTY_IN_FISH } else { FAULTY }
}

fn refused(answer: &Value, line: usize, column: usize) {
    assert_eq!(answer["success"], false, "{answer}");
    let error = &answer["error"];
    let details = if error["details"].is_object() { &error["details"] } else { &answer["details"] };
    assert_eq!((&details["line"], &details["column"]), (&json!(line), &json!(column)), "{answer}");
    let what = details["missing"].as_str().or(details["misplaced"].as_str());
    assert!(what.is_some_and(|what| !what.is_empty()), "{answer}");
}

fn nobody_was_asked(deck: &Deck) {
    let listed = deck.socket().call("flightdeck.approval.list", json!({})).unwrap();
    assert_eq!(listed["approvals"], json!([]), "{listed}");
}

#[test]
fn a_run_that_no_shell_can_read_is_refused_in_every_shell() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    for shell in ["bash", "zsh", "dash", "fish"] {
        let id = deck.shell(shell);
        for (command, line, column) in faulty(shell) {
            let answer = agent.call(RUN, &json!({ "id": id, "command": command }));
            assert_eq!(answer["code"], "syntax_error", "{shell} {command:?}: {answer}");
            refused(&answer, *line, *column);
        }
        assert_eq!(deck.run_in(&id, "echo next").output, "next\n", "{shell}");
    }
    // In a shell of its own.
    for (command, line, column) in FAULTY {
        let answer = agent.call(RUN, &json!({ "command": command }));
        assert_eq!(answer["code"], "syntax_error", "{command:?}: {answer}");
        refused(&answer, *line, *column);
    }
    nobody_was_asked(&deck);
}

#[test]
fn what_is_typed_and_what_is_only_asked_about_is_read_the_same_way() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    for shell in ["bash", "zsh", "dash", "fish"] {
        let id = deck.shell(shell);
        deck.at_prompt(&id);
        for (command, line, column) in faulty(shell) {
            // A line that ends with a backslash runs nothing yet, and can be gone on with.
            if command.ends_with('\\') {
                continue;
            }
            let keys = json!({ "id": id, "text": command, "keys": ["Enter"] });
            let typed = agent.call("flightdeck.terminal.keys", &keys);
            assert_eq!(typed["code"], "syntax_error", "{shell} {command:?}: {typed}");
            refused(&typed, *line, *column);
        }
        assert_eq!(deck.run_in(&id, "echo next").output, "next\n", "{shell}");
    }
    for (command, line, column) in FAULTY {
        for mode in ["headless", "interactive", "terminal", "tabs"] {
            let answer = agent.call("flightdeck.policy.test", &json!({ "command": command, "mode": mode }));
            assert_eq!(answer["code"], "syntax_error", "{mode} {command:?}: {answer}");
            refused(&answer, *line, *column);
        }
        let told = deck.cli(&["policy", "test", command]).expect(1).errors();
        assert!(told.contains(&format!("line {line}, column {column}")), "{command:?}: {told}");
    }
    nobody_was_asked(&deck);
    // A person may type what they like, also in pieces.
    let id = deck.shell("bash");
    deck.at_prompt(&id);
    deck.cli(&["send", &id, "echo 'one", "-e"]).expect(0);
    deck.cli(&["send", &id, "two'", "-e"]).expect(0);
    deck.cli(&["wait", &id, "--pattern", "^two$"]).expect(0);
}

#[test]
fn what_is_only_valid_in_another_shell_is_not_refused() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    for (shell, command, output) in [
        ("zsh", "for i in 1 2; echo $i", "1\n2\n"),
        ("zsh", "{ echo hi }", "hi\n"),
        ("zsh", "if [[ 1 == 1 ]] echo yes", "yes\n"),
        ("zsh", "repeat 2 echo x", "x\nx\n"),
        ("zsh", "; echo hi", "hi\n"),
        ("dash", "echo [[ -f x", "[[ -f x\n"),
        ("fish", "if true; echo yes; end", "yes\n"),
        ("fish", "for i in (seq 2); echo $i; end", "1\n2\n"),
        ("fish", "; echo `ls` it\\'s", "`ls` it's\n"),
        ("fish", "begin; echo a; end | string upper", "A\n"),
    ] {
        let id = deck.shell(shell);
        let text = deck.cli(&["run", "--in", &id, "--", command]).expect(0).text();
        assert_eq!(text, output, "{shell} {command}");
        let answer = agent.call(RUN, &json!({ "id": id, "command": command, "timeoutMs": 1 }));
        assert_ne!(answer["code"], "syntax_error", "{shell} {command}: {answer}");
    }
}

#[test]
fn the_canonical_contract_refuses_them_too() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    for (command, line, column) in FAULTY {
        for mode in ["headless", "interactive"] {
            let request = json!({
                "action": "execute",
                "invocation": { "mode": mode, "intent": "execute_command" },
                "execution": { "command": command },
            });
            let answer = agent.call(CANONICAL, &request);
            assert_eq!(answer["error"]["code"], "PM_TERM_INVALID_PAYLOAD", "{mode} {command:?}: {answer}");
            refused(&answer, *line, *column);
        }
    }
    nobody_was_asked(&deck);
}

#[test]
fn harmless_variables_are_taken_headless_and_others_are_named() {
    let deck = Deck::new();
    std::fs::write(deck.workspace().join("names"), "b\na\n").unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let mut with = |name: &str, value: &str| {
        let request = json!({
            "action": "execute",
            "invocation": { "mode": "headless", "intent": "execute_command" },
            "execution": { "command": "sort names", "env": { name: value } },
        });
        agent.call(CANONICAL, &request)
    };
    for (name, value) in [("LANG", "C"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("NO_COLOR", "1"), ("COLUMNS", "80")] {
        let answer = with(name, value);
        assert_eq!(answer["result"]["stdout"], "a\nb\n", "{name}: {answer}");
    }
    for (name, value) in [("PATH", "/tmp"), ("LD_PRELOAD", "x"), ("MY_OWN", "1"), ("TZ", "/etc/shadow")] {
        let answer = with(name, value);
        assert_eq!(answer["error"]["code"], "PM_TERM_BLOCKED_DESTRUCTIVE", "{name}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(name), "{answer}");
    }
}

#[test]
fn looking_around_runs_headless() {
    let deck = Deck::new();
    let folder = deck.workspace();
    std::fs::create_dir(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/main.rs"), "fn main() {} // TODO\n").unwrap();
    std::fs::write(folder.join("a.toml"), "x = 1\n").unwrap();
    std::os::unix::fs::symlink("/etc", folder.join("out")).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let mut run = |command: &str| {
        let request = json!({
            "action": "execute",
            "invocation": { "mode": "headless", "intent": "execute_command" },
            "execution": { "command": command },
        });
        agent.call(CANONICAL, &request)
    };
    for (command, output) in [
        ("ls *.toml", "a.toml\n"),
        ("cd src && ls", "main.rs\n"),
        ("test -f a.toml && echo yes", "yes\n"),
        ("[ -d src ] && echo yes", "yes\n"),
        ("cat < a.toml", "x = 1\n"),
        ("awk '{print $3}' a.toml", "1\n"),
        ("grep -rl TODO src", "src/main.rs\n"),
        ("cat src/*.rs | wc -l", "1\n"),
    ] {
        let answer = run(command);
        assert_eq!(answer["result"]["stdout"], output, "{command}: {answer}");
    }
    // By a name and by a link.
    std::fs::write(folder.join("-rf"), "").unwrap();
    for command in ["cat out/passwd", "cd out && cat passwd", "git -C out status", "sort *", "head -1 o*/passwd"] {
        assert_eq!(run(command)["error"]["code"], "PM_TERM_BLOCKED_DESTRUCTIVE", "{command}");
    }
}
