//! Keys at a prompt and during a run: interrupts, empty lines, half-typed lines, history.

use super::terminal::{Outcome, Setup, Shell, Terminal};
use super::{ALL, POSIX_LIKE};

#[test]
fn ctrl_c_ends_a_loop_of_the_shell_itself() {
    for shell in POSIX_LIKE {
        let mut terminal = Terminal::start(shell);
        let run = terminal.deliver("echo 'on'; while true; do :; done; echo 'never'");
        terminal.wait_for_text("\u{7}on\r\n");
        terminal.write(b"\x03");
        let outcome = terminal.wait_for_end(run);
        assert_eq!(outcome.exit, 130, "{shell:?} {outcome:?}");
        assert!(!outcome.output.contains("never"), "{shell:?} {outcome:?}");
        assert_eq!(terminal.run("echo 'next'").output, "next\r\n", "{shell:?}\n{}", terminal.dump());
    }
}

#[test]
fn ctrl_c_ends_the_command_only() {
    for shell in ALL {
        for text in ["sleep 100", "sleep 100 # by file"] {
            let mut terminal = Terminal::start(shell);
            let run = terminal.deliver(text);
            terminal.wait_for_start(&run);
            terminal.wait_for_foreground("sleep");
            terminal.write(b"\x03");
            let outcome = terminal.wait_for_end(run);
            assert_eq!(outcome.exit, 130, "{shell:?} {outcome:?}");
            assert_eq!(terminal.run("echo 'next'").output, "next\r\n", "{shell:?}\n{}", terminal.dump());
        }
    }
}

#[test]
fn no_command_no_end() {
    for shell in ALL {
        let mut terminal = Terminal::start(shell);
        assert_eq!(terminal.run("echo 'x'; false").exit, 1);
        let ends = terminal.count_ends();
        for keys in ["\r", "\x03", "\r", "half a line\x03", "   \r", "\r"] {
            let prompts = terminal.count_prompts();
            let (text, key) = keys.split_at(keys.len() - 1);
            terminal.write(text.as_bytes());
            if !text.trim().is_empty() {
                // The terminal drops what was typed before an interrupt and not read yet.
                terminal.wait_for_shown(text);
            }
            if shell == Shell::Fish && key == "\x03" {
                // It draws no new prompt, and on an empty line nothing at all.
                let sign = if text.is_empty() { "" } else { "^C" };
                terminal.press_until_shown(key, sign);
                continue;
            }
            // A signal that meets a line editor before it waits for keys is noticed only with the next key.
            terminal.wait_until_it_reads();
            terminal.write(key.as_bytes());
            terminal.wait_for_prompts(prompts + 1);
        }
        assert_eq!(terminal.count_ends(), ends, "{shell:?}\n{}", terminal.dump());
        assert_eq!(terminal.run("echo 'y'").output, "y\r\n", "{shell:?}");
        assert_eq!(terminal.count_ends(), ends + 1, "{shell:?}");
    }
}

#[test]
fn a_comment_typed_by_a_person_is_no_command_twice() {
    for shell in [Shell::Bash, Shell::Zsh] {
        let setup = Setup { files: &[(".zshrc", "setopt interactive_comments\n")], ..Setup::default() };
        let mut terminal = Terminal::start_with(shell, &setup);
        let ends = terminal.count_ends();
        let prompts = terminal.count_prompts();
        terminal.write(b"# nothing\r");
        terminal.wait_for_prompts(prompts + 1);
        assert_eq!(terminal.count_ends(), ends, "{shell:?}\n{}", terminal.dump());
    }
}

#[test]
fn a_partly_typed_line_is_cleared() {
    let vi = [
        (".bashrc", "set -o vi\n"),
        (".zshrc", "bindkey -v\n"),
        (".config/fish/config.fish", "fish_vi_key_bindings\n"),
    ];
    for files in [&[], vi.as_slice()] {
        for shell in ALL {
            // ESC leaves the insert mode of vi; in emacs mode it would only be a prefix of the next key.
            let halves: &[&str] = if files.is_empty() || shell == Shell::Dash {
                &["rm -rf x", "echo 'open"]
            } else {
                &["rm -rf x", "rm -rf x\x1bhh"]
            };
            for half in halves {
                let mut terminal = Terminal::start_with(shell, &Setup { files, ..Setup::default() });
                let (typed, keys) = half.split_at(half.find('\x1b').unwrap_or(half.len()));
                terminal.write(typed.as_bytes());
                if shell != Shell::Dash {
                    terminal.wait_for_text(&half[..2]);
                }
                if shell == Shell::Fish && !keys.is_empty() {
                    // fish would take ESC and a key that comes at once for one key.
                    terminal.write(b"\x1b");
                    terminal.wait_for_text("[N]");
                } else {
                    terminal.write(keys.as_bytes());
                }
                for text in ["echo clear", "echo 'clear'"] {
                    let outcome = terminal.run_clearing(text);
                    assert_eq!(
                        (outcome.output.as_str(), outcome.exit),
                        ("clear\r\n", 0),
                        "{shell:?} {half:?}\n{}",
                        terminal.dump()
                    );
                }
            }
        }
    }
}

#[test]
fn history_holds_commands_and_not_the_way_they_came() {
    let list = [(Shell::Bash, "history"), (Shell::Zsh, "fc -l 1")];
    for (shell, list) in list {
        let mut terminal = Terminal::start(shell);
        terminal.run("echo one");
        terminal.run("echo 'two'");
        terminal.run("echo 'three'\necho 'lines'");
        let output = terminal.run(list).output;
        assert!(output.contains("echo one") && output.contains("echo 'two'"), "{shell:?} {output}");
        assert!(!output.contains("FLIGHTDECK_RUN"), "{shell:?} {output}");
    }
    let mut fish = Terminal::start(Shell::Fish);
    fish.run("echo 'two'");
    assert!(!fish.run("history").output.contains("FLIGHTDECK_RUN"));
}

#[test]
fn the_text_of_a_typed_line_is_told_only_if_it_is_that_line() {
    let files = [(".bashrc", "HISTCONTROL=ignorespace\nHISTTIMEFORMAT='%F %T '\n")];
    let mut terminal = Terminal::start_with(Shell::Bash, &Setup { files: &files, ..Setup::default() });
    let text = |outcome: Outcome| outcome.text;
    assert_eq!(text(terminal.type_line("echo one; true")).as_deref(), Some("echo one; true"));
    assert_eq!(text(terminal.type_line(" echo secret")), None);
    assert_eq!(text(terminal.type_line("echo 'two'")).as_deref(), Some("echo 'two'"));
    assert_eq!(
        text(terminal.type_line("for i in 1; do\recho $i; done")).as_deref(),
        Some("for i in 1; do echo $i; done")
    );
    assert_eq!(text(terminal.run("echo 'run'")), None);
    assert_eq!(text(terminal.type_line("echo three")).as_deref(), Some("echo three"), "{}", terminal.dump());
}

#[test]
fn a_stopped_command_gives_the_prompt_back() {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Dash] {
        let mut terminal = Terminal::start(shell);
        let run = terminal.deliver("sleep 100");
        terminal.wait_for_start(&run);
        terminal.wait_for_foreground("sleep");
        terminal.write(b"\x1a");
        let outcome = terminal.wait_for_end(run);
        // fish says 0: the job goes on later.
        assert!(shell == Shell::Fish || outcome.exit > 128, "{shell:?} {outcome:?}");
        assert_eq!(terminal.run("echo 'next'").output, "next\r\n", "{shell:?}\n{}", terminal.dump());
    }
}
