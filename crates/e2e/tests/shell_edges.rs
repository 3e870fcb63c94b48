//! `flightdeck run --in` where it is hard: commands that end the shell, hang it, or print what looks like our marks.

use flightdeck_contract::terminal::Ran;
use flightdeck_e2e::{Deck, SOON, in_each_shell};

in_each_shell![
    an_unbalanced_quote_does_not_hang,
    exit_and_exec_are_reported_rightly,
    time_that_is_up_leaves_a_usable_shell,
    a_busy_shell_says_so,
    text_that_looks_like_a_mark_ends_nothing,
    replaying_the_terminals_own_log_ends_nothing,
    half_typed_text_does_not_spoil_the_command,
    a_command_that_reads_gets_what_is_typed,
    a_read_that_was_typed_is_not_interrupted,
    the_shell_keeps_its_name,
    ctrl_c_gives_the_command_up_and_keeps_the_shell,
    keys_after_ctrl_c_reach_the_next_prompt,
];

fn an_unbalanced_quote_does_not_hang(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    for command in ["echo 'abc", "echo \"abc", "echo abc \\", "(", "if true; then", "echo abc |", "for x in a"] {
        let outcome = deck.try_run_in(&id, command, "10s");
        assert!(outcome.code == 125 && outcome.errors().contains("line 1, column"), "{shell}: {outcome}");
        assert!(deck.info(&id).running, "{shell}: {command} ended the shell");
        let next = deck.run_in(&id, "echo next");
        assert_eq!((next.exit_code, next.output.as_str()), (Some(0), "next\n"), "{shell}: after {command}");
    }
}

fn exit_and_exec_are_reported_rightly(shell: &str) {
    let deck = Deck::new();
    let cases = [
        ("exit 3", 3, ""),
        ("echo bye; exit 4", 4, "bye\n"),
        ("exec false", 1, ""),
        ("exec sh -c 'echo new; exit 9'", 9, "new\n"),
        ("exec sh -c 'kill -KILL $$'", 137, ""),
    ];
    for (command, code, output) in cases {
        let id = deck.shell(shell);
        let ran = deck.run_in(&id, command);
        // An interactive bash says so when it is told to exit.
        let said = ran.output.strip_suffix("exit\n").filter(|_| shell == "bash").unwrap_or(&ran.output);
        assert_eq!((ran.exit_code, said), (Some(code), output), "{shell}: {command}");
        assert!(ran.shell_ended && !ran.running, "{shell}: {command}: the end of the shell is not told");
        let info = deck.info(&id);
        assert_eq!((info.running, info.exit_code), (false, Some(code)), "{shell}: {command}");
        let after = deck.cli(&["run", "--in", &id, "--", "true"]).expect(125);
        assert!(after.errors().contains("has ended"), "{after}");
    }
}

fn time_that_is_up_leaves_a_usable_shell(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let late = deck.try_run_in(&id, "echo part; sleep 1000", "2s").expect(124);
    let ran: Ran = late.json();
    assert!(ran.timed_out && ran.running && ran.exit_code.is_none() && ran.output == "part\n", "{shell}: {ran:?}");
    deck.press(&id, &["C-c"]);
    deck.at_prompt(&id);
    let next = deck.run_in(&id, "echo next");
    assert_eq!((next.exit_code, next.output.as_str()), (Some(0), "next\n"), "{shell}");
    let history = deck.history(&id);
    assert_eq!(history[0].exit_code, Some(130), "{shell}: {history:?}");
}

fn a_busy_shell_says_so(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    deck.try_run_in(&id, "sleep 1000", "300ms").expect(124);
    let second = deck.try_run_in(&id, "echo never", "20s").expect(125);
    assert!(second.errors().contains("busy") && second.errors().contains("sleep 1000"), "{shell}: {second}");
    deck.press(&id, &["C-c"]);
    deck.at_prompt(&id);
    // Typed by hand instead of run: it is just as busy.
    deck.type_line(&id, "sleep 1001");
    deck.wait_until("sleep is in the foreground", SOON, || {
        (deck.info(&id).foreground.as_deref() == Some("sleep")).then_some(())
    });
    let third = deck.try_run_in(&id, "echo never", "20s").expect(125);
    assert!(third.errors().contains("busy"), "{shell}: {third}");
}

