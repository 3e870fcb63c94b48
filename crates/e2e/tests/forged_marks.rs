//! Programs that print the marks of the shell that started them, with the right nonce and number: none of it ends a command.

use flightdeck_contract::terminal::Ran;
use flightdeck_e2e::{Deck, SOON, in_each_shell};

in_each_shell![
    a_program_cannot_end_its_own_command,
    what_a_program_says_of_its_exit_code_is_not_believed,
    a_program_in_the_background_cannot_end_the_command,
    what_is_printed_while_the_prompt_is_made_is_not_believed,
    ends_that_are_printed_without_pause_are_not_believed,
    a_hub_that_reads_old_output_believes_no_program,
];

/// Ends, prompts and starts for many numbers, with the nonce that the shell has handed over. `$2` is a file that tells when all is
/// printed, `$3` one that is waited for.
const FORGER: &str = r#"
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    printf '\033]7733;%s;D;n=%s;x=0;p=0;w=/forged\007' "$1" $n
    printf '\033]7733;%s;A\007\033]7733;%s;B\007\033]7733;%s;C;n=%s;c=forged\007' "$1" "$1" "$1" $n
done
[ -n "$2" ] && : >"$2"
[ -n "$3" ] && until [ -e "$3" ]; do sleep 0.02; done
exit 3
"#;

fn forging(shell: &str) -> (Deck, String) {
    let deck = Deck::new();
    std::fs::write(deck.workspace().join("forger"), FORGER).unwrap();
    let id = deck.shell(shell);
    (deck, id)
}

/// The command is at work although its end was told, and ends with what it has left.
fn goes_on(deck: &Deck, id: &str, command: &str) -> Ran {
    let running = deck.invoke(&["run", "--in", id, "--json", "--timeout", "30s", "--", command]).start();
    let printed = deck.workspace().join("printed");
    deck.wait_until("the marks are printed", SOON, || printed.exists().then_some(()));
    let other = deck.try_run_in(id, "echo never", "1s").expect(125);
    assert!(other.errors().contains("busy"), "{other}");
    std::fs::write(deck.workspace().join("go"), "").unwrap();
    running.finish().json()
}

fn a_program_cannot_end_its_own_command(shell: &str) {
    let (deck, id) = forging(shell);
    let ran = goes_on(&deck, &id, "sh forger $__flightdeck_nonce printed go");
    assert_eq!((ran.exit_code, ran.output.as_str()), (Some(3), ""), "{shell}");
    let next = deck.run_in(&id, "echo next");
    assert_eq!((next.exit_code, next.output.as_str()), (Some(0), "next\n"), "{shell}");
    let history = deck.history(&id);
    let forged = history.iter().any(|record| record.text.as_deref() == Some("forged"));
    assert!(history.len() == 2 && !forged, "{shell}: {history:#?}");
}

fn what_a_program_says_of_its_exit_code_is_not_believed(shell: &str) {
    let (deck, id) = forging(shell);
    for round in 0..10 {
        let ran = deck.run_in(&id, "sh forger $__flightdeck_nonce");
        assert_eq!(ran.exit_code, Some(3), "{shell}, round {round}");
    }
}

fn a_program_in_the_background_cannot_end_the_command(shell: &str) {
    let (deck, id) = forging(shell);
    let ran = goes_on(&deck, &id, "sh forger $__flightdeck_nonce printed go & wait; sh -c 'exit 4'");
    assert_eq!(ran.exit_code, Some(4), "{shell}");
}

/// The same marks again and again until the prompt is about to be shown, which waits for that.
const BACKGROUND_FORGER: &str = r#"
until [ -e stop ]; do
    for n in 1 2 3 4 5 6; do
        told="n=$n;x=0;p=0"
        printf '\033]7733;%s;D;%s;w=/forged\007\033]7733;%s;A\007' "$1" $told "$1"
        printf '\033]7733;%s;F;%s\007\033]7733;%s;B\007' "$1" $told "$1"
    done
    sleep 0.001
done
rm -f prompting
"#;

