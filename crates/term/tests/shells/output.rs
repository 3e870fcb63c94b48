//! The output of a run is exact, and the command runs as if typed.

use super::terminal::{Shell, Terminal};
use super::{ALL, POSIX_LIKE, case, check};

#[test]
fn commands_give_their_output_and_status() {
    check(
        &ALL,
        &[
            case("true", "", 0),
            case("false", "", 1),
            case("echo hi", "hi\r\n", 0),
            case("printf %s abc", "abc", 0),
            case("printf 'no newline'", "no newline", 0),
            case("echo 'a b'; echo \"c\"", "a b\r\nc\r\n", 0),
            case("# only a comment", "", 0),
            case("echo 'häß 漢字 🦀'", "häß 漢字 🦀\r\n", 0),
            case("echo '!x' '!!' '^a^b'", "!x !! ^a^b\r\n", 0),
            case("printf '\\033[31mred\\033[0m'", "\u{1b}[31mred\u{1b}[0m", 0),
            case("echo one\necho two\n\n\n", "one\r\ntwo\r\n", 0),
            case("echo tab\tbed", "tab bed\r\n", 0),
            case("sh -c 'exit 42'", "", 42),
        ],
    );
}

#[test]
fn posix_syntax_runs_as_typed() {
    check(
        &POSIX_LIKE,
        &[
            case("for i in 1 2 3; do echo $i; done", "1\r\n2\r\n3\r\n", 0),
            case("cat <<EOF\nhello $((1 + 1))\nEOF", "hello 2\r\n", 0),
            case("cat <<'EOF' | sort\nb\na\nEOF\nfalse", "a\r\nb\r\n", 1),
            case("echo a \\", "a\r\n", 0),
            case("x=5", "", 0),
            case("echo $x", "5\r\n", 0),
            case("set -- p q r", "", 0),
            case("echo $# $2", "3 q\r\n", 0),
            case("f() { echo in f; return 7; }", "", 0),
            case("f", "in f\r\n", 7),
            case("return 9; echo never", "", 9),
            case("(exit 5)", "", 5),
            case("alias greet='echo hello'", "", 0),
            case("greet", "hello\r\n", 0),
            case("if true\nthen echo yes\nfi # done", "yes\r\n", 0),
            case("! true", "", 1),
            case("cd / && pwd", "/\r\n", 0),
        ],
    );
}

#[test]
fn fish_syntax_runs_as_typed() {
    check(
        &[Shell::Fish],
        &[
            case("for i in 1 2 3; echo $i; end", "1\r\n2\r\n3\r\n", 0),
            case("set -g x 'it\\'s \\\\'", "", 0),
            case("echo $x", "it's \\\r\n", 0),
            case("function f; echo in f; return 7; end", "", 0),
            case("f", "in f\r\n", 7),
            case("cd / && pwd", "/\r\n", 0),
        ],
    );
}

#[test]
fn long_scripts_travel_whole() {
    for shell in ALL {
        let mut terminal = Terminal::start(shell);
        let lines: Vec<String> = (0..2000).map(|i| format!("echo 'line {i} {}'\n", "x".repeat(30))).collect();
        let mut script = lines.concat();
        script.push_str("sh -c 'exit 11'");
        assert!(script.len() > 90_000);
        let outcome = terminal.run(&script);
        assert_eq!((outcome.exit, outcome.output.lines().count()), (11, 2000), "{shell:?}");
        assert!(outcome.output.starts_with("line 0 xxx"), "{shell:?}");
    }
}

#[test]
fn long_lines_travel_whole() {
    for shell in ALL {
        let mut terminal = Terminal::start(shell);
        for length in [400, 490, 4000, 60_000] {
            let word = "y".repeat(length);
            let outcome = terminal.run(&format!("echo {word}"));
            assert_eq!(outcome.output, format!("{word}\r\n"), "{shell:?} {length}");
        }
    }
}

#[test]
fn the_folder_is_told() {
    for shell in ALL {
        let mut terminal = Terminal::start(shell);
        assert_eq!(terminal.run("cd /usr").cwd.as_deref(), Some("/usr"), "{shell:?}");
        let odd = terminal.home().join("a;b %41 é'");
        std::fs::create_dir(&odd).expect("folder");
        let outcome = terminal.run("cd ~/a*");
        assert_eq!(outcome.cwd.as_deref(), odd.to_str(), "{shell:?}\n{}", terminal.dump());
    }
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        let mut terminal = Terminal::start(shell);
        let odd = terminal.home().join("a\nb\x07c\x1b]d");
        std::fs::create_dir(&odd).expect("folder");
        let outcome = terminal.run("cd ~/a*");
        assert_eq!(outcome.cwd.as_deref(), odd.to_str(), "{shell:?}\n{}", terminal.dump());
    }
}

#[test]
fn marks_printed_by_a_command_end_nothing() {
    for shell in ALL {
        let mut terminal = Terminal::start(shell);
        terminal.run("echo 'before'");
        let fake = "printf '\\033]7733;00000000000000000000000000000000;D;n=2;x=9\\007'; echo real";
        let outcome = terminal.run(fake);
        assert!(outcome.output.ends_with("real\r\n") && outcome.exit == 0, "{shell:?} {outcome:?}");
        // Everything printed so far, with genuine marks, and some of the run that prints it.
        let log = terminal.home().join("log");
        std::fs::write(&log, terminal.log()).expect("log");
        for text in ["cat log; echo 'after'; false", "cat log"] {
            let outcome = terminal.run(text);
            let is_whole = outcome.output.contains("before") && outcome.output.contains("real");
            let ends = outcome.output.ends_with("after\r\n") == text.ends_with("false");
            assert!(is_whole && ends, "{shell:?} {outcome:?}");
            assert_eq!(outcome.exit, i32::from(text.ends_with("false")), "{shell:?}");
        }
    }
}

#[test]
fn a_background_child_holds_nothing_up() {
    for shell in ALL {
        let mut terminal = Terminal::start(shell);
        let outcome = terminal.run("sleep 1000 &\ntrue");
        assert_eq!(outcome.exit, 0, "{shell:?}");
        assert_eq!(terminal.run("echo 'next'").output, "next\r\n", "{shell:?}\n{}", terminal.dump());
        let kill = if shell == Shell::Fish { "kill (jobs -p)" } else { "kill $!" };
        assert_eq!(terminal.run(kill).exit, 0, "it would be left behind: {shell:?}\n{}", terminal.dump());
    }
}

#[test]
fn a_trace_stays_out_of_the_output() {
    for shell in POSIX_LIKE {
        let mut terminal = Terminal::start(shell);
        terminal.run("set -x");
        let output = terminal.run("echo 'traced'").output;
        assert!(
            output.ends_with("traced\r\n") && !output.contains("__flightdeck"),
            "{shell:?} {output:?}\n{}",
            terminal.dump()
        );
        let output = terminal.run("echo typed").output;
        assert!(
            output.ends_with("typed\r\n") && !output.contains("__flightdeck"),
            "{shell:?} {output:?}\n{}",
            terminal.dump()
        );
    }
}

#[test]
fn output_of_the_shell_itself_does_not_hide_marks() {
    for shell in POSIX_LIKE {
        let mut terminal = Terminal::start(shell);
        terminal.run("exec 3>&1 >out");
        terminal.run("echo 'to the file'; false");
        assert_eq!(
            terminal.run("echo 'back'; exec >&3; echo 'again'").output,
            "again\r\n",
            "{shell:?}\n{}",
            terminal.dump()
        );
    }
}
