//! Exit statuses: what a run reports, what carries over, and how a shell ends.

use super::terminal::{Shell, Terminal};
use super::{ALL, POSIX_LIKE, case, check};

#[test]
fn the_status_carries_over_in_every_direction() {
    // `false` and `true` are typed in bash and zsh, what holds `$` goes by file.
    check(
        &POSIX_LIKE,
        &[
            case("false", "", 1),
            case("echo $?", "1\r\n", 0),
            case("echo $?", "0\r\n", 0),
            case("(exit 7)", "", 7),
            case("echo $?", "7\r\n", 0),
            case("(exit 8)", "", 8),
            case("true", "", 0),
            case("echo $?; (exit 9)", "0\r\n", 9),
            case("sh -c 'exit '$?", "", 9),
        ],
    );
    check(
        &[Shell::Fish],
        &[
            case("false", "", 1),
            case("echo $status", "1\r\n", 0),
            case("echo $status", "0\r\n", 0),
            case("sh -c 'exit 7'", "", 7),
            case("echo $status", "7\r\n", 0),
        ],
    );
}

#[test]
fn a_typed_command_sees_the_status_of_a_run_by_file() {
    for (shell, line) in [(Shell::Bash, "echo $?"), (Shell::Zsh, "echo $?"), (Shell::Fish, "echo $status")] {
        let mut terminal = Terminal::start(shell);
        assert_eq!(terminal.run("sh -c 'exit 6'").exit, 6);
        let output = terminal.type_line(line).output;
        assert!(output.ends_with("6\r\n"), "{shell:?}\n{}", terminal.dump());
    }
    let mut dash = Terminal::start(Shell::Dash);
    assert_eq!(dash.run("sh -c 'exit 6'").exit, 6);
    dash.write(b"echo $?\r");
    dash.wait_for_text("\n6\r\n");
}

#[test]
fn stages_of_a_pipeline_are_told() {
    let stages = |shell, text| {
        let mut terminal = Terminal::start(shell);
        let outcome = terminal.run(text);
        (outcome.exit, outcome.stages)
    };
    for shell in [Shell::Bash, Shell::Zsh] {
        assert_eq!(stages(shell, "false | true | (exit 3)"), (3, vec![1, 0, 3]), "{shell:?}");
        assert_eq!(stages(shell, "(exit 3) | true"), (0, vec![3, 0]), "{shell:?}");
        assert_eq!(stages(shell, "true | (exit 4)\n# end"), (4, vec![0, 4]), "{shell:?}");
        assert_eq!(stages(shell, "cat <<E | (cat; exit 2)\nx\nE"), (2, vec![0, 2]), "{shell:?}");
        assert_eq!(stages(shell, "true"), (0, vec![0]), "{shell:?}");
        assert_eq!(stages(shell, "a=1\n# assigned"), (0, vec![0]), "{shell:?}");
        assert_eq!(stages(shell, "set -o pipefail; (exit 3) | true"), (3, vec![3, 0]), "{shell:?}");
        assert_eq!(stages(shell, "false | true; return 4"), (4, vec![4]), "{shell:?}");
    }
    assert_eq!(stages(Shell::Fish, "false | true | sh -c 'exit 3'"), (3, vec![1, 0, 3]));
    assert_eq!(stages(Shell::Dash, "false | true | (exit 3)"), (3, vec![3]));
}

#[test]
fn stages_of_a_line_that_a_person_types_are_told() {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        let mut terminal = Terminal::start(shell);
        let outcome = terminal.type_line("false | true");
        assert_eq!((outcome.exit, outcome.stages), (0, vec![1, 0]), "{shell:?}\n{}", terminal.dump());
        assert_eq!(outcome.text.as_deref(), Some("false | true"), "{shell:?}\n{}", terminal.dump());
    }
}

#[test]
fn broken_commands_end_at_once() {
    let broken = [
        "echo 'open",
        "echo \"open",
        "if true; then echo x",
        "echo )",
        "cat <<EOF\nopen",
        "$(",
        "`",
        "echo ${x",
        "case x",
        "f()",
        "for",
        "a=(",
    ];
    for shell in POSIX_LIKE {
        let mut terminal = Terminal::start(shell);
        for text in broken {
            let outcome = terminal.run(text);
            let is_open_document = text.contains("<<");
            assert_eq!(outcome.exit == 0, is_open_document, "{shell:?} {text:?} {outcome:?}");
            assert!(!outcome.output.contains("__flightdeck"), "{shell:?} {text:?} {outcome:?}");
        }
        let after = terminal.run("echo 'still here'");
        assert_eq!((after.output.as_str(), after.exit), ("still here\r\n", 0), "{shell:?}\n{}", terminal.dump());
    }
    let mut fish = Terminal::start(Shell::Fish);
    for text in ["echo 'open", "if true; echo x", "echo (", "end"] {
        assert_ne!(fish.run(text).exit, 0, "{text:?}\n{}", fish.dump());
    }
    assert_eq!(fish.run("echo 'still here'").output, "still here\r\n");
}

#[test]
fn commands_before_a_syntax_error_have_run() {
    for shell in POSIX_LIKE {
        let mut terminal = Terminal::start(shell);
        let outcome = terminal.run("echo first\necho )");
        assert!(outcome.output.starts_with("first\r\n") && outcome.exit != 0, "{shell:?} {outcome:?}");
    }
}

#[test]
fn a_command_that_ends_the_shell_ends_with_its_status() {
    for (text, status) in
        [("exit 3", 3), ("exec false", 1), ("exit 3 # by file", 3), ("exec sh -c 'echo bye; exit 4'", 4)]
    {
        for shell in ALL {
            let mut terminal = Terminal::start(shell);
            terminal.deliver(text);
            assert_eq!(terminal.wait_for_exit(), Some(status), "{shell:?} {text:?}\n{}", terminal.dump());
        }
    }
}

#[test]
fn errexit_and_nounset_behave_as_typed() {
    for shell in POSIX_LIKE {
        let mut terminal = Terminal::start(shell);
        assert_eq!(terminal.run("set -u").exit, 0);
        assert_eq!(terminal.run("echo 'ok'").output, "ok\r\n", "{shell:?}\n{}", terminal.dump());
        assert_ne!(terminal.run("echo $nothing_such").exit, 0, "{shell:?}");
        assert_eq!(terminal.run("set +u; set -e").exit, 0, "{shell:?}");
        assert_eq!(terminal.run("false && true").exit, 1, "{shell:?}\n{}", terminal.dump());
        assert_eq!(terminal.run("true && true").exit, 0, "{shell:?}\n{}", terminal.dump());
        assert_eq!(terminal.run("! true").exit, 1, "{shell:?}\n{}", terminal.dump());
        terminal.deliver("false");
        assert_eq!(terminal.wait_for_exit(), Some(1), "{shell:?}\n{}", terminal.dump());
    }
}

#[test]
fn errexit_inside_a_file_ends_the_shell() {
    for shell in POSIX_LIKE {
        let mut terminal = Terminal::start(shell);
        terminal.deliver("set -e\n(exit 6)\necho never");
        assert_eq!(terminal.wait_for_exit(), Some(6), "{shell:?}\n{}", terminal.dump());
        assert!(!terminal.log_text().contains("\nnever"), "{shell:?}");
    }
}
