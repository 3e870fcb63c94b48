//! What shells and their users do to a tab: prompts, markers in the output, shells in shells, and shells that end.

use flightdeck_e2e::Agent;
use serde_json::json;

use super::{Backend, call, deck_with, in_log, listed, ok, refused, run, tab};

on_both_backends!(
    every_shell_works_as_a_tab,
    commands_that_end_too_early_are_refused,
    output_that_holds_old_marks_ends_nothing,
    fancy_prompts_and_cleared_screens_change_no_result,
    a_shell_that_ends_takes_its_tab_along_and_its_log_stays,
    commands_run_in_a_shell_inside_of_the_shell_after_a_restart,
    commands_run_in_a_shell_inside_of_the_shell_and_in_the_outer_one_again,
    leaving_a_shell_inside_of_the_shell_is_a_command_that_ends,
    commands_are_not_typed_into_programs_that_read,
    what_is_printed_never_ends_or_bends_a_command,
    prompts_on_both_sides_change_no_result,
    commands_run_in_a_shell_that_has_replaced_the_first_one,
);

fn every_shell_works_as_a_tab(backend: Backend) {
    for shell in ["bash", "zsh", "fish", "dash"] {
        let deck = deck_with(shell, backend);
        let mut agent = Agent::new(&deck, "codex");
        let created = ok(&mut agent, "create_tab", &json!({}));
        assert_eq!(created["name"], shell);
        let id = created["window_id"].as_str().unwrap();
        assert_eq!(run(&mut agent, id, "echo one; false"), ("one\n".to_owned(), 1), "{shell}");
        assert_eq!(run(&mut agent, id, "echo 日本語"), ("日本語\n".to_owned(), 0), "{shell}");
    }
}

fn commands_that_end_too_early_are_refused(backend: Backend) {
    for shell in ["bash", "zsh", "dash"] {
        let deck = deck_with(shell, backend);
        let mut agent = Agent::new(&deck, "codex");
        let id = tab(&mut agent, "t");
        assert_eq!(run(&mut agent, &id, "true").1, 0, "{shell}");
        for command in [
            "echo 'x",
            "for i in 1 2 3",
            "if true; then",
            "echo $(",
            "(",
            "{",
            "a \\",
            "cat <<E\nx",
            "}",
            "a &&",
            "a >",
        ] {
            let args = json!({ "window_id": id, "command": command });
            refused(&mut agent, "execute_command", &args, "syntax_error");
            refused(&mut agent, "start_process", &args, "syntax_error");
        }
        assert_eq!(run(&mut agent, &id, "echo next"), ("next\n".to_owned(), 0), "{shell}");
    }
}

fn output_that_holds_old_marks_ends_nothing(backend: Backend) {
    // The raw log of the tab itself holds the marks of all commands before; printing it must not end the command.
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "echo first; false");
    std::fs::write(deck.workspace().join("marks"), deck.log_on_disk("t1")).unwrap();
    for _ in 0..3 {
        let (output, code) = run(&mut agent, &id, "cat marks; sleep 0.2; echo; echo after; (exit 5)");
        assert!(output.contains("first\n") && output.ends_with("\nafter\n"), "{output}");
        assert_eq!(code, 5);
    }
}

fn fancy_prompts_and_cleared_screens_change_no_result(backend: Backend) {
    let deck = backend.deck();
    let prompt = r"PS1='\n\[\e[1;36m\]┌─(\u@\h:\w) 日本\[\e[0m\]\n└─❯ '; PROMPT_COMMAND='echo before the prompt'";
    std::fs::write(deck.home().join(".bashrc"), prompt).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    assert_eq!(run(&mut agent, &id, "echo one; false"), ("one\n".to_owned(), 1));
    assert_eq!(run(&mut agent, &id, "clear; echo two").0, "two\n");
    let raw = json!({ "window_id": id, "command": "clear" });
    let cleared = ok(&mut agent, "execute_command", &raw);
    assert!(cleared["output"].as_str().unwrap().contains("\u{1b}["), "{cleared}");
    assert_eq!(run(&mut agent, &id, "echo three; (exit 3)"), ("three\n".to_owned(), 3));
    let wide = "X".repeat(400);
    assert_eq!(run(&mut agent, &id, &format!("echo {wide}")).0, format!("{wide}\n"), "lines are not wrapped");
}

