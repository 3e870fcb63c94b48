//! The hub itself: agents' access, its log, its life.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

use super::Json;
use super::values::duration;
use crate::start::HubOptions;

#[derive(Debug, Args)]
#[command(after_help = "\
An agent's configuration names this program with the argument `mcp`:
  {\"mcpServers\": {\"flightdeck\": {\"command\": \"flightdeck\", \"args\": [\"mcp\"]}}}")]
pub struct Mcp {
    /// Which tools, by family: terminal, tabs, openspace, hub, all.
    #[arg(long, value_name = "FAMILIES", value_delimiter = ',', default_value = "all")]
    pub tools: Vec<String>,
    /// How tools are named: dotted (flightdeck.terminal.run) or underscore. Without it, underscore for clients that are known to
    /// take no dots, and dotted for others.
    #[arg(long, value_enum, value_name = "STYLE")]
    pub tool_names: Option<ToolNames>,
    /// List the older terminal tools too, for clients that look for them by name.
    #[arg(long)]
    pub compat_tools: bool,
    #[command(flatten)]
    pub tabs: Tabs,
}

/// What tabs run in, for a hub that is started now.
#[derive(Clone, Debug, Args)]
pub struct Tabs {
    /// What tabs run in: auto is tmux where it can be used. Above the setting tabs.backend.
    #[arg(long, value_enum, value_name = "BACKEND")]
    pub tabs_backend: Option<TabsBackend>,
    /// Open tabs as windows of this session of your own tmux. Agents read its other windows, and use those that you hand
    /// over. Whoever runs in that tmux can't approve. Above the setting tabs.tmux_attach.
    #[arg(long, value_name = "SESSION")]
    pub tmux_attach: Option<String>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TabsBackend {
    Auto,
    Tmux,
    Pty,
}

impl TabsBackend {
    /// As it is written on the command line.
    pub fn word(self) -> &'static str {
        match self {
            TabsBackend::Auto => "auto",
            TabsBackend::Tmux => "tmux",
            TabsBackend::Pty => "pty",
        }
    }
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
    /// ok, failed (also when the command ended with another exit code than 0), or an error code.
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
    /// End the warning that the database was lost, damaged, replaced or rolled back: you know of it.
    Acknowledge(Json),
}

#[derive(Debug, Args)]
pub struct Open {
    /// Print the link instead of opening a browser.
    #[arg(long)]
    pub print: bool,
}

#[derive(Debug, Args)]
pub struct Pair {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
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
    /// Be the hub of the keeper that has started this process, with these options; standard input is the channel to it.
    #[arg(long, hide = true, value_name = "OPTIONS", requires = "dir", conflicts_with_all = ["background", "tabs_backend", "tmux_attach", "bridge"])]
    pub by_keeper: Option<HubOptions>,
    #[command(flatten)]
    pub tabs: Tabs,
    /// Serve the hubs of containers on this machine, at this address: the loopback without one. Above the settings
    /// bridge.enabled and bridge.address.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "how clap says that a value can be left out")]
    pub bridge: Option<Option<std::net::IpAddr>>,
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
    /// Where it is remembered that it runs.
    #[arg(long)]
    pub state: PathBuf,
    /// The folder of the hub that it starts.
    #[arg(long)]
    pub root: PathBuf,
    /// Where that hub writes its log.
    #[arg(long)]
    pub hub_log: PathBuf,
    /// Start the hub at once, with these options.
    #[arg(long)]
    pub start: Option<String>,
}

#[derive(Debug, Args)]
pub struct TmuxPane {
    /// The terminal's folder.
    pub dir: PathBuf,
}
