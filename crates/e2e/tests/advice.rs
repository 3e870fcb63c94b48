//! What the command line advises can be typed there: no names of agents' tools, and nothing that would fail.

use flightdeck_e2e::{Agent, Deck, Outcome, SOON};
use serde_json::{Value, json};

#[track_caller]
fn said(outcome: &Outcome, words: &str) {
    let errors = outcome.errors();
    assert!(errors.contains(words), "{words:?} is not in {outcome}");
    for agents in ["flightdeck.terminal", "openspace.", "`id`", "`text`"] {
        assert!(!errors.contains(agents), "that is for agents: {outcome}");
    }
}

#[test]
fn hints_are_commands_of_the_command_line() {
    let deck = Deck::new();
    let shell = deck.shell("bash");
    let over = deck.new_terminal(&["--shell", "/bin/bash"]);
    deck.at_prompt(&over);
    deck.type_line(&over, "exit");
    deck.ended(&over, SOON);
    let shows = format!("hint: `flightdeck logs {over}` shows what it printed; `flightdeck new` starts another one");
    said(&deck.cli(&["send", &over, "x"]).expect(1), &shows);
    said(&deck.cli(&["run", "--in", &over, "--", "true"]).expect(125), &shows);
    said(&deck.cli(&["lease", &over, "take"]).expect(1), &format!("{over} has ended"));
    said(&deck.cli(&["keep", &over]).expect(1), &format!("{over} has ended"));
    deck.cli(&["lease", &over]).expect(0);
    deck.type_line(&shell, "cat");
    deck.wait_until("it runs", SOON, || (deck.info(&shell).foreground.as_deref() == Some("cat")).then_some(()));
    let busy = deck.cli(&["run", "--in", &shell, "--", "true"]).expect(125);
    said(&busy, &format!("`flightdeck signal {shell} INT` interrupts it"));
    said(&busy, "`flightdeck run` without --in runs it in a terminal of its own");
    said(&deck.cli(&["send", &shell]).expect(2), "Usage: flightdeck send [OPTIONS] <ID> [TEXT]");
    said(&deck.cli(&["undo"]).expect(1), "`flightdeck undo --list` lists what can be taken back");
    said(&deck.cli(&["logs", "t77"]).expect(1), "hint: `flightdeck ls --all` lists the terminals");
    said(&deck.cli(&["kill", "nothing"]).expect(2), "`flightdeck ls` lists them");
    let told: Value = deck.cli(&["run", "--in", &shell, "--json", "--", "true"]).expect(125).json();
    assert!(told["error"]["hint"].as_str().unwrap().contains(&format!("`flightdeck wait {shell}`")), "{told}");
    // Who calls a command as agents do gets the words of agents.
    let call = deck.cli(&["call", "flightdeck.terminal.keys", &format!("{{\"id\":\"{over}\",\"text\":\"x\"}}")]);
    assert!(call.expect(1).errors().contains("flightdeck.terminal.read"));
}

#[test]
fn results_advise_what_can_be_typed() {
    let deck = Deck::new();
    let shell = deck.shell("bash");
    let asks: Value = deck.cli(&["run", "--in", &shell, "--json", "--timeout", "500ms", "--", "read x"]).json();
    let hint = asks["hint"].as_str().unwrap();
    assert!(hint.contains(&format!("`flightdeck send {shell}`")) && !hint.contains("flightdeck."), "{asks}");
}

#[test]
fn a_command_line_in_one_word_is_for_a_shell() {
    let deck = Deck::new();
    let line = deck.cli(&["run", "--", "echo 'a b' | wc -c"]).expect(127);
    said(&line, r"hint: that is a command line in one word: `sh -c 'echo '\''a b'\'' | wc -c'` lets a shell read it");
    let word = deck.cli(&["run", "--", "no-such-program"]).expect(127);
    assert!(!word.errors().contains("sh -c"), "{word}");
}

#[test]
fn what_ended_on_pipes_is_not_followed() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--pipes", "--", "sh", "-c", "echo words; sleep 1000"]);
    let attach = |hint: &str| {
        let mut window = deck.window(&["attach", &id]);
        assert_eq!(window.exit_code(SOON), 1);
        window.wait_for(hint);
    };
    attach(&format!("flightdeck logs -f {id}"));
    deck.cli(&["kill", &id]).expect(0);
    attach(&format!("it has ended: `flightdeck logs {id}`"));
}

