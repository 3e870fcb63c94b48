//! What terminals print and what is typed into them.

use std::time::Duration;

use clap::{ArgGroup, Args};
use flightdeck_contract::TerminalId;

use super::values::{duration, terminal};

#[derive(Debug, Args)]
pub struct Logs {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// The last so many lines.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, conflicts_with = "all")]
    pub lines: usize,
    /// The whole log.
    #[arg(long)]
    pub all: bool,
    /// Go on while output comes, until the terminal ends.
    #[arg(long, short = 'f')]
    pub follow: bool,
    /// The bytes as they came, with escape sequences. The default in a terminal.
    #[arg(long, conflicts_with = "plain")]
    pub raw: bool,
    /// Plain text: no escape sequences, progress bars in their last state. The default for files and pipes.
    #[arg(long)]
    pub plain: bool,
    /// Print JSON, with the cursor to go on from.
    #[arg(long, conflicts_with_all = ["follow", "all"])]
    pub json: bool,
    /// From this cursor on.
    #[arg(long, value_name = "OFFSET", conflicts_with_all = ["all", "lines"])]
    pub from: Option<u64>,
}

#[derive(Debug, Args)]
#[command(override_usage = "flightdeck send [OPTIONS] <ID> [TEXT]")]
#[command(group = ArgGroup::new("something").args(["text", "stdin", "enter", "keys"]).required(true).multiple(true))]
pub struct Send {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// Text to type, as it is.
    pub text: Option<String>,
    /// Press Enter after the text.
    #[arg(long, short = 'e')]
    pub enter: bool,
    /// Press keys after the text: Enter, C-c, Up, F5, …
    #[arg(long, short = 'k', value_name = "KEY", num_args = 1..)]
    pub keys: Vec<String>,
    /// Paste the text instead of typing it.
    #[arg(long, requires = "text")]
    pub paste: bool,
    /// Take the text from standard input.
    #[arg(long, conflicts_with = "text")]
    pub stdin: bool,
    /// Print JSON: the cursor before the input, from which `wait --from` and `logs --from` see the answer.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without a condition: until the command that runs in its shell has ended, or else its process.\n\n\
                        Exit codes: 0 when a condition was met, 1 when none can be met any more (the process has ended, or \
                        another program has the port), 124 when the time was up."
)]
pub struct Wait {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// Its process ends.
    #[arg(long)]
    pub exit: bool,
    /// A line of output matches this regular expression.
    #[arg(long, short = 'p', value_name = "REGEX")]
    pub pattern: Option<String>,
    /// A program asks for a line or a password.
    #[arg(long)]
    pub input: bool,
    /// The shell is back at its prompt.
    #[arg(long)]
    pub prompt: bool,
    /// No output for this time.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub quiet: Option<Duration>,
    /// A program of this terminal listens on this local port.
    #[arg(long)]
    pub port: Option<u16>,
    /// Look at output from this cursor on; 0 is all of it. Without it, from the start of the last command, or from where this
    /// window or script has read it.
    #[arg(long, value_name = "OFFSET")]
    pub from: Option<u64>,
    /// How long at most.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub timeout: Duration,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct History {
    /// Which terminal.
    #[arg(value_parser = terminal)]
    pub id: TerminalId,
    /// What this command printed.
    #[arg(value_name = "NUMBER")]
    pub number: Option<u64>,
    /// With NUMBER: what changed since the same command ran before.
    #[arg(long, requires = "number")]
    pub diff: bool,
    /// The newest so many.
    #[arg(long, short = 'n', value_name = "N")]
    pub limit: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 when something was found, 1 when not.")]
pub struct Search {
    /// A regular expression.
    pub pattern: String,
    /// In this terminal only.
    #[arg(long = "in", value_name = "ID", value_parser = terminal)]
    pub terminal: Option<TerminalId>,
    /// The pattern is text as it is.
    #[arg(long, short = 'F')]
    pub literal: bool,
    /// Upper and lower case are the same.
    #[arg(long, short = 'i')]
    pub ignore_case: bool,
    /// Lines before and after each match.
    #[arg(long, short = 'C', value_name = "LINES", default_value_t = 0)]
    pub context: usize,
    /// How many matches at most.
    #[arg(long, short = 'm', value_name = "N", default_value_t = 200)]
    pub max: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
