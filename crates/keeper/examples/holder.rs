//! What tmux starts in its windows: the hidden subcommands of `flightdeck` for that. The tests launch it.
//!
//! `holder tmux-pane DIR`, `holder tmux-home`

use std::path::Path;
use std::process::ExitCode;

use flightdeck_keeper::hold_pane;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    match args.as_slice() {
        [word, dir] if word == "tmux-pane" => match hold_pane(Path::new(dir)) {
            Ok(exit) => exit.pass_on(),
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        [word] if word == "tmux-home" => loop {
            std::thread::park();
        },
        _ => {
            eprintln!("usage: holder tmux-pane DIR | holder tmux-home");
            ExitCode::FAILURE
        }
    }
}
