//! Acceptance: `execute_command` gives strictly what is between its marks, with the exit code, and times out honestly.

use flightdeck_e2e::{Agent, SOON};
use serde_json::{Value, json};

use super::{Backend, answer, in_log, ok, refused, run, tab};

on_both_backends!(
    output_and_exit_code_are_exact,
    bytes_come_as_they_are_unless_sequences_are_to_be_removed,
    a_timeout_gives_what_there_is_and_the_tab_can_be_used_on,
    a_command_that_asks_is_told_at_once,
    commands_of_one_tab_run_one_after_the_other,
    twenty_tabs_at_once_never_mix_outputs_and_exit_codes,
    a_long_output_says_what_is_left_out_and_it_can_be_streamed,
    giving_up_a_call_stops_its_command,
);

fn output_and_exit_code_are_exact(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    // The very first command of a fresh tab must not be lost.
    let id = tab(&mut agent, "t");
    for (command, output, code) in [
        ("echo hello", "hello\n", 0),
        ("true", "", 0),
        ("false", "", 1),
        ("printf 'no newline'", "no newline", 0),
        ("echo out; echo err >&2; (exit 7)", "out\nerr\n", 7),
        ("echo 'quo\"tes' \"and $((1+1))\" \\$", "quo\"tes and 2 $\n", 0),
        ("for i in 1 2 3; do\n  echo $i\ndone", "1\n2\n3\n", 0),
        ("cat <<'END'\na\tb\n  $x `y`\nEND", "a\tb\n  $x `y`\n", 0),
        ("no-such-command-here 2>/dev/null", "", 127),
        ("echo Enter C-c Escape", "Enter C-c Escape\n", 0),
        ("X=carried; cd /usr", "", 0),
        ("echo $X; pwd", "carried\n/usr\n", 0),
        ("echo 日本語 🦀 é", "日本語 🦀 é\n", 0),
        ("sh -c 'kill -TERM $$'; (exit $?)", "Terminated\n", 143),
    ] {
        let ran = run(&mut agent, &id, command);
        assert_eq!(ran, (output.to_owned(), code), "{command}");
    }
}

fn bytes_come_as_they_are_unless_sequences_are_to_be_removed(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    let command = r"printf '\033[31mred\033[0m\n10%%\r100%%\n\033]0;title\007end'";
    for (strip, output) in [
        (json!(false), "\u{1b}[31mred\u{1b}[0m\n10%\r100%\n\u{1b}]0;title\u{7}end"),
        (Value::Null, "\u{1b}[31mred\u{1b}[0m\n10%\r100%\n\u{1b}]0;title\u{7}end"),
        (json!(true), "red\n100%\nend"),
    ] {
        let args = json!({ "window_id": id, "command": command, "strip_ansi": strip });
        assert_eq!(ok(&mut agent, "execute_command", &args)["output"], output, "{strip}");
    }
}

fn a_timeout_gives_what_there_is_and_the_tab_can_be_used_on(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "true");
    let slow = json!({ "window_id": id, "command": "echo begun; sleep 1000; echo never", "timeout_ms": 2000 });
    let ran = ok(&mut agent, "execute_command", &slow);
    assert_eq!((&ran["timed_out"], &ran["output"]), (&json!(true), &json!("begun\n")), "{ran}");
    assert!(ran.get("exit_code").is_none(), "it has none yet: {ran}");
    assert!(ran["hint"].as_str().unwrap().contains("stop_process"), "{ran}");
    // While it runs, the next command is refused at once, and told what to do; it is not typed into the running one.
    let next = json!({ "window_id": id, "command": "echo next" });
    let busy = refused(&mut agent, "execute_command", &next, "terminal_busy");
    assert!(busy["error"].as_str().unwrap().contains("sleep 1000"), "{busy}");
    assert!(busy["hint"].as_str().unwrap().contains("stop_process"), "{busy}");
    assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": id }))["success"], true);
    assert_eq!(run(&mut agent, &id, "echo next"), ("next\n".to_owned(), 0));
    assert!(!in_log(&deck, &mut agent, &id, "\nnext\n").contains("\nnever\n"));
}

