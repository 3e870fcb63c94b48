//! Real shells on a real terminal: what is delivered runs as if typed, and its start, end and status are exact.

mod keys;
mod output;
mod setup;
mod statuses;
mod terminal;

use terminal::{Shell, Terminal};

const ALL: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Dash];
const POSIX_LIKE: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Dash];

/// One command and what must come of it.
struct Case {
    text: &'static str,
    output: &'static str,
    exit: i32,
}

fn case(text: &'static str, output: &'static str, exit: i32) -> Case {
    Case { text, output, exit }
}

/// Runs the cases one after the other in the same shell.
fn check(shells: &[Shell], cases: &[Case]) {
    for &shell in shells {
        let mut terminal = Terminal::start(shell);
        for case in cases {
            let outcome = terminal.run(case.text);
            let got = (outcome.output.as_str(), outcome.exit);
            assert_eq!(got, (case.output, case.exit), "{shell:?}: {:?}\n{}", case.text, terminal.dump());
        }
    }
}
