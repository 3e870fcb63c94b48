//! How the command line behaves towards people and scripts: status, stop, doctor, colours, pipes.

use flightdeck_e2e::{Deck, Pty, SOON, processes};
use serde_json::Value;

#[test]
fn status_tells_what_programs_need() {
    let deck = Deck::new();
    let none = deck.cli(&["status"]).expect(1);
    assert!(none.text().contains("no hub serves"), "{none}");
    assert_eq!(deck.processes(), [], "asking starts nothing");
    deck.new_terminal(&["--", "sleep", "1000"]);
    let status = deck.status();
    for field in ["pid", "keeperPid"] {
        assert!(processes::is_alive(status[field].as_u64().unwrap() as u32), "{field}: {status}");
    }
    assert_eq!(status["workspace"].as_str(), deck.workspace().to_str());
    assert!(std::path::Path::new(status["socket"].as_str().unwrap()).exists(), "{status}");
    assert!(status["version"].as_str().unwrap().starts_with(|c: char| c.is_ascii_digit()), "{status}");
    assert_eq!((&status["running"], &status["terminals"]), (&1.into(), &1.into()));
    let text = deck.cli(&["status"]).expect(0).text();
    assert!(text.contains(&status["pid"].to_string()) && text.contains(status["socket"].as_str().unwrap()), "{text}");
}

#[test]
fn flightdeck_alone_says_what_is_there_and_what_to_do() {
    let deck = Deck::new();
    let alone = |what: &str| {
        let said = deck.cli(&[]).expect(0);
        assert_eq!(said.errors(), "", "{what}");
        let text = said.text();
        assert!(!text.contains('\x1b') && text.lines().all(|line| line.chars().count() <= 80), "{what}: {text}");
        text
    };
    assert!(alone("nothing yet").contains("does not serve"));
    assert_eq!(deck.processes(), [], "asking starts nothing");
    deck.new_terminal(&["--pipes", "--", "sleep", "1000"]);
    assert!(!alone("nothing to take over").contains("attach"));
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let text = alone("a terminal");
    assert!(text.contains("2 of 2 terminals run") && text.contains(&format!("flightdeck attach {id} ")), "{text}");
    let mut window = deck.window(&[]);
    assert_eq!(window.exit_code(SOON), 0);
    window.wait_for(&format!("flightdeck attach {id}"));
    deck.cli(&["stop"]).expect(0);
    assert!(alone("a stopped hub").contains("2 terminals run on without it: flightdeck restart"));
}

#[test]
fn programs_that_want_json_get_failures_as_json() {
    let deck = Deck::new();
    deck.start();
    let calls: [(&[&str], i32, &str); 8] = [
        (&["run", "--json", "--", "no-such-program"], 127, "program_not_found"),
        (&["run", "--in", "t7", "--json", "--", "true"], 125, "terminal_not_found"),
        (&["logs", "t7", "--json"], 1, "terminal_not_found"),
        (&["screen", "t7", "--json"], 1, "terminal_not_found"),
        (&["send", "t7", "x", "--json"], 1, "terminal_not_found"),
        (&["history", "t7", "--json"], 1, "terminal_not_found"),
        (&["lease", "t7", "--json"], 1, "terminal_not_found"),
        (&["undo", "--json"], 1, "nothing_to_undo"),
    ];
    for (args, code, expected) in calls {
        let failed = deck.cli(args).expect(code);
        let told: Value = failed.json();
        assert_eq!(told["error"]["code"], expected, "{args:?}: {failed}");
        assert!(failed.errors().starts_with("flightdeck: "), "people are told too: {failed}");
    }
    let plain = deck.cli(&["logs", "t7"]).expect(1);
    assert_eq!(plain.text(), "", "{plain}");
}

#[test]
fn stop_is_fine_at_any_time() {
    let deck = Deck::new();
    for args in [&["stop"][..], &["stop", "--all"]] {
        assert!(deck.cli(args).expect(0).text().contains("no hub serves"));
    }
    assert_eq!(deck.processes(), [], "stopping starts nothing");
    deck.cli(&["run", "true"]).expect(0);
    for _ in 0..2 {
        deck.cli(&["stop", "--all"]).expect(0);
        deck.wait_until("nothing is left", SOON, || deck.processes().is_empty().then_some(()));
    }
}

