//! The audit log: every call is in it, secrets are not, and it shows when somebody changed it.

use flightdeck_e2e::{Agent, Deck, Person, SOON};
use serde_json::{Value, json};

fn entries(deck: &Deck, args: &[&str]) -> Vec<Value> {
    let text = deck.cli(&[&["audit", "--json"], args].concat()).expect(0).text();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_call_is_noted_with_who_what_and_how_it_ended() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "echo hi");
    let mut agent = Agent::new(&deck, "claude-code");
    agent.ok("flightdeck.terminal.run", &json!({ "command": "exit 3" }));
    agent.call("flightdeck.terminal.read", &json!({ "id": "t99" }));
    agent.call("flightdeck.terminal.read", &json!({ "id": 7 }));
    let all = entries(&deck, &[]);
    let find = |command: &str, actor: &str| {
        let found = all.iter().find(|e| e["command"] == command && e["actor"].as_str().unwrap().starts_with(actor));
        found.unwrap_or_else(|| panic!("no {command} by {actor} in {all:#?}"))
    };
    let run = find("flightdeck.terminal.run", "cli:pilot");
    assert_eq!((&run["result"], &run["surface"], &run["terminal"]), (&json!("ok"), &json!("control"), &json!(id)));
    assert_eq!((&run["decision"], &run["rule"]), (&json!("allowed"), &json!("person")), "{run}");
    assert!(run["args"].as_str().unwrap().contains("echo hi") && run["durationMs"].as_f64().unwrap() > 0.0, "{run}");
    let by_agent = find("flightdeck.terminal.run", "claude-code#");
    assert_eq!(by_agent["surface"], "mcp-stdio");
    assert_eq!((&by_agent["decision"], &by_agent["rule"]), (&json!("allowed"), &json!("default:guard")), "{by_agent}");
    // How the command ended is told apart from how the call did, and where it ran although nobody had named a terminal.
    assert_eq!((&by_agent["result"], &by_agent["run"]), (&json!("ok"), &json!({ "exitCode": 3 })), "{by_agent}");
    assert!(by_agent["terminal"].as_str().is_some_and(|id| id.starts_with('t')), "{by_agent}");
    let failed = entries(&deck, &["--result", "failed"]);
    let codes: Vec<_> = failed.iter().map(|entry| entry["result"].as_str().unwrap()).collect();
    // A command that failed is a call that went well, and is what somebody looks for who looks for failures.
    assert_eq!(codes, ["ok", "terminal_not_found", "invalid_argument"], "{failed:#?}");
    assert_eq!(failed[0]["run"], json!({ "exitCode": 3 }), "{failed:#?}");
    let well = entries(&deck, &["--result", "ok", "--command", "flightdeck.terminal.run"]);
    assert_eq!(well.len(), 1, "{well:#?}");
    assert_eq!(entries(&deck, &["--actor", "CLAUDE", "--command", "flightdeck.terminal.run"]).len(), 1);
    assert_eq!(entries(&deck, &["-n", "2"]).len(), 2);
    assert_eq!(entries(&deck, &["--text", "echo hi", "--since", "1h"]).len(), 1);
}

#[test]
fn secrets_are_hidden_and_passwords_even_more_so() {
    let deck = Deck::new();
    deck.cli(&["run", "-e", "API_TOKEN=topsecret", "--", "true"]).expect(0);
    let mut agent = Agent::new(&deck, "codex");
    agent.ok(
        "flightdeck.terminal.run",
        &json!({ "command": "true", "env": { "PGPASSWORD": "topsecret", "SSHPASS": "topsecret" } }),
    );
    deck.cli(&["run", "--", "sh", "-c", "PASSWORD=topsecret true"]).expect(0);
    let id = deck.new_terminal(&["--", "sh", "-c", "stty -echo; printf 'Password: '; read p; echo; echo done"]);
    deck.cli(&["wait", &id, "--input"]).expect(0);
    // Even what is wrong about it is not written down.
    for args in [
        json!({ "id": id, "keys": ["correct horse"] }),
        json!({ "id": id, "keys": "correct horse" }),
        json!({ "id": id, "input": "correct horse" }),
    ] {
        deck.cli(&["call", "flightdeck.terminal.keys", &args.to_string()]).expect(1);
    }
    deck.cli(&["send", &id, "correct horse", "-e"]).expect(0);
    deck.ended(&id, SOON);
    // An answer that comes too late is still one.
    deck.cli(&["send", &id, "correct horse", "-e"]);
    let late = json!({ "action": "send", "terminal_id": id, "text": "correct horse" });
    agent.call("memory_terminal_interactive", &late);
    for terminal in [&id, "t99"] {
        agent.call("openspace.terminal.send", &json!({ "terminalId": terminal, "text": "correct horse" }));
        agent.call("flightdeck.terminal.keys", &json!({ "id": terminal, "text": "correct horse" }));
    }
    let call = agent.begin("start_process", &json!({ "window_id": "@99", "command": "correct horse" }));
    agent.answer(call);
    let all = deck.cli(&["audit", "--json", "-n", "1000"]).expect(0).text();
    assert!(!all.contains("topsecret") && !all.contains("horse"), "{all}");
    let listed = deck.cli(&["ls", "--all", "--json"]).expect(0).text();
    assert!(listed.contains("PASSWORD=") && !listed.contains("topsecret"), "{listed}");
    assert!(all.contains("***"), "{all}");
}

