//! Bad arguments: a clear error with a stable code, and a hub that goes on.

use flightdeck_contract::ErrorCode;
use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

#[test]
fn the_command_line_says_what_is_wrong() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["logs", "t99"], 1, "there is no terminal t99"),
        (&["kill", "t99"], 1, "there is no terminal t99"),
        (&["send", "t99", "x"], 1, "there is no terminal t99"),
        (&["wait", "t99"], 1, "there is no terminal t99"),
        (&["screen", "t99"], 1, "there is no terminal t99"),
        (&["history", "t99"], 1, "there is no terminal t99"),
        (&["resize", "t99", "80x24"], 1, "there is no terminal t99"),
        (&["signal", "t99", "INT"], 1, "there is no terminal t99"),
        (&["rm", "t99"], 1, "there is no terminal t99"),
        (&["run", "--in", "t99", "--", "true"], 125, "there is no terminal t99"),
        (&["logs", "99"], 2, "is not a terminal id"),
        (&["logs", "t01"], 2, "is not a terminal id"),
        (&["logs", "../t1"], 2, "is not a terminal id"),
        (&["logs", ""], 2, "is not a terminal id"),
        (&["resize", &id, "0x24"], 2, "COLSxROWS"),
        (&["resize", &id, "80x9999"], 2, "COLSxROWS"),
        (&["resize", &id, "80"], 2, "COLSxROWS"),
        (&["new", "--size", "axb"], 2, "COLSxROWS"),
        (&["new", "--env", "=x"], 2, "NAME=VALUE"),
        (&["new", "--log-limit", "lots"], 2, "number of bytes"),
        (&["new", "--log-limit", "4K"], 1, "too small"),
        (&["new", "--shell", "/no/such/shell"], 1, "/no/such/shell"),
        (&["new", "-C", "/no/such/folder"], 1, "/no/such/folder"),
        (&["new", "--", "no-such-program"], 1, "no-such-program"),
        (&["new", "--pipes"], 2, "required"),
        (&["send", &id, "--keys", "Hyper-Q"], 1, "Hyper-Q"),
        (&["wait", &id, "--pattern", "("], 1, "pattern"),
        (&["wait", &id, "--timeout", "soon"], 2, "expected a time"),
        (&["signal", &id, "LOUD"], 1, "LOUD"),
        (&["signal", &id, "0"], 1, "signal"),
        (&["signal", &id, "65"], 1, "signal"),
        (&["kill", &id, "-s", "LOUD"], 1, "LOUD"),
        (&["run", "--in", &id, "--", "true"], 125, "not a shell"),
        (&["rm", &id], 1, &id),
        (&["attach", &id], 1, "attach needs a terminal"),
        (&["call", "terminal.dance"], 1, "terminal.dance"),
        (&["call", "flightdeck.terminal.list", "{not json"], 1, "not JSON"),
        (&["call", "flightdeck.terminal.list", "{\"every\": true}"], 1, "every"),
        (&["-w", "/no/such/workspace", "ls"], 1, "/no/such/workspace"),
        (&["-w", "/etc/passwd", "ls"], 1, "/etc/passwd"),
        (&["no-such-command"], 2, "no-such-command"),
        (&["run"], 2, "required"),
    ];
    for (args, code, words) in cases {
        let outcome = deck.cli(args);
        let said = outcome.errors();
        // `call` prints the result that an agent would get, a failed one too.
        let silent = outcome.stdout.is_empty() || args.first() == Some(&"call");
        assert!(said.contains(words) && silent, "{args:?} should say {words:?}: {outcome}");
        assert_eq!(outcome.code, *code, "{args:?}: {outcome}");
        assert!(!said.contains("panicked") && !said.contains('\x1b'), "{outcome}");
    }
    assert!(deck.info(&id).running, "none of it touched the terminal");
    assert_eq!(deck.json(&["ls", "--all", "--json"]).as_array().unwrap().len(), 1, "nothing half-made is listed");
}