#[test]
fn doctor_says_what_is_there() {
    let deck = Deck::new();
    let findings: Vec<Value> = deck.cli(&["doctor", "--json"]).expect(0).json();
    for name in ["version", "hub", "folders", "disk", "files", "bash", "zsh", "fish", "dash", "ptys"] {
        let finding = findings.iter().find(|finding| finding["name"] == name);
        assert_eq!(finding.unwrap_or_else(|| panic!("nothing about {name}"))["level"], "ok", "{name}: {findings:#?}");
    }
    let left = deck.runtime().read_dir().unwrap().chain(deck.state().read_dir().unwrap()).count();
    assert_eq!(left, 0, "a look leaves nothing behind");
    let plain = deck.cli(&["doctor"]).expect(0).text();
    assert!(plain.contains("settings   the defaults"), "there is no such file: {plain}");
    assert!(!deck.cli(&["status"]).expect(1).text().contains("restart"), "nothing was here before");
    deck.cli(&["run", "true"]).expect(0);
    let text = deck.cli(&["doctor"]).expect(0).text();
    assert!(text.contains(&format!("process {}", deck.hub_pid())), "{text}");
    let bare = deck.invoke(&["doctor"]).env("PATH", "/nowhere").run().expect(0);
    assert!(bare.text().contains("note  zsh"), "what is missing is told: {bare}");
}

#[test]
fn colours_are_for_people_only() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "false");
    let commands: [&[&str]; 7] =
        [&["ls", "--all"], &["history", &id], &["status"], &["doctor"], &["screen", &id], &["logs", &id], &["--help"]];
    for args in commands {
        let outcome = deck.cli(args).expect(0);
        assert!(!outcome.text().contains('\x1b') && !outcome.errors().contains('\x1b'), "{args:?}: {outcome}");
    }
    for (no_color, coloured) in [("", true), ("1", false)] {
        for args in [&["ls"][..], &["status"], &["doctor"], &["history", &id], &["logs", "t99"]] {
            let mut command = deck.command(args);
            command.env("NO_COLOR", no_color);
            let mut window = Pty::start(&command, 24, 80);
            let code = window.exit_code(SOON);
            // The reader may be a moment behind the end of the program.
            let seen = deck.wait_until("output", SOON, || Some(window.seen()).filter(|seen| seen.ends_with('\n')));
            assert_eq!(seen.contains("\x1b["), coloured, "{args:?} NO_COLOR={no_color:?} ({code}): {seen:?}");
        }
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_disaster() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--pipes", "--", "seq", "300000"]);
    deck.ended(&id, SOON);
    let binary = deck.command(&[]).get_program().to_string_lossy().into_owned();
    for args in [format!("logs --all {id}"), "run -- seq 300000".to_owned(), "ls --all --json".to_owned()] {
        let script = format!("{binary} {args} | head -n 1 >/dev/null");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).current_dir(deck.workspace()).env_clear();
        shell.envs(deck.command(&[]).get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))));
        let output = shell.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!errors.contains("panicked"), "{args}: {errors}");
    }
    assert_eq!(deck.cli(&["run", "echo", "alive"]).expect(0).text(), "alive\n");
}

#[test]
fn the_project_around_a_folder_is_used() {
    let deck = Deck::new();
    std::fs::create_dir(deck.workspace().join(".git")).unwrap();
    deck.new_terminal(&["--title", "upstairs", "--", "sleep", "1000"]);
    let below = deck.workspace().join("a/b");
    std::fs::create_dir_all(&below).unwrap();
    let listed = deck.invoke(&["ls"]).cwd(&below).run().expect(0);
    assert!(listed.text().contains("upstairs"), "{listed}");
    let other = deck.home();
    let apart = deck.invoke(&["status"]).cwd(&other).run().expect(1);
    assert!(apart.text().contains("no hub serves"), "{apart}");
    let named = deck.invoke(&["-w", deck.workspace().to_str().unwrap(), "ls"]).cwd(&other).run().expect(0);
    assert!(named.text().contains("upstairs"), "{named}");
}

#[test]
fn serve_runs_in_the_foreground_and_ends_with_ctrl_c() {
    let deck = Deck::new();
    let mut window = deck.window(&["serve"]);
    deck.wait_until("it serves", SOON, || (deck.cli(&["status"]).code == 0).then_some(()));
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let second = deck.cli(&["serve"]).expect(1);
    assert!(second.errors().contains("already serves"), "{second}");
    window.type_in(b"\x03");
    assert_eq!(window.exit_code(SOON), 0);
    deck.start();
    assert!(deck.info(&id).running, "another hub takes its terminals up");
}

#[test]
fn a_caller_with_a_bare_environment_finds_the_same_hub() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    // Many MCP clients start their servers with a handful of variables.
    let mut bare = deck.command(&["ls", "--json"]);
    bare.env_remove("XDG_RUNTIME_DIR");
    let listed = bare.output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout);
    assert!(listed.contains(&format!("\"{id}\"")), "{listed}");
    let status = deck.status();
    deck.kill_hub();
    let mut bare = deck.command(&["status"]);
    bare.env_remove("XDG_RUNTIME_DIR");
    bare.output().unwrap();
    let mut bare = deck.command(&["ls"]);
    bare.env_remove("XDG_RUNTIME_DIR");
    assert!(bare.output().unwrap().status.success());
    assert_eq!(deck.status()["keeperPid"], status["keeperPid"], "the next hub takes the same keeper over");
}
