//! What callers see when the hub dies under them, and that what they started goes on.

use std::fs;

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

const GATED: &str = "echo begun; while ! [ -e gate ]; do sleep 0.02; done; echo ended; exit 6";

#[test]
fn a_run_whose_hub_dies_says_so_and_its_command_goes_on() {
    let deck = Deck::new();
    deck.cli(&["ls"]).expect(0);
    let running = deck.invoke(&["run", "--", "sh", "-c", GATED]).start();
    deck.cli(&["wait", "t1", "--pattern", "begun", "--from", "0"]);
    deck.wait_until("it runs", SOON, || (!deck.processes_of("t1").is_empty()).then_some(()));
    deck.kill_hub();
    let ran = running.finish().expect(125);
    assert!(ran.errors().contains("the hub is gone"), "{ran}");
    fs::write(deck.workspace().join("gate"), "").unwrap();
    assert_eq!(deck.ended("t1", SOON), 6);
    assert_eq!(deck.cli(&["logs", "t1", "--all"]).expect(0).text(), "begun\nended\n");
}

#[test]
fn a_run_under_a_hub_that_is_stopped_goes_on_too() {
    let deck = Deck::new();
    deck.start();
    let running = deck.invoke(&["run", "--", "sh", "-c", GATED]).start();
    deck.wait_until("it runs", SOON, || (!deck.processes_of("t1").is_empty()).then_some(()));
    deck.cli(&["stop"]).expect(0);
    assert_ne!(running.finish().code, 0);
    fs::write(deck.workspace().join("gate"), "").unwrap();
    deck.start();
    assert_eq!(deck.ended("t1", SOON), 6, "the terminals of a stopped hub go on");
}

/// opencode ends all descendants of a server when it leaves, and others may use the hub by then.
#[test]
fn a_hub_is_no_child_of_the_client_that_started_it() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "opencode");
    assert_eq!(agent.ok("flightdeck.terminal.run", &json!({ "command": "echo hi" }))["output"], "hi\n");
    let stat = fs::read_to_string(format!("/proc/{}/stat", deck.hub_pid())).unwrap();
    let fields: Vec<_> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    assert_ne!(fields[1], agent.pid().to_string(), "{stat}");
    assert_eq!(fields[3], deck.hub_pid().to_string(), "a session of its own: {stat}");
    // What stood between the two is gone, and no zombie.
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", agent.pid())).unwrap();
    assert_eq!(children.trim(), "");
}

#[test]
fn a_window_whose_hub_dies_is_left_tidy() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut window = deck.window(&["attach", &id]);
    window.wait_for("\x1b[?2004h");
    let lost = deck.lose_hub();
    assert_eq!(window.exit_code(SOON), 1, "{:?}", window.seen());
    deck.wait_until("the reason", SOON, || window.seen().contains("the hub is gone").then_some(()));
    let seen = window.seen();
    assert!(seen.rfind("\x1b[?2004l") > seen.rfind("\x1b[?2004h"), "{seen:?}");
    drop(lost);
    assert_eq!(deck.run_in(&id, "echo next").output, "next\n");
}

#[test]
fn a_window_goes_on_when_the_next_hub_comes() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut window = deck.window(&["attach", &id]);
    window.wait_for("\x1b[?2004h");
    let hub = deck.hub_pid();
    deck.kill_hub();
    deck.wait_until("the next hub serves", SOON, || (deck.cli(&["status"]).code == 0).then_some(()));
    assert_ne!(deck.hub_pid(), hub);
    deck.wait_until("what is typed arrives again", SOON, || {
        window.type_in(b"echo ty''ped\r");
        window.seen().contains("typed").then_some(())
    });
}

#[test]
fn a_waiting_caller_is_told_when_everything_is_stopped() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let waiting = deck.invoke(&["wait", &id, "--timeout", "1h"]).start();
    let following = deck.invoke(&["logs", "-f", &id]).start();
    deck.cli(&["stop", "--all"]).expect(0);
    waiting.finish();
    following.finish();
}
