//! Acceptance: processes are started and stopped without waiting, the tab stays, and logs outlive restarts.

use std::time::Instant;

use flightdeck_contract::terminal::InputState;
use flightdeck_e2e::{Agent, SOON};
use serde_json::json;

use super::{Backend, call, deck_with, in_log, listed, ok, refused, run, tab};

on_both_backends!(
    a_process_is_started_watched_and_stopped_and_the_tab_stays,
    stopping_right_after_starting_finds_the_process,
    a_process_that_does_not_stop_is_told_as_such,
    programs_that_read_the_terminal_are_stopped_too,
    what_was_left_at_the_prompt_does_not_keep_a_process_from_starting,
    text_is_only_typed_without_a_newline_and_answers_reach_a_program,
    processes_tabs_names_and_logs_outlive_a_restart_of_the_server,
    what_runs_in_a_shell_inside_of_the_tabs_own_is_stopped_and_known_to_be,
);

/// A shell inside of another, or in its place, prints no marks; that it is at its prompt again is seen all the same.
fn what_runs_in_a_shell_inside_of_the_tabs_own_is_stopped_and_known_to_be(backend: Backend) {
    for (inner, in_front) in [
        ("bash --norc", "bash"),
        ("exec zsh -f", "zsh"),
        ("fish --no-config", "fish"),
        ("exec fish --no-config", "fish"),
    ] {
        let deck = backend.deck();
        let mut agent = Agent::new(&deck, "codex");
        let id = tab(&mut agent, "t");
        ok(&mut agent, "start_process", &json!({ "window_id": id, "command": inner }));
        deck.wait_until(inner, SOON, || {
            let info = deck.info("t1");
            (info.foreground.as_deref() == Some(in_front) && info.input == InputState::Raw).then_some(())
        });
        for signal in ["SIGINT", "SIGTERM"] {
            let started = ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "sleep 1000" }));
            assert_eq!(started, json!({ "started": true }), "{inner}: it is a shell");
            deck.wait_until("sleep", SOON, || (deck.info("t1").foreground.as_deref() == Some("sleep")).then_some(()));
            let began = Instant::now();
            let stop = json!({ "window_id": id, "signal": signal });
            assert_eq!(ok(&mut agent, "stop_process", &stop), json!({ "success": true }), "{inner} {signal}");
            // Nothing runs: that is what was wanted.
            assert_eq!(ok(&mut agent, "stop_process", &stop), json!({ "success": true }), "{inner} {signal} again");
            assert!(began.elapsed().as_secs() < 4, "{inner} {signal}: it is known at once");
            assert_eq!(
                deck.info("t1").foreground.as_deref(),
                Some(in_front),
                "{inner} {signal}: the shell is still there"
            );
        }
    }
}

fn a_process_is_started_watched_and_stopped_and_the_tab_stays(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "web");
    let began = Instant::now();
    // A fresh tab takes a process at once; it is neither lost nor typed twice.
    let serve = json!({ "window_id": id, "command": "X=1; while sleep 0.05; do echo tick $((X++)); done" });
    assert_eq!(ok(&mut agent, "start_process", &serve), json!({ "started": true }));
    assert!(began.elapsed().as_secs() < 10, "it does not wait for the end");
    in_log(&deck, &mut agent, &id, "tick 3\n");
    let busy = json!({ "window_id": id, "command": "echo no" });
    refused(&mut agent, "start_process", &busy, "terminal_busy");
    assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": id })), json!({ "success": true }));
    assert_eq!(listed(&mut agent).0, [(id.clone(), "web".to_owned())]);
    // Variables of the shell are still there: it is the same one.
    assert_eq!(run(&mut agent, &id, "echo [$((X > 2))]").0, "[1]\n");
    // Nothing runs: that is what was wanted.
    assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": id })), json!({ "success": true }));
}

