//! A hub that dies or is stopped loses no terminal, no byte and no exit code.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use flightdeck_contract::terminal::TerminalInfo;
use flightdeck_e2e::{Deck, SOON, processes};

const SESSIONS: usize = 50;
const LONG: Duration = Duration::from_mins(2);

/// Prints numbered lines until the gate opens, then some more, and ends with its own exit code.
fn printer(number: usize) -> String {
    let lines = 200 + number;
    let pace = if number.is_multiple_of(10) { "sleep 0.01" } else { ":" };
    // Those with an odd number end when the first gate opens, which is while the hub is away.
    let gate = if number.is_multiple_of(2) { "last" } else { "first" };
    format!(
        "n=0; while [ $n -lt {lines} ]; do echo {number}-$n; n=$((n + 1)); {pace}; done; \
         while ! [ -e {gate} ]; do sleep 0.2; echo {number}-$n; n=$((n + 1)); done; \
         echo {number}-end-$n; exit {code}",
        code = number % 200
    )
}

/// What a printer must have printed, given the count that its last line tells.
fn check_lines(number: usize, text: &str) {
    let lines: Vec<_> = text.lines().collect();
    let last = lines.last().unwrap_or_else(|| panic!("session {number} printed nothing"));
    let count: usize = last
        .strip_prefix(&format!("{number}-end-"))
        .unwrap_or_else(|| panic!("the last of {} lines of session {number} is {last:?}", lines.len()))
        .parse()
        .unwrap();
    let wanted: Vec<_> = (0..count).map(|n| format!("{number}-{n}")).collect();
    let got = &lines[..lines.len() - 1];
    if got != wanted {
        let at = got.iter().zip(&wanted).position(|(got, wanted)| got != wanted).unwrap_or(got.len().min(wanted.len()));
        panic!("session {number}: {} lines instead of {count}; at {at}: {:?}", got.len(), got.get(at));
    }
}

fn all(deck: &Deck) -> BTreeMap<String, TerminalInfo> {
    let all: Vec<TerminalInfo> = deck.cli(&["ls", "--all", "--json"]).expect(0).json();
    all.into_iter().map(|info| (info.id.to_string(), info)).collect()
}

#[test]
fn fifty_sessions_survive_a_killed_hub() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    let mut ids = Vec::new();
    for number in 0..SESSIONS {
        // Every other one on pipes, so that both kinds of log are looked at.
        let args = serde_json::json!({ "command": ["sh", "-c", printer(number)], "pipes": number % 4 >= 2 });
        ids.push(socket.call("flightdeck.terminal.new", args).unwrap()["id"].as_str().unwrap().to_owned());
    }
    let keeper = deck.keeper_pid();
    let lost = deck.lose_hub();
    fs::write(deck.workspace().join("first"), "").unwrap();
    let odd: Vec<_> = ids.iter().skip(1).step_by(2).collect();
    deck.wait_until("every second session ends while there is no hub", LONG, || {
        odd.iter().all(|id| deck.processes_of(id).is_empty()).then_some(())
    });
    drop(lost);
    let back = all(&deck);
    assert_eq!(deck.keeper_pid(), keeper, "the keeper is the same");
    assert_eq!(back.len(), SESSIONS, "every session is listed");
    for (number, id) in ids.iter().enumerate() {
        let odd = number % 2 == 1;
        assert_eq!(back[id].running, !odd, "{id}");
        assert_eq!(back[id].exit_code, odd.then_some(number as i32 % 200), "{id}");
        assert!(!back[id].lost && !back[id].stalled, "{id}");
    }
    // Once more, with the other half still printing.
    deck.kill_hub();
    assert_eq!(all(&deck).len(), SESSIONS);
    fs::write(deck.workspace().join("last"), "").unwrap();
    for (number, id) in ids.iter().enumerate() {
        assert_eq!(deck.ended(id, LONG), number as i32 % 200, "{id}");
        let disk = String::from_utf8(deck.log_on_disk(id)).unwrap();
        check_lines(number, &disk.replace("\r\n", "\n"));
        let raw = String::from_utf8(deck.raw_log(id)).unwrap();
        assert!(raw == disk, "{id}: {} bytes are told of {} on disk", raw.len(), disk.len());
        let newline = if number % 4 >= 2 { "\n" } else { "\r\n" };
        assert!(raw.ends_with(newline), "{id}");
        check_lines(number, &raw.replace("\r\n", "\n"));
        check_lines(number, &deck.cli(&["logs", id, "--all"]).expect(0).text());
    }
}

#[test]
fn a_stopped_hub_leaves_the_terminals_running() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "cd /usr; kept=yes");
    let pid = deck.info(&id).pid.unwrap();
    let hub = deck.hub_pid();
    deck.cli(&["stop"]).expect(0);
    deck.wait_until("the hub is gone", SOON, || (!processes::is_alive(hub)).then_some(()));
    assert!(processes::is_alive(pid));
    let status = deck.cli(&["status", "--json"]).expect(1);
    assert_eq!(status.json::<serde_json::Value>()["running"], false);
    // Any command starts it again.
    let ran = deck.run_in(&id, "echo $kept $PWD");
    assert_eq!(ran.output, "yes /usr\n");
    assert_eq!(deck.info(&id).pid, Some(pid));
    assert_ne!(deck.hub_pid(), hub);
}

#[test]
fn a_hub_that_is_killed_again_and_again_loses_nothing() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", &printer(10).replace("-e last", "-e first")]);
    for _ in 0..5 {
        deck.kill_hub();
        assert!(all(&deck).contains_key(&id));
    }
    fs::write(deck.workspace().join("first"), "").unwrap();
    assert_eq!(deck.ended(&id, SOON), 10);
    check_lines(10, &deck.cli(&["logs", &id, "--all"]).expect(0).text());
}

#[test]
fn a_terminal_with_a_damaged_log_does_not_keep_the_others_from_coming_back() {
    let deck = Deck::new();
    let ids: Vec<_> = (0..3).map(|_| deck.new_terminal(&["--", "sh", "-c", "echo words; exec cat"])).collect();
    for id in &ids {
        deck.cli(&["wait", id, "--pattern", "words", "--from", "0"]).expect(0);
    }
    let segment = deck.terminal_dir(&ids[1]).join("00000000000000000000.seg");
    let lost = deck.lose_hub();
    fs::remove_file(&segment).unwrap();
    fs::create_dir(&segment).unwrap();
    drop(lost);
    let back = all(&deck);
    for id in [&ids[0], &ids[2]] {
        assert!(back[id].running && back[id].trouble.is_none(), "{:?}", back[id]);
        deck.cli(&["send", id, "more", "--enter"]).expect(0);
        deck.cli(&["wait", id, "--pattern", "more", "--from", "0"]).expect(0);
    }
    let damaged = &back[&ids[1]];
    assert!(damaged.trouble.as_ref().is_some_and(|why| why.contains("directory")), "{damaged:?}");
    // Its program lives, and can be ended as any other.
    assert!(damaged.running);
    deck.cli(&["kill", &ids[1]]).expect(0);
    deck.wait_until("it has ended", SOON, || (!deck.info(&ids[1]).running).then_some(()));
}
