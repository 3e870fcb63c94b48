//! `flightdeck wait`: the first of several conditions, with a cursor to go on from.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use flightdeck_e2e::processes::Stopped;
use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

#[test]
fn a_pattern_is_found_in_old_and_in_new_output() {
    let deck = Deck::new();
    let script = "echo first line; while ! [ -e gate ]; do sleep 0.02; done; printf '\\033[32mserver\\033[0m ready on 80'; sleep 1000";
    let id = deck.new_terminal(&["--", "sh", "-c", script]);
    let old = deck.cli(&["wait", &id, "--pattern", "^first", "--from", "0"]).expect(0);
    assert_eq!(old.text(), "first line\n");
    let cursor = deck.json(&["wait", &id, "--pattern", "first", "--from", "0", "--json"])["cursor"].to_string();
    let past = deck.cli(&["wait", &id, "--pattern", "first", "--from", &cursor, "--timeout", "200ms"]).expect(124);
    assert_eq!(past.text(), "timeout\n");
    let waiting = deck.invoke(&["wait", &id, "--pattern", "server ready on \\d+", "--from", &cursor]).start();
    fs::write(deck.workspace().join("gate"), "").unwrap();
    assert_eq!(
        waiting.finish().expect(0).text(),
        "server ready on 80\n",
        "colours do not matter, nor a missing newline"
    );
}

#[test]
fn the_exit_ends_every_wait_and_meets_those_that_asked_for_it() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "while ! [ -e gate ]; do sleep 0.02; done; exit 9"]);
    let conditions: [(&[&str], i32); 5] = [
        (&[], 0),
        (&["--exit"], 0),
        (&["--pattern", "never", "--exit"], 0),
        (&["--pattern", "never"], 1),
        (&["--port", "1"], 1),
    ];
    let wait = |(args, _): &(&[&str], i32)| deck.invoke(&[&["wait", &id], *args].concat()).start();
    let waits: Vec<_> = conditions.iter().map(wait).collect();
    fs::write(deck.workspace().join("gate"), "").unwrap();
    for (wait, (args, code)) in waits.into_iter().zip(conditions) {
        assert_eq!(wait.finish().expect(code).text(), "exit 9\n", "{args:?}");
    }
    assert_eq!(deck.cli(&["wait", &id]).expect(0).text(), "exit 9\n", "and it is known ever after");
    assert_eq!(deck.cli(&["wait", &id, "--quiet", "1s"]).expect(0).text(), "exit 9\n", "it will be quiet");
    let told = deck.cli(&["wait", &id, "--pattern", "never", "--json"]).expect(1).text();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["reason"], &told["exitCode"]), (&json!("exit"), &json!(9)), "{told}");
}

#[test]
fn a_server_that_dies_is_no_success_of_a_wait_for_its_words() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let command = ["sh", "-c", "echo EADDRINUSE; exit 3"];
    let id = agent.ok("flightdeck.terminal.new", &json!({ "command": command }))["data"]["id"].clone();
    for condition in [json!({ "pattern": "ready" }), json!({ "port": 1 }), json!({ "input": true })] {
        let mut wait = condition.clone();
        wait["id"] = id.clone();
        let waited = agent.call("flightdeck.terminal.wait", &wait);
        assert_eq!((&waited["success"], &waited["code"]), (&json!(false), &json!("terminal_ended")), "{waited}");
        assert_eq!(waited["details"]["exitCode"], 3, "{condition}: {waited}");
        assert!(waited["hint"].as_str().unwrap().contains("flightdeck.terminal.read"), "{waited}");
    }
    // What it said before is found all the same.
    let waited = agent.ok("flightdeck.terminal.wait", &json!({ "id": id, "pattern": "EADDR", "from": 0 }));
    assert_eq!(waited["data"]["line"], "EADDRINUSE", "{waited}");
}