fn stopping_right_after_starting_finds_the_process(backend: Backend) {
    for shell in ["bash", "zsh", "fish", "dash"] {
        let deck = deck_with(shell, backend);
        let mut agent = Agent::new(&deck, "codex");
        let id = tab(&mut agent, shell);
        for signal in ["SIGINT", "SIGTERM"] {
            ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "sleep 1000" }));
            let stop = json!({ "window_id": id, "signal": signal });
            assert_eq!(ok(&mut agent, "stop_process", &stop), json!({ "success": true }), "{shell} {signal}");
            assert_eq!(run(&mut agent, &id, "echo free").0, "free\n", "{shell} {signal}");
        }
        let left = deck.processes().into_iter().filter(|process| process.command.contains("sleep 1000")).count();
        assert_eq!(left, 0, "{shell}");
        ok(&mut agent, "close_tab", &json!({ "window_id": id }));
    }
}

fn a_process_that_does_not_stop_is_told_as_such(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "stubborn");
    let command = "bash -c 'trap \"echo no\" INT; echo ready; while :; do sleep 0.1; done'";
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": command }));
    in_log(&deck, &mut agent, &id, "\nready\n");
    let answer = call(&mut agent, "stop_process", &json!({ "window_id": id }));
    assert!(answer.is_error && answer.object["success"] == false, "{answer:?}");
    assert_eq!(answer.object["code"], "still_running");
    assert!(answer.object["hint"].as_str().unwrap().contains("SIGTERM"), "{answer:?}");
    in_log(&deck, &mut agent, &id, "no\n");
    let stop = json!({ "window_id": id, "signal": "SIGTERM" });
    assert_eq!(ok(&mut agent, "stop_process", &stop), json!({ "success": true }));
    assert_eq!(run(&mut agent, &id, "echo free").0, "free\n");
}

fn programs_that_read_the_terminal_are_stopped_too(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    // What is started, the program that has to be in front, and which signals stop it. The first of a pipeline is gone
    // by then, and less takes Ctrl-C as a key.
    for (command, name, signals) in [
        ("cat", "cat", &["SIGINT", "SIGTERM"][..]),
        ("python3 -c 'input()'", "python3", &["SIGINT", "SIGTERM"]),
        ("true | cat - /dev/tty", "cat", &["SIGINT", "SIGTERM"]),
        ("seq 1000 | less", "less", &["SIGTERM"]),
    ] {
        for signal in signals {
            ok(&mut agent, "start_process", &json!({ "window_id": id, "command": command }));
            deck.wait_until(command, SOON, || (deck.info("t1").foreground.as_deref() == Some(name)).then_some(()));
            let stop = json!({ "window_id": id, "signal": signal });
            assert_eq!(ok(&mut agent, "stop_process", &stop), json!({ "success": true }), "{command} {signal}");
            assert_eq!(run(&mut agent, &id, "echo free").0, "free\n", "{command} {signal}");
        }
    }
}

fn what_was_left_at_the_prompt_does_not_keep_a_process_from_starting(backend: Backend) {
    for shell in ["bash", "zsh", "fish"] {
        let deck = deck_with(shell, backend);
        let mut agent = Agent::new(&deck, "codex");
        let id = tab(&mut agent, shell);
        let start = |agent: &mut Agent, command: &str, append_newline: bool| {
            let request = json!({ "window_id": id, "command": command, "append_newline": append_newline });
            ok(agent, "start_process", &request);
        };
        // A command in between takes the place of the half line.
        start(&mut agent, "echo half", false);
        assert_eq!(run(&mut agent, &id, "echo e1").0, "e1\n", "{shell}");
        start(&mut agent, "echo first", true);
        in_log(&deck, &mut agent, &id, "\nfirst\n");
        // A key that ends a pager; nobody knows whether the pager has read it.
        start(&mut agent, "seq 1000 | less", true);
        deck.wait_until("less", SOON, || (deck.info("t1").foreground.as_deref() == Some("less")).then_some(()));
        start(&mut agent, "q", false);
        deck.wait_until("the shell", SOON, || (deck.info("t1").foreground.as_deref() == Some(shell)).then_some(()));
        start(&mut agent, "echo second", true);
        in_log(&deck, &mut agent, &id, "\nsecond\n");
        // A person's half line is dropped, and never becomes a part of it.
        deck.cli(&["send", "t1", "touch half-typed "]).expect(0);
        start(&mut agent, "echo third", true);
        in_log(&deck, &mut agent, &id, "\nthird\n");
        assert!(!deck.workspace().join("half-typed").exists(), "{shell}");
    }
}

