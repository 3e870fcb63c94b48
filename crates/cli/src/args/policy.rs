//! `flightdeck policy`: what agents may run without asking.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use flightdeck_contract::policy::{PolicyMode, RuleAction};

use super::Json;
use super::values::duration;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  flightdeck policy test 'rm -rf build'           what would be decided, by which rule and why
  flightdeck policy explain 'rm -rf build'        the same at length, for every mode
  flightdeck policy rehearse 'cargo test *'       what a rule would have changed so far
  flightdeck policy add 'cargo test *'            allow it from now on
  flightdeck policy remove cargo-test             not any more
  flightdeck policy edit                          write rules by hand; they count when you accept them
  flightdeck policy accept                        see what was changed from outside, and let it count
  flightdeck policy check                         what is wrong with the files")]
pub struct Policy {
    #[command(subcommand)]
    pub action: PolicyAction,
}

#[derive(Debug, Subcommand)]
pub enum PolicyAction {
    /// Say what would be decided about a command, without running it.
    Test(Test),
    /// Say it at length: the pieces, what can't be proven, every mode, the rule that would help.
    Explain(Explain),
    /// Show the files, the rules in force and how careful each surface is.
    Show(Json),
    /// Add a rule.
    Add(Add),
    /// Remove a rule by its name.
    Remove(RemoveRule),
    /// Open a policy file in $VISUAL or $EDITOR, and accept what is different then.
    Edit(PolicyPath),
    /// Show what was changed of the policy files from outside, and let it count.
    Accept(Accept),
    /// Put policy files back that were changed from outside; what they say is kept beside them.
    Reject(Json),
    /// Replay a proposed rule over what agents asked for so far.
    Rehearse(Rehearse),
    /// Print the path of the policy file.
    Path(PolicyPath),
    /// Look for mistakes in a policy file; no hub is needed.
    Check(Check),
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 allowed, with or without a warning; 10 needs approval; 11 blocked; 1 on errors.")]
pub struct Test {
    /// Where it would be run.
    #[arg(long, value_enum, default_value = "terminal")]
    pub mode: Mode,
    /// The folder that it would be run in; the workspace when not given.
    #[arg(long, short = 'C', value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Print JSON: decision, rule and reason.
    #[arg(long)]
    pub json: bool,
    /// The pieces of the command, what can't be proven and the rule that would help as well.
    #[arg(long, short = 'v')]
    pub verbose: bool,
    /// The command, as one argument.
    #[arg(value_name = "CMD")]
    pub command: String,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: as those of `flightdeck policy test`, for the mode terminal.")]
pub struct Explain {
    /// The folder that it would be run in; the workspace when not given.
    #[arg(long, short = 'C', value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// The command, as one argument.
    #[arg(value_name = "CMD")]
    pub command: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Unseen: only what is proven safe.
    Headless,
    /// In sight of a person, by the canonical contract.
    Interactive,
    /// flightdeck.terminal.*
    Terminal,
    /// openspace.*
    Openspace,
    /// Tabs.
    Tabs,
    /// Terminals of ACP agents.
    Acp,
}

impl From<Mode> for PolicyMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Headless => PolicyMode::Headless,
            Mode::Interactive => PolicyMode::Interactive,
            Mode::Terminal => PolicyMode::Terminal,
            Mode::Openspace => PolicyMode::Openspace,
            Mode::Tabs => PolicyMode::Tabs,
            Mode::Acp => PolicyMode::Acp,
        }
    }
}

/// A rule that is to be added or rehearsed.
#[derive(Debug, Args)]
pub struct Proposal {
    /// Patterns of commands: the words as they are, * for any further ones.
    #[arg(required = true, value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Ask a person about them instead of allowing them.
    #[arg(long, conflicts_with = "block")]
    pub ask: bool,
    /// Block them instead of allowing them.
    #[arg(long)]
    pub block: bool,
    /// Only where a person can see it, never headless.
    #[arg(long, conflicts_with_all = ["ask", "block"])]
    pub interactive_only: bool,
    /// Headless runs of it may use the network.
    #[arg(long, conflicts_with_all = ["ask", "block", "interactive_only"])]
    pub network: bool,
}

impl Proposal {
    /// What becomes of the commands.
    pub fn action(&self) -> RuleAction {
        match (self.ask, self.block) {
            (true, _) => RuleAction::Ask,
            (_, true) => RuleAction::Block,
            _ => RuleAction::Allow,
        }
    }
}

#[derive(Debug, Args)]
pub struct Add {
    #[command(flatten)]
    pub rule: Proposal,
    /// A name; made from the first pattern when not given.
    #[arg(long)]
    pub name: Option<String>,
    /// Why, for whoever reads the file.
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// In your own file, for all workspaces.
    #[arg(long)]
    pub everywhere: bool,
    /// Add nothing: show the rule and what it would have changed so far.
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RemoveRule {
    /// As `policy show` tells it.
    pub name: String,
    /// From your own file, for all workspaces.
    #[arg(long)]
    pub everywhere: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 accepted, or nothing waits; 1 not accepted.")]
pub struct Accept {
    /// Accept it without being asked.
    #[arg(long, short = 'y')]
    pub yes: bool,
    /// Print JSON: what waits, and which files were accepted. Without --yes nothing is.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Rehearse {
    #[command(flatten)]
    pub rule: Proposal,
    /// What was asked for in the last time, such as 7d; everything when not given.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub since: Option<Duration>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct PolicyPath {
    /// Your own file, for all workspaces.
    #[arg(long)]
    pub everywhere: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 when everything is right, 1 when not.")]
pub struct Check {
    /// Which file; both of the files in use when not given.
    pub file: Option<PathBuf>,
}
