//! A database that was lost or put back: every front end says so, and no rule counts that a person has not accepted again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use flightdeck_contract::events::{HubChange, HubEvent};
use flightdeck_e2e::{Agent, Deck};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";

fn state(deck: &Deck) -> PathBuf {
    deck.status()["state"].as_str().expect("a path").into()
}

fn remove(state: &Path, beginning: &str) {
    for entry in fs::read_dir(state).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with(beginning) && entry.path().is_file() {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with("flightdeck.") {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// What the hub says of its database, by kind.
#[track_caller]
fn kinds(deck: &Deck) -> Vec<String> {
    let status = deck.status();
    let problems = status["database"].as_array().cloned().unwrap_or_default();
    problems.iter().map(|problem| problem["kind"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn says_it_everywhere(deck: &Deck, kind: &str, words: &str) {
    assert_eq!(kinds(deck), [kind]);
    let said = deck.cli(&["status"]).expect(0).text();
    assert!(said.contains("database") && said.contains(words) && said.contains("audit acknowledge"), "{said}");
    let said = deck.cli(&["doctor"]).expect(1).text();
    assert!(said.contains("FAIL  database") && said.contains(words), "{said}");
    let said = deck.cli(&["audit", "verify"]).expect(1).errors();
    assert!(said.contains(words) && said.contains("audit acknowledge"), "{said}");
    let verified: Value = deck.cli(&["audit", "verify", "--json"]).expect(1).json();
    assert_eq!((&verified["intact"], &verified["database"][0]["kind"]), (&json!(false), &json!(kind)), "{verified}");
    let said = deck.cli(&[]).expect(0).text();
    assert!(said.contains("database:"), "{said}");
    let log = fs::read_to_string(state(deck).join("hub.log")).unwrap();
    assert!(log.contains(words), "{log}");
    // The audit log that goes on says it as well.
    let entries = deck.cli(&["audit", "--json", "--command", "hub.database"]).expect(0).text();
    assert!(entries.lines().last().is_some_and(|entry| entry.contains(kind)), "{entries}");
    // And the page and the window are told.
    let mut hub = deck.socket();
    hub.begin("flightdeck.hub.watch", json!({}));
    assert_eq!(hub.event().0["snapshot"]["database"][0]["kind"], kind);
}

#[track_caller]
fn refused(agent: &mut Agent) {
    let refused = agent.call(RUN, &json!({ "command": "rm -rf doomed" }));
    assert_eq!(refused["code"], "approval_unavailable", "{refused}");
}

#[test]
fn a_lost_database_is_told_everywhere_and_no_rule_counts_until_it_is_accepted() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "sly");
    deck.cli(&["policy", "add", "rm -rf doomed"]).expect(0);
    deck.cli(&["policy", "add", "frobnicate *", "--block"]).expect(0);
    assert_eq!(agent.ok(RUN, &json!({ "command": "rm -rf doomed" }))["data"]["exitCode"], 0);
    let kept = deck.new_terminal(&["--", "sleep", "1000"]);
    let started = deck.info(&kept).created_at;
    assert_eq!(kinds(&deck), [""; 0]);
    let state = state(&deck);
    let lost = deck.lose_hub();
    let lost_at = UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
    remove(&state, "flightdeck.db");
    drop(lost);
    deck.start();
    says_it_everywhere(&deck, "lost", "was gone, and a new one was begun");
    // The terminal is as old as it is.
    let info = deck.info(&kept);
    assert!(info.running);
    assert!((started - 60.0..=lost_at).contains(&info.created_at), "{started}, {} and {lost_at}", info.created_at);
    // The file still has the rule that allows. It waits; what forbids counts meanwhile.
    refused(&mut agent);
    deck.cli(&["policy", "test", "--mode", "terminal", "frobnicate x"]).expect(11);
    assert_eq!(deck.status()["policy"][0]["state"], "changed");
    // Across restarts and kills, and whoever acknowledges the loss has not accepted the rules.
    deck.kill_hub();
    deck.start();
    assert_eq!(kinds(&deck), ["lost"]);
    refused(&mut agent);
    let mut hub = deck.socket();
    hub.begin("flightdeck.hub.watch", json!({}));
    hub.event();
    let said = deck.cli(&["audit", "acknowledge"]).expect(0).text();
    assert!(said.contains("acknowledged:") && said.contains("was gone"), "{said}");
    loop {
        let HubEvent::Changes { changes } = serde_json::from_value(hub.event().0).unwrap() else { continue };
        if changes.iter().any(|one| matches!(&one.change, HubChange::Database { database } if database.is_empty())) {
            break;
        }
    }
    assert_eq!(kinds(&deck), [""; 0]);
    deck.cli(&["audit", "verify"]).expect(0);
    deck.cli(&["doctor"]).expect(0);
    let said = deck.cli(&["audit", "acknowledge"]).expect(0).text();
    assert!(said.contains("nothing has happened"), "{said}");
    let entries = deck.cli(&["audit", "--json", "--command", "flightdeck.hub.acknowledge"]).expect(0).text();
    assert!(entries.lines().count() >= 2, "it is recorded: {entries}");
    deck.kill_hub();
    deck.start();
    assert_eq!(kinds(&deck), [""; 0]);
    refused(&mut agent);
    deck.cli(&["policy", "accept", "--yes"]).expect(0);
    fs::create_dir_all(deck.workspace().join("doomed")).unwrap();
    assert_eq!(agent.ok(RUN, &json!({ "command": "rm -rf doomed" }))["data"]["exitCode"], 0);
}

#[test]
fn a_database_that_is_removed_under_a_running_hub_is_told_and_the_next_hub_begins_a_new_one() {
    let deck = Deck::new();
    deck.start();
    assert_eq!(kinds(&deck), [""; 0]);
    remove(&state(&deck), "flightdeck.db");
    assert_eq!(kinds(&deck), ["removed"]);
    let said = deck.cli(&["doctor"]).expect(1).text();
    assert!(said.contains("FAIL  database") && said.contains("flightdeck restart"), "{said}");
    deck.cli(&["audit", "verify"]).expect(1);
    // What is known already, nobody can take back by a word.
    deck.cli(&["audit", "acknowledge"]);
    assert_eq!(kinds(&deck), ["removed"]);
    deck.cli(&["restart"]).expect(0);
    assert_eq!(kinds(&deck), ["lost"]);
}

#[test]
fn agents_neither_see_nor_acknowledge_it() {
    let deck = Deck::new();
    deck.start();
    let state = state(&deck);
    let lost = deck.lose_hub();
    remove(&state, "flightdeck.db");
    drop(lost);
    let mut agent = Agent::new(&deck, "sly");
    let answer = agent.request("tools/call", &json!({ "name": "flightdeck.hub.acknowledge", "arguments": {} }));
    assert!(answer.to_string().contains("no tool") || answer["error"].is_object(), "{answer}");
    let binary = deck.command(&[]).get_program().to_str().unwrap().to_owned();
    fs::write(deck.workspace().join("s"), format!("{binary} audit acknowledge 2>&1; true")).unwrap();
    let said = agent.ok(RUN, &json!({ "command": "sh s" }));
    assert!(said["output"].as_str().unwrap().contains("for people only"), "{said}");
    assert_eq!(kinds(&deck), ["lost"]);
}

#[test]
fn an_older_copy_is_noticed_and_rules_that_were_taken_back_do_not_come_back_with_it() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "sly");
    deck.cli(&["policy", "add", "rm -rf doomed", "--name", "mine"]).expect(0);
    let state = state(&deck);
    let policy = fs::read(state.join("policy.toml")).unwrap();
    deck.cli(&["stop"]).expect(0);
    let aside = deck.home().join("copy");
    copy(&state, &aside);
    deck.cli(&["policy", "remove", "mine"]).expect(0);
    refused(&mut agent);
    let lost = deck.lose_hub();
    // Everything that was there before the person took the rule back, the witness and the policy file included.
    remove(&state, "flightdeck.");
    copy(&aside, &state);
    fs::write(state.join("policy.toml"), policy).unwrap();
    drop(lost);
    deck.start();
    says_it_everywhere(&deck, "rolled_back", "older than what the hub has written");
    refused(&mut agent);
}

#[test]
fn hubs_that_are_killed_again_and_again_give_no_alarm() {
    let deck = Deck::new();
    for round in 0..8 {
        deck.start();
        let runs = (0..round).map(|_| deck.invoke(&["run", "--", "true"]).start()).collect::<Vec<_>>();
        // In the middle of them.
        deck.kill_hub();
        for run in runs {
            // Answered or not: the hub was killed.
            let _ = run.finish();
        }
        deck.start();
        assert_eq!(kinds(&deck), [""; 0], "round {round}");
        deck.cli(&["audit", "verify"]).expect(0);
    }
}
