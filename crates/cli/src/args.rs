//! The command line, defined once: help texts and parsing both come from here.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::WindowSize;

/// Shared terminals for people and their AI agents.
///
/// One hub per folder owns the terminals; it is started when it is needed and ends with `flightdeck stop`.
/// Terminals outlive the hub.
#[derive(Debug, Parser)]
#[command(name = "flightdeck", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    /// The workspace: the folder whose hub is used. Without it, the nearest folder upwards that has a running hub,
    /// or the current one.
    #[arg(long, short = 'w', global = true, value_name = "DIR", env = flightdeck_contract::WORKSPACE_VARIABLE)]
    pub workspace: Option<PathBuf>,

    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a command, show its output, pass on its exit code.
    Run(Run),
    /// Start a shell (or a command) in a new terminal and leave it running.
    New(New),
    /// List terminals.
    Ls(Ls),
    /// Take a terminal over in this window. Detach with Ctrl-\ or the key given.
    Attach(Attach),
    /// Print a terminal's output.
    Logs(Logs),
    /// Type text, paste or press keys in a terminal.
    Send(Send),
    /// Wait for the first of some conditions: exit (the default), a pattern, a prompt, quiet, a port.
    Wait(Wait),
    /// Show a terminal's screen as a person would see it.
    Screen(Screen),
    /// List the commands that ran in a terminal.
    History(History),
    /// End terminals and everything that was started in them.
    Kill(Kill),
    /// Send one signal to the program in the foreground.
    Signal(Signal),
    /// Change the size of a terminal.
    Resize(Resize),
    /// Remove terminals that have ended, with their logs.
    Rm(Terminals),
    /// Find lines in what terminals printed.
    Search(Search),
    /// Show, take or hand back the controls of a terminal.
    Lease(Lease),
    /// Keep terminals after the agent that started them has left.
    Keep(Keep),
    /// Serve MCP on standard input and output, for an agent's configuration.
    Mcp(Mcp),
    /// Read the audit log: who did what, and how it ended.
    Audit(Audit),
    /// Open this workspace in a browser, by a link that works once.
    #[command(hide = true)] // until there is a workbench to see
    Open(Open),
    /// Say how the hub stands.
    Status(Json),
    /// End the hub. Its terminals go on until `--all` ends them too.
    Stop(Stop),
    /// End the hub and start it anew, for instance after an upgrade. Terminals and agents go on.
    Restart,
    /// Run the hub of a folder in the foreground.
    Serve(Serve),
    /// Say what is there and what is missing on this machine.
    Doctor(Json),
    /// Call a command of the hub with JSON arguments and print the JSON result.
    Call(Call),
    /// Hold terminals; started by the hub.
    #[command(hide = true)]
    Keeper(Keeper),
}

