//! `flightdeck completions`: for which shell.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
In the start-up file of the shell:
  bash  source <(flightdeck completions bash)                  ~/.bashrc
  zsh   source <(flightdeck completions zsh)                   ~/.zshrc, after compinit
  fish  flightdeck completions fish | source                   ~/.config/fish/config.fish")]
pub struct Completions {
    /// Which shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}