fn a_shell_that_ends_takes_its_tab_along_and_its_log_stays(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    for (prepare, command, code) in [("true", "echo bye; exit 3", 3), ("set -e", "echo bye; false", 1)] {
        let id = tab(&mut agent, "ends");
        run(&mut agent, &id, prepare);
        assert_eq!(run(&mut agent, &id, command), ("bye\n".to_owned(), code), "{command}");
        assert!(listed(&mut agent).0.is_empty(), "{command}");
        let ended = json!({ "window_id": id, "command": "echo more" });
        for tool in ["execute_command", "start_process"] {
            let error = refused(&mut agent, tool, &ended, "terminal_ended");
            assert!(error["hint"].as_str().unwrap().contains("create_tab"), "{error}");
        }
        in_log(&deck, &mut agent, &id, "bye\n");
        assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": id }))["success"], true);
        assert_eq!(ok(&mut agent, "close_tab", &json!({ "window_id": id }))["closed"], true);
    }
}

/// The next hub knows nothing of such a shell but what it can see.
fn commands_run_in_a_shell_inside_of_the_shell_after_a_restart(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    for (name, nested) in [("inside", "env PS1='nested> ' bash --norc -i"), ("instead", "exec env -i bash --norc -i")] {
        let id = tab(&mut agent, name);
        let nested = json!({ "window_id": id, "command": nested, "timeout_ms": 1500 });
        call(&mut agent, "execute_command", &nested);
        assert_eq!(run(&mut agent, &id, "cd /usr; INNER=2; echo inner"), ("inner\n".to_owned(), 0));
        deck.kill_hub();
        assert_eq!(run(&mut agent, &id, "echo $INNER again; pwd; (exit 4)"), ("2 again\n/usr\n".to_owned(), 4));
    }
}

fn commands_run_in_a_shell_inside_of_the_shell_and_in_the_outer_one_again(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "OUTER=1");
    let nested = json!({ "window_id": id, "command": "env PS1='nested> ' bash --norc -i", "timeout_ms": 60_000 });
    assert_eq!(ok(&mut agent, "execute_command", &nested)["input"], "raw");
    in_log(&deck, &mut agent, &id, "nested> ");
    assert_eq!(run(&mut agent, &id, "cd /usr; INNER=2; echo inner; (exit 5)"), ("inner\n".to_owned(), 5));
    assert_eq!(run(&mut agent, &id, "echo $INNER; pwd").0, "2\n/usr\n");
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "echo in $((20 + 3))" }));
    in_log(&deck, &mut agent, &id, "\nin 23\n");
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "exit" }));
    let back = deck.wait_until("the outer shell is back", flightdeck_e2e::SOON, || {
        let ran = call(&mut agent, "execute_command", &json!({ "window_id": id, "command": "echo $OUTER" }));
        (!ran.is_error).then_some(ran.object)
    });
    assert_eq!(back["output"], "1\n", "{back}");
}

fn leaving_a_shell_inside_of_the_shell_is_a_command_that_ends(backend: Backend) {
    for outer in ["bash", "zsh"] {
        let deck = deck_with(outer, backend);
        let mut agent = Agent::new(&deck, "codex");
        let id = tab(&mut agent, outer);
        let enter = |agent: &mut Agent, shell: &str| {
            let enter = json!({ "window_id": id, "command": shell, "timeout_ms": 60_000 });
            let entered = ok(agent, "execute_command", &enter);
            assert!(entered["input"].is_string(), "it waits for commands: {shell}: {entered}");
            deck.wait_until("its prompt", flightdeck_e2e::SOON, || {
                let args = json!({ "window_id": id, "command": "true" });
                (!call(agent, "execute_command", &args).is_error).then_some(())
            });
        };
        for inner in ["bash --norc", "dash", "zsh -f"] {
            enter(&mut agent, inner);
            assert_eq!(run(&mut agent, &id, "echo inside").0, "inside\n", "{inner} in {outer}");
            // Our shell tells with which code its command, the shell inside, has ended.
            assert_eq!(run(&mut agent, &id, "echo bye; exit 5"), ("bye\n".to_owned(), 5), "{inner} in {outer}");
            assert_eq!(run(&mut agent, &id, "echo back $?"), ("back 5\n".to_owned(), 0), "{inner} in {outer}");
        }
        // Of a shell inside of a shell inside, nobody tells.
        enter(&mut agent, "bash --norc");
        enter(&mut agent, "dash");
        let exit = json!({ "window_id": id, "command": "exit 6", "timeout_ms": 20000 });
        let left = ok(&mut agent, "execute_command", &exit);
        assert_eq!((&left["timed_out"], left.get("exit_code")), (&json!(false), None), "{outer}: {left}");
        assert_eq!(run(&mut agent, &id, "echo middle $0").0, "middle bash\n", "{outer}");
        assert_eq!(run(&mut agent, &id, "exit 7").1, 7, "{outer}");
        let log = in_log(&deck, &mut agent, &id, "middle bash");
        assert!(!log.contains("]7733;"), "marks are shown: {log}");
        assert_eq!(run(&mut agent, &id, "echo outer"), ("outer\n".to_owned(), 0), "{outer}");
    }
}

