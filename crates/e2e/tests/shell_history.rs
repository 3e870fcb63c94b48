//! What is known of the commands that ran in a shell, and that the user's own configuration keeps working.

use std::fs;

use flightdeck_e2e::{Deck, SOON, in_each_shell};

in_each_shell![every_command_leaves_a_record, the_users_own_configuration_works, a_login_shell_reads_the_users_profile];

fn every_command_leaves_a_record(shell: &str) {
    let deck = Deck::new();
    fs::create_dir(deck.workspace().join("sub")).unwrap();
    let id = deck.shell(shell);
    assert!(deck.history(&id).is_empty(), "{shell}: nothing ran yet: {:?}", deck.history(&id));
    assert_eq!(deck.processes_of(&id).len(), 1, "{shell}: it started nothing else");
    deck.run_in(&id, "echo one");
    deck.run_in(&id, "cd sub");
    deck.run_in(&id, "pwd; sh -c 'exit 3'");
    deck.run_in(&id, "echo 'two\nlines'");
    let history = deck.history(&id);
    let texts: Vec<_> = history.iter().map(|record| record.text.as_deref().unwrap_or("?")).collect();
    assert_eq!(texts, ["echo one", "cd sub", "pwd; sh -c 'exit 3'", "echo 'two\nlines'"], "{shell}");
    let codes: Vec<_> = history.iter().map(|record| record.exit_code).collect();
    assert_eq!(codes, [Some(0), Some(0), Some(3), Some(0)], "{shell}");
    let numbers: Vec<_> = history.iter().map(|record| record.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4], "{shell}");
    let (top, sub) = (deck.workspace(), deck.workspace().join("sub"));
    let folders: Vec<_> = history.iter().map(|record| record.cwd.clone().unwrap_or_default()).collect();
    let wanted = [&top, &top, &sub, &sub].map(|path| path.display().to_string());
    assert_eq!(folders, wanted, "{shell}");
    assert_eq!(deck.info(&id).cwd, sub.display().to_string(), "{shell}");
    for record in &history {
        assert_eq!(record.actor.as_deref(), Some("cli:pilot"), "{shell}: {record:?}");
        assert!(record.started_at.is_some() && record.duration_ms.is_some(), "{shell}: {record:?}");
        let read = serde_json::json!({ "id": id, "from": record.start, "to": record.end.unwrap(), "raw": true });
        let output = deck.socket().call("flightdeck.terminal.read", read).unwrap();
        if record.number == 1 {
            assert_eq!(output["text"].as_str().unwrap(), "one\r\n", "{shell}");
        }
    }
    let table = deck.cli(&["history", &id]).expect(0).text();
    assert!(table.contains("pwd; sh -c 'exit 3'") && table.contains("cli:pilot"), "{table}");
    // What is typed by hand is told too, where the shell says so.
    if shell != "dash" {
        deck.type_line(&id, "echo typed; sh -c 'exit 6'");
        let typed = deck.wait_until("the typed command is over", SOON, || {
            deck.history(&id).pop().filter(|record| record.number == 5 && record.end.is_some())
        });
        assert_eq!((typed.exit_code, typed.actor), (Some(6), None), "{shell}");
        assert_eq!(typed.text.as_deref(), Some("echo typed; sh -c 'exit 6'"), "{shell}");
    }
}

fn the_users_own_configuration_works(shell: &str) {
    let deck = Deck::new();
    let (file, text) = match shell {
        "bash" => (
            ".bashrc",
            "PS1='mine> '\nalias hello='echo from an alias'\nPROMPT_COMMAND='seen=yes'\ntrap 'true' DEBUG\nMINE=1\n",
        ),
        "zsh" => (
            ".zshrc",
            "PROMPT='mine> '\nalias hello='echo from an alias'\nprecmd() { seen=yes }\npreexec() { : }\nMINE=1\n",
        ),
        "fish" => (
            ".config/fish/config.fish",
            "function fish_prompt; set -g seen yes; echo 'mine> '; end\nalias hello='echo from an alias'\nset -g MINE 1\n",
        ),
        _ => (".dashrc", "PS1='mine> '\nalias hello='echo from an alias'\nMINE=1\nseen=yes\n"),
    };
    let path = deck.home().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    let env = format!("ENV={}", deck.home().join(".dashrc").display());
    let id = deck.new_terminal(&["--shell", shell, "--env", &env]);
    deck.at_prompt(&id);
    deck.on_screen(&id, "mine>");
    assert_eq!(deck.run_in(&id, "hello").output, "from an alias\n", "{shell}");
    assert_eq!(deck.run_in(&id, "echo $MINE $seen").output, "1 yes\n", "{shell}");
    let ran = deck.run_in(&id, "sh -c 'exit 3'");
    assert_eq!(ran.exit_code, Some(3), "{shell}");
    deck.type_line(&id, "hello");
    deck.on_screen(&id, "from an alias");
}

fn a_login_shell_reads_the_users_profile(shell: &str) {
    let deck = Deck::new();
    let (file, set) = match shell {
        "bash" => (".bash_profile", "export FROM_PROFILE=yes"),
        "zsh" => (".zprofile", "export FROM_PROFILE=yes"),
        "fish" => (".config/fish/config.fish", "status is-login; and set -gx FROM_PROFILE yes"),
        _ => (".profile", "export FROM_PROFILE=yes"),
    };
    let path = deck.home().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{set}\n")).unwrap();
    for (login, wanted) in [(&["--login"][..], "[yes]\n"), (&[], "[]\n")] {
        let id = deck.new_terminal(&[&["--shell", shell], login].concat());
        deck.at_prompt(&id);
        assert_eq!(deck.run_in(&id, "echo \"[$FROM_PROFILE]\"").output, wanted, "{shell} {login:?}");
    }
}