#[test]
fn an_exit_is_told_although_a_child_holds_the_terminal() {
    let deck = Deck::new();
    for kind in [&[][..], &["--pipes"]] {
        let script = "trap '' HUP; setsid sleep 1000 & exit 5";
        let id = deck.new_terminal(&[kind, &["--", "sh", "-c", script]].concat());
        let began = Instant::now();
        assert_eq!(deck.cli(&["wait", &id, "--timeout", "15s"]).expect(0).text(), "exit 5\n", "{kind:?}");
        assert!(began.elapsed() < Duration::from_secs(5), "{kind:?}: only after {:?}", began.elapsed());
    }
}

#[test]
fn quiet_and_time() {
    let deck = Deck::new();
    let id = deck.new_terminal(&[
        "--",
        "sh",
        "-c",
        "i=0; while [ $i -lt 10 ]; do echo $i; sleep 0.05; i=$((i+1)); done; sleep 1000",
    ]);
    assert_eq!(deck.cli(&["wait", &id, "--quiet", "2s"]).expect(0).text(), "quiet\n");
    assert!(deck.cli(&["logs", &id, "-n", "1"]).expect(0).text().starts_with('9'), "it was not quiet before");
    let began = Instant::now();
    assert_eq!(deck.cli(&["wait", &id, "--exit", "--timeout", "300ms"]).expect(124).text(), "timeout\n");
    assert!((300..SOON.as_millis()).contains(&began.elapsed().as_millis()), "{:?}", began.elapsed());
    let first = deck.json(&["wait", &id, "--quiet", "100ms", "--pattern", "never", "--exit", "--json"]);
    assert_eq!(first["reason"], "quiet", "the first that holds wins");
}

#[test]
fn a_server_is_up_when_its_port_is_open() {
    let deck = Deck::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let id = deck.new_terminal(&["--", "python3", "-m", "http.server", "--bind", "127.0.0.1", &port]);
    assert_eq!(deck.cli(&["wait", &id, "--port", &port]).expect(0).text(), "port\n");
    deck.cli(&["signal", &id, "INT"]).expect(0);
    deck.ended(&id, SOON);
    let other = deck.new_terminal(&["--", "sleep", "1000"]);
    assert_eq!(deck.cli(&["wait", &other, "--port", &port, "--timeout", "300ms"]).expect(124).text(), "timeout\n");
}

#[test]
fn a_prompt_is_there_when_the_command_is_over() {
    let deck = Deck::new();
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        // The command lasts until somebody writes into the pipe that it reads.
        let gate = deck.workspace().join(shell);
        assert!(std::process::Command::new("mkfifo").arg(&gate).status().unwrap().success());
        deck.type_line(&id, &format!("cat {shell}; echo passed"));
        deck.wait_until("it runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("cat")).then_some(()));
        let early = deck.cli(&["wait", &id, "--prompt", "--timeout", "50ms"]);
        assert_eq!(early.code, 124, "{shell}: {early}");
        std::fs::write(&gate, "open\n").unwrap();
        deck.at_prompt(&id);
        assert!(deck.screen(&id).text.contains("\npassed"), "{shell}: {}", deck.screen(&id).text);
    }
}

#[test]
fn a_wait_that_fails_hides_nothing_from_the_next() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let command = ["sh", "-c", "while ! [ -e gate ]; do sleep 0.02; done; echo READY; exit 3"];
    let id = agent.ok("flightdeck.terminal.new", &json!({ "command": command }))["data"]["id"].clone();
    let wait = "flightdeck.terminal.wait";
    let waited = agent.call(wait, &json!({ "id": id, "pattern": "listening", "timeoutMs": 100 }));
    assert_eq!((&waited["code"], &waited["details"]["cursor"]), (&json!("timed_out"), &json!(0)), "{waited}");
    fs::write(deck.workspace().join("gate"), "").unwrap();
    let waited = agent.call(wait, &json!({ "id": id, "pattern": "listening" }));
    assert_eq!(waited["code"], "terminal_ended", "{waited}");
    let waited = agent.ok(wait, &json!({ "id": id, "pattern": "READY" }));
    assert_eq!(waited["data"]["line"], "READY", "{waited}");
}

