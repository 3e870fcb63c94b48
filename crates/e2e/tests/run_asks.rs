//! A `run` whose command wants something: it says so at once, and goes on.

use std::fs;
use std::time::Instant;

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

#[test]
fn a_command_that_takes_keys_is_told_at_once() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let shell = deck.shell("bash");
    let one_key = "python3 -c 'import sys, tty; tty.setcbreak(0); sys.stdin.read(1)'";
    // As Node.js does it: one loop for everything, with a timer, behind a prompt.
    let loops = "python3 -c \"import os, select, sys, tty; tty.setcbreak(0); all = select.epoll(); all.register(0, 1); \
        other, _ = os.pipe(); all.register(other, 1); print('> ', end='', flush=True); all.poll(1000)\"";
    // What prints for a pager waits for it, and the pager for keys.
    let paged = "seq 100000 | cat | less";
    for (command, answer) in [
        ("python3 -q", "C-d"),
        ("cd . && python3 -q", "C-d"),
        (one_key, "x"),
        (loops, "x"),
        ("less notes", "q"),
        (paged, "q"),
        // These go on by themselves, until a key ends them.
        ("top", "q"),
        ("watch -n 1 date", "C-c"),
    ] {
        fs::write(deck.workspace().join("notes"), "a\n".repeat(100)).unwrap();
        for id in [json!(null), json!(shell)] {
            let ran =
                agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": command, "timeoutMs": 300_000 }));
            let data = &ran["data"];
            let told = (&data["input"], &data["running"], &data["timedOut"]);
            assert_eq!(told, (&json!("raw"), &json!(true), &json!(false)), "{command}: {ran}");
            assert!(ran["hint"].as_str().unwrap().contains("flightdeck.terminal.keys"), "{command}: {ran}");
            agent.ok("flightdeck.terminal.keys", &json!({ "id": data["id"], "keys": [answer] }));
            agent.ok("flightdeck.terminal.wait", &json!({ "id": data["id"], "prompt": true, "exit": true }));
        }
    }
    // Another program in the place of the shell that it was typed to.
    for command in ["exec python3 -q", "exec bash --norc"] {
        let id = deck.shell("zsh");
        let ran = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": command, "timeoutMs": 300_000 }));
        assert_eq!((&ran["data"]["input"], &ran["data"]["running"]), (&json!("raw"), &json!(true)), "{command}: {ran}");
    }
}

#[test]
fn a_command_that_only_looks_at_its_keyboard_is_waited_for() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let shell = deck.shell("bash");
    // These look at their keyboard now and then, or not at all.
    let looks = "for i in range(20): select.select([0], [], [], 0.1)";
    let listens =
        "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); select.select([0, s], [], [], 2)";
    let sleeps = "import time; time.sleep(2)";
    let works = "import works";
    fs::write(deck.workspace().join("works.py"), "import subprocess; subprocess.run(['sleep', '2'])").unwrap();
    for quiet in [looks, listens, sleeps, works] {
        let command = format!("python3 -c \"import select, tty\ntty.setcbreak(0)\n{quiet}\"");
        for id in [json!(null), json!(shell)] {
            let ran =
                agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": command, "timeoutMs": 300_000 }));
            assert_eq!((&ran["data"]["exitCode"], ran["data"].get("input")), (&json!(0), None), "{quiet}: {ran}");
        }
    }
}

#[test]
fn a_pager_is_told_at_once_in_a_shell_and_left_out_where_nobody_turns_pages() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let repository = "git init --quiet . && seq 20000 > message && \
        git -c user.name=x -c user.email=x commit --quiet --allow-empty --file message";
    let made = std::process::Command::new("sh").args(["-c", repository]).current_dir(deck.workspace()).status();
    assert!(made.unwrap().success());
    let run = |id| json!({ "id": id, "command": "git log", "timeoutMs": 300_000 });
    let fresh = agent.ok("flightdeck.terminal.run", &run(json!(null)));
    assert_eq!(fresh["data"]["exitCode"], 0, "{fresh}");
    assert!(fresh["output"].as_str().unwrap().trim_end().ends_with("    20000"), "{fresh:.2000}");
    let shell = json!(deck.shell("bash"));
    let ran = agent.ok("flightdeck.terminal.run", &run(shell.clone()));
    assert_eq!((&ran["data"]["input"], &ran["data"]["timedOut"]), (&json!("raw"), &json!(false)), "{ran}");
    agent.ok("flightdeck.terminal.keys", &json!({ "id": shell, "keys": ["q"] }));
    let waited = agent.ok("flightdeck.terminal.wait", &json!({ "id": shell }));
    assert_eq!(waited["data"]["reason"], "command", "{waited}");
}

#[test]
fn a_command_that_asks_is_told_at_once() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let id = deck.shell("bash");
    let question = r#"printf 'name? '; read name; echo "hello $name""#;
    for (run, keys) in [
        (json!({ "id": id, "command": question, "timeoutMs": 60_000 }), "line"),
        (json!({ "command": question, "timeoutMs": 60_000 }), "line"),
        (
            json!({ "id": id, "command": r#"read -s -p 'secret? ' name; echo; echo "hello $name""#, "timeoutMs": 60_000 }),
            "password",
        ),
    ] {
        let began = Instant::now();
        let ran = agent.ok("flightdeck.terminal.run", &run);
        let data = &ran["data"];
        assert_eq!(
            (&data["input"], &data["running"], &data["timedOut"]),
            (&json!(keys), &json!(true), &json!(false)),
            "{ran}"
        );
        assert!(ran["output"].as_str().unwrap().contains("? "), "{ran}");
        assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
        // The answer is input and no command: nobody has to be asked about it.
        agent.ok("flightdeck.terminal.keys", &json!({ "id": data["id"], "text": "s3same\n" }));
        let waited = agent.ok("flightdeck.terminal.wait", &json!({ "id": data["id"], "pattern": "hello s3same" }));
        assert_eq!(waited["data"]["reason"], "pattern", "{waited}");
        agent.ok("flightdeck.terminal.wait", &json!({ "id": data["id"], "prompt": true, "exit": true }));
    }
    let audit = deck.cli(&["audit", "--json"]).expect(0).text();
    assert_eq!(audit.matches("s3same\\\\n").count(), 2, "the password is in the audit log: {audit}");
}
