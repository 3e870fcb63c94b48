//! `flightdeck kill`: nothing of a terminal is left, however it tried to stay.

use std::fs;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Deck, SOON, processes};
use serde_json::Value;

/// A program that makes two forks and leaves its parents, its session and its terminal behind.
const DAEMON: &str = "
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for name in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            signal.signal(name, signal.SIG_IGN)
        os.chdir('/')
        null = os.open('/dev/null', os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        open(os.environ['READY'], 'w').write(str(os.getpid()))
        time.sleep(1000)
    os._exit(0)
os.wait()
";

#[test]
fn every_kind_of_descendant_is_ended() {
    let deck = Deck::new();
    let daemon = deck.workspace().join("daemon.py");
    fs::write(&daemon, DAEMON).unwrap();
    let ready = deck.workspace().join("ready");
    let cases = [
        ("a plain child", "sleep 1001 & touch $READY; wait"),
        ("a session of its own", "setsid sleep 1002 & touch $READY; wait"),
        ("one that outlived its parent", "sh -c 'setsid sleep 1003 & sleep 1004 &'; touch $READY; sleep 1005"),
        ("a daemon", "python3 daemon.py; sleep 1006"),
        ("deaf to hang-ups", "trap '' HUP; sleep 1007 & touch $READY; wait; wait"),
        ("deaf to everything", "trap '' HUP INT TERM QUIT; touch $READY; while :; do sleep 1; done"),
        (
            "deaf and apart",
            "trap '' HUP INT TERM; setsid sh -c 'touch $READY; while :; do sleep 1; done' & wait; sleep 1008",
        ),
        ("stopped", "sleep 1009 & kill -STOP $!; touch $READY; kill -STOP $$"),
        ("nohup", "nohup sleep 1010 >/dev/null 2>&1 & touch $READY; wait"),
        ("without an environment", "env -i sleep 1011 & touch $READY; wait"),
    ];
    let variable = format!("READY={}", ready.display());
    for (what, script) in cases {
        for kind in [&[][..], &["--pipes"]] {
            let _ = fs::remove_file(&ready);
            let id = deck.new_terminal(&[kind, &["--env", &variable, "--", "sh", "-c", script]].concat());
            deck.wait_until(what, SOON, || ready.exists().then_some(()));
            let killed = deck.json(&["kill", &id, "--grace", "200ms", "--json"]);
            assert!(killed[0]["processes"].as_u64().unwrap() >= 1, "{what}: {killed}");
            deck.nothing_left_of(&id);
            assert!(!deck.info(&id).running, "{what}");
        }
    }
}

#[test]
fn a_shell_with_jobs_is_ended_whole() {
    let deck = Deck::new();
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        deck.run_in(&id, "sleep 1001 &\nsleep 1002 | sleep 1003 &\nsetsid sleep 1004 &\necho ok");
        deck.type_line(&id, "sleep 1005");
        deck.wait_until("all of them run", SOON, || (deck.processes_of(&id).len() == 6).then_some(()));
        deck.cli(&["kill", &id]).expect(0);
        deck.nothing_left_of(&id);
        let info = deck.info(&id);
        assert!(!info.running && info.exit_code.is_some(), "{shell}: {info:?}");
    }
}

#[test]
fn killing_twice_is_fine_and_the_log_stays() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "echo words; sleep 1000"]);
    deck.cli(&["wait", &id, "--pattern", "words", "--from", "0"]).expect(0);
    let first = deck.json(&["kill", &id, "--json"]);
    assert_eq!((&first[0]["id"], first[0]["exitCode"].as_i64()), (&Value::from(&*id), Some(129)), "{first}");
    let again = deck.json(&["kill", &id, "--json"]);
    assert_eq!((again[0]["processes"].as_u64(), again[0]["exitCode"].as_i64()), (Some(0), Some(129)), "{again}");
    assert_eq!(deck.info(&id).signal.as_deref(), Some("SIGHUP"));
    assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), "words\n");
    deck.cli(&["rm", &id]).expect(0);
    assert!(!deck.cli(&["ls", "--all"]).expect(0).text().contains(&id));
    let gone = deck.cli(&["kill", &id]).expect(1);
    assert!(gone.errors().contains("there is no terminal"), "{gone}");
}

#[test]
fn one_that_is_not_there_keeps_nobody_from_ending_the_others() {
    let deck = Deck::new();
    let sleeper = || deck.new_terminal(&["--", "sleep", "1000"]);
    let (first, last, other) = (sleeper(), sleeper(), sleeper());
    let killed = deck.cli(&["kill", &first, "t77", &last, "t78"]).expect(1);
    for id in ["t77", "t78"] {
        assert!(killed.errors().contains(&format!("no terminal {id}")), "{killed}");
    }
    for id in [&first, &last] {
        deck.nothing_left_of(id);
    }
    let told = deck.cli(&["kill", "t77", &other, "--json"]).expect(1);
    let told: Value = told.json();
    assert_eq!((&told[0]["id"], &told[0]["error"]["code"]), (&"t77".into(), &"terminal_not_found".into()), "{told}");
    assert_eq!((&told[1]["id"], &told[1]["exitCode"]), (&Value::from(&*other), &129.into()), "{told}");
    let kept = deck.cli(&["keep", "t77", "t78"]).expect(1);
    assert_eq!(kept.errors().matches("no terminal t7").count(), 2, "{kept}");
    let removed = deck.cli(&["rm", &first, "t77", &last]).expect(1);
    assert!(removed.errors().contains("no terminal t77"), "{removed}");
    let left: Vec<Value> = deck.cli(&["ls", "--all", "--json"]).expect(0).json();
    assert_eq!(left.iter().map(|info| &info["id"]).collect::<Vec<_>>(), [&Value::from(&*other)]);
}