#[test]
fn the_end_of_the_last_command_is_told_at_once_and_again() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let id = deck.shell("bash");
    let ran = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "(exit 4)" }));
    assert_eq!(ran["data"]["exitCode"], 4, "{ran}");
    deck.at_prompt(&id);
    for _ in 0..2 {
        let waited = agent.ok("flightdeck.terminal.wait", &json!({ "id": id }));
        assert_eq!(
            (&waited["data"]["reason"], &waited["data"]["exitCode"]),
            (&json!("command"), &json!(4)),
            "{waited}"
        );
    }
}

#[test]
fn a_prompt_is_no_question() {
    let deck = Deck::new();
    // The one shell that has no line editor reads a line there.
    let id = deck.shell("dash");
    deck.at_prompt(&id);
    assert_eq!(deck.cli(&["wait", &id, "--input", "--timeout", "300ms"]).expect(124).text(), "timeout\n");
    deck.type_line(&id, "read answer");
    assert_eq!(deck.cli(&["wait", &id, "--input"]).expect(0).text(), "input\n");
}

#[test]
fn a_server_that_goes_into_the_background_is_up() {
    let deck = Deck::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let daemon = format!(
        "import os, signal, socket, time\n\
         signal.signal(signal.SIGHUP, signal.SIG_IGN)\n\
         server = socket.socket()\n\
         server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n\
         server.bind(('127.0.0.1', {port}))\n\
         server.listen()\n\
         if os.fork(): os._exit(0)\n\
         time.sleep(1000)"
    );
    let id = deck.new_terminal(&["--", "python3", "-c", &daemon]);
    deck.ended(&id, SOON);
    assert_eq!(deck.cli(&["wait", &id, "--port", &port]).expect(0).text(), "port\n");
    deck.cli(&["kill", &id]).expect(0);
    assert_eq!(deck.cli(&["wait", &id, "--port", &port]).expect(1).text(), "exit 0\n");
}

#[test]
fn a_port_of_somebody_else_is_not_the_terminals() {
    let deck = Deck::new();
    let theirs = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = theirs.local_addr().unwrap().port().to_string();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let told = deck.cli(&["wait", &id, "--port", &port]).expect(1).text();
    assert!(told.starts_with("port_taken by ") && told.contains(&std::process::id().to_string()), "{told}");
    let mut agent = Agent::new(&deck, "agent");
    let waited = agent.call("flightdeck.terminal.wait", &json!({ "id": id, "port": port.parse::<u16>().unwrap() }));
    assert_eq!((&waited["success"], &waited["code"]), (&json!(false), &json!("port_taken")), "{waited}");
    let listener = waited["details"]["listener"].as_str().unwrap();
    assert!(listener.contains(&std::process::id().to_string()), "whose it is: {waited}");
    assert!(waited["error"].as_str().unwrap().contains(&port) && waited["details"]["cursor"].is_u64(), "{waited}");
    let told = deck.cli(&["wait", &id, "--port", &port, "--json"]).expect(1).text();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["reason"], &told["listener"]), (&json!("port_taken"), &json!(listener)), "{told}");
}

#[test]
fn a_wait_looks_back_to_the_last_command_or_the_last_look() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let wait = "flightdeck.terminal.wait";
    // What was printed before the wait began.
    let id = agent.ok("flightdeck.terminal.new", &json!({ "command": ["sh", "-c", "echo ready; sleep 1000"] }))["data"]
        .clone();
    assert_eq!(id["cursor"], 0, "where to read or wait from: {id}");
    let id = id["id"].clone();
    deck.wait_until("it has printed", SOON, || {
        deck.cli(&["logs", id.as_str().unwrap()]).expect(0).text().contains("ready").then_some(())
    });
    assert_eq!(agent.ok(wait, &json!({ "id": id, "pattern": "ready" }))["data"]["line"], "ready");
    // It was seen by that: the same again is waited for.
    let again = agent.call(wait, &json!({ "id": id, "pattern": "ready", "timeoutMs": 100 }));
    assert_eq!((&again["success"], &again["code"]), (&json!(false), &json!("timed_out")), "{again}");
    assert!(again["details"]["cursor"].is_u64(), "{again}");
    let hint = again["hint"].as_str().unwrap();
    assert!(hint.contains("from") && hint.contains("\"ready\" matches, and was printed before"), "{again}");
    // Somebody else has not seen it.
    let mut other = Agent::new(&deck, "other");
    assert_eq!(other.ok(wait, &json!({ "id": id, "pattern": "ready" }))["data"]["line"], "ready");
}

