//! `agent`: a conversation with an agent, in this window.

use std::path::PathBuf;

use clap::Args;
use flightdeck_contract::ConversationId;

/// Talk with an agent that the hub runs: start one by name or by command, or go on with a conversation.
///
/// Without anything, the agents that are known by name are listed, with how to install those that are missing. The agent goes
/// on when this window is closed: `--resume` takes the conversation up again, and the workbench shows it too.
#[derive(Debug, Args)]
pub struct Agent {
    /// An agent that is known by name: claude, codex, gemini, …
    #[arg(value_name = "NAME", conflicts_with_all = ["resume", "list", "stop", "remove"])]
    pub name: Option<String>,
    /// Any program that speaks the Agent Client Protocol, with its arguments.
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["name", "resume", "list", "stop", "remove"])]
    pub command: Vec<String>,
    /// Go on with a conversation; the last one when no id is given. An agent that has ended is started again.
    #[arg(long, short, value_name = "ID", num_args = 0..=1, default_missing_value = "last")]
    pub resume: Option<Which>,
    /// Begin a new session when the agent can't take its last one up again.
    #[arg(long, requires = "resume")]
    pub fresh: bool,
    /// Say this, show what comes of it, and leave. The answer goes to standard output, all else to standard error.
    ///
    /// Exits with 0 when the agent has ended its turn, with 130 when the turn was cancelled, and with 1 when the agent has failed
    /// or refused, with the reason on standard error.
    #[arg(long, short, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// Let the agent go on after a single prompt.
    #[arg(long, requires = "prompt")]
    pub keep: bool,
    /// The folder that the agent works in; the workspace when absent.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Another folder that the agent may work in, where it can; several times for several.
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub add_dir: Vec<PathBuf>,
    /// Begin with one of the agent's earlier sessions, by its own name for it (see --sessions).
    #[arg(long, value_name = "SESSION", conflicts_with = "resume")]
    pub session: Option<String>,
    /// Stop when the conversation has used so many tokens, where the agent tells.
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<u64>,
    /// Work in this mode.
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
    /// Use this model.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// List the conversations.
    #[arg(long, short)]
    pub list: bool,
    /// End the agent of a conversation. What was said stays.
    #[arg(long, value_name = "ID")]
    pub stop: Option<ConversationId>,
    /// End the agent of a conversation, and forget what was said.
    #[arg(long, value_name = "ID")]
    pub remove: Option<ConversationId>,
    /// List the sessions that the agent of a conversation knows, where it can tell.
    #[arg(long, value_name = "ID")]
    pub sessions: Option<ConversationId>,
    /// Have the agent forget one of them.
    #[arg(long, value_name = "SESSION", requires = "sessions")]
    pub delete: Option<String>,
    /// Sign out of the agent of a conversation, where it can.
    #[arg(long, value_name = "ID")]
    pub logout: Option<ConversationId>,
    /// Print JSON: lists as a whole, a conversation as one event in a line.
    #[arg(long)]
    pub json: bool,
}

/// Which conversation is meant.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    Last,
    Id(ConversationId),
}

impl std::str::FromStr for Which {
    type Err = flightdeck_contract::InvalidConversationId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "last" { Ok(Which::Last) } else { text.parse().map(Which::Id) }
    }
}
