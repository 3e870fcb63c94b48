//! What costs nothing while nothing happens.

use std::time::Duration;

use flightdeck_e2e::{Deck, processes};
use serde_json::json;

const SESSIONS: usize = 20;
/// Long enough that a poll of ten times a second would show.
const WATCHED: Duration = Duration::from_millis(1500);

#[test]
fn idle_terminals_cost_no_processor_time_and_no_threads() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    let first = deck.shell("bash");
    let before = processes::threads(deck.keeper_pid());
    for n in 1..SESSIONS {
        let shell = ["bash", "zsh", "fish", "dash"][n % 4];
        let id = socket.call("flightdeck.terminal.new", json!({ "shell": shell })).unwrap()["id"].clone();
        socket.call("flightdeck.terminal.wait", json!({ "id": id, "prompt": true, "timeoutMs": 20_000 })).unwrap();
    }
    // Somebody looks on, and somebody waits: neither may cost anything.
    socket.begin("flightdeck.terminal.attach", json!({ "id": first }));
    socket.begin("flightdeck.terminal.wait", json!({ "id": first, "pattern": "never", "timeoutMs": 60_000 }));
    socket.begin("flightdeck.terminal.follow", json!({ "id": first, "follow": true }));
    deck.cli(&["wait", &first, "--quiet", "500ms"]).expect(0);
    let (hub, keeper) = (deck.hub_pid(), deck.keeper_pid());
    assert!(processes::threads(keeper) <= before, "{} threads in the keeper", processes::threads(keeper));
    assert!(processes::threads(hub) < 16, "{} threads in the hub", processes::threads(hub));
    let used = || (processes::cpu_ticks(hub), processes::cpu_ticks(keeper));
    let start = used();
    // The passing of time itself is what is tested.
    std::thread::sleep(WATCHED);
    let end = used();
    // One tick is 10 ms.
    assert!(end.0 - start.0 <= 1 && end.1 - start.1 <= 1, "hub and keeper used {start:?} to {end:?} ticks");
}
