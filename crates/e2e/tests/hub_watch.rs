//! One stream that tells what happens at the hub.

use std::time::Instant;

use flightdeck_contract::ErrorCode;
use flightdeck_contract::events::{Aspect, HubChange, HubEvent};
use flightdeck_e2e::{Agent, Deck, SOON, Socket};
use serde_json::json;

/// Takes events until a change is the one that is looked for. Gives its number.
#[track_caller]
fn until(socket: &mut Socket, what: &str, wanted: impl Fn(&HubChange) -> bool) -> u64 {
    let deadline = Instant::now() + SOON;
    let mut told = Vec::new();
    while Instant::now() < deadline {
        match serde_json::from_value(socket.event().0).unwrap() {
            HubEvent::Changes { changes } => {
                if let Some(found) = changes.iter().find(|numbered| wanted(&numbered.change)) {
                    return found.seq;
                }
                told.extend(changes);
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    panic!("{what}: was not told, but {told:#?}");
}

fn is(change: &HubChange, id: &str, wanted: Aspect) -> bool {
    matches!(change, HubChange::TerminalChanged { terminal, aspects }
        if terminal.id.to_string() == id && aspects.contains(&wanted))
}

#[test]
fn what_happens_to_terminals_is_told_in_order_and_can_be_resumed() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    socket.begin("flightdeck.hub.watch", json!({}));
    let HubEvent::Snapshot { snapshot } = serde_json::from_value(socket.event().0).unwrap() else {
        panic!("no snapshot")
    };
    assert!(snapshot.terminals.is_empty(), "{snapshot:?}");
    let id = deck.shell("bash");
    until(
        &mut socket,
        "created",
        |change| matches!(change, HubChange::TerminalCreated { terminal } if terminal.id.to_string() == id),
    );
    // A line that is typed is known when it has ended; one that is run through the hub is known at once.
    let mut runner = deck.socket();
    let run = runner.begin("flightdeck.terminal.run", json!({ "id": id, "command": "cd /; printf '\\a'; read line" }));
    until(&mut socket, "the command", |change| {
        matches!(change, HubChange::TerminalChanged { terminal, .. }
            if terminal.running_command.as_deref().is_some_and(|text| text.contains("read line")) && !terminal.at_prompt)
    });
    deck.type_line(&id, "x");
    until(&mut socket, "the prompt", |change| {
        matches!(change, HubChange::TerminalChanged { terminal, .. }
            if terminal.at_prompt && terminal.cwd == "/" && terminal.bells > 0)
    });
    runner.finish(run).unwrap();
    deck.cli(&["lease", &id, "take"]).expect(0);
    until(&mut socket, "the lease", |change| is(change, &id, Aspect::Lease));
    deck.cli(&["resize", &id, "30x100"]).expect(0);
    let seq = until(&mut socket, "the size", |change| is(change, &id, Aspect::Size));
    // Somebody who was away for a moment gets only what they missed.
    deck.type_line(&id, "exit 3");
    let ended = |change: &HubChange| {
        matches!(change, HubChange::TerminalEnded { terminal }
            if terminal.id.to_string() == id && terminal.exit_code == Some(3) && !terminal.running)
    };
    let last = until(&mut socket, "the end", ended);
    let mut again = deck.socket();
    again.begin("flightdeck.hub.watch", json!({ "epoch": snapshot.epoch, "seq": seq }));
    assert_eq!(until(&mut again, "the end, again", ended), last);
    deck.cli(&["rm", &id]).expect(0);
    until(
        &mut socket,
        "gone",
        |change| matches!(change, HubChange::TerminalGone { id: gone } if gone.to_string() == id),
    );
    let mut stale = deck.socket();
    stale.begin("flightdeck.hub.watch", json!({ "epoch": snapshot.epoch.wrapping_add(1), "seq": seq }));
    assert_eq!(stale.event().0["type"], "snapshot", "another life of the hub");
}

#[test]
fn people_are_told_of_agents() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    socket.begin("flightdeck.hub.watch", json!({}));
    assert_eq!(socket.event().0["type"], "snapshot");
    let mut agent = Agent::new(&deck, "codex");
    agent.ok("flightdeck.terminal.run", &json!({ "command": "true" }));
    until(&mut socket, "the agent", |change| matches!(change, HubChange::Agent { agent } if agent.name == "codex"));
}

#[test]
fn the_audit_log_is_told_to_people_as_it_is_written_and_can_be_resumed() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    socket.begin("flightdeck.hub.watch", json!({ "audit": {} }));
    let id = deck.shell("bash");
    let (named, next) = until_audit(&mut socket, "flightdeck.terminal.new");
    assert!(named.contains("\"ok\"") || named.contains("running"), "{named}");
    drop(socket);
    deck.cli(&["kill", &id]).expect(0);
    let mut socket = deck.socket();
    socket.begin("flightdeck.hub.watch", json!({ "audit": { "after": next } }));
    until_audit(&mut socket, "flightdeck.terminal.kill");
}

/// Takes events until the audit log tells of a command. Gives the call, and where to go on.
#[track_caller]
fn until_audit(socket: &mut Socket, command: &str) -> (String, u64) {
    let deadline = Instant::now() + SOON;
    let mut told = Vec::new();
    while Instant::now() < deadline {
        let event = serde_json::from_value(socket.event().0).unwrap();
        if let HubEvent::Audit { calls, next } = &event
            && let Some(call) = calls.iter().find(|call| call.command == command)
        {
            return (serde_json::to_string(call).unwrap(), *next);
        }
        told.push(event);
    }
    panic!("{command}: was not told, but {told:#?}");
}

#[test]
fn what_comes_into_folders_and_goes_is_told() {
    let deck = Deck::new();
    std::fs::create_dir(deck.workspace().join("src")).unwrap();
    let mut socket = deck.socket();
    socket.begin("flightdeck.hub.watch", json!({ "folders": ["", "src/", "not yet"] }));
    assert!(matches!(serde_json::from_value(socket.event().0).unwrap(), HubEvent::Snapshot { .. }));
    let mut expect = |wanted: &[&str]| {
        let mut told = std::collections::BTreeSet::new();
        while !wanted.iter().all(|folder| told.contains(*folder)) {
            match serde_json::from_value(socket.event().0).unwrap() {
                HubEvent::Folders { changed } => told.extend(changed),
                other => panic!("{wanted:?}: {other:?}"),
            }
        }
        assert_eq!(told.len(), wanted.len(), "{told:?}");
    };
    std::fs::write(deck.workspace().join("src/new.rs"), "x").unwrap();
    expect(&["src/"]);
    std::fs::create_dir(deck.workspace().join("not yet")).unwrap();
    expect(&["", "not yet"]);
    std::fs::write(deck.workspace().join("not yet/f"), "x").unwrap();
    expect(&["not yet"]);
    let refused = deck.socket().call("flightdeck.hub.watch", json!({ "folders": ["../out"] })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::OutsideWorkspace, "{refused:?}");
}