#[test]
fn every_error_has_its_code() {
    use ErrorCode::{
        CwdMissing, InvalidArgument, NoTerminal, NotAShell, ProgramNotExecutable, ProgramNotFound, StillRunning,
        TerminalBusy, TerminalEnded, TerminalNotFound, UnknownCommand,
    };
    let deck = Deck::new();
    let mut socket = deck.socket();
    let shell = deck.shell("bash");
    let pipes = deck.new_terminal(&["--pipes", "--", "sleep", "1000"]);
    let plain = deck.new_terminal(&["--", "sleep", "1000"]);
    let over = deck.new_terminal(&["--", "true"]);
    deck.ended(&over, SOON);
    let busy = deck.shell("bash");
    deck.try_run_in(&busy, "sleep 1000", "200ms").expect(124);
    let cases: Vec<(&str, Value, ErrorCode)> = vec![
        ("no.such", json!({}), UnknownCommand),
        ("", json!({}), UnknownCommand),
        ("flightdeck.terminal.read", json!({ "id": "t99" }), TerminalNotFound),
        ("flightdeck.terminal.read", json!({ "id": "T1" }), InvalidArgument),
        ("flightdeck.terminal.read", json!({ "id": 1 }), InvalidArgument),
        ("flightdeck.terminal.read", json!({}), InvalidArgument),
        ("flightdeck.terminal.read", json!([]), InvalidArgument),
        ("flightdeck.terminal.read", json!("t1"), InvalidArgument),
        ("flightdeck.terminal.read", json!({ "id": shell, "unknown": 1 }), InvalidArgument),
        ("flightdeck.terminal.read", json!({ "id": shell, "lines": -1 }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "command": [] }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "command": [""] }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "command": ["a\u{0}b"] }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "command": ["true"], "shell": "bash" }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "pipes": true }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "env": { "A=B": "c" } }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "env": { "A": "\u{0}" } }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "size": { "rows": 0, "cols": 80 } }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "size": { "rows": 24, "cols": 2001 } }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "size": { "rows": 70000, "cols": 80 } }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "logBytes": 1 }), InvalidArgument),
        ("flightdeck.terminal.new", json!({ "cwd": "/no/such" }), CwdMissing),
        ("flightdeck.terminal.new", json!({ "cwd": "/etc/passwd" }), CwdMissing),
        ("flightdeck.terminal.new", json!({ "command": ["/no/such"] }), ProgramNotFound),
        ("flightdeck.terminal.new", json!({ "command": ["/etc/passwd"] }), ProgramNotExecutable),
        ("flightdeck.terminal.exec", json!({}), InvalidArgument),
        ("flightdeck.terminal.exec", json!({ "terminal": { "command": ["nope-nope"] } }), ProgramNotFound),
        ("flightdeck.terminal.run", json!({ "id": plain, "command": "true" }), NotAShell),
        ("flightdeck.terminal.run", json!({ "id": pipes, "command": "true" }), NotAShell),
        ("flightdeck.terminal.run", json!({ "id": busy, "command": "true" }), TerminalBusy),
        ("flightdeck.terminal.run", json!({ "id": shell, "command": " \n" }), InvalidArgument),
        ("flightdeck.terminal.run", json!({ "id": shell, "command": "a\u{0}b" }), InvalidArgument),
        ("flightdeck.terminal.keys", json!({ "id": pipes, "text": "x" }), NoTerminal),
        ("flightdeck.terminal.keys", json!({ "id": over, "text": "x" }), TerminalEnded),
        ("flightdeck.terminal.keys", json!({ "id": shell, "keys": ["C-"] }), InvalidArgument),
        ("flightdeck.terminal.screen", json!({ "id": pipes }), NoTerminal),
        ("flightdeck.terminal.attach", json!({ "id": pipes }), NoTerminal),
        ("flightdeck.terminal.resize", json!({ "id": pipes, "size": { "rows": 24, "cols": 80 } }), NoTerminal),
        ("flightdeck.terminal.resize", json!({ "id": shell, "size": { "rows": 24 } }), InvalidArgument),
        ("flightdeck.terminal.signal", json!({ "id": over, "signal": "INT" }), TerminalEnded),
        ("flightdeck.terminal.signal", json!({ "id": shell, "signal": "" }), InvalidArgument),
        ("flightdeck.terminal.wait", json!({ "id": shell, "pattern": "[" }), InvalidArgument),
        ("flightdeck.terminal.wait", json!({ "id": shell, "pattern": "(a{1000}){1000}" }), InvalidArgument),
        ("flightdeck.terminal.wait", json!({ "id": shell, "port": 99999 }), InvalidArgument),
        ("flightdeck.terminal.remove", json!({ "id": shell }), StillRunning),
        ("flightdeck.terminal.kill", json!({ "id": shell, "signal": "NOPE" }), InvalidArgument),
    ];
    let mut wrong = Vec::new();
    for (command, args, code) in cases {
        match socket.call(command, args.clone()) {
            Ok(result) => wrong.push(format!("{command} {args}: {result} instead of {code:?}")),
            Err(error) if error.code != code => wrong.push(format!("{command} {args}: {error:?} instead of {code:?}")),
            Err(error) => assert!(error.message.len() > 5, "{command} {args}: an error without words"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(deck.run_in(&shell, "echo alive").output, "alive\n");
}

#[test]
fn huge_arguments_are_taken_or_refused_and_nothing_breaks() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    let id = deck.shell("bash");
    let long = "x".repeat(200_000);
    let refused = socket.call("flightdeck.terminal.new", json!({ "command": ["echo", long] })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidArgument, "{refused:?}");
    let title = socket
        .call("flightdeck.terminal.new", json!({ "command": ["true"], "title": "\x1b[31m\n".repeat(1000) }))
        .unwrap();
    deck.ended(title["id"].as_str().unwrap(), SOON);
    assert!(!deck.cli(&["ls", "--all"]).expect(0).text().contains('\x1b'), "a title moves no cursor");
    for args in [
        json!({ "id": id, "lines": u64::MAX }),
        json!({ "id": id, "lines": 0 }),
        json!({ "id": id, "from": u64::MAX }),
        json!({ "id": id, "from": 5, "to": 2 }),
        json!({ "id": id, "maxBytes": 0 }),
        json!({ "id": id, "maxBytes": u64::MAX }),
    ] {
        // Taken or refused, but answered.
        let _ = socket.call("flightdeck.terminal.read", args);
    }
    let waited = socket.call("flightdeck.terminal.wait", json!({ "id": id, "prompt": true, "timeoutMs": u64::MAX }));
    assert_eq!(waited.unwrap()["reason"], "prompt");
    assert_eq!(deck.run_in(&id, "echo alive").output, "alive\n");
}
