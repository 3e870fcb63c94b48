//! `flightdeck approve`: a person's answers to agents.

use clap::{Args, ValueEnum};
use flightdeck_contract::ApprovalId;
use flightdeck_contract::approval;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  flightdeck approve --watch                      answer what comes, in this window
  flightdeck approve --list                       what waits now
  flightdeck approve a1                           let it run this one time
  flightdeck approve a1 --scope always            from now on, by a rule in the policy file
  flightdeck approve a1 --edit                    change the command first, in $VISUAL or $EDITOR
  flightdeck approve a1 --decline --reason 'use the staging server'

While `--watch` runs, agents' dangerous commands wait for you; without it they are refused at once.
With --watch --json, standard output has one event a line, and each line of standard input is an answer:
  {\"id\": \"a1\", \"choice\": \"approve\", \"scope\": \"once\"}
  {\"id\": \"a1\", \"choice\": \"decline\", \"reason\": \"not now\"}

Exit codes: 0 when it was answered; 3 when it was settled already (somebody was first, or its time was up);
4 when nothing waits under that id; 1 for anything else.")]
pub struct Approve {
    /// Which request, such as a1.
    #[arg(required_unless_present_any = ["list", "watch"], conflicts_with_all = ["list", "watch"])]
    pub id: Option<ApprovalId>,
    /// List what waits.
    #[arg(long, short = 'l', conflicts_with = "watch")]
    pub list: bool,
    /// Stay here, show each request as it comes, and ask for an answer.
    #[arg(long)]
    pub watch: bool,
    /// How far the yes reaches.
    #[arg(long, value_enum, conflicts_with_all = ["decline", "edit", "command", "list", "watch"])]
    pub scope: Option<Scope>,
    /// Change the command first, in $VISUAL or $EDITOR.
    #[arg(long, conflicts_with_all = ["command", "decline", "list", "watch"])]
    pub edit: bool,
    /// Run this in the place of the command.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["decline", "list", "watch"])]
    pub command: Option<String>,
    /// Answer an agent's own question with this option, by its id.
    #[arg(long, value_name = "ID", conflicts_with_all = ["decline", "edit", "command", "scope", "list", "watch"])]
    pub option: Option<String>,
    /// Say no.
    #[arg(long, short = 'd', conflicts_with_all = ["list", "watch"])]
    pub decline: bool,
    /// Why not, for the agent.
    #[arg(long, value_name = "TEXT", requires = "decline")]
    pub reason: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Scope {
    /// This one time.
    Once,
    /// The same command in this terminal.
    Terminal,
    /// The same command of this agent, until it disconnects.
    Session,
    /// From now on, by a rule in the policy file.
    Always,
}

impl From<Scope> for approval::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Once => approval::Scope::Once,
            Scope::Terminal => approval::Scope::Terminal,
            Scope::Session => approval::Scope::Session,
            Scope::Always => approval::Scope::Always,
        }
    }
}
