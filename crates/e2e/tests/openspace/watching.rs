//! The stream that front ends live on, and the panes that are told once a second at most.

use std::time::{Duration, Instant};

use flightdeck_e2e::{Http, SOON, Socket, wait_until};

use super::*;

/// The next event of the stream.
#[track_caller]
fn frame(socket: &mut Socket) -> Value {
    socket.event().0
}

#[test]
fn a_front_end_gets_a_snapshot_and_then_every_change() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let mut socket = deck.socket();
    socket.begin("flightdeck.workbench.watch", json!({}));
    let first = frame(&mut socket);
    assert_eq!(first["event"], "snapshot", "{first}");
    let (epoch, mut seq) = (first["snapshot"]["epoch"].clone(), first["snapshot"]["seq"].as_u64().unwrap());
    agent.ok(
        "openspace.editor.highlight",
        &json!({ "path": "src/index.ts", "ranges": [{ "startLine": 2, "endLine": 3 }] }),
    );
    let mut seen = Vec::new();
    while !seen.iter().any(|change: &Value| change["type"] == "highlights") {
        let frame = frame(&mut socket);
        for numbered in frame["changes"].as_array().unwrap() {
            seq += 1;
            assert_eq!(numbered["seq"], seq, "no gap");
            seen.push(numbered["change"].clone());
        }
    }
    // One that was away for a moment gets only what it missed.
    agent.ok("openspace.editor.scroll_to", &json!({ "path": "src/index.ts", "line": 50 }));
    let mut again = deck.socket();
    again.begin("flightdeck.workbench.watch", json!({ "epoch": epoch, "seq": seq }));
    let missed = frame(&mut again);
    assert_eq!((&missed["event"], &missed["changes"][0]["seq"]), (&json!("changes"), &json!(seq + 1)), "{missed}");
    let mut stale = deck.socket();
    stale.begin("flightdeck.workbench.watch", json!({ "epoch": 1, "seq": seq }));
    assert_eq!(frame(&mut stale)["event"], "snapshot", "another life of the hub");
}

#[test]
fn the_panes_are_told_at_once_and_at_the_end_and_not_more_than_once_a_second() {
    let deck = deck_without_limits();
    let mut agent = Agent::new(&deck, "agent");
    let http = Http::of(&deck);
    let state = || http.get("/openspace/state").json();
    let began = Instant::now();
    let mut told = vec![state()["timestamp"].clone()];
    let mut turn = 0;
    while began.elapsed() < Duration::from_secs(3) {
        turn += 1;
        let path = format!("f{}.txt", turn % 5);
        put(&deck, &path, "x\n");
        agent.ok("openspace.editor.open", &json!({ "path": path }));
        let now = state()["timestamp"].clone();
        if told.last() != Some(&now) {
            told.push(now);
        }
    }
    assert!((3..=5).contains(&told.len()), "{} times in three seconds: {told:?}", told.len());
    wait_until("the last change is told too", SOON, || {
        let panes = state()["panes"].clone();
        (panes[0]["title"] == format!("f{}.txt", turn % 5)).then_some(())
    });
}