#[test]
fn a_hub_that_was_killed_leaves_a_trace_of_what_it_was_doing() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let running = deck.invoke(&["run", "--in", &id, "--", "sleep 1000"]).start();
    deck.wait_until("the command runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("sleep")).then_some(()));
    let now = entries(&deck, &["--command", "flightdeck.terminal.run"]);
    assert_eq!(now.last().unwrap()["result"], "running", "{now:#?}");
    deck.kill_hub();
    running.finish();
    let later = entries(&deck, &["--command", "flightdeck.terminal.run"]);
    assert_eq!(later.last().unwrap()["result"], "interrupted", "{later:#?}");
    deck.cli(&["audit", "verify"]).expect(0);
}

#[test]
fn a_changed_or_missing_entry_is_found() {
    for (change, found) in [
        ("UPDATE audit SET actor = 'nobody' WHERE seq = 3", "entry 3 of the audit log was changed"),
        ("DELETE FROM audit WHERE seq = 3", "entry 3 of the audit log was removed"),
        ("DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)", "audit log"),
    ] {
        let deck = Deck::new();
        for _ in 0..3 {
            deck.cli(&["run", "--", "true"]).expect(0);
        }
        let text = deck.cli(&["audit", "verify"]).expect(0).text();
        assert!(text.contains("intact"), "{text}");
        let state = deck.status()["state"].as_str().unwrap().to_owned();
        deck.cli(&["stop"]).expect(0);
        let script = format!(
            "import sqlite3; db = sqlite3.connect('{state}/flightdeck.db'); print(db.execute(\"{change}\").rowcount); db.commit()"
        );
        let changed = std::process::Command::new("python3").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&changed.stdout).trim(), "1", "{changed:?}");
        deck.start();
        let verified = deck.cli(&["audit", "verify"]).expect(1);
        assert!(verified.errors().contains(found), "{change}: {}", verified.errors());
        let json: Value = deck.cli(&["audit", "verify", "--json"]).expect(1).json();
        assert_eq!(json["intact"], false);
    }
}

#[test]
fn following_shows_what_comes_and_not_itself() {
    let deck = Deck::new();
    deck.start();
    let following = deck.window(&["audit", "-f", "-n", "20"]);
    deck.cli(&["run", "--", "echo", "unmistakable"]).expect(0);
    following.wait_for("unmistakable");
    deck.cli(&["run", "--", "echo", "once-more"]).expect(0);
    following.wait_for("once-more");
    assert!(!following.seen().contains("flightdeck.hub.audit {\"actor\""), "{}", following.seen());
}

#[test]
fn a_command_that_a_person_has_changed_is_noted_as_it_ran() {
    let deck = Deck::new();
    deck.settings("[approvals]\nwait_unattended = true\n");
    let mut agent = Agent::new(&deck, "codex");
    let asks = agent.begin("flightdeck.terminal.run", &json!({ "command": "rm -rf nothing" }));
    let approval = deck.wait_until("it asks", SOON, || {
        let listed: Value =
            serde_json::from_str(&deck.cli(&["call", "flightdeck.approval.list"]).expect(0).text()).unwrap();
        listed["data"]["approvals"][0]["id"].as_str().map(str::to_owned)
    });
    let answer = json!({ "id": approval, "choice": "approve", "command": "exit 7" });
    deck.cli(&["call", "flightdeck.approval.answer", &answer.to_string()]).expect(0);
    assert_eq!(agent.result(asks)["data"]["exitCode"], 7);
    let noted = entries(&deck, &["--command", "flightdeck.terminal.run"]).pop().unwrap();
    assert_eq!(noted["run"], json!({ "edited": "exit 7", "exitCode": 7 }), "{noted}");
    assert!(noted["args"].as_str().unwrap().contains("rm -rf nothing"), "what was asked for stays: {noted}");
    assert_eq!(
        entries(&deck, &["--text", "exit 7", "--command", "flightdeck.terminal.run"]).len(),
        1,
        "it is found by it"
    );
    let shown = deck.cli(&["audit", "--command", "flightdeck.terminal.run"]).expect(0).text();
    assert!(shown.contains("exit 7") && shown.contains("changed it to: exit 7") && !shown.contains(" ok "), "{shown}");
    deck.cli(&["audit", "verify"]).expect(0);
}

