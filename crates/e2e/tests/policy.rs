//! `flightdeck policy`: what would be decided, the rules, and the files that they are in.

use std::fs;
use std::path::PathBuf;

use flightdeck_e2e::{Agent, Deck};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";

fn file(deck: &Deck) -> PathBuf {
    deck.cli(&["policy", "path"]).expect(0).text().trim().into()
}

/// What the audit log says of the newest run: decision, rule and reason.
fn noted(deck: &Deck) -> (String, String, String) {
    let text = deck.cli(&["audit", "--json", "-n", "1", "-c", RUN]).expect(0).text();
    let entry: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let field = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    (field("decision"), field("rule"), field("reason"))
}

#[test]
fn a_decision_is_told_in_words_in_json_and_in_the_exit_code() {
    let deck = Deck::new();
    for (mode, command, decision, rule, code) in [
        ("interactive", "git status", "allowed", "builtin:", 0),
        ("interactive", "make install-everything", "needs_approval", "default:ask", 10),
        ("terminal", "make install-everything", "allowed", "default:guard", 0),
        ("terminal", "rm -rf build", "needs_approval", "danger:deletes-tree", 10),
        ("headless", "make install-everything", "blocked", "", 11),
        ("acp", "rm -rf /", "blocked", "danger:deletes-root", 11),
    ] {
        let outcome = deck.cli(&["policy", "test", "--mode", mode, "--json", command]).expect(code);
        let answer: Value = outcome.json();
        assert_eq!(answer["decision"], decision, "{mode} {command}: {answer}");
        assert!(answer["rule"].as_str().unwrap().contains(rule), "{mode} {command}: {answer}");
        let fields: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["decision", "rule", "reason"]);
        let text = deck.cli(&["policy", "test", "--mode", mode, command]).expect(code).text();
        let (first, reason) = text.split_once('\n').unwrap();
        assert_eq!(first, format!("{decision} ({})", answer["rule"].as_str().unwrap()));
        assert_eq!(reason.trim(), answer["reason"].as_str().unwrap());
    }
    let verbose: Value = deck.cli(&["policy", "test", "-v", "--json", "cd x && rm -rf y"]).expect(10).json();
    assert_eq!(verbose["pieces"][1]["text"], "rm -rf y", "{verbose}");
    // The folder matters, and a relative one is the caller's.
    fs::create_dir(deck.workspace().join("sub")).unwrap();
    for cwd in ["sub", "."] {
        let there = deck.cli(&["policy", "test", "--json", "--cwd", cwd, "rm -rf ../w"]);
        assert_eq!(there.code, if cwd == "." { 11 } else { 10 }, "{there}");
    }
}