fn commands_run_in_a_shell_that_has_replaced_the_first_one(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    let exec = json!({ "window_id": id, "command": "exec env PS1='new> ' bash --norc", "timeout_ms": 60_000 });
    let ran = ok(&mut agent, "execute_command", &exec);
    let told = (&ran["input"], &ran["timed_out"], ran.get("exit_code"));
    assert_eq!(told, (&json!("raw"), &json!(false), None), "it goes on: {ran}");
    // The new shell knows nothing of our marks, so plain markers are typed with the command.
    in_log(&deck, &mut agent, &id, "new> ");
    assert_eq!(run(&mut agent, &id, "echo 'a b'; echo err >&2; (exit 3)"), ("a b\nerr\n".to_owned(), 3));
    assert_eq!(run(&mut agent, &id, "for i in 1 2; do\n  echo $i\ndone"), ("1\n2\n".to_owned(), 0));
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "echo typed $((1 + 1))" }));
    in_log(&deck, &mut agent, &id, "\ntyped 2\n");
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "exit" }));
    deck.wait_until("it has ended", flightdeck_e2e::SOON, || listed(&mut agent).0.is_empty().then_some(()));
}

fn commands_are_not_typed_into_programs_that_read(backend: Backend) {
    // What looks like a shell at its prompt and is none: the text would be input of the program.
    let deck = backend.deck();
    std::fs::write(deck.workspace().join("ask"), "read -p 'name? ' X; echo got $X\n").unwrap();
    let mut agent = Agent::new(&deck, "codex");
    for (program, sign) in [("bash ask", "name? "), ("cat", ""), ("python3 -q", ">>> ")] {
        let id = tab(&mut agent, "t");
        ok(&mut agent, "start_process", &json!({ "window_id": id, "command": program }));
        in_log(&deck, &mut agent, &id, sign);
        let error =
            refused(&mut agent, "execute_command", &json!({ "window_id": id, "command": "true" }), "terminal_busy");
        assert!(error["hint"].as_str().unwrap().contains("stop_process"), "{error}");
        ok(&mut agent, "close_tab", &json!({ "window_id": id }));
    }
}

fn what_is_printed_never_ends_or_bends_a_command(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    let wide = "漢".repeat(150);
    let forged = "\\033]7733;00000000000000000000000000000000;X;r=0123456789abcdef;x=0\\007";
    for (command, output, code) in [
        // Marks of nobody, and words that look like markers elsewhere.
        (format!("printf '{forged}'; echo real; (exit 3)"), "real\n".to_owned(), 3),
        ("echo '__START__ __END__:0 \x1b]133;D;0\x07'; (exit 4)".to_owned(), "__START__ __END__:0 \n".to_owned(), 4),
        // Wider than the window, in cells of two columns.
        (format!("echo {wide}"), format!("{wide}\n"), 0),
        // A full-screen program that comes and goes.
        ("printf '\\033[?1049h\\033[2J\\033[Hin\\033[?1049l'; echo out".to_owned(), "out\n".to_owned(), 0),
        ("tput reset; echo fresh".to_owned(), "fresh\n".to_owned(), 0),
    ] {
        let ran = run(&mut agent, &id, &command);
        assert_eq!(ran.1, code, "{command}: {ran:?}");
        assert!(ran.0.ends_with(&output), "{command}: {ran:?}");
    }
}

fn prompts_on_both_sides_change_no_result(backend: Backend) {
    let deck = deck_with("zsh", backend);
    let prompt = "setopt prompt_subst\nRPROMPT='%F{green}right %*%f'\nPROMPT=$'\\n%F{blue}%~%f $(git rev-parse --abbrev-ref HEAD 2>/dev/null)\\n❯ '\n";
    std::fs::write(deck.home().join(".zshrc"), prompt).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    assert_eq!(run(&mut agent, &id, "echo one; false"), ("one\n".to_owned(), 1));
    assert_eq!(run(&mut agent, &id, "printf 'no newline'"), ("no newline".to_owned(), 0));
    assert_eq!(run(&mut agent, &id, "echo two; (exit 9)"), ("two\n".to_owned(), 9));
}