/// A front end leads to a terminal by its id, whatever the caller has called it.
#[test]
fn a_tab_is_noted_as_the_terminal_that_it_is() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let tab = agent.call("create_tab", &json!({ "name": "build" }));
    let window = tab["window_id"].as_str().unwrap();
    agent.call("execute_command", &json!({ "window_id": window, "command": "exit_code() { return 3; }; exit_code" }));
    let noted = entries(&deck, &["--command", "execute_command"]).pop().unwrap();
    assert_eq!((&noted["terminal"], &noted["run"]["exitCode"]), (&json!("t1"), &json!(3)), "{noted}");
    assert_eq!(
        noted["summary"].as_array().unwrap().last(),
        Some(&json!({ "kind": "terminal", "id": "t1" })),
        "{noted}"
    );
}

/// The sentence about the newest call of this command.
#[track_caller]
fn sentence(deck: &Deck, command: &str) -> String {
    let entry = entries(deck, &["-c", command, "-n", "1"]).pop().unwrap_or_else(|| panic!("no call of {command}"));
    let parts = entry["summary"].as_array().unwrap_or_else(|| panic!("no summary in {entry}"));
    let text = |part: &Value| ["text", "id", "path"].iter().find_map(|name| part[name].as_str().map(str::to_owned));
    parts.iter().filter_map(text).collect()
}

#[test]
fn what_went_on_is_told_as_it_has_ended_since() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut agent = Agent::new(&deck, "codex");
    let tab = agent.call("create_tab", &json!({}))["window_id"].clone();
    let run = |command: &str| entries(&deck, &["-c", command, "-n", "1"]).pop().unwrap()["run"].clone();
    for (command, args, code) in [
        ("flightdeck.terminal.run", json!({ "command": "read x; exit 3", "timeoutMs": 100 }), 3),
        ("flightdeck.terminal.run", json!({ "id": id, "command": "read x; (exit 4)", "timeoutMs": 100 }), 4),
        ("start_process", json!({ "window_id": tab, "command": "read x; (exit 9)" }), 9),
    ] {
        let answer = agent.call(command, &args);
        assert_eq!(run(command)["running"], true, "{answer}");
        let terminal = entries(&deck, &["-c", command, "-n", "1"]).pop().unwrap()["terminal"].clone();
        let typed = json!({ "id": terminal, "text": "x", "keys": ["Enter"] }).to_string();
        deck.cli(&["call", "flightdeck.terminal.keys", &typed]).expect(0);
        deck.wait_until("its end is told", SOON, || run(command)["running"].is_null().then_some(()));
        assert_eq!(run(command)["exitCode"], code, "{}", run(command));
    }
}

#[test]
fn what_people_did_is_told_in_full() {
    let deck = Deck::new();
    deck.cli(&["run", "--", "echo", "from", "cli"]).expect(0);
    let ran = sentence(&deck, "flightdeck.terminal.exec");
    assert!(ran.starts_with("ran echo from cli in t"), "{ran}");
    deck.cli(&["call", "openspace.terminal.create", "{}"]).expect(0);
    assert_eq!(sentence(&deck, "openspace.terminal.create"), "opened t2");
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin("flightdeck.terminal.run", &json!({ "command": "rm -rf src" }));
    person.decline_next("not that one");
    let refused = agent.result(call);
    assert_eq!(refused["error"], "the user declined `rm -rf src`: not that one");
    assert_eq!(refused["details"]["by"], "test", "{refused}");
    assert_eq!(sentence(&deck, "flightdeck.approval.answer"), "denied rm -rf src");
}
