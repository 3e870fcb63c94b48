//! `flightdeck run --in`: a command in a live shell gives exactly its output and its exit code.

use std::time::{Duration, Instant};

use flightdeck_e2e::{Agent, Deck, in_each_shell};
use serde_json::json;

in_each_shell![
    output_and_exit_code_are_exact,
    a_fresh_shell_takes_a_command_at_once,
    the_last_status_carries_over,
    the_stages_of_a_pipeline_are_told,
    here_documents_and_long_scripts_work,
    a_background_child_does_not_pin_the_call,
    the_callers_window_does_not_matter_to_big_output,
];

fn output_and_exit_code_are_exact(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let long = format!("echo '{}'", "x".repeat(6000));
    let longest = format!("{}\n", "x".repeat(6000));
    let cases = [
        ("echo hi", 0, "hi\n"),
        ("true", 0, ""),
        ("false", 1, ""),
        ("printf 'no newline'", 0, "no newline"),
        ("printf '\\n\\n'", 0, "\n\n"),
        ("sh -c 'exit 3'", 3, ""),
        ("echo a; echo b", 0, "a\nb\n"),
        ("echo one\necho two\n\necho three", 0, "one\ntwo\nthree\n"),
        ("echo 'ünï ✓ 漢字 🙂'", 0, "ünï ✓ 漢字 🙂\n"),
        ("echo err >&2", 0, "err\n"),
        ("echo '$HOME !! !x' '~'", 0, "$HOME !! !x ~\n"),
        ("echo \"it's\" 'a \"b\"' c\\\\d", 0, "it's a \"b\" c\\d\n"),
        ("  echo spaces  ", 0, "spaces\n"),
        ("echo tail # with a comment", 0, "tail\n"),
        ("# only a comment", 0, ""),
        (&long, 0, &longest),
        ("cd /usr\npwd", 0, "/usr\n"),
        ("pwd", 0, "/usr\n"),
        ("test -t 0 && test -t 1 && test -t 2 && echo terminal", 0, "terminal\n"),
    ];
    for (command, code, output) in cases {
        let ran = deck.run_in(&id, command);
        assert_eq!((ran.exit_code, ran.output.as_str()), (Some(code), output), "{shell}: {command}");
        assert!(!ran.timed_out && !ran.running && !ran.shell_ended, "{shell}: {command}: {ran:?}");
    }
    let missing = deck.run_in(&id, "no-such-program-anywhere");
    assert_eq!(missing.exit_code, Some(127), "{shell}: {missing:?}");
    assert!(missing.output.contains("no-such-program-anywhere"), "{shell}: {missing:?}");
    // Each shell has its own words for it, which are part of the output.
    assert_eq!(deck.run_in(&id, "sh -c 'kill -9 $$'").exit_code, Some(137), "{shell}");
    let plain = deck.cli(&["run", "--in", &id, "--", "printf", "'%s|'", "a", "'b c'"]).expect(0);
    assert_eq!((&*plain.text(), &*plain.errors()), ("a|b c|", ""), "{shell}");
}

fn a_fresh_shell_takes_a_command_at_once(shell: &str) {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--shell", shell]);
    let ran = deck.run_in(&id, "echo first; sh -c 'exit 2'");
    assert_eq!((ran.exit_code, ran.output.as_str()), (Some(2), "first\n"), "{shell}");
}

fn the_last_status_carries_over(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let status = if shell == "fish" { "echo $status" } else { "echo $?" };
    for (before, code) in [("sh -c 'exit 7'", "7\n"), ("true", "0\n"), ("false\nsh -c 'exit 9'", "9\n")] {
        deck.run_in(&id, before);
        assert_eq!(deck.run_in(&id, status).output, code, "{shell}: after {before}");
    }
    let set = if shell == "fish" { "set -g kept 'a b'" } else { "kept='a b'" };
    deck.run_in(&id, set);
    assert_eq!(deck.run_in(&id, "echo \"$kept\"").output, "a b\n", "{shell}: variables stay");
}

fn the_stages_of_a_pipeline_are_told(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let ran = deck.run_in(&id, "false | sh -c 'exit 4' | sh -c 'cat; exit 3'");
    assert_eq!((ran.exit_code, ran.output.as_str()), (Some(3), ""), "{shell}");
    // A POSIX shell does not tell.
    let stages: &[i32] = if shell == "dash" { &[] } else { &[1, 4, 3] };
    assert_eq!(ran.stages, stages, "{shell}");
    assert!(deck.run_in(&id, "false").stages.is_empty(), "{shell}: one stage is no pipeline");
    assert_eq!(deck.history(&id)[0].stages, stages, "{shell}: in the history too");
}

