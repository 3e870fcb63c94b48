//! The stream that front ends live on, and the panes that are told once a second at most.

use std::time::{Duration, Instant};

use flightdeck_contract::ErrorCode;
use flightdeck_e2e::{Http, SOON, Socket, wait_until};

use super::*;

/// The next event of the stream.
#[track_caller]
fn frame(socket: &mut Socket) -> Value {
    socket.event().0
}

/// Begins to watch. Gives the viewer that the front end is.
#[track_caller]
fn watch(socket: &mut Socket, args: Value) -> Value {
    socket.begin("flightdeck.workbench.watch", args);
    let first = frame(socket);
    assert_eq!(first["event"], "watching", "{first}");
    first["viewer"].clone()
}

#[test]
fn a_front_end_gets_a_snapshot_and_then_every_change() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let mut socket = deck.socket();
    watch(&mut socket, json!({}));
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
    watch(&mut again, json!({ "epoch": epoch, "seq": seq }));
    let missed = frame(&mut again);
    assert_eq!((&missed["event"], &missed["changes"][0]["seq"]), (&json!("changes"), &json!(seq + 1)), "{missed}");
    let mut stale = deck.socket();
    watch(&mut stale, json!({ "epoch": 1, "seq": seq }));
    assert_eq!(frame(&mut stale)["event"], "snapshot", "another life of the hub");
}

#[test]
fn front_ends_know_where_others_look_and_are_not_moved_by_it() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    agent.ok("openspace.editor.open", &json!({ "path": "src/index.ts" }));
    let mut hers = deck.socket();
    let anna = watch(&mut hers, json!({}));
    let snapshot = frame(&mut hers)["snapshot"].clone();
    let (tab, editor) = (&snapshot["editors"][0]["tab"], &snapshot["editors"][0]["id"]);
    let mut his = deck.socket();
    let ben = watch(&mut his, json!({}));
    let viewers = frame(&mut his)["snapshot"]["viewers"].clone();
    assert_eq!(viewers.as_array().unwrap().len(), 2, "{viewers}");
    assert_ne!(anna, ben);

    let place = json!({ "editorId": editor, "cursor": { "line": 7, "column": 2 }, "firstLine": 3 });
    let view = json!({ "viewer": anna, "focus": tab, "editor": place, "window": { "width": 1280, "height": 720 } });
    deck.socket().call("flightdeck.workbench.view", view).unwrap();
    let told = until_viewer(&mut his, |change| change["viewer"]["id"] == anna && change["viewer"]["focus"] == *tab);
    assert_eq!((&told["viewer"]["editor"], &told["viewer"]["window"]["width"]), (&place, &json!(1280)), "{told}");
    let follow = json!({ "viewer": ben, "follow": { "who": "viewer", "id": anna } });
    deck.socket().call("flightdeck.workbench.view", follow.clone()).unwrap();
    until_viewer(&mut hers, |change| change["viewer"]["follow"] == follow["follow"]);
    drop(hers);
    // What is told of her going comes first, in the same breath.
    until_viewer(&mut his, |change| change["viewer"]["id"] == ben && change["viewer"]["follow"]["who"] == "nobody");
    let gone = json!({ "viewer": anna, "focus": tab });
    let refused = deck.socket().call("flightdeck.workbench.view", gone).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidArgument, "{refused:?}");
}

/// Takes changes until one is the one that is looked for.
#[track_caller]
fn until_viewer(socket: &mut Socket, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = frame(socket);
        let changes = frame["changes"].as_array().unwrap_or_else(|| panic!("{frame}"));
        if let Some(found) = changes.iter().map(|numbered| &numbered["change"]).find(|change| wanted(change)) {
            return found.clone();
        }
    }
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
