//! A keeper that was killed is remembered; one that ended in order is not.

use std::fs;
use std::path::PathBuf;

use flightdeck_e2e::{Deck, SOON, processes};
use rustix::process::Signal;

fn kill(deck: &Deck, pid: u32) {
    processes::signal(pid, Signal::KILL);
    deck.wait_until("it is gone", SOON, || (!processes::is_alive(pid)).then_some(()));
}

#[test]
fn a_lost_keeper_is_recorded_and_one_that_ended_is_not() {
    let deck = Deck::new();
    deck.new_terminal(&["--", "sleep", "1000"]);
    let state = PathBuf::from(deck.status()["state"].as_str().unwrap());
    let lost = state.join("keeper.lost");
    let running = state.join("keeper.running");
    assert!(running.exists(), "a keeper that runs is named");
    deck.cli(&["stop", "--all"]).expect(0);
    deck.wait_until("the keeper has ended", SOON, || (!running.exists()).then_some(()));
    assert!(!lost.exists(), "it ended in order");

    // The hub sees it at once.
    deck.new_terminal(&["--", "sleep", "1000"]);
    let hub = deck.hub_pid();
    kill(&deck, deck.keeper_pid());
    let first = deck.wait_until("the loss is recorded", SOON, || fs::read_to_string(&lost).ok());

    deck.wait_until("the hub has ended", SOON, || (!processes::is_alive(hub)).then_some(()));

    // With the hub killed before, the next keeper finds it.
    deck.new_terminal(&["--", "sleep", "1000"]);
    let keeper = deck.keeper_pid();
    let lost_hub = deck.lose_hub();
    kill(&deck, keeper);
    drop(lost_hub);
    deck.new_terminal(&["--", "sleep", "1000"]);
    let second = fs::read_to_string(&lost).unwrap();
    assert_ne!(first, second, "the later loss counts");
    deck.cli(&["stop", "--all"]).expect(0);
}
