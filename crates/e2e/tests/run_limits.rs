//! `flightdeck run`: what ends a command before it ends by itself.

use flightdeck_contract::terminal::Ran;
use flightdeck_e2e::{Deck, SOON, processes};
use rustix::process::Signal;

/// A command with a tree: a child, a child in a session of its own, and the command itself.
const TREE: &str = "sleep 1001 & setsid sleep 1002 & echo started; sleep 1003";

#[test]
fn time_that_is_up_is_told_and_the_command_goes_on() {
    let deck = Deck::new();
    let ran = deck.cli(&["run", "--timeout", "2s", "--", "sh", "-c", TREE]).expect(124);
    assert_eq!(ran.text(), "started\n", "what there is so far is shown");
    assert!(ran.errors().contains("it still runs: `flightdeck logs -f t1`"), "{ran}");
    assert!(ran.took < SOON, "{:?}", ran.took);
    assert!(deck.info("t1").running);
    assert_eq!(deck.processes_of("t1").len(), 4);
    let json = deck.cli(&["run", "--json", "--timeout", "2s", "--", "sh", "-c", "echo part; sleep 1000"]);
    let ran: Ran = json.expect(124).json();
    assert_eq!((ran.output.as_str(), ran.exit_code, ran.timed_out, ran.running), ("part\n", None, true, true));
    assert!(ran.duration_ms >= 2000, "{}", ran.duration_ms);
}

#[test]
fn kill_on_timeout_ends_the_whole_tree() {
    let deck = Deck::new();
    for kind in ["--pipes", "--pty"] {
        let ran = deck.cli(&["run", kind, "--timeout", "300ms", "--kill", "--", "sh", "-c", TREE]).expect(124);
        assert!(ran.errors().contains("it was ended"), "{kind}: {ran}");
        let id = if kind == "--pipes" { "t1" } else { "t2" };
        deck.nothing_left_of(id);
        assert!(!deck.info(id).running);
    }
}

#[test]
fn a_command_that_ends_in_time_is_not_told_to_be_late() {
    let deck = Deck::new();
    let ran = deck.cli(&["run", "--timeout", "20s", "--kill", "--", "sh", "-c", "echo done; exit 6"]).expect(6);
    assert_eq!((&*ran.text(), &*ran.errors()), ("done\n", ""));
}

/// What Ctrl-C reaches in a window: everything in the foreground.
const FOREGROUND: &str = "echo started; sleep 1001 | sleep 1002";
/// The same, deaf to it.
const STUBBORN: &str = "trap '' INT; echo started; sleep 1001 | sleep 1002";

#[test]
fn ctrl_c_stops_the_command() {
    let deck = Deck::new();
    deck.start();
    let cases = [("--pipes", FOREGROUND), ("--pty", FOREGROUND), ("--pipes", STUBBORN), ("--pty", STUBBORN)];
    for (number, (kind, script)) in cases.iter().enumerate() {
        let id = format!("t{}", number + 1);
        let running = deck.invoke(&["run", kind, "--", "sh", "-c", script]).start();
        deck.wait_until("everything runs", SOON, || (deck.processes_of(&id).len() == 3).then_some(()));
        running.signal(Signal::INT);
        running.finish().expect(130);
        deck.wait_until("nothing is left", SOON, || deck.processes_of(&id).is_empty().then_some(()));
    }
}

#[test]
fn a_caller_that_is_killed_takes_its_command_with_it() {
    let deck = Deck::new();
    deck.start();
    let running = deck.invoke(&["run", "--", "sh", "-c", FOREGROUND]).start();
    deck.wait_until("everything runs", SOON, || (deck.processes_of("t1").len() == 3).then_some(()));
    running.signal(Signal::KILL);
    running.finish().expect(137);
    deck.wait_until("nothing is left", SOON, || deck.processes_of("t1").is_empty().then_some(()));
    assert!(processes::is_alive(deck.hub_pid()));
}