#[test]
fn an_explanation_has_the_pieces_the_modes_and_the_rule() {
    let deck = Deck::new();
    let text = deck.cli(&["policy", "explain", "cd sub && rm -rf build"]).expect(10).text();
    for part in [
        "│ cd sub && rm -rf build\n  │           ^^^^^^^^^^^^\n",
        "! rm -rf build",
        "headless     blocked",
        "interactive  needs_approval",
        "terminal     needs_approval",
        "openspace ",
        "tabs ",
        "acp ",
        "danger:deletes-tree",
        "a rule for it",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let text = deck.cli(&["policy", "explain", "echo $(date)\u{202e}"]).text();
    assert!(text.contains("nothing can be proven of it") && text.contains(r"\u{202e}"), "{text}");
}

#[test]
fn a_rule_is_rehearsed_and_then_added() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    for _ in 0..2 {
        agent.ok(RUN, &json!({ "command": "echo frobnicate" }));
    }
    agent.ok(RUN, &json!({ "command": "true" }));
    // What people run is none of the rules' business.
    deck.cli(&["run", "--", "echo", "by a person"]).expect(0);
    let text = deck.cli(&["policy", "rehearse", "--block", "echo *"]).expect(0).text();
    assert!(text.starts_with("1 of 3 commands"), "{text}");
    let line = text.lines().last().unwrap();
    assert!(line.contains("-> blocked") && line.ends_with("2  codex#1          echo frobnicate"), "{text}");
    let none = deck.cli(&["policy", "rehearse", "--block", "frobnicate *", "--since", "7d"]).expect(0).text();
    assert!(none.starts_with("nothing would have been decided otherwise, of 3"), "{none}");
    let json = deck.json(&["policy", "rehearse", "--block", "echo *", "--json"]);
    assert_eq!((&json["looked_at"], &json["changed"][0]["times"]), (&json!(3), &json!(2)), "{json}");
    let dry = deck.cli(&["policy", "add", "echo *", "--block", "--name", "quiet", "--dry-run"]).expect(0).text();
    let path = file(&deck);
    assert!(dry.contains(path.to_str().unwrap()) && dry.contains("name = \"quiet\""), "{dry}");
    assert!(dry.contains("1 of 3 commands") && !path.exists(), "{dry}");
    let added = deck.cli(&["policy", "add", "--block", "echo *", "--name", "quiet", "--reason", "too loud"]);
    let added = added.expect(0).text();
    let text = fs::read_to_string(&path).unwrap();
    for line in added.lines().skip(1) {
        assert!(text.contains(line.trim()), "{line:?} of {added} is not in {text}");
    }
    assert!(added.starts_with("quiet added to ") && text.contains("too loud"), "{added}");
    let again = deck.json(&["policy", "add", "--block", "echo *", "--name", "quiet", "--reason", "too loud", "--json"]);
    assert_eq!(again["known"], true, "{again}");
    // It counts at once.
    let refused = agent.call(RUN, &json!({ "command": "echo frobnicate" }));
    assert_eq!(refused["code"], "blocked", "{refused}");
    let (decision, rule, reason) = noted(&deck);
    assert_eq!((decision.as_str(), rule.as_str()), ("blocked", "rule:quiet"), "{reason}");
    assert!(reason.contains("too loud"), "{reason}");
    let everywhere = deck.json(&["policy", "add", "frobnicate --all", "--everywhere", "--json"]);
    let own = deck.cli(&["policy", "path", "--everywhere"]).expect(0).text();
    assert_eq!(everywhere["file"], own.trim());
    let shown = deck.cli(&["policy", "show"]).expect(0).text();
    assert!(shown.contains("block quiet  echo *") && shown.contains("allow frobnicate"), "{shown}");
    assert!(shown.contains("interactive  ask") && shown.contains("terminal     guard"), "{shown}");
    for overbroad in ["*", "sudo *", "bash *"] {
        deck.cli(&["policy", "add", overbroad]).expect(1);
    }
}

#[test]
fn a_rule_is_changed_and_removed_where_it_stands() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    agent.ok(RUN, &json!({ "command": "echo frobnicate" }));
    let path = file(&deck);
    deck.cli(&["policy", "add", "--block", "echo *", "--name", "quiet"]).expect(0);
    deck.cli(&["policy", "add", "cargo test *"]).expect(0);
    let call = |command: &str, args: &serde_json::Value| deck.cli(&["call", command, &args.to_string()]);
    let mut rule = json!({ "name": "quiet", "patterns": ["echo loud *"], "action": "block" });
    (rule["matches"], rule["notMatches"]) = (json!(["echo loud please"]), json!(["echo"]));
    // What it would have changed is told of the rules without the old one.
    let rehearse = json!({ "rule": rule, "insteadOf": { "name": "quiet" } });
    let text = call("flightdeck.policy.rehearse", &rehearse).expect(0).text();
    assert!(text.contains("\"before\": \"blocked\"") && text.contains("\"after\": \"allowed\""), "{text}");
    rule["replaces"] = json!("quiet");
    call("flightdeck.policy.add", &rule).expect(0);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("[[rule]]\nname = \"quiet\"\nblock = [\"echo loud *\"]\nmatch = "), "{text}");
    agent.ok(RUN, &json!({ "command": "echo frobnicate" }));
    assert_eq!(agent.call(RUN, &json!({ "command": "echo loud words" }))["code"], "blocked");
    rule["patterns"] = json!(["echo *"]);
    call("flightdeck.policy.add", &rule).expect(1);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let removed = deck.cli(&["policy", "remove", "quiet"]).expect(0).text();
    assert!(removed.starts_with("quiet removed from "), "{removed}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "[[rule]]\nname = \"cargo-test\"\nallow = [\"cargo test *\"]\n");
    agent.ok(RUN, &json!({ "command": "echo loud words" }));
    deck.cli(&["policy", "remove", "quiet"]).expect(1);
    let waiting = deck.cli(&["policy", "accept"]).expect(0).text();
    assert!(!waiting.contains('+'), "what the hub wrote itself waits for nobody: {waiting}");
}

