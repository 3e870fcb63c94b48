//! Terminals: how they are made, taken over, and ended.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::WindowSize;

use super::values::{bytes, duration, size, terminal, variable};

/// How a new terminal is set up.
#[derive(Debug, Args)]
pub struct Setup {
    /// The folder to start in.
    #[arg(long, short = 'C', value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Set an environment variable; may be given several times.
    #[arg(long = "env", short = 'e', value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// A name for people.
    #[arg(long, short = 't')]
    pub title: Option<String>,
    /// The window, as COLSxROWS. Without it, the size of this window, or 80x24.
    #[arg(long, value_name = "COLSxROWS", value_parser = size)]
    pub size: Option<WindowSize>,
    /// How much output is kept on disk, such as 64M.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub log_limit: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A pipe or a file as standard input is passed on to the command; with --in it is not (`flightdeck send --stdin` types it).

Exit codes: the command's own; 124 when the time was up; 125 when Flightdeck itself failed;
126 when the program can't be executed; 127 when there is no such program; 130 when it was interrupted.")]
pub struct Run {
    /// Run in this shell terminal, as if it were typed there, instead of as a process of its own.
    #[arg(long = "in", value_name = "ID", value_parser = terminal, conflicts_with_all = ["cwd", "env", "title", "size", "log_limit", "pty", "pipes"])]
    pub terminal: Option<TerminalId>,
    /// Give up waiting after this time, such as 30s or 5m; never when absent. The command goes on unless --kill is given.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// End the command, and everything it started, when the time is up.
    #[arg(long, requires = "timeout")]
    pub kill: bool,
    /// Run on a terminal even when the output goes to a file or a pipe.
    #[arg(long, conflicts_with = "pipes")]
    pub pty: bool,
    /// Run on pipes, with stdout and stderr apart, even in a terminal.
    #[arg(long)]
    pub pipes: bool,
    /// Print the result as JSON when it is over, instead of the output while it comes.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub setup: Setup,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct New {
    /// The shell; $SHELL when not given.
    #[arg(long, value_name = "PATH", conflicts_with = "command")]
    pub shell: Option<String>,
    /// Start it as a login shell.
    #[arg(long, conflicts_with = "command")]
    pub login: bool,
    /// Run the command on pipes instead of a terminal.
    #[arg(long, requires = "command")]
    pub pipes: bool,
    /// Take it over in this window at once.
    #[arg(long, short = 'a', conflicts_with_all = ["json", "pipes"])]
    pub attach: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub setup: Setup,
    /// A command instead of a shell.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Ls {
    /// Those that have ended as well.
    #[arg(long, short = 'a')]
    pub all: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Attach {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// The key that detaches.
    #[arg(long, value_name = "KEY", default_value = "C-\\")]
    pub detach_key: String,
}

#[derive(Debug, Args)]
pub struct Screen {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// With colours and cursor, as escape sequences.
    #[arg(long)]
    pub ansi: bool,
    /// Write a picture (PNG) to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "ansi")]
    pub png: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Terminals {
    /// Which terminals.
    #[arg(required = true, value_parser = terminal)]
    pub ids: Vec<TerminalId>,
}

#[derive(Debug, Args)]
pub struct Kill {
    /// Which terminals.
    #[arg(required = true, value_parser = terminal)]
    pub ids: Vec<TerminalId>,
    /// The first signal; what is left after the grace period gets KILL.
    #[arg(long, short = 's', value_name = "SIGNAL", default_value = "HUP")]
    pub signal: String,
    /// How long programs may take to end by themselves.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1500ms")]
    pub grace: Duration,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Signal {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// INT, TERM, SIGHUP, 9, …
    pub signal: String,
}

#[derive(Debug, Args)]
pub struct Resize {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// The window, as COLSxROWS.
    #[arg(value_parser = size)]
    pub size: WindowSize,
}

#[derive(Debug, Args)]
pub struct Lease {
    /// Of which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// What to do.
    #[arg(value_enum, default_value = "show")]
    pub action: LeaseAction,
    /// Why, for the agents that are refused meanwhile.
    #[arg(long)]
    pub reason: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum LeaseAction {
    /// Say who holds them.
    Show,
    /// Take them; agents can't type until they are handed back.
    Take,
    /// Hand them back.
    Release,
}

#[derive(Debug, Args)]
pub struct Keep {
    /// Which terminals.
    #[arg(required = true, value_parser = terminal)]
    pub ids: Vec<TerminalId>,
}