#[test]
fn what_one_window_of_a_person_has_read_another_has_not() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "echo ready; sleep 1000"]);
    let ready = ["wait", id.as_str(), "--pattern", "ready", "--timeout", "10s"];
    assert_eq!(deck.cli(&ready).expect(0).text(), "ready\n");
    // Commands of one window or script go on where the one before ended.
    let again = ["wait", id.as_str(), "--pattern", "ready", "--timeout", "100ms"];
    assert_eq!(deck.cli(&again).expect(124).text(), "timeout\n");
    let mut other = deck.window(&ready);
    other.wait_for("ready");
    assert_eq!(other.exit_code(SOON), 0);
}

#[test]
fn after_a_run_that_took_too_long_its_end_is_waited_for() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let id = deck.shell("bash");
    let command = "while ! [ -e gate ]; do sleep 0.02; done; exit_with() { return 7; }; exit_with";
    let ran = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": command, "timeoutMs": 200 }));
    assert_eq!(ran["data"]["timedOut"], true, "{ran}");
    let waiting = agent.begin("flightdeck.terminal.wait", &json!({ "id": id }));
    fs::write(deck.workspace().join("gate"), "").unwrap();
    let waited = agent.result(waiting);
    assert_eq!((&waited["data"]["reason"], &waited["data"]["exitCode"]), (&json!("command"), &json!(7)), "{waited}");
}

/// Between two calls a command may come to its end, and one that was typed may not have begun.
#[test]
fn the_end_of_a_command_is_told_whenever_it_came() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let wait = "flightdeck.terminal.wait";
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        let told = |agent: &mut Agent, code: i32| {
            let waited = agent.ok(wait, &json!({ "id": id, "timeoutMs": 60_000 }))["data"].clone();
            let wanted = (&json!("command"), &json!(code));
            assert_eq!((&waited["reason"], &waited["exitCode"]), wanted, "{shell}: {waited}");
        };
        let began = Instant::now();
        // It asks, is answered, and has ended before anybody waits for it; also when its output was read.
        for (looks, code) in [(false, 3), (true, 4)] {
            let command = format!("sh -c 'read answer; exit {code}'");
            let ran = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": command }));
            assert_eq!(ran["data"]["input"], "line", "{shell}: {ran}");
            agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "yes\n" }));
            deck.at_prompt(&id);
            if looks {
                agent.ok("flightdeck.terminal.read", &json!({ "id": id }));
            }
            told(&mut agent, code);
        }
        // What was only typed is a command too, once it has begun; dash does not tell of those.
        if shell != "dash" {
            agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "sh -c 'exit 5'\n" }));
            told(&mut agent, 5);
        }
        assert!(began.elapsed() < Duration::from_secs(40), "{shell}: {:?}", began.elapsed());
        // It is told again.
        deck.at_prompt(&id);
        told(&mut agent, if shell == "dash" { 4 } else { 5 });
        agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "true" }));
        deck.at_prompt(&id);
        told(&mut agent, 0);
        // What was typed is no command.
        agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "half a line" }));
        agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "keys": ["C-u"] }));
        let idle = agent.ok(wait, &json!({ "id": id, "timeoutMs": 60_000 }))["data"].clone();
        assert_eq!((&idle["reason"], &idle["exitCode"]), (&json!("prompt"), &json!(null)), "{shell}: {idle}");
        assert!(began.elapsed() < Duration::from_secs(50), "{shell}: {:?}", began.elapsed());
    }
}

/// The last line of a program and its end come at once.
#[test]
fn what_a_program_printed_last_is_found_although_it_has_ended() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let command = json!({ "command": ["sh", "-c", "read word; echo \"hello $word\""] });
    for round in 0..30 {
        let id = agent.ok("flightdeck.terminal.new", &command)["data"]["id"].clone();
        let waiting = agent.begin("flightdeck.terminal.wait", &json!({ "id": id, "pattern": "^hello you$" }));
        agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "you\n" }));
        let waited = agent.result(waiting);
        assert_eq!(waited["data"]["reason"], "pattern", "round {round}: {waited}");
    }
}

