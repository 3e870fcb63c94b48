//! The user's own configuration goes on working, and marks survive it.

use super::ALL;
use super::terminal::{Setup, Shell, Terminal};
use flightdeck_term::shell::Mark;

#[test]
fn start_up_files_of_the_user_are_honoured() {
    let bash = [(
        ".bashrc",
        "alias hello='echo from alias'\nPROMPT_COMMAND='echo \"[pc $?]\"; PS1=\"one\\ntwo> \"'\nPS0='ps0\\n'\nset -o vi\n\
         alias printf=false local=false builtin=false\ntrap 'dbg=1' DEBUG\n",
    )];
    let zsh = [(
        ".zshrc",
        "alias hello='echo from alias'\nprecmd() { print -r \"[pc $?]\"; PROMPT=$'one\\ntwo> ' }\n\
         preexec() { print ps0 }\nRPROMPT=right\nalias print=false local=false emulate=false\n",
    )];
    let fish = [(
        ".config/fish/config.fish",
        "alias hello='echo from alias'\nfunction fish_prompt; echo \"[pc $status]\"; printf 'one\\ntwo> '; end\n",
    )];
    let dash = [(".shrc", "alias hello='echo from alias'\nPS1='[pc $?] two> '\n")];
    let cases = [
        (Shell::Bash, bash.as_slice(), [].as_slice()),
        (Shell::Zsh, &zsh, &[]),
        (Shell::Fish, &fish, &[]),
        (Shell::Dash, &dash, &[("ENV", "~/.shrc")]),
    ];
    for (shell, files, env) in cases {
        let mut terminal = Terminal::start_with(shell, &Setup { files, env, ..Setup::default() });
        for text in ["hello", "hello # by file"] {
            let outcome = terminal.run(text);
            assert_eq!(
                (outcome.output.as_str(), outcome.exit),
                ("from alias\r\n", 0),
                "{shell:?} {text}\n{}",
                terminal.dump()
            );
        }
        for text in ["false", "false # by file"] {
            let outcome = terminal.run(text);
            assert_eq!((outcome.output.as_str(), outcome.exit), ("", 1), "{shell:?} {text}\n{}", terminal.dump());
            terminal.wait_for_text("[pc 1]");
            terminal.wait_for_text("two> ");
        }
    }
}

#[test]
fn a_user_who_has_zdotdir_keeps_it() {
    let files = [
        ("z/.zshenv", "export FROM_ENV=1\n"),
        ("z/.zprofile", "FROM_PROFILE=2\n"),
        ("z/.zshrc", "FROM_RC=3\nprecmd_functions=()\n"),
        ("z/.zlogin", "FROM_LOGIN=4\n"),
    ];
    let setup = Setup { files: &files, env: &[("ZDOTDIR", "~/z")], login: true, ..Setup::default() };
    let mut terminal = Terminal::start_with(Shell::Zsh, &setup);
    let folder = terminal.home().join("z");
    let output = terminal.run("echo $FROM_ENV $FROM_PROFILE $FROM_RC $FROM_LOGIN $ZDOTDIR").output;
    assert_eq!(output, format!("1 2 3 4 {}\r\n", folder.display()), "{}", terminal.dump());

    let moved = [(".zshenv", "ZDOTDIR=~/z\n"), ("z/.zshrc", "echo moved\n")];
    let mut terminal = Terminal::start_with(Shell::Zsh, &Setup { files: &moved, ..Setup::default() });
    terminal.wait_for_text("moved");
    let mut terminal = Terminal::start(Shell::Zsh);
    assert_eq!(terminal.run("echo ${ZDOTDIR-none}; printenv ZDOTDIR").output, "none\r\n");
}

#[test]
fn login_shells_read_login_files() {
    let bash = [(".bash_profile", "FROM=profile\n. ~/.bashrc\n"), (".bashrc", "RC=rc\n")];
    let mut terminal = Terminal::start_with(Shell::Bash, &Setup { files: &bash, login: true, ..Setup::default() });
    assert_eq!(terminal.run("echo $FROM $RC").output, "profile rc\r\n");
    let dash = [(".profile", "FROM=profile\n")];
    let mut terminal = Terminal::start_with(Shell::Dash, &Setup { files: &dash, login: true, ..Setup::default() });
    assert_eq!(terminal.run("echo $FROM ${ENV-none}").output, "profile none\r\n");
    let mut terminal = Terminal::start_with(Shell::Fish, &Setup { login: true, ..Setup::default() });
    assert_eq!(terminal.run("status is-login").exit, 0);
}