#[test]
fn leftovers_of_a_command_that_has_ended_can_be_killed() {
    let deck = Deck::new();
    let gate = deck.workspace().join("gate");
    let script = "setsid sleep 1001 & setsid sleep 1002 & while ! [ -e gate ]; do sleep 0.02; done; exit 5";
    let id = deck.new_terminal(&["--", "sh", "-c", script]);
    let apart = || deck.processes_of(&id).iter().filter(|process| process.command.starts_with("sleep 100")).count();
    deck.wait_until("both are on their own", SOON, || (apart() == 2).then_some(()));
    fs::write(gate, "").unwrap();
    let began = Instant::now();
    assert_eq!(deck.ended(&id, SOON), 5);
    let told = began.elapsed();
    let killed = deck.json(&["kill", &id, "--json"]);
    assert_eq!((killed[0]["processes"].as_u64(), killed[0]["exitCode"].as_i64()), (Some(2), Some(5)), "{killed}");
    deck.nothing_left_of(&id);
    assert!(told < Duration::from_secs(5), "the exit was told only after {told:?}");
}

#[test]
fn the_first_signal_and_the_grace_are_the_callers_choice() {
    let deck = Deck::new();
    let polite = "trap 'echo bye; exit 7' TERM; sleep 1000 & echo ready; wait";
    let id = deck.new_terminal(&["--", "sh", "-c", polite]);
    deck.cli(&["wait", &id, "--pattern", "ready", "--from", "0"]).expect(0);
    let killed = deck.json(&["kill", &id, "--signal", "TERM", "--grace", "15s", "--json"]);
    assert_eq!(killed[0]["exitCode"].as_i64(), Some(7), "{killed}");
    assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), "ready\nbye\n");
    let id = deck.new_terminal(&["--", "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.02; done"]);
    deck.cli(&["wait", &id, "--pattern", "ready", "--from", "0"]).expect(0);
    let killed =
        deck.invoke(&["kill", &id, "-s", "KILL", "--grace", "1h", "--json"]).within(Duration::from_secs(10)).run();
    assert_eq!(killed.expect(0).json::<Value>()[0]["exitCode"].as_i64(), Some(137));
    deck.nothing_left_of(&id);
}

/// Many programs end in order at the first signal, and at once at the second.
#[test]
fn a_program_is_asked_once_to_end() {
    let deck = Deck::new();
    let script = "import os, signal\n\
                  signal.signal(signal.SIGTERM, lambda *_: os.write(1, b'asked\\n'))\n\
                  os.write(1, b'ready\\n')\n\
                  while True: signal.pause()";
    let id = deck.new_terminal(&["--", "python3", "-c", script]);
    deck.cli(&["wait", &id, "--pattern", "ready", "--from", "0"]).expect(0);
    let killed = deck.json(&["kill", &id, "--signal", "TERM", "--grace", "300ms", "--json"]);
    assert_eq!(killed[0]["exitCode"].as_i64(), Some(137), "{killed}");
    assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), "ready\nasked\n");
}

#[test]
fn a_kill_ends_one_terminal_and_no_other() {
    let deck = Deck::new();
    let ids: Vec<_> = (0..3).map(|_| deck.new_terminal(&["--", "sh", "-c", "sleep 1001 & wait"])).collect();
    // The numbers t1 and t10 begin alike.
    let others: Vec<_> = (0..8).map(|_| deck.new_terminal(&["--", "sleep", "1002"])).collect();
    deck.wait_until("all run", SOON, || ids.iter().all(|id| deck.processes_of(id).len() == 2).then_some(()));
    deck.cli(&["kill", &ids[0], &ids[2]]).expect(0);
    deck.nothing_left_of(&ids[0]);
    deck.nothing_left_of(&ids[2]);
    assert_eq!(deck.processes_of(&ids[1]).len(), 2);
    for id in &others {
        assert!(deck.info(id).running && processes::is_alive(deck.info(id).pid.unwrap()), "{id}");
    }
}

#[test]
fn stop_all_ends_everything_even_without_a_hub() {
    let deck = Deck::new();
    for _ in 0..3 {
        deck.new_terminal(&["--", "sh", "-c", "trap '' HUP TERM; setsid sleep 1001 & while :; do sleep 1; done"]);
    }
    deck.kill_hub();
    deck.cli(&["stop", "--all"]).expect(0);
    let left = deck.wait_until("everything is gone", SOON, || Some(deck.processes()).filter(Vec::is_empty));
    assert!(left.is_empty());
}