#[derive(Debug, Args)]
pub struct Json {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

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
Exit codes: the command's own; 124 when the time was up; 125 when Flightdeck itself failed;
126 when the program can't be executed; 127 when there is no such program; 130 when it was interrupted.")]
pub struct Run {
    /// Run in this shell terminal, as if it were typed there, instead of as a process of its own.
    #[arg(long = "in", value_name = "ID", conflicts_with_all = ["cwd", "env", "title", "size", "log_limit", "pty", "pipes"])]
    pub terminal: Option<TerminalId>,
    /// Give up waiting after this time, such as 30s or 5m. The command goes on unless --kill is given.
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
    pub id: TerminalId,
    /// The key that detaches.
    #[arg(long, value_name = "KEY", default_value = "C-\\")]
    pub detach_key: String,
}

#[derive(Debug, Args)]
pub struct Logs {
    /// Which terminal.
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
pub struct Send {
    /// Which terminal.
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
#[command(after_help = "Exit codes: 0 when a condition was met, 124 when the time was up.")]
pub struct Wait {
    /// Which terminal.
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
    /// Something listens on this local port.
    #[arg(long)]
    pub port: Option<u16>,
    /// Look at output from this cursor on; 0 is all of it. Without it, from now on.
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
pub struct Screen {
    /// Which terminal.
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
pub struct History {
    /// Which terminal.
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
    #[arg(long = "in", value_name = "ID")]
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

#[derive(Debug, Args)]
pub struct Lease {
    /// Of which terminal.
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
    #[arg(required = true)]
    pub ids: Vec<TerminalId>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
An agent's configuration names this program with the argument `mcp`:
  {\"mcpServers\": {\"flightdeck\": {\"command\": \"flightdeck\", \"args\": [\"mcp\"]}}}")]
pub struct Mcp {
    /// Which tools, by family: terminal, openspace, hub, all.
    #[arg(long, value_name = "FAMILIES", value_delimiter = ',', default_value = "all")]
    pub tools: Vec<String>,
    /// How tools are named: dotted (flightdeck.terminal.run) or underscore, for clients that refuse dots.
    #[arg(long, value_enum, value_name = "STYLE", default_value = "dotted")]
    pub tool_names: ToolNames,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum ToolNames {
    Dotted,
    Underscore,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Audit {
    #[command(subcommand)]
    pub action: Option<AuditAction>,
    /// Calls of the last time, such as 1h or 2d.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub since: Option<Duration>,
    /// A part of the name of who called.
    #[arg(long, short = 'a', value_name = "NAME")]
    pub actor: Option<String>,
    /// How the command begins, or a pattern with *.
    #[arg(long, short = 'c', value_name = "COMMAND")]
    pub command: Option<String>,
    /// The terminal that it was about.
    #[arg(long, short = 't', value_name = "ID")]
    pub terminal: Option<String>,
    /// ok, failed, or an error code.
    #[arg(long, short = 'r', value_name = "RESULT")]
    pub result: Option<String>,
    /// A part of the arguments or the error.
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
    /// The newest so many.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Go on with what is called from now on.
    #[arg(long, short = 'f')]
    pub follow: bool,
    /// Print JSON, one call a line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum AuditAction {
    /// Check that no entry was changed, removed or added.
    Verify(Json),
}

#[derive(Debug, Args)]
pub struct Open {
    /// Print the link instead of opening a browser.
    #[arg(long)]
    pub print: bool,
}

#[derive(Debug, Args)]
pub struct Terminals {
    /// Which terminals.
    #[arg(required = true)]
    pub ids: Vec<TerminalId>,
}

#[derive(Debug, Args)]
pub struct Kill {
    /// Which terminals.
    #[arg(required = true)]
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
    pub id: TerminalId,
    /// INT, TERM, SIGHUP, 9, …
    pub signal: String,
}

#[derive(Debug, Args)]
pub struct Resize {
    /// Which terminal.
    pub id: TerminalId,
    /// The window, as COLSxROWS.
    #[arg(value_parser = size)]
    pub size: WindowSize,
}

#[derive(Debug, Args)]
pub struct Stop {
    /// End the terminals too.
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub struct Serve {
    /// The folder.
    pub dir: Option<PathBuf>,
    /// Leave the terminal that it was started from; its messages go to the hub's log file.
    #[arg(long, hide = true)]
    pub background: bool,
}

#[derive(Debug, Args)]
pub struct Call {
    /// Which command, such as flightdeck.terminal.list.
    #[arg(required_unless_present = "list")]
    pub command: Option<String>,
    /// Its arguments, as a JSON object.
    #[arg(default_value = "{}")]
    pub args: String,
    /// List the commands; as JSON with their schemas.
    #[arg(long, conflicts_with = "command")]
    pub list: bool,
    /// Print the list as JSON.
    #[arg(long, requires = "list")]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Keeper {
    /// Its socket.
    #[arg(long)]
    pub socket: PathBuf,
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn size(text: &str) -> Result<WindowSize, String> {
    let problem = || "expected COLSxROWS, both from 1 to 2000, such as 120x40".to_owned();
    let (cols, rows) = text.split_once('x').ok_or_else(problem)?;
    let size = WindowSize { rows: rows.parse().map_err(|_| problem())?, cols: cols.parse().map_err(|_| problem())? };
    if (1..=2000).contains(&size.rows) && (1..=2000).contains(&size.cols) { Ok(size) } else { Err(problem()) }
}

fn duration(text: &str) -> Result<Duration, String> {
    let problem = || "expected a time such as 500ms, 30s, 5m, 2h or 1d".to_owned();
    let unit = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..unit].parse().map_err(|_| problem())?;
    let factor = match &text[unit..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(problem()),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| problem())
}

fn bytes(text: &str) -> Result<u64, String> {
    let problem = || "expected a number of bytes such as 65536, 512K, 64M or 1G".to_owned();
    let unit = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..unit].parse().map_err(|_| problem())?;
    let shift = match text[unit..].trim_end_matches("iB") {
        "" | "B" => 0,
        "K" | "k" => 10,
        "M" => 20,
        "G" => 30,
        _ => return Err(problem()),
    };
    number.checked_shl(shift).filter(|bytes| bytes >> shift == number).ok_or_else(problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times() {
        assert_eq!(duration("1500ms"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        for text in ["", "s", "5x", "-1s", "1e9h", "1..2s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_and_bytes() {
        assert_eq!(size("120x40"), Ok(WindowSize { rows: 40, cols: 120 }));
        for text in ["", "120", "0x10", "10x0", "3000x10", "axb", "-1x5"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("1GiB"), Ok(1 << 30));
        for text in ["", "M", "1T", "99999999999999999999", "18446744073709551615G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
