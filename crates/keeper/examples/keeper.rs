//! A bare keeper: what the hidden subcommand of `flightdeck` does. The tests launch it.
//!
//! `keeper SOCKET [IDLE_MILLISECONDS]`

use std::process::ExitCode;
use std::time::Duration;

use flightdeck_keeper::{KeeperOptions, run};

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let Some(socket) = args.next() else {
        eprintln!("usage: keeper SOCKET [IDLE_MILLISECONDS]");
        return ExitCode::FAILURE;
    };
    let mut options = KeeperOptions::new(socket);
    "test".clone_into(&mut options.build);
    if let Some(idle) = args.next().and_then(|arg| arg.to_str().and_then(|text| text.parse().ok())) {
        options.idle_exit = Duration::from_millis(idle);
    }
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
