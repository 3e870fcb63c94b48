//! Command records, ids and settings of terminals across hubs.

use std::fs;

use flightdeck_e2e::{Deck, SOON, in_each_shell, processes};

in_each_shell![records_survive_a_killed_hub, who_ran_what_is_known_after_the_hub_was_away];

/// A loop that ends with this exit code when the file `gate` is there.
fn long(shell: &str) -> &'static str {
    match shell {
        "fish" => "while ! test -e gate; sleep 0.05; end; echo over; sh -c 'exit 4'",
        _ => "while ! test -e gate; do sleep 0.05; done; echo over; sh -c 'exit 4'",
    }
}

/// Begins the loop in a shell and lets it end while there is no hub.
fn end_without_a_hub(deck: &Deck, id: &str, shell: &str) {
    deck.try_run_in(id, long(shell), "300ms").expect(124);
    let _lost = deck.lose_hub();
    fs::write(deck.workspace().join("gate"), "").unwrap();
    // The loop's `sleep`s come and go; only the shell itself is left when it is at its prompt again.
    deck.wait_until("the loop ends", SOON, || (0..5).all(|_| deck.processes_of(id).len() == 1).then_some(()));
}

fn records_survive_a_killed_hub(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    deck.run_in(&id, "echo one");
    deck.run_in(&id, "sh -c 'exit 3'");
    let before = deck.history(&id);
    end_without_a_hub(&deck, &id, shell);
    let after = deck.wait_until("the third record is closed", SOON, || {
        Some(deck.history(&id)).filter(|history| history.len() == 3 && history[2].end.is_some())
    });
    assert_eq!(after[..2], before[..], "{shell}: what was known stays");
    assert_eq!(after[2].exit_code, Some(4), "{shell}");
    deck.kill_hub();
    assert_eq!(deck.history(&id), after, "{shell}: and again");
    let next = deck.run_in(&id, "echo next");
    assert_eq!((next.exit_code, next.output.as_str()), (Some(0), "next\n"), "{shell}");
    assert_eq!(deck.history(&id).len(), 4, "{shell}");
    let read = serde_json::json!({ "id": id, "from": after[2].start, "to": after[2].end, "raw": true });
    assert_eq!(deck.socket().call("flightdeck.terminal.read", read).unwrap()["text"], "over\r\n", "{shell}");
}

fn who_ran_what_is_known_after_the_hub_was_away(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    end_without_a_hub(&deck, &id, shell);
    let record =
        deck.wait_until("the record is closed", SOON, || deck.history(&id).pop().filter(|record| record.end.is_some()));
    assert_eq!(record.text.as_deref(), Some(long(shell)), "{shell}: what ran");
    assert_eq!(record.actor.as_deref(), Some("cli:pilot"), "{shell}: who ran it");
}

#[test]
fn ids_are_never_used_twice() {
    let deck = Deck::new();
    let mut seen = Vec::new();
    for round in 0..3 {
        for _ in 0..2 {
            let id = deck.new_terminal(&["--", "true"]);
            deck.ended(&id, SOON);
            deck.cli(&["rm", &id]).expect(0);
            seen.push(id);
        }
        // A start that fails uses a number up, or not; it never gives one out twice.
        deck.cli(&["new", "--", "no-such-program"]).expect(1);
        if round == 0 {
            deck.kill_hub();
        } else {
            deck.cli(&["stop", "--all"]).expect(0);
        }
    }
    let mut unique = seen.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), seen.len(), "{seen:?}");
}

#[test]
fn title_size_and_folder_are_the_same_after_a_restart() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--title", "my build", "--size", "100x40", "-C", "/usr", "--", "sleep", "1000"]);
    deck.cli(&["resize", &id, "110x45"]).expect(0);
    let before = deck.info(&id);
    assert_eq!((before.title.as_str(), before.cwd.as_str()), ("my build", "/usr"));
    assert_eq!((before.size.cols, before.size.rows), (110, 45));
    deck.kill_hub();
    assert_eq!(deck.info(&id), before);
}

#[test]
fn a_terminal_that_ended_long_ago_is_still_readable() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "echo words; exit 3"]);
    assert_eq!(deck.ended(&id, SOON), 3);
    // The keeper goes too, and with it everything that is only in memory.
    deck.cli(&["stop", "--all"]).expect(0);
    deck.start();
    let info = deck.info(&id);
    assert_eq!((info.running, info.exit_code, info.lost), (false, Some(3), false));
    assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), "words\n");
    assert!(deck.screen(&id).text.contains("words"));
}

#[test]
fn a_lost_keeper_is_told_and_its_logs_stay() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "echo words; exec sleep 1000"]);
    deck.cli(&["wait", &id, "--pattern", "words", "--from", "0"]).expect(0);
    let (keeper, hub, program) = (deck.keeper_pid(), deck.hub_pid(), deck.info(&id).pid.unwrap());
    processes::signal(keeper, rustix::process::Signal::KILL);
    deck.wait_until("the hub notices", SOON, || (!processes::is_alive(hub)).then_some(()));
    deck.start();
    let info = deck.info(&id);
    assert_eq!((info.running, info.exit_code, info.lost), (false, None, true));
    assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), "words\n");
    deck.wait_until("its terminal hung up", SOON, || (!processes::is_alive(program)).then_some(()));
    let id = deck.new_terminal(&["--", "sh", "-c", "exit 4"]);
    assert_eq!(deck.ended(&id, SOON), 4, "a new keeper serves");
}