fn here_documents_and_long_scripts_work(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    if shell != "fish" {
        let ran = deck.run_in(&id, "cat <<END\nline $((1 + 1))\n  'quoted'\nEND\nsh -c 'exit 6'");
        assert_eq!((ran.exit_code, ran.output.as_str()), (Some(6), "line 2\n  'quoted'\n"), "{shell}");
        let open = deck.try_run_in(&id, "cat <<END\nnever closed", "10s").expect(125);
        assert!(open.errors().contains("the line END"), "{shell}: {open}");
    }
    let mut script: String = (0..2000).map(|n| format!("echo {n} {} >/dev/null\n", "y".repeat(35))).collect();
    assert!(script.len() > 100_000);
    script.push_str("echo end\nsh -c 'exit 8'");
    // It is too long for one argument of a program, so it travels over the socket.
    let args = serde_json::json!({ "id": id, "command": script });
    let ran = deck.socket().call("flightdeck.terminal.run", args).unwrap();
    assert_eq!((ran["exitCode"].as_i64(), ran["output"].as_str()), (Some(8), Some("end\n")), "{shell}");
    assert_eq!(deck.run_in(&id, "echo next").output, "next\n", "{shell}");
}

fn a_background_child_does_not_pin_the_call(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let began = Instant::now();
    let ran = deck.run_in(&id, "sleep 1000 &\necho hi");
    assert!(ran.exit_code == Some(0) && ran.output.ends_with("hi\n"), "{shell}: {ran:?}");
    assert!(began.elapsed() < Duration::from_secs(5), "{shell}: {:?}", began.elapsed());
    assert_eq!(deck.run_in(&id, "echo next").output, "next\n", "{shell}");
}

fn the_callers_window_does_not_matter_to_big_output(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let wanted: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
    let ran = deck.cli(&["run", "--in", &id, "--", "seq 100000"]).expect(0);
    assert!(ran.text() == wanted, "{shell}: {} of {} bytes", ran.stdout.len(), wanted.len());
    let cut = deck.run_in(&id, "seq 100000");
    assert!(cut.output.starts_with("1\n2\n3\n") && cut.output.ends_with("99999\n100000\n"), "{shell}");
    assert!(cut.omitted_bytes > 0 && cut.output.contains(&format!("[... {} bytes left out", cut.omitted_bytes)));
}

/// What a command does to the prompt, and whether the shell can still tell how it ended.
const PROMPTS: &[(&str, &str, bool)] = &[
    ("bash", "unset PROMPT_COMMAND", false),
    ("bash", "PROMPT_COMMAND=:", true),
    ("bash", "PROMPT_COMMAND=(:)", false),
    ("bash", "PS1='$ '; unset PROMPT_COMMAND", false),
    ("bash", "PS1='$ '; PS0=; unset PROMPT_COMMAND", false),
    ("bash", "PS1='$ '", true),
    ("bash", "PROMPT_COMMAND+=(:)", true),
    ("bash", "trap - DEBUG", true),
    ("zsh", "precmd_functions=()", false),
    ("zsh", "PROMPT='$ '", true),
    ("dash", "PS1='$ '", false),
];

#[test]
fn a_run_ends_although_its_shell_can_not_tell_any_more() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let run = "flightdeck.terminal.run";
    for (shell, command, tells) in PROMPTS {
        let id = deck.shell(shell);
        // Typed as it is, or from a file, as scripts do it that set up a prompt.
        let line = if command.starts_with("unset") { command } else { ". ./prompt" };
        std::fs::write(deck.workspace().join("prompt"), format!("{command}\n")).unwrap();
        let ran = agent.ok(run, &json!({ "id": id, "command": line, "timeoutMs": 300_000 }));
        let data = &ran["data"];
        assert_eq!((&data["running"], &data["timedOut"]), (&json!(false), &json!(false)), "{shell} {command}: {ran}");
        // The prompt that follows is nothing that it has printed, where the shell still marks that.
        assert!(!command.starts_with("unset") || ran.get("output").is_none(), "{shell} {command}: {ran}");
        if *tells {
            assert_eq!(data["exitCode"], 0, "{shell} {command}: {ran}");
        } else {
            assert_eq!((data.get("exitCode"), &data["untold"]), (None, &json!(true)), "{shell} {command}: {ran}");
            assert!(ran["hint"].as_str().unwrap().contains("exit code is not known"), "{shell} {command}: {ran}");
        }
        // The next one is as exact as ever, and so is the one after it.
        for code in [3, 4] {
            let command = format!("printf 'out\\n'; (exit {code})");
            let ran = agent.ok(run, &json!({ "id": id, "command": command, "timeoutMs": 300_000 }));
            let told = (&ran["output"], &ran["data"]["exitCode"]);
            assert_eq!(told, (&json!("out\n"), &json!(code)), "{shell} {command}: {ran}");
        }
        let waited = agent.ok("flightdeck.terminal.wait", &json!({ "id": id, "prompt": true, "timeoutMs": 60_000 }));
        assert_eq!(waited["data"]["reason"], "prompt", "{shell} {command}: {waited}");
    }
}
