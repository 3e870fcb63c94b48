//! Many callers at once: nothing mixes, nobody waits for another, and there is one hub.

use std::time::Instant;

use flightdeck_contract::terminal::Ran;
use flightdeck_e2e::{Deck, SOON, processes};
use serde_json::json;

#[test]
fn five_callers_at_once_start_one_hub() {
    let deck = Deck::new();
    let callers: Vec<_> = (0..5).map(|n| deck.invoke(&["run", "echo", &n.to_string()]).start()).collect();
    for (n, caller) in callers.into_iter().enumerate() {
        assert_eq!(caller.finish().expect(0).text(), format!("{n}\n"));
    }
    // Those that came second end by themselves.
    let hubs = || deck.processes().iter().filter(|process| process.command.contains(" --by-keeper")).count();
    deck.wait_until("one hub is left", SOON, || (hubs() == 1).then_some(()));
    // The process that starts hubs for it was forked from it, and has its command line.
    let beside = deck.hub_spawner();
    let keepers = deck.processes().into_iter().filter(|process| process.command.contains(" keeper --socket"));
    let keepers: Vec<_> = keepers.map(|process| process.pid).filter(|pid| *pid != beside).collect();
    assert_eq!(keepers, [deck.keeper_pid()]);
    assert_eq!(deck.json(&["ls", "--all", "--json"]).as_array().unwrap().len(), 5);
}

#[test]
fn callers_at_once_find_a_hub_again_after_each_stop() {
    let deck = Deck::new();
    for _ in 0..3 {
        let callers: Vec<_> = (0..3).map(|_| deck.invoke(&["run", "echo", "hi"]).start()).collect();
        for caller in callers {
            assert_eq!(caller.finish().expect(0).text(), "hi\n");
        }
        deck.cli(&["stop"]).expect(0);
    }
}

#[test]
fn twenty_runs_in_twenty_terminals_never_mix() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    let shells = ["bash", "zsh", "fish", "dash"];
    let ids: Vec<_> = (0..20)
        .map(|n| {
            let created = socket.call("flightdeck.terminal.new", json!({ "shell": shells[n % shells.len()] })).unwrap();
            created["id"].as_str().unwrap().to_owned()
        })
        .collect();
    for round in 0..3 {
        let calls: Vec<_> = ids
            .iter()
            .enumerate()
            .map(|(n, id)| {
                let command = format!("seq -f 'r{round}-s{n}-%g' 300; sh -c 'exit {n}'");
                socket.begin("flightdeck.terminal.run", json!({ "id": id, "command": command, "timeoutMs": 60_000 }))
            })
            .collect();
        let mut left = calls.len();
        while left > 0 {
            let flightdeck_e2e::Event::Done(call, result) = socket.next() else { panic!("a run failed") };
            let n = calls.iter().position(|wanted| *wanted == call).unwrap();
            let ran: Ran = serde_json::from_value(result).unwrap();
            let wanted: String = (1..=300).map(|line| format!("r{round}-s{n}-{line}\n")).collect();
            assert!(ran.output == wanted && ran.exit_code == Some(n as i32), "round {round}, {n}: {ran:?}");
            left -= 1;
        }
    }
}

#[test]
fn two_runs_in_one_terminal_go_one_after_the_other() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let first = deck.invoke(&["run", "--in", &id, "--", "echo a1; sleep 0.3; echo a2"]).start();
    let second = deck.invoke(&["run", "--in", &id, "--", "echo b1; sleep 0.1; echo b2"]).start();
    assert_eq!(first.finish().expect(0).text(), "a1\na2\n");
    assert_eq!(second.finish().expect(0).text(), "b1\nb2\n");
}

#[test]
fn a_long_command_holds_nobody_else_up() {
    let deck = Deck::new();
    let busy = deck.shell("bash");
    let free = deck.shell("bash");
    let mut socket = deck.socket();
    let long =
        socket.begin("flightdeck.terminal.run", json!({ "id": busy, "command": "sleep 1000", "timeoutMs": 60_000 }));
    let flood = deck.new_terminal(&["--log-limit", "1M", "--", "sh", "-c", "while :; do seq 100000; done"]);
    let began = Instant::now();
    for _ in 0..10 {
        let ran = socket.call("flightdeck.terminal.run", json!({ "id": free, "command": "echo quick" })).unwrap();
        assert_eq!(ran["output"], "quick\n");
    }
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    deck.cli(&["kill", &flood, "--grace", "100ms"]).expect(0);
    socket.cancel(long);
    assert!(socket.finish(long).is_err());
}

#[test]
fn two_people_see_each_others_terminals() {
    let deck = Deck::new();
    let (mut one, mut two) = (deck.socket(), deck.socket());
    let id =
        one.call("flightdeck.terminal.new", json!({ "command": ["cat"], "title": "shared" })).unwrap()["id"].clone();
    let listed = two.call("flightdeck.terminal.list", json!({})).unwrap();
    assert_eq!((&listed["terminals"][0]["id"], listed["terminals"][0]["title"].as_str()), (&id, Some("shared")));
    two.call("flightdeck.terminal.keys", json!({ "id": id, "text": "hello\n" })).unwrap();
    let waited = one.call("flightdeck.terminal.wait", json!({ "id": id, "pattern": "hello", "from": 0 })).unwrap();
    assert_eq!(waited["line"], "hello");
    drop(one);
    assert_eq!(
        two.call("flightdeck.terminal.list", json!({})).unwrap()["terminals"][0]["running"],
        true,
        "its maker may leave"
    );
}

#[test]
fn a_terminal_inside_a_terminal_finds_the_same_hub() {
    let deck = Deck::new();
    let binary = deck.command(&[]).get_program().to_string_lossy().into_owned();
    let id = deck.shell("bash");
    let ran = deck.run_in(&id, &format!("cd / && {binary} status --json | grep -c '\"pid\": {}'", deck.hub_pid()));
    assert_eq!(ran.output, "1\n");
    assert!(processes::is_alive(deck.hub_pid()));
}
