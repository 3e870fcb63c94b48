//! A hub that takes connections and says nothing: whoever waits for it is told.

use flightdeck_e2e::{Deck, processes};
use rustix::process::Signal;

/// Lets the hub go on, whatever becomes of the test.
struct Stopped(u32);

impl Drop for Stopped {
    fn drop(&mut self) {
        processes::signal(self.0, Signal::CONT);
    }
}

#[test]
fn who_waits_for_a_hub_that_hangs_is_told() {
    let deck = Deck::new();
    deck.start();
    let hub = deck.hub_pid();
    let stopped = Stopped(hub);
    processes::signal(hub, Signal::STOP);
    for args in [&["ls"][..], &["status"], &["mcp"]] {
        let mut waiting = deck.window(args);
        waiting.wait_for("has not answered");
        waiting.type_in(b"\x03");
        waiting.exit_code(flightdeck_e2e::SOON);
    }
    drop(stopped);
    deck.cli(&["ls"]).expect(0);
}