fn text_that_looks_like_a_mark_ends_nothing(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let zeros = "0".repeat(32);
    for mark in ["133;D;0", "133;A", "133;C", "633;D;0", &format!("7733;{zeros};D;x=0"), &format!("7733;{zeros};X;x=0")]
    {
        let ran =
            deck.run_in(&id, &format!("printf '\\033]{mark}\\007'; echo after; sleep 0.05; echo more; sh -c 'exit 4'"));
        assert_eq!((ran.exit_code, ran.output.as_str()), (Some(4), "after\nmore\n"), "{shell}: {mark}");
    }
    let ran = deck.run_in(&id, "echo __flightdeck_end 0; echo START END; sh -c 'exit 5'");
    assert_eq!((ran.exit_code, ran.output.as_str()), (Some(5), "__flightdeck_end 0\nSTART END\n"), "{shell}");
}

fn replaying_the_terminals_own_log_ends_nothing(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    deck.run_in(&id, "echo before; sh -c 'exit 11'");
    deck.run_in(&id, "false");
    let log = deck.terminal_dir(&id);
    for round in 0..3 {
        // From a copy: a `cat` that follows its own output might never end.
        let copied = format!("find {} -name '*.seg' -exec cp '{{}}' copy ';'", log.display());
        assert_eq!(deck.run_in(&id, &copied).exit_code, Some(0), "{shell}");
        let ran = deck.run_in(&id, "cat copy; echo; echo the end; sh -c 'exit 5'");
        assert!(ran.output.ends_with("the end\n"), "{shell}, round {round}: {ran:?}");
        assert_eq!(ran.exit_code, Some(5), "{shell}, round {round}: {ran:?}");
        let next = deck.run_in(&id, "echo next");
        assert_eq!((next.exit_code, next.output.as_str()), (Some(0), "next\n"), "{shell}, round {round}");
    }
    assert_eq!(deck.history(&id).len(), 11, "{shell}: {:#?}", deck.history(&id));
}

fn half_typed_text_does_not_spoil_the_command(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    deck.cli(&["send", &id, "rm -rf half-typed"]).expect(0);
    deck.on_screen(&id, "half-typed");
    let ran = deck.run_in(&id, "echo clean");
    assert_eq!((ran.exit_code, ran.output.as_str()), (Some(0), "clean\n"), "{shell}");
}

fn a_command_that_reads_gets_what_is_typed(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let running =
        deck.invoke(&["run", "--in", &id, "--json", "--timeout", "20s", "--", "head -n 1 | tr a-z A-Z"]).start();
    let waited = deck.cli(&["wait", &id, "--input", "--json"]).expect(0).json::<serde_json::Value>();
    assert_eq!((&waited["reason"], &waited["input"]), (&"input".into(), &"line".into()), "{shell}");
    deck.type_line(&id, "spoken");
    let ran: Ran = running.finish().expect(0).json();
    assert_eq!(ran.output, "spoken\nSPOKEN\n", "{shell}: the echo and the answer");
}

fn a_read_that_was_typed_is_not_interrupted(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    deck.type_line(&id, "echo be''gun; read x");
    deck.on_screen(&id, "begun");
    let busy = deck.try_run_in(&id, "echo too early", "5s");
    assert!(busy.code == 125 && busy.errors().contains("waits for input"), "{shell}: {busy}");
    deck.type_line(&id, "an answer");
    deck.wait_until("the answer", SOON, || {
        let ran = deck.try_run_in(&id, "echo \"<$x>\"", "5s");
        (ran.code == 0).then(|| assert_eq!(ran.json::<Ran>().output, "<an answer>\n", "{shell}"))
    });
}

