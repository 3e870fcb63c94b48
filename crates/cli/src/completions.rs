//! `flightdeck completions`: what a shell needs to complete the words of this program.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::{self, Cli};
use crate::out::write_now;

pub fn run(args: &args::Completions) -> anyhow::Result<ExitCode> {
    let shell = match args.shell {
        args::Shell::Bash => Shell::Bash,
        args::Shell::Zsh => Shell::Zsh,
        args::Shell::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "flightdeck", &mut script);
    write_now(&mut std::io::stdout().lock(), &script)?;
    Ok(ExitCode::SUCCESS)
}
