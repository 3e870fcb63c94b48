//! `flightdeck run`: one process per command, its output and exit code passed on.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use flightdeck_contract::terminal::Ran;
use flightdeck_e2e::Deck;

#[test]
fn stdout_and_stderr_stay_apart_and_the_exit_code_is_passed_on() {
    let deck = Deck::new();
    let script = deck.workspace().join("plain-text");
    fs::write(&script, "#!/bin/sh\necho never").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
    let script = script.to_str().unwrap();
    let cases: &[(&[&str], i32, &str, &str)] = &[
        (&["true"], 0, "", ""),
        (&["false"], 1, "", ""),
        (&["sh", "-c", "echo out; echo err >&2; exit 3"], 3, "out\n", "err\n"),
        (&["printf", "no newline"], 0, "no newline", ""),
        (&["sh", "-c", "exit 255"], 255, "", ""),
        (&["sh", "-c", "kill -KILL $$"], 137, "", ""),
        (&["sh", "-c", "kill -TERM $$"], 143, "", ""),
        (&["cat"], 0, "", ""),
        (&["sh", "-c", "read line; echo \"$?\""], 0, "1\n", ""),
        (&["echo", "--json", "-n", "$HOME", "a  b"], 0, "--json -n $HOME a  b\n", ""),
        (&["sh", "-c", "test -t 0 || test -t 1 || test -t 2 || echo pipes"], 0, "pipes\n", ""),
    ];
    for (command, code, stdout, stderr) in cases {
        let ran = deck.cli(&[&["run", "--"], *command].concat());
        assert_eq!((ran.code, &*ran.text(), &*ran.errors()), (*code, *stdout, *stderr), "{command:?}");
    }
    for (command, code) in [("no-such-program-anywhere", 127), ("./no/such/path", 127), (script, 126), ("/etc", 126)] {
        let ran = deck.cli(&["run", "--", command]).expect(code);
        assert!(ran.errors().contains(command) && ran.stdout.is_empty(), "{ran}");
    }
}

#[test]
fn the_callers_folder_and_environment_are_honoured() {
    let deck = Deck::new();
    let sub = deck.workspace().join("sub folder");
    fs::create_dir(&sub).unwrap();
    fs::write(deck.workspace().join("flightdeck.toml"), "").unwrap();
    deck.cli(&["run", "true"]).expect(0);
    let here = deck.invoke(&["run", "pwd"]).cwd(&sub).run().expect(0);
    assert_eq!(here.text(), format!("{}\n", sub.display()));
    let given = deck.cli(&["run", "-C", "sub folder", "pwd"]).expect(0);
    assert_eq!(given.text(), format!("{}\n", sub.display()));
    // The hub runs by now and has an environment of its own: the caller's counts.
    let env = deck
        .invoke(&["run", "--env", "GIVEN=a b=c", "--", "sh", "-c", "echo \"$OWN|$GIVEN|$FLIGHTDECK_WORKSPACE\""])
        .env("OWN", "mine \"$HOME\"")
        .run()
        .expect(0);
    assert_eq!(env.text(), format!("mine \"$HOME\"|a b=c|{}\n", deck.workspace().display()));
    let gone = deck.invoke(&["run", "--", "sh", "-c", "echo \"[$OWN]\""]).run().expect(0);
    assert_eq!(gone.text(), "[]\n");
}

#[test]
fn a_missing_folder_is_said_and_nothing_runs() {
    let deck = Deck::new();
    fs::write(deck.workspace().join("file"), "").unwrap();
    for folder in ["no/such", "file"] {
        let ran = deck.cli(&["run", "-C", folder, "--", "touch", "/tmp/never"]).expect(125);
        assert!(ran.errors().contains(folder), "{ran}");
    }
    let listed = deck.json(&["ls", "--all", "--json"]);
    assert_eq!(listed, serde_json::json!([]), "a terminal that never was is not listed");
}

#[test]
fn json_tells_everything_of_a_run() {
    let deck = Deck::new();
    let ran = deck.cli(&["run", "--json", "--", "sh", "-c", "echo out; echo err >&2; exit 4"]).expect(4);
    let ran: Ran = ran.json();
    assert_eq!((ran.output.as_str(), ran.stderr.as_str(), ran.exit_code), ("out\n", "err\n", Some(4)));
    assert!(!ran.timed_out && !ran.running && !ran.shell_ended && ran.signal.is_none());
    assert_eq!((ran.start, ran.end, ran.omitted_bytes), (0, 8, 0));
    let killed = deck.cli(&["run", "--json", "--", "sh", "-c", "kill -SEGV $$"]).expect(139);
    let killed: Ran = killed.json();
    assert_eq!((killed.signal.as_deref(), killed.exit_code), (Some("SIGSEGV"), Some(139)));
    let big: Ran = deck.cli(&["run", "--json", "--", "seq", "100000"]).expect(0).json();
    assert!(big.omitted_bytes > 0 && big.output.ends_with("99999\n100000\n"), "{}", big.omitted_bytes);
}

#[test]
fn a_run_on_a_terminal_is_one() {
    let deck = Deck::new();
    let ran = deck.cli(&["run", "--pty", "--size", "101x33", "--", "sh", "-c", "stty size; test -t 2; exit $?"]);
    assert_eq!((ran.code, &*ran.text()), (0, "33 101\r\n"), "{ran}");
    assert_eq!(deck.cli(&["run", "--pty", "--", "sh", "-c", "echo e >&2; exit 9"]).expect(9).text(), "e\r\n");
}
