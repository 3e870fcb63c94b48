//! A hub that takes connections and says nothing: whoever waits for it is told.

use flightdeck_e2e::Deck;
use flightdeck_e2e::processes::Stopped;

#[test]
fn who_waits_for_a_hub_that_hangs_is_told() {
    let deck = Deck::new();
    deck.start();
    let stopped = Stopped::new(deck.hub_pid());
    for args in [&["ls"][..], &["status"], &["mcp"]] {
        let mut waiting = deck.window(args);
        waiting.wait_for("has not answered");
        waiting.type_in(b"\x03");
        waiting.exit_code(flightdeck_e2e::SOON);
    }
    drop(stopped);
    deck.cli(&["ls"]).expect(0);
}
