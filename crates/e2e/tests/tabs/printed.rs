//! Output and logs hold what programs printed: nothing that the terminal adds, and nothing of how commands get to a
//! shell.

use flightdeck_e2e::Agent;
use serde_json::{Value, json};

use super::{Backend, deck_with, in_log, ok, run, tab};

on_both_backends!(
    newlines_come_as_the_program_printed_them,
    nothing_of_how_a_command_gets_to_its_shell_is_shown,
    a_mistake_in_a_command_is_told_in_its_own_lines,
);

fn raw(agent: &mut Agent, id: &str, command: &str) -> Value {
    ok(agent, "execute_command", &json!({ "window_id": id, "command": command }))["output"].clone()
}

fn newlines_come_as_the_program_printed_them(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    for (command, printed) in [
        ("printf 'a\\nb\\n'", "a\nb\n"),
        // What a program printed itself stays.
        ("printf 'a\\r\\nb'", "a\r\nb"),
        ("printf '50%%\\r100%%\\n'", "50%\r100%\n"),
        ("printf '\\033[1mx\\033[m\\n'", "\u{1b}[1mx\u{1b}[m\n"),
    ] {
        assert_eq!(raw(&mut agent, &id, command), printed, "{command}");
    }
    let read = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id }));
    let content = read["content"].as_str().unwrap();
    assert!(content.contains("50%\r100%\n"), "{content:?}");
    let mut streamed = String::new();
    let mut from = json!(0);
    loop {
        let args = json!({ "window_id": id, "from_byte": from, "max_bytes": 7 });
        let chunk = ok(&mut agent, "stream_logs_from_tab", &args);
        streamed.push_str(chunk["chunk"].as_str().unwrap());
        from = chunk["next_byte"].clone();
        if chunk["eof"] == true {
            break;
        }
    }
    assert!(streamed.contains("50%\r100%\n"), "{streamed:?}");
    // Where the terminal adds none, every return is the program's.
    let plain = "stty -onlcr; printf 'a\\r\\nb\\n'; stty onlcr";
    assert_eq!(raw(&mut agent, &id, plain), "a\r\nb\n");
}

fn nothing_of_how_a_command_gets_to_its_shell_is_shown(backend: Backend) {
    for shell in ["bash", "zsh", "fish", "dash"] {
        let deck = deck_with(shell, backend);
        let mut agent = Agent::new(&deck, "codex");
        let id = tab(&mut agent, "t");
        // It is not plain enough to be typed.
        assert_eq!(run(&mut agent, &id, "echo 'one !two'; echo three").0, "one !two\nthree\n", "{shell}");
        let log = in_log(&deck, &mut agent, &id, "\nthree\n");
        assert!(!log.contains("FLIGHTDECK_RUN") && !log.contains("/run/"), "{shell}: {log}");
        assert!(log.contains("echo 'one !two'; echo three\n") && !log.contains('▸'), "{shell}: {log}");
        for args in [&["logs", "t1"][..], &["logs", "t1", "--all"]] {
            let text = deck.cli(args).expect(0).text();
            assert!(!text.contains("FLIGHTDECK_RUN") && text.contains("three"), "{shell} {args:?}: {text}");
        }
        let read = agent.ok("flightdeck.terminal.read", &json!({ "id": "t1" }));
        assert!(!read.to_string().contains("FLIGHTDECK_RUN"), "{shell}: {read}");
        let screen = agent.ok("flightdeck.terminal.screen", &json!({ "id": "t1" }))["output"].to_string();
        assert!(!screen.contains("FLIGHTDECK_RUN") && !screen.contains('▸'), "{shell}: {screen}");
        assert!(screen.contains("echo 'one !two'; echo three"), "{shell}: {screen}");
        let typed = agent.ok("flightdeck.terminal.keys", &json!({ "id": "t1", "text": "\n", "screen": true }));
        assert!(!typed["output"].to_string().contains("FLIGHTDECK_RUN"), "{shell}: {typed}");
        let found = agent.ok("flightdeck.terminal.search", &json!({ "pattern": "FLIGHTDECK_RUN" }));
        assert_eq!(found["data"]["matches"], json!([]), "{shell}: {found}");
    }
}

fn a_mistake_in_a_command_is_told_in_its_own_lines(backend: Backend) {
    for (shell, told) in [("bash", "bash: line 2:"), ("zsh", "zsh:"), ("dash", ": 2: Syntax error")] {
        let deck = deck_with(shell, backend);
        let mut agent = Agent::new(&deck, "codex");
        let id = tab(&mut agent, "t");
        assert_eq!(run(&mut agent, &id, "true").1, 0);
        // What is surely wrong is refused before; this is not known until the shell reads it.
        let args = json!({ "id": "t1", "command": "echo one\nf() }" }).to_string();
        let answer = deck.cli(&["call", "flightdeck.terminal.run", &args]).text();
        let log = in_log(&deck, &mut agent, &id, "rror");
        let output = format!("{answer}\n{log}");
        assert!(output.contains(told), "{shell}: {output}");
        assert!(!output.contains("/run/") && !output.contains("/terminals/"), "{shell}: {output}");
    }
}
