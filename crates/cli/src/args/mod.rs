//! The command line, defined once: help texts and parsing both come from here.

mod agent;
mod approve;
mod completions;
mod consent;
mod hub;
mod output;
mod policy;
mod terminal;
mod undo;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, CommandFactory as _, Parser, Subcommand};

pub use agent::{Agent, Which};
pub use approve::Approve;
pub use completions::{Completions, Shell};
pub use consent::Consent;
pub use hub::{Audit, AuditAction, Call, Keeper, Mcp, Open, Pair, Serve, Stop, Tabs, TabsBackend, TmuxPane, ToolNames};
pub use output::{History, Logs, Search, Send, Wait};
pub use policy::{Accept, Add, Check, Explain, Policy, PolicyAction, PolicyPath, Proposal, Rehearse, RemoveRule, Test};
pub use terminal::{Attach, Keep, Kill, Lease, LeaseAction, Ls, New, Resize, Run, Screen, Setup, Signal, Terminals};
pub use undo::Undo;

/// Shared terminals for people and their AI agents.
///
/// One hub per project owns the terminals; it is started by what needs one (`run`, `new`, `mcp`), never by a look such as
/// `ls`, and ends with `flightdeck stop`. Terminals outlive the hub.
#[derive(Debug, Parser)]
#[command(name = "flightdeck", version, propagate_version = true)]
pub struct Cli {
    /// The workspace: the folder whose hub is used. Without it, the project around the current folder (the nearest folder
    /// upwards with .git or flightdeck.toml), or the current folder.
    #[arg(long, short = 'w', global = true, value_name = "DIR", env = flightdeck_contract::WORKSPACE_VARIABLE)]
    pub workspace: Option<PathBuf>,

    /// What to do. Without it, Flightdeck says what is there.
    #[command(subcommand)]
    pub command: Option<Command>,
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
    /// Wait for the first of some conditions: a pattern, a prompt, quiet, a port, exit; the end of its command by default.
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
    /// Talk with an agent that the hub runs, in this window.
    Agent(Agent),
    /// List the agents with what each of them does or waits for.
    Agents(Json),
    /// Answer agents that wait for a yes: list, approve, decline, or watch in this window.
    Approve(Approve),
    /// See and change what agents may run without asking.
    Policy(Policy),
    /// Take back what was written into files through the hub.
    Undo(Undo),
    /// Show, give or take consent to agents that control panes and editors.
    Consent(Consent),
    /// Read the audit log: who did what, and how it ended.
    Audit(Audit),
    /// Open the workbench of this workspace in a browser, by a link that works once.
    Open(Open),
    /// Make a window yours that is not recognised as such: shows a code in a window that is yours, asks for it in the other.
    Pair(Pair),
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
    /// Print what a shell needs to complete the words of this program.
    Completions(Completions),
    /// Hold terminals; started by the hub.
    #[command(hide = true)]
    Keeper(Keeper),
    /// Hold the shell of a tab in its pane; started by tmux.
    #[command(hide = true)]
    TmuxPane(TmuxPane),
    /// Say what this tmux session is; started by tmux.
    #[command(hide = true)]
    TmuxHome,
}

#[derive(Debug, Args)]
pub struct Json {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Reads the command line. What can't be read is told, and ends the program.
pub fn matches(args: Vec<OsString>) -> ArgMatches {
    // A variable that is empty is one that somebody wanted to be without.
    let named = std::env::var_os(flightdeck_contract::WORKSPACE_VARIABLE).is_some_and(|dir| !dir.is_empty());
    let mut command = Cli::command().mut_arg("workspace", |arg| if named { arg } else { arg.env(None::<&str>) });
    command.build();
    let args = without_help_of_help(&command, args);
    command.get_matches_from(args)
}

/// `flightdeck help --help` is no more than `flightdeck help`, as `policy help --help` is.
fn without_help_of_help(command: &clap::Command, mut args: Vec<OsString>) -> Vec<OsString> {
    let mut command = command;
    for at in 1..args.len().saturating_sub(1) {
        if args[at] == "help" && command.has_subcommands() {
            if args[at + 1] == "--help" || args[at + 1] == "-h" {
                args.truncate(at + 1);
            }
            break;
        }
        match args[at].to_str().and_then(|word| command.find_subcommand(word)) {
            Some(inner) => command = inner,
            None => break,
        }
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn only_help_has_no_help_of_its_own() {
        let kept = |line: &str| {
            let args = line.split(' ').map(OsString::from).collect();
            without_help_of_help(&Cli::command(), args).join(" ".as_ref()).into_string().unwrap_or_default()
        };
        assert_eq!(kept("flightdeck help --help"), "flightdeck help");
        assert_eq!(kept("flightdeck policy help -h"), "flightdeck policy help");
        for line in ["flightdeck run help --help", "flightdeck help run", "flightdeck run --help", "flightdeck help"] {
            assert_eq!(kept(line), line);
        }
    }
}