#[test]
fn prompts_changed_later_keep_their_marks() {
    let changes = [
        (
            Shell::Bash,
            [
                "PS1='new> '",
                "PROMPT_COMMAND='PS1=\"pc$((++i))> \"'",
                "PROMPT_COMMAND=\"true; $PROMPT_COMMAND\"",
                "PROMPT_COMMAND+=('PS1=x$PS1; false')",
                "PS0='user\\n'",
                "shopt -u promptvars",
                "shopt -s promptvars",
                "set -o posix",
            ]
            .as_slice(),
        ),
        (
            Shell::Zsh,
            &[
                "PROMPT='new> '",
                "precmd() { PROMPT=\"x$PROMPT\" }",
                "precmd_functions+=(later); later() { PROMPT='later> '; false }",
                "preexec_functions+=(early); early() { print early }",
                "setopt ksh_arrays sh_word_split",
                "unsetopt prompt_percent",
                "unsetopt prompt_sp",
                "export PROMPT='x> '",
            ],
        ),
        (
            Shell::Fish,
            &[
                "function fish_prompt; printf 'new> '; end",
                "functions -e fish_prompt; function fish_prompt; printf 'newer> '; end",
            ],
        ),
    ];
    for (shell, changes) in changes {
        let mut terminal = Terminal::start(shell);
        for change in changes {
            assert_eq!(terminal.run(change).exit, 0, "{shell:?} {change}\n{}", terminal.dump());
            for (text, output, exit) in
                [("echo typed", "typed\r\n", 0), ("printf 'x'; (exit 3) 2>/dev/null; sh -c 'exit 3'", "x", 3)]
            {
                let text = if shell == Shell::Fish { text.replace("(exit 3) 2>/dev/null;", "") } else { text.into() };
                let outcome = terminal.run(&text);
                assert_eq!(
                    (outcome.output.as_str(), outcome.exit),
                    (output, exit),
                    "{shell:?} {change}\n{}",
                    terminal.dump()
                );
            }
        }
    }
}

#[test]
fn nested_shells_print_no_marks() {
    for shell in ALL {
        let rc = "export PS1='p> '\n";
        let files = [(".bashrc", rc), (".zshrc", "export PROMPT='p> ' PROMPT_EOL_MARK=\n"), (".shrc", rc)];
        let setup = Setup { files: &files, env: &[("ENV", "~/.shrc")], ..Setup::default() };
        for nested in ["bash --norc", "zsh -f", "dash", "fish --private"] {
            let mut terminal = Terminal::start_with(shell, &setup);
            let run = terminal.deliver(nested);
            let (start, _) = terminal.wait_for_start(&run);
            terminal.write(b"echo nest'ed'\r");
            terminal.wait_for_text("nested\r\n");
            terminal.write(b"exit\r");
            terminal.wait_for_end(run);
            let inside: Vec<_> = terminal.marks().iter().filter(|mark| mark.start > start).collect();
            // The end of the command and the prompt after it, where the end is told again; nothing of the nested shell.
            let (again, once): (Vec<_>, Vec<_>) =
                inside.into_iter().partition(|mark| matches!(mark.mark, Mark::EndAgain { .. }));
            assert!(again.len() <= 1 && once.len() <= 3, "{shell:?} {nested}\n{}", terminal.dump());
        }
    }
}

#[test]
fn a_nested_shell_can_be_driven_without_integration() {
    for nested in ["bash --norc", "zsh -f", "dash"] {
        let mut terminal = Terminal::start(Shell::Bash);
        terminal.deliver(&format!("PS1='n''ested> ' {nested}"));
        terminal.wait_for_text("nested> ");
        terminal.set_kind(flightdeck_term::shell::ShellKind::Other);
        for (text, output, exit) in
            [("echo hi", "hi\r\n", 0), ("printf 'x y'", "x y", 0), ("echo 'it'\"'s\"; (exit 4)", "it's\r\n", 4)]
        {
            let outcome = terminal.run(text);
            assert_eq!((outcome.output.as_str(), outcome.exit), (output, exit), "{nested}\n{}", terminal.dump());
        }
    }
}

#[test]
fn sh_is_a_posix_shell_whatever_it_is() {
    let dir = tempfile::tempdir().expect("folder");
    let sh = dir.path().join("sh");
    std::os::unix::fs::symlink("/bin/bash", &sh).expect("link");
    let mut terminal = Terminal::start_with(Shell::Bash, &Setup { program: Some(&sh), ..Setup::default() });
    for (text, output, exit) in
        [("echo hi", "hi\r\n", 0), ("(exit 3)", "", 3), ("echo $?", "3\r\n", 0), ("echo 'a", "", 1)]
    {
        let outcome = terminal.run(text);
        assert!(outcome.output.starts_with(output), "{}", terminal.dump());
        assert_eq!(outcome.exit == 0, exit == 0, "{}", terminal.dump());
    }
}

#[test]
fn start_up_files_are_private() {
    use flightdeck_term::shell::{Nonce, prepare};
    for shell in ["bash", "zsh", "fish", "dash", "xonsh"] {
        let dir = tempfile::tempdir().expect("folder");
        let nonce = Nonce::random().expect("nonce");
        prepare(dir.path(), std::path::Path::new(shell), false, &nonce, &|_| None).expect("files");
        for (path, mode) in super::terminal::modes_below(dir.path()) {
            assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        }
    }
}

#[test]
fn a_debug_trap_of_the_user_does_not_print_into_the_output() {
    let files = [(".bashrc", "trap 'printf \"\\e]0;%s\\a\" \"$BASH_COMMAND\"' DEBUG\n")];
    let mut terminal = Terminal::start_with(Shell::Bash, &Setup { files: &files, ..Setup::default() });
    assert_eq!(terminal.run("echo hi").output, "\x1b]0;echo hi\x07hi\r\n", "{}", terminal.dump());
    // bash itself keeps the trap out of files.
    assert_eq!(terminal.run("echo 'hi'").output, "hi\r\n", "{}", terminal.dump());
    assert!(!terminal.log_text().contains("]0;__flightdeck"), "{}", terminal.dump());
}