/// What a command left in the background can be kept although the command has ended.
#[test]
fn what_goes_on_after_its_command_can_be_kept() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "setsid sleep 1000 & while ! [ -e gate ]; do sleep 0.02; done"]);
    let apart = || deck.processes_of(&id).iter().any(|process| process.command.starts_with("sleep 1000"));
    deck.wait_until("it is apart", SOON, || apart().then_some(()));
    std::fs::write(deck.workspace().join("gate"), "").unwrap();
    deck.ended(&id, SOON);
    deck.cli(&["keep", &id]).expect(0);
    deck.cli(&["kill", &id]).expect(0);
    deck.cli(&["keep", &id]).expect(1);
}

#[test]
fn lists_say_what_they_cut_and_tell_nothing_twice() {
    let deck = Deck::new();
    let shell = deck.shell("bash");
    deck.run_in(&shell, "for i in 1 2 3 4 5 6 7 8 9; do echo tick $i; done");
    deck.run_in(&shell, &format!("echo {}", "x".repeat(100)));
    let listed = deck.cli(&["history", &shell]).expect(0).text();
    assert!(listed.lines().any(|line| line.ends_with("xxx…")), "{listed}");
    let alone = deck.cli(&["history", &shell, "1", "--diff"]).expect(1);
    assert!(alone.errors().contains("nothing to compare") && alone.text().is_empty(), "{alone}");
    deck.run_in(&shell, "for i in 1 2 3 4 5 6 7 8 9; do echo tick $i; done");
    deck.cli(&["history", &shell, "3", "--diff"]).expect(0);
    let found: Value = deck.json(&["search", "tick [0-9]", "--in", &shell, "--json"]);
    for matched in found["matches"].as_array().unwrap() {
        let from = matched["cursor"].to_string();
        let read = deck.json(&["logs", &shell, "--from", &from, "--json"]);
        let first = read["text"].as_str().unwrap().lines().next().unwrap();
        assert_eq!(first, matched["line"].as_str().unwrap(), "{matched}");
    }
    let near = deck.cli(&["search", "-C", "1", "^tick [357]$", "--in", &shell, "-m", "3"]).expect(0).text();
    let told: Vec<_> = near.lines().map(|line| line.rsplit(": ").next().unwrap()).collect();
    assert_eq!(told, ["tick 2", "tick 3", "tick 4", "tick 5", "tick 6", "tick 7", "tick 8"], "{near}");
    let far = deck.cli(&["search", "-C", "1", "^tick [28]$", "--in", &shell, "-m", "2"]).expect(0).text();
    assert_eq!(far.lines().filter(|line| *line == "--").count(), 1, "{far}");
    let commands = deck.cli(&["call", "--list"]).expect(0).text();
    let column = |title: &str, fields: &str| {
        let line = commands.lines().find(|line| line.contains(title)).unwrap();
        line.find(fields).unwrap_or_else(|| panic!("{line}"))
    };
    assert_eq!(column(" Create a tab ", "name?"), column(" Execute a command in a tab ", "window_id"), "{commands}");
}

#[test]
fn help_has_help_and_an_empty_variable_names_nothing() {
    let deck = Deck::new();
    let help = deck.cli(&["--help"]).expect(0).text();
    assert_eq!(deck.cli(&["help", "--help"]).expect(0).text(), help);
    let policy = deck.cli(&["policy", "help", "--help"]).expect(0);
    assert!(policy.text().contains("rehearse"), "{policy}");
    let unset = deck.invoke(&["status", "--json"]).env("FLIGHTDECK_WORKSPACE", "").run().expect(1);
    assert_eq!(unset.json::<Value>()["workspace"].as_str(), deck.workspace().to_str());
}

#[test]
fn an_undone_file_takes_the_folders_with_it_that_were_made_for_it() {
    let deck = Deck::new();
    std::fs::create_dir(deck.workspace().join("there")).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let write = |agent: &mut Agent, path: &str| {
        agent.ok("openspace.file.write", &json!({ "path": path, "content": "x" }));
    };
    write(&mut agent, "there/made/for/it.txt");
    deck.cli(&["undo"]).expect(0);
    let there = deck.workspace().join("there");
    assert_eq!(there.read_dir().unwrap().count(), 0, "what was made is gone, and nothing else");
    let back = deck.json(&["undo", "--list", "--json"])["writes"][0]["undoId"].to_string();
    deck.cli(&["undo", "--id", &back]).expect(0);
    assert!(there.join("made/for/it.txt").exists());
    // What came there since then keeps its folder.
    std::fs::write(there.join("made/other"), "").unwrap();
    deck.cli(&["undo", "there/made/for/it.txt"]).expect(0);
    assert!(there.join("made/other").exists() && !there.join("made/for").exists());
}