fn a_command_that_asks_is_told_at_once(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    for (command, input, answer) in [
        ("read -p 'name? ' x", "line", "an answer"),
        ("read -s -p 'secret? ' x", "password", "an answer"),
        ("python3 -q", "raw", "exit(3)"),
    ] {
        let args = json!({ "window_id": id, "command": command, "timeout_ms": 600_000 });
        let ran = ok(&mut agent, "execute_command", &args);
        let told = (&ran["timed_out"], &ran["input"], ran.get("exit_code"));
        assert_eq!(told, (&json!(false), &json!(input), None), "{command}: {ran}");
        assert!(ran["hint"].as_str().unwrap().contains("start_process types"), "{command}: {ran}");
        ok(&mut agent, "start_process", &json!({ "window_id": id, "command": answer }));
        let expected = if input == "raw" { "3 an answer\n" } else { "0 an answer\n" };
        assert_eq!(run(&mut agent, &id, "echo \"$? $x\"").0, expected, "{command}");
    }
}

fn commands_of_one_tab_run_one_after_the_other(backend: Backend) {
    // What tmux-based servers call the pane's mutex: the outputs of two callers are never mixed.
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    let begun: Vec<_> = (0..8)
        .map(|n| {
            let command = format!("for i in 1 2 3; do echo {n}-$i; done; (exit {n})");
            (n, agent.begin("execute_command", &json!({ "window_id": id, "command": command, "timeout_ms": 20000 })))
        })
        .collect();
    for (n, call) in begun {
        let ran = answer(&mut agent, call).object;
        let expected = format!("{n}-1\n{n}-2\n{n}-3\n");
        assert_eq!((&ran["output"], &ran["exit_code"]), (&json!(expected), &json!(n)), "{ran}");
    }
}

fn twenty_tabs_at_once_never_mix_outputs_and_exit_codes(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let creating: Vec<_> = (0..20).map(|n| agent.begin("create_tab", &json!({ "name": format!("tab {n}") }))).collect();
    let tabs: Vec<_> = creating
        .into_iter()
        .map(|call| answer(&mut agent, call).object["window_id"].as_str().unwrap().to_owned())
        .collect();
    let unique: std::collections::BTreeSet<_> = tabs.iter().collect();
    assert_eq!(unique.len(), 20, "{tabs:?}");
    for round in 0..2 {
        let running: Vec<_> = tabs
            .iter()
            .enumerate()
            .map(|(n, id)| {
                let command = format!("for i in $(seq 200); do echo {round}-{n}-$i; done; (exit {})", n + 10 * round);
                let args = json!({ "window_id": id, "command": command, "timeout_ms": 60000 });
                (n, agent.begin("execute_command", &args))
            })
            .collect();
        for (n, call) in running {
            let ran = answer(&mut agent, call).object;
            let expected: String = (1..=200).map(|i| format!("{round}-{n}-{i}\n")).collect();
            assert_eq!(ran["exit_code"], n + 10 * round, "{ran}");
            assert_eq!(ran["output"], expected, "tab {n}");
        }
    }
}

fn a_long_output_says_what_is_left_out_and_it_can_be_streamed(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    let args = json!({ "window_id": id, "command": "seq 1 400000", "timeout_ms": 60000 });
    let ran = ok(&mut agent, "execute_command", &args);
    let output = ran["output"].as_str().unwrap();
    assert!(output.starts_with("1\n2\n") && output.ends_with("\n400000\n"), "{}", output.len());
    let note = output.lines().find(|line| line.starts_with("[... ")).unwrap();
    let from: u64 = note.split("from ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let shown: u64 = output.split("[...").next().unwrap().lines().last().unwrap().trim().parse().unwrap();
    let rest = ok(&mut agent, "stream_logs_from_tab", &json!({ "window_id": id, "from_byte": from, "max_bytes": 64 }));
    let next: u64 = rest["chunk"].as_str().unwrap().lines().next().unwrap().trim().parse().unwrap();
    assert_eq!(next, shown + 1, "nothing is lost between: {note}");
    assert!(ran["omitted_bytes"].as_u64().unwrap() > 1_000_000, "{note}");
}

fn giving_up_a_call_stops_its_command(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "true");
    let call = agent.begin("execute_command", &json!({ "window_id": id, "command": "echo up; sleep 1000" }));
    deck.wait_until("it runs", SOON, || (deck.info("t1").foreground.as_deref() == Some("sleep")).then_some(()));
    agent.notify("notifications/cancelled", &json!({ "requestId": call }));
    deck.wait_until("the tab is free again", SOON, || {
        let call = super::call(&mut agent, "execute_command", &json!({ "window_id": id, "command": "echo free" }));
        (!call.is_error).then_some(())
    });
}
