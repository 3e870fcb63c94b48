//! What `flightdeck completions` prints is taken by the real shells, and completes.

use std::fs;
use std::process::Command;

use flightdeck_e2e::Deck;

/// Loads the completions in a shell and runs a script there. Gives what it printed; nothing may go wrong.
#[track_caller]
fn loaded(deck: &Deck, shell: &str, args: &[&str], script: &str) -> String {
    let file = deck.home().join(format!("completions.{shell}"));
    fs::write(&file, deck.cli(&["completions", shell]).expect(0).stdout).unwrap();
    let mut command = Command::new(shell);
    command.args(args).arg(script.replace("FILE", file.to_str().unwrap())).env_clear().current_dir(deck.workspace());
    command.envs(deck.command(&[]).get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && errors.is_empty(), "{shell}: {printed}{errors}");
    printed.into_owned()
}

#[test]
fn bash_completes_our_words() {
    let deck = Deck::new();
    let script = "source FILE; complete -p flightdeck >/dev/null || exit 1; \
                  COMP_WORDS=(flightdeck policy re); COMP_CWORD=2; _flightdeck flightdeck re policy; echo \"${COMPREPLY[@]}\"; \
                  COMP_WORDS=(flightdeck hi); COMP_CWORD=1; _flightdeck flightdeck hi flightdeck; echo \"${COMPREPLY[@]}\"";
    let words = loaded(&deck, "bash", &["--norc", "--noprofile", "-c"], script);
    assert!(words.contains("rehearse") && words.contains("reject") && words.ends_with("history\n"), "{words}");
}

#[test]
fn zsh_takes_our_words() {
    let deck = Deck::new();
    let script = "autoload -U compinit; compinit -u -d $HOME/zcompdump; source FILE; \
                  [[ ${_comps[flightdeck]} == _flightdeck ]] || exit 1; whence -w _flightdeck _flightdeck_commands";
    let functions = loaded(&deck, "zsh", &["-f", "-c"], script);
    assert_eq!(functions, "_flightdeck: function\n_flightdeck_commands: function\n");
}

#[test]
fn fish_completes_our_words() {
    let deck = Deck::new();
    let script = "source FILE; complete --do-complete 'flightdeck policy re'; complete --do-complete 'flightdeck hi'";
    let words = loaded(&deck, "fish", &["--no-config", "-c"], script);
    let begins = |word: &str| words.lines().any(|line| line.split('\t').next() == Some(word));
    assert!(begins("rehearse") && begins("reject") && begins("history"), "{words}");
    assert!(!words.contains("keeper"), "what is started by the hub is not for people: {words}");
}