fn the_shell_keeps_its_name(shell: &str) {
    if shell == "fish" {
        return;
    }
    let deck = Deck::new();
    // What `$0` is in a shell that was started by this name, and not what the hub makes of it for people.
    let is_named = |id: &str, name: &str| {
        let ran = deck.run_in(id, "case $0 in */run/*) echo \"a file: ${#0}\";; *) echo \"${0##*/}\"; esac");
        assert_eq!(ran.output, format!("{name}\n"), "{shell}");
    };
    let id = deck.shell(shell);
    is_named(&id, shell);
    for (inner, name) in [("zsh -f", "zsh"), ("bash --norc", "bash"), ("exec zsh -f", "zsh")] {
        deck.type_line(&id, inner);
        deck.wait_until(inner, SOON, || (deck.info(&id).foreground.as_deref() == Some(name)).then_some(()));
        is_named(&id, name);
        if !inner.starts_with("exec") {
            deck.try_run_in(&id, "exit", "10s");
        }
    }
}

fn ctrl_c_gives_the_command_up_and_keeps_the_shell(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let running = deck.invoke(&["run", "--in", &id, "--", "sleep 1000"]).start();
    deck.wait_until("sleep runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("sleep")).then_some(()));
    running.signal(rustix::process::Signal::INT);
    running.finish().expect(130);
    let next = deck.run_in(&id, "echo next");
    assert_eq!((next.exit_code, next.output.as_str()), (Some(0), "next\n"), "{shell}");
}

fn keys_after_ctrl_c_reach_the_next_prompt(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    // One without a line editor has no line to go back to.
    let (keys, shown): (&[&str], _) =
        if shell == "dash" { (&["C-c", "l", "s", "Enter"], "# ls") } else { (&["C-c", "Up", "Enter"], "again") };
    deck.type_line(&id, "echo ag''ain");
    deck.wait_until("it has run", SOON, || deck.screen(&id).text.contains("\nagain").then_some(()));
    deck.at_prompt(&id);
    deck.press(&id, keys);
    let times = if shell == "dash" { 1 } else { 2 };
    let is_run = |text: &str| text.lines().filter(|line| line.trim_end().ends_with(shown)).count() >= times;
    deck.wait_until("the keys did their work", SOON, || is_run(&deck.screen(&id).text).then_some(()));
}

/// An error that ends the text of a command is no program that can't be executed.
#[test]
fn zsh_tells_errors_that_end_a_text_as_it_does_at_its_prompt() {
    let deck = Deck::new();
    let id = deck.shell("zsh");
    for command in ["echo *.nomatch", "echo $((1/0))", "echo before; echo [abc]"] {
        assert_eq!(deck.run_in(&id, command).exit_code, Some(1), "{command}");
        assert_eq!(deck.run_in(&id, "echo $?").output, "1\n", "{command}");
    }
    std::fs::write(deck.workspace().join("data"), "").unwrap();
    assert_eq!(deck.run_in(&id, "./data 2>/dev/null").exit_code, Some(126));
    assert_eq!(deck.run_in(&id, "echo $?").output, "126\n");
}

#[test]
fn a_shell_inside_of_a_shell_keeps_the_status() {
    let deck = Deck::new();
    for (shell, inner) in [("bash", "bash --norc"), ("zsh", "bash --norc"), ("bash", "dash"), ("bash", "zsh -f")] {
        let id = deck.shell(shell);
        deck.type_line(&id, inner);
        let name = inner.split(' ').next().unwrap();
        let waits =
            || deck.info(&id).foreground.as_deref() == Some(name) && deck.cli(&["wait", &id, "--prompt"]).code == 0;
        deck.wait_until("the inner shell is there", SOON, || waits().then_some(()));
        for (command, status) in [("false", "1\n"), ("true", "0\n"), ("(exit 9)", "9\n")] {
            deck.try_run_in(&id, command, "20s");
            assert_eq!(deck.run_in(&id, "echo $?").output, status, "{shell}, {inner}: after {command}");
        }
        assert_eq!(deck.run_in(&id, "set -e; false || echo alive").output, "alive\n", "{shell}, {inner}");
        assert_eq!(deck.run_in(&id, "echo $?").output, "0\n", "{shell}, {inner}");
    }
}
