//! A connection that breaks, hangs or lies: nothing is lost, nothing runs twice, and nothing runs unseen.

use std::fs;
use std::time::{Duration, Instant};

use flightdeck_contract::approval::{ApprovalEvent, Outcome};
use flightdeck_e2e::{Direction, SOON};
use serde_json::json;

use super::{Pair, TOOL, execute, failed, is_long, named, other_letter, printed};

/// Counts its runs, prints something, waits until the file `go` is there, and prints the rest.
const SLOW: &str = "echo run >> runs; echo before; until [ -e go ]; do sleep 0.05; done; echo after";

#[test]
fn a_drop_in_the_middle_of_the_output_loses_nothing_and_runs_nothing_twice() {
    let (pair, tap) = Pair::tapped();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    let asked = agent.begin(TOOL, &execute(SLOW));
    person.approve_next();
    pair.wait_for_file("runs");
    for _ in 0..3 {
        let before = connections(&tap);
        tap.cut();
        pair.container.wait_until("it connects again", SOON, || (connections(&tap) > before).then_some(()));
    }
    fs::write(pair.host.workspace().join("go"), "").unwrap();
    printed(&agent.result(asked), "before\nafter\n", 0);
    assert_eq!(pair.count("runs"), 1);
}

fn connections(tap: &flightdeck_e2e::Tap) -> usize {
    tap.seen()
        .iter()
        .filter(|(direction, line)| *direction == Direction::ToContainer && line.contains("\"type\":\"answer\""))
        .count()
}

#[test]
fn a_drop_while_a_person_decides_withdraws_the_question() {
    let (pair, tap) = Pair::tapped();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    let asked = agent.begin(TOOL, &named("touch made", "once"));
    let approval = person.asked();
    tap.cut();
    let settled = loop {
        if let ApprovalEvent::Settled { id, outcome, .. } = person.event() {
            break (id, outcome);
        }
    };
    assert_eq!(settled, (approval.id, Outcome::Withdrawn));
    let late = person.answer(json!({ "id": approval.id, "choice": "approve" })).unwrap_err();
    assert!(late.message.contains("withdrawn already"), "{late:?}");
    let answer = agent.result(asked);
    failed(&answer, "PM_TERM_DISCONNECTED");
    assert_eq!(answer["error"]["details"]["started"], false, "{answer}");
    assert!(!pair.host.workspace().join("made").exists());
    // Nothing was run, so the same request may ask again.
    let again = agent.begin(TOOL, &named("touch made", "once"));
    person.approve_next();
    printed(&agent.result(again), "", 0);
    assert!(pair.host.workspace().join("made").exists());
}

#[test]
fn a_connection_that_hangs_is_noticed_on_both_sides() {
    let (pair, tap) = Pair::tapped();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    let asked = agent.begin(TOOL, &execute(SLOW));
    person.approve_next();
    pair.wait_for_file("runs");
    let before = connections(&tap);
    // Everything is swallowed, and nobody hangs up.
    tap.swallow();
    pair.container.wait_until("the container notices", SOON, || {
        // Its next greeting is swallowed as well.
        let hellos = tap.seen().iter().filter(|(_, line)| line.contains("\"bridge\":\"flightdeck\"")).count();
        (hellos > before).then_some(())
    });
    pair.host.wait_until("the host notices", SOON, || {
        pair.log_of_host().contains("it was silent for too long").then_some(())
    });
    tap.pass();
    fs::write(pair.host.workspace().join("go"), "").unwrap();
    printed(&agent.result(asked), "before\nafter\n", 0);
    assert_eq!(pair.count("runs"), 1);
}

/// What becomes of the first request that goes by.
type Deed = fn(&[u8]) -> Vec<Vec<u8>>;

#[test]
fn lines_that_are_replayed_forged_or_garbage_end_the_connection_and_run_nothing_twice() {
    let (pair, tap) = Pair::tapped();
    let (_person, mut agent) = (pair.person(), pair.agent("codex"));
    let script = pair.host.workspace().join("count.sh");
    fs::write(&script, "#!/bin/sh\necho run >> runs$1; echo done\n").unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    pair.host.cli(&["policy", "add", "./count.sh *"]).expect(0);
    let deeds: [(&str, Deed); 5] = [
        ("replayed", |line| vec![line.to_owned(), line.to_owned()]),
        ("garbage first", |line| vec![b"garbage\n".to_vec(), line.to_owned()]),
        ("forged", |line| vec![other_letter(line)]),
        ("binary", |_| vec![vec![0xff; 500], b"\n".to_vec()]),
        ("too long", |_| vec![vec![b'x'; (24 << 20) + 10], b"\n".to_vec()]),
    ];
    for (number, (what, deed)) in deeds.into_iter().enumerate() {
        let mut done = false;
        let before = connections(&tap);
        tap.meddle(move |direction, line| {
            if done || direction == Direction::ToContainer || !is_long(line) {
                return vec![line.to_owned()];
            }
            done = true;
            deed(line)
        });
        let answer = agent.call(TOOL, &execute(&format!("./count.sh {number}")));
        printed(&answer, "done\n", 0);
        assert_eq!(pair.count(&format!("runs{number}")), 1, "{what}: {answer}");
        pair.container.wait_until("a new connection", SOON, || (connections(&tap) > before).then_some(()));
    }
}