#[test]
fn a_file_that_was_accepted_counts_for_the_next_call() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let mut runs = |allowed: bool| {
        let result = agent.call(RUN, &json!({ "command": "echo frobnicate" }));
        assert_eq!(result["success"], allowed, "{result}");
    };
    let path = file(&deck);
    runs(true);
    fs::write(&path, "[[rule]]\nname = \"quiet\"\nblock = [\"echo *\"]\n").unwrap();
    deck.cli(&["policy", "accept", "--yes"]).expect(0);
    runs(false);
    assert_eq!(noted(&deck).1, "rule:quiet");
    fs::write(&path, "").unwrap();
    deck.cli(&["policy", "accept", "--yes"]).expect(0);
    runs(true);
    assert_eq!(noted(&deck).0, "allowed");
}

#[test]
fn a_broken_file_changes_nothing_and_is_told() {
    let deck = Deck::new();
    let path = file(&deck);
    fs::write(&path, "[[rule]]\nname = \"quiet\"\nblock = [\"echo *\"]\n").unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let blocked = |agent: &mut Agent| {
        let refused = agent.call(RUN, &json!({ "command": "echo frobnicate" }));
        assert_eq!(refused["code"], "blocked", "{refused}");
        assert_eq!(noted(&deck).1, "rule:quiet");
    };
    blocked(&mut agent);
    fs::write(&path, "[[rule]]\nname = \"loud\"\nalow = [\"echo *\"]\n").unwrap();
    for restarted in [false, true] {
        if restarted {
            deck.cli(&["restart"]).expect(0);
        }
        blocked(&mut agent);
        let shown = deck.cli(&["policy", "show"]).expect(0).text();
        assert!(shown.contains(&format!("{} broken\n    line 3", path.display())), "{shown}");
        assert!(shown.contains("alow") && shown.contains("the last good rules stay"), "{shown}");
        assert!(shown.contains("block quiet"), "{shown}");
        let json = deck.json(&["policy", "show", "--json"]);
        assert!(json["files"][1]["problem"].as_str().unwrap().contains("line 3"), "{json}");
    }
    let checked = deck.cli(&["policy", "check"]).expect(1).text();
    assert!(checked.contains(&format!("{}:3: ", path.display())), "{checked}");
    fs::write(&path, "").unwrap();
    deck.cli(&["policy", "accept", "--yes"]).expect(0);
    let shown = deck.cli(&["policy", "show"]).expect(0).text();
    assert!(!shown.contains("broken") && shown.contains("none of your own"), "{shown}");
    agent.ok(RUN, &json!({ "command": "echo frobnicate" }));
}

#[test]
fn a_file_is_checked_without_a_hub() {
    let deck = Deck::new();
    let good = deck.workspace().join("good.toml");
    fs::write(&good, "[[rule]]\nname = \"tests\"\nallow = [\"cargo test *\"]\nmatch = [\"cargo test --all\"]\n")
        .unwrap();
    let text = deck.cli(&["policy", "check", "good.toml"]).expect(0).text();
    assert_eq!(text, "good.toml: right, 1 rule\n");
    for (content, line, words) in [
        ("[[rule]]\nname = \"x\"\nallow = [\"cargo test *\"]\nmatch = [\"cargo build\"]\n", 4, "cargo build"),
        ("[[rule]]\nname = \"x\"\n\n\nallow = [\"sudo *\"]\n", 5, "sudo"),
        ("[defaults]\nterminal = \"loose\"\n", 2, "loose"),
        ("[[rule]\n", 1, ""),
    ] {
        fs::write(&good, content).unwrap();
        let wrong = deck.cli(&["policy", "check", "good.toml"]).expect(1).text();
        assert!(wrong.starts_with(&format!("good.toml:{line}: ")) && wrong.contains(words), "{content}: {wrong}");
    }
    deck.cli(&["policy", "check", "nowhere.toml"]).expect(1);
    let both = deck.cli(&["policy", "check"]).expect(0).text();
    assert_eq!(both.matches("not there").count(), 2, "{both}");
    assert!(deck.processes().is_empty(), "no hub was started");
}