#[test]
fn a_repl_asks_for_input() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let id = agent.ok("flightdeck.terminal.new", &json!({ "command": ["python3", "-q"] }))["data"]["id"].clone();
    let waited = agent.ok("flightdeck.terminal.wait", &json!({ "id": id, "input": true, "timeoutMs": 20_000 }));
    assert_eq!(waited["data"]["reason"], "input", "{waited}");
    // Type and look in one call.
    let typed = agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "6*7\n", "screen": true }));
    assert!(typed["output"].as_str().unwrap().contains("\n42\n"), "{typed}");
    agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "7*7\n" }));
    let screen = agent.ok("flightdeck.terminal.screen", &json!({ "id": id }));
    assert!(screen["output"].as_str().unwrap().contains("\n49\n"), "{screen}");
    // One that does everything in one loop, as Node.js does: it waits for its terminal beside other things.
    let repl = "import os, select, sys, tty; tty.setcbreak(0); own = os.dup(0); other, _ = os.pipe(); all = select.epoll(); \
        all.register(own, select.EPOLLIN); all.register(other, select.EPOLLIN); print('> ', end='', flush=True); all.poll()";
    let id = agent.ok("flightdeck.terminal.new", &json!({ "command": ["python3", "-c", repl] }))["data"]["id"].clone();
    let waited = agent.ok("flightdeck.terminal.wait", &json!({ "id": id, "input": true, "timeoutMs": 20_000 }));
    assert_eq!((&waited["data"]["reason"], &waited["data"]["input"]), (&json!("input"), &json!("raw")), "{waited}");
}

#[test]
fn a_shell_that_tells_nothing_is_at_its_prompt_when_it_waits_there() {
    let deck = Deck::new();
    let id = deck.shell("dash");
    let gate = deck.workspace().join("gate");
    assert!(std::process::Command::new("mkfifo").arg(&gate).status().unwrap().success());
    // Between two commands the shell itself is in the foreground, and here for a while.
    deck.type_line(&id, "cat gate; i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; echo passed");
    deck.wait_until("it runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("cat")).then_some(()));
    fs::write(&gate, "open\n").unwrap();
    deck.at_prompt(&id);
    assert!(deck.screen(&id).text.contains("\npassed"), "{}", deck.screen(&id).text);
    // Where a program reads lines that were typed, no prompt follows them.
    deck.type_line(&id, "cat");
    deck.type_line(&id, "one");
    deck.type_line(&id, "two");
    deck.press(&id, &["C-d"]);
    deck.at_prompt(&id);
}

#[test]
fn a_command_that_has_begun_is_no_prompt_although_its_mark_is_on_its_way() {
    let deck = Deck::new();
    for shell in ["bash", "zsh", "fish"] {
        let id = deck.shell(shell);
        // What the shell prints from here on stays in its terminal.
        let keeper = Stopped::new(deck.keeper_pid());
        deck.type_line(&id, "cat");
        deck.wait_until("it runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("cat")).then_some(()));
        let early = deck.cli(&["wait", &id, "--prompt", "--timeout", "300ms"]);
        drop(keeper);
        assert_eq!(early.code, 124, "{shell}: {early}");
        deck.press(&id, &["C-d"]);
        deck.at_prompt(&id);
    }
}

#[test]
fn a_line_that_the_shell_has_not_read_is_no_prompt() {
    let deck = Deck::new();
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        deck.at_prompt(&id);
        let stopped = Stopped::new(deck.info(&id).pid.unwrap());
        deck.type_line(&id, "cat");
        let early = deck.cli(&["wait", &id, "--prompt", "--timeout", "300ms"]);
        drop(stopped);
        assert_eq!(early.code, 124, "{shell}: {early}");
        deck.wait_until("it runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("cat")).then_some(()));
        deck.press(&id, &["C-d"]);
        deck.at_prompt(&id);
    }
}