/// What has the shell call `slow` when it makes its prompt.
fn slow_prompt(shell: &str) -> &'static str {
    match shell {
        "bash" => "PROMPT_COMMAND+=(slow)",
        "zsh" => "precmd_functions+=(slow)",
        "fish" => "function made --on-event fish_prompt; slow; end",
        _ => r#"mark='${__flightdeck_nonce:+'; last=${PS1##*"$mark"}; PS1=${PS1%"$mark$last"}'$(slow)'$mark$last"#,
    }
}

fn what_is_printed_while_the_prompt_is_made_is_not_believed(shell: &str) {
    let (deck, id) = forging(shell);
    let file = |name: &str, text: &str| std::fs::write(deck.workspace().join(name), text).unwrap();
    file("forger", BACKGROUND_FORGER);
    file(
        "slow",
        "[ -e forging ] || exit 0; rm forging; sleep 0.05; : >stop\nuntil ! [ -e prompting ]; do sleep 0.01; done\n",
    );
    let slow = if shell == "fish" { "function slow; sh slow; end" } else { "slow() { sh slow; }" };
    deck.run_in(&id, slow);
    deck.run_in(&id, slow_prompt(shell));
    mostly_true(shell, || {
        let _ = std::fs::remove_file(deck.workspace().join("stop"));
        file("prompting", "");
        file("forging", "");
        let ran = deck.run_in(&id, "sh forger $__flightdeck_nonce & sleep 0.02; sh -c 'exit 4'");
        assert!(!deck.workspace().join("forging").exists(), "{shell}: the prompt was not slow");
        ran.exit_code
    });
    let ran = deck.run_in(&id, "pwd");
    assert_eq!((ran.exit_code, ran.output), (Some(0), format!("{}\n", deck.workspace().display())), "{shell}");
}

/// A program that is left in the background may hit the one moment between the shell's last word and the look at it, by chance.
/// What is told is the true end in most rounds all the same.
#[track_caller]
fn mostly_true(shell: &str, round: impl FnMut() -> Option<i32>) {
    let told: Vec<_> = std::iter::repeat_with(round).take(5).collect();
    assert!(told.iter().filter(|exit| **exit != Some(4)).count() <= 2, "{shell}: {told:?}");
}

fn ends_that_are_printed_without_pause_are_not_believed(shell: &str) {
    let (deck, id) = forging(shell);
    let slow = if shell == "fish" { "function slow; sleep 0.02; end" } else { "slow() { sleep 0.02; }" };
    deck.run_in(&id, slow);
    deck.run_in(&id, slow_prompt(shell));
    let forger =
        r#"until [ -e stop ]; do printf '\033]7733;%s;D;n=%s;x=0;p=0;w=/\007' "$1" $2; sleep 0.001; done; rm forging"#;
    let [forging, stop] = ["forging", "stop"].map(|name| deck.workspace().join(name));
    std::fs::write(deck.workspace().join("forger"), forger).unwrap();
    let mut number = 2;
    mostly_true(shell, || {
        number += 1;
        std::fs::write(&forging, "").unwrap();
        let command = format!("sh forger $__flightdeck_nonce {number} & sleep 0.02; sh -c 'exit 4'");
        let ran = deck.run_in(&id, &command);
        std::fs::write(&stop, "").unwrap();
        deck.wait_until("it forges no more", SOON, || (!forging.exists()).then_some(()));
        std::fs::remove_file(&stop).unwrap();
        ran.exit_code
    });
}

fn a_hub_that_reads_old_output_believes_no_program(shell: &str) {
    let (deck, id) = forging(shell);
    let late = deck.try_run_in(&id, "sh forger $__flightdeck_nonce printed go", "1s");
    assert_eq!(late.code, 124, "{shell}: {late}");
    deck.kill_hub();
    deck.start();
    let busy = deck.try_run_in(&id, "echo never", "1s").expect(125);
    assert!(busy.errors().contains("busy"), "{shell}: {busy}");
    std::fs::write(deck.workspace().join("go"), "").unwrap();
    deck.at_prompt(&id);
    assert_eq!(deck.history(&id)[0].exit_code, Some(3), "{shell}");
}