fn text_is_only_typed_without_a_newline_and_answers_reach_a_program(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    let typed = json!({ "window_id": id, "command": "echo be", "append_newline": false });
    let answer = ok(&mut agent, "start_process", &typed);
    assert_eq!(answer["started"], false, "{answer}");
    assert!(answer["note"].as_str().unwrap().contains("Enter was not pressed"), "{answer}");
    deck.on_screen("t1", "echo be");
    // "Enter" is a word here, never a key.
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "gun Enter" }));
    in_log(&deck, &mut agent, &id, "\nbegun Enter\n");
    let asks = json!({ "window_id": id, "command": "read -p 'name? ' N; echo hello $N" });
    ok(&mut agent, "start_process", &asks);
    in_log(&deck, &mut agent, &id, "name? ");
    let answer = deck.wait_until("it reads", SOON, || {
        let answer = call(&mut agent, "start_process", &json!({ "window_id": id, "command": "Ada" }));
        (!answer.is_error).then_some(answer.object)
    });
    assert_eq!(answer["started"], false, "{answer}");
    assert!(answer["note"].as_str().unwrap().contains("waited for input"), "{answer}");
    in_log(&deck, &mut agent, &id, "\nhello Ada\n");
    // Several lines, with a tab that a line editor would take as a key.
    let lines = json!({ "window_id": id, "command": "printf '%s|'\t'a' \\\n  'b'; echo" });
    let answer = call(&mut agent, "start_process", &lines);
    if !answer.is_error {
        in_log(&deck, &mut agent, &id, "a|b|\n");
    }
}

fn processes_tabs_names_and_logs_outlive_a_restart_of_the_server(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let (web, db) = (tab(&mut agent, "web \"server\" #1"), tab(&mut agent, "db"));
    run(&mut agent, &db, "X=carried; echo before");
    let serve = json!({ "window_id": web, "command": "while sleep 0.05; do echo tick $((++X)); done" });
    ok(&mut agent, "start_process", &serve);
    in_log(&deck, &mut agent, &web, "tick 2\n");
    run(&mut agent, &db, "true");
    let before = listed(&mut agent);
    let read = ok(&mut agent, "stream_logs_from_tab", &json!({ "window_id": db }));
    for crash in [false, true] {
        if crash {
            deck.kill_hub();
        } else {
            deck.cli(&["restart"]).expect(0);
        }
        assert_eq!(listed(&mut agent), before, "the tabs, their names and the active one are as they were");
        in_log(&deck, &mut agent, &db, "before\n");
        // The offset of before the restart goes on to be good.
        let on = ok(&mut agent, "stream_logs_from_tab", &json!({ "window_id": db, "from_byte": read["next_byte"] }));
        assert!(!on["chunk"].as_str().unwrap().contains("before"), "{on}");
        assert_eq!(run(&mut agent, &db, "echo $X").0, "carried\n");
    }
    let ticks = in_log(&deck, &mut agent, &web, "tick ").matches("tick").count();
    deck.wait_until("it ticks on", SOON, || {
        (in_log(&deck, &mut agent, &web, "tick ").matches("tick").count() > ticks).then_some(())
    });
    assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": web }))["success"], true);
    // A new tab gets a number of its own.
    assert!(!before.0.iter().any(|(id, _)| *id == tab(&mut agent, "third")));
}