/// A greeting can be repeated by somebody without the key, who is not to have the host keep a long line after it.
#[test]
fn the_first_line_after_the_greeting_is_short() {
    let (pair, tap) = Pair::tapped();
    let (_person, mut agent) = (pair.person(), pair.agent("codex"));
    pair.host.cli(&["policy", "add", "touch *"]).expect(0);
    let (mut greeted, mut done) = (false, false);
    tap.meddle(move |direction, line| {
        if done || direction == Direction::ToContainer {
            return vec![line.to_owned()];
        }
        done = greeted;
        greeted |= line.windows(9).any(|text| text == b"\"version\"");
        if done { vec![vec![b'x'; 100 << 10]] } else { vec![line.to_owned()] }
    });
    printed(&agent.call(TOOL, &execute("touch made")), "", 0);
    let log = pair.log_of_host();
    assert!(log.contains("the greeting is too long"), "{log}");
}

#[test]
fn nobody_on_the_way_can_read_what_is_run_and_what_it_prints() {
    let (pair, tap) = Pair::tapped();
    let (_person, mut agent) = (pair.person(), pair.agent("codex"));
    printed(&agent.call(TOOL, &execute("printf 'the %s\\n' plaintext-secret")), "the plaintext-secret\n", 0);
    let seen = tap.seen();
    assert!(seen.iter().filter(|(_, line)| is_long(line.as_bytes())).count() >= 2, "{seen:?}");
    for (_, line) in &seen {
        for word in ["plaintext", "secret", "printf", "request", "response", "stdout"] {
            assert!(!line.contains(word), "{word} can be read in {line}");
        }
    }
}

#[test]
fn somebody_who_changes_each_answer_gets_no_flood_of_connections_and_the_call_returns() {
    let (pair, tap) = Pair::tapped();
    let (_person, mut agent) = (pair.person(), pair.agent("codex"));
    let script = pair.host.workspace().join("count.sh");
    fs::write(&script, "#!/bin/sh\necho run >> runs; echo done\n").unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    pair.host.cli(&["policy", "add", "./count.sh *"]).expect(0);
    let before = connections(&tap);
    tap.meddle(|direction, line| {
        let is_answer = direction == Direction::ToContainer && is_long(line);
        vec![if is_answer { other_letter(line) } else { line.to_owned() }]
    });
    let began = Instant::now();
    let answer = agent.call(TOOL, &execute("./count.sh 1"));
    failed(&answer, "PM_TERM_DISCONNECTED");
    assert!(began.elapsed() < Duration::from_mins(1), "{:?}", began.elapsed());
    assert!(answer["error"]["details"]["reconnects"].as_u64().is_some_and(|made| made > 1), "{answer}");
    let made = connections(&tap) - before;
    assert!((2..12).contains(&made), "{made} connections");
    assert_eq!(pair.count("runs"), 1);
    // When nobody is in between any more, it goes on.
    tap.pass();
    printed(&agent.call(TOOL, &execute("./count.sh 2")), "done\n", 0);
}

#[test]
fn a_time_out_on_the_host_names_what_is_there_and_the_containers_own_terminal_stays() {
    let pair = Pair::new();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    // The same numbers on both sides.
    for _ in 0..3 {
        pair.container.cli(&["new"]).expect(0);
    }
    let mut request = execute("sleep 1000");
    request["runtime"] = json!({ "timeout_ms": 1500 });
    let asked = agent.begin(TOOL, &request);
    person.approve_next();
    let answer = agent.result(asked);
    failed(&answer, "PM_TERM_TIMEOUT");
    let target = answer["error"]["details"]["target"].as_str().unwrap().to_owned();
    assert_eq!(answer["identity"]["session_id"], target.as_str(), "{answer}");
    let own = target.strip_prefix("host:").unwrap_or_else(|| panic!("{answer}"));
    // No text and no fact names it as the container's.
    let mut rest = answer.to_string().replace(&target, "");
    rest.retain(|c| c != '\\');
    let words: Vec<&str> = rest.split(|c: char| !c.is_alphanumeric()).collect();
    assert!(!words.contains(&own), "{answer}");
    let ended = agent.call(TOOL, &json!({ "action": "terminate", "target": { "session_id": target } }));
    assert_eq!(ended["success"], true, "{ended}");
    let here = pair.container.json(&["ls", "--json"]);
    assert_eq!(here.as_array().unwrap().iter().filter(|one| one["running"] == true).count(), 3, "{here}");
}
