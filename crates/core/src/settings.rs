//! What a user can set, in `settings.toml` of Flightdeck's configuration folder.
//!
//! The file belongs to the user and not to the workspace: a project must not be able to raise its own limits.

mod load;

use std::collections::BTreeMap;
use std::path::PathBuf;

use flightdeck_files::Rules;
use serde::Deserialize;

pub use load::{Loaded, SettingsError};

use crate::terminals::ground::TabBackend;

/// All settings; what the file leaves out has its default.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What one agent may do at once.
    pub limits: LimitSettings,
    /// What becomes of what agents leave behind.
    pub agents: AgentSettings,
    /// How long the audit log is kept.
    pub audit: AuditSettings,
    /// Where HTTP is served.
    pub http: HttpSettings,
    /// How people are asked.
    pub approvals: ApprovalSettings,
    /// The door for hubs of containers on this machine.
    pub bridge: BridgeSettings,
    /// The window that is started when a person is needed and no front end is attached.
    pub window: WindowSettings,
    /// How older clients are treated.
    pub compat: CompatSettings,
    /// What headless commands are confined to.
    pub sandbox: SandboxSettings,
    /// How much the tabs of one agent may take.
    pub tabs: TabSettings,
    /// Which files agents may read and write.
    pub files: FileSettings,
}

/// `[limits]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitSettings {
    /// Calls that run at once.
    pub at_once: usize,
    /// Calls that may wait for others to end.
    pub queue: usize,
    /// Calls in one turn, where turns are known.
    pub per_turn: usize,
    /// Calls in a burst, where turns are not known.
    pub burst: f64,
    /// Calls a second after the burst.
    pub per_second: f64,
    /// Terminals of one agent that run at once, beside tabs.
    pub terminals: usize,
    /// Terminals of all agents together that run at once, tabs included: an agent that comes again under another name has no more.
    pub workspace_terminals: usize,
    /// So many terminals the machine must have room for beside those of agents, for people.
    pub people_terminals: usize,
}

impl Default for LimitSettings {
    fn default() -> Self {
        LimitSettings {
            at_once: 10,
            queue: 50,
            per_turn: 50,
            burst: 500.0,
            per_second: 100.0,
            terminals: 200,
            workspace_terminals: 400,
            people_terminals: 20,
        }
    }
}

/// `[agents]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgentSettings {
    /// How long an agent that has left may take to come back before its terminals are ended.
    pub grace_seconds: f64,
    /// How long an agent without a connection may be silent before it counts as gone.
    pub idle_seconds: u64,
    /// How long an agent that the hub runs may take to say that it is there, and then to begin a session.
    pub start_seconds: u64,
    /// A file in the format of the ACP registry, with agents that can be started by name.
    pub registry: Option<PathBuf>,
    /// MCP servers that agents which the hub runs are given beside its own, by name.
    pub mcp: BTreeMap<String, McpServerSettings>,
}

/// `[agents.mcp.NAME]`: a program with its arguments, or an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpServerSettings {
    /// The program, absolute or on the PATH.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables to set for it.
    pub env: BTreeMap<String, String>,
    /// The address of one that speaks HTTP.
    pub url: Option<String>,
    /// Headers to send to it.
    pub headers: BTreeMap<String, String>,
    /// It speaks the older SSE.
    pub sse: bool,
}

impl McpServerSettings {
    fn problem(&self) -> Option<&'static str> {
        match (&self.command, &self.url) {
            (Some(_), None) if self.headers.is_empty() && !self.sse => None,
            (None, Some(url)) if url.starts_with("http://") || url.starts_with("https://") => {
                let is_plain = self.args.is_empty() && self.env.is_empty();
                (!is_plain).then_some("agents.mcp: args and env go with a command, and not with a url")
            }
            (None, Some(_)) => Some("agents.mcp: a url begins with http:// or https://"),
            (Some(_), None) => Some("agents.mcp: headers and sse go with a url, and not with a command"),
            _ => Some("agents.mcp: each server has either a command or a url"),
        }
    }
}

impl Default for AgentSettings {
    fn default() -> Self {
        AgentSettings {
            grace_seconds: 300.0,
            idle_seconds: 1800,
            start_seconds: 60,
            registry: None,
            mcp: BTreeMap::new(),
        }
    }
}

/// `[audit]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditSettings {
    /// After so many days an entry is removed.
    pub days: u32,
}

impl Default for AuditSettings {
    fn default() -> Self {
        AuditSettings { days: 90 }
    }
}

/// `[http]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpSettings {
    /// Whether HTTP is served at all.
    pub enabled: bool,
    /// The address; the loopback alone unless told otherwise.
    pub address: std::net::IpAddr,
    /// The port; one of the workspace's own when absent.
    pub port: Option<u16>,
    /// Names by which the hub may be called beside `localhost`.
    pub hosts: Vec<String>,
}

impl Default for HttpSettings {
    fn default() -> Self {
        HttpSettings { enabled: true, address: std::net::Ipv4Addr::LOCALHOST.into(), port: None, hosts: Vec::new() }
    }
}

/// `[approvals]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ApprovalSettings {
    /// After so long a request lapses. It is never taken as a yes.
    pub expire_seconds: u64,
    /// Whether a request waits although no front end is attached; otherwise it is refused at once.
    pub wait_unattended: bool,
}

impl Default for ApprovalSettings {
    fn default() -> Self {
        ApprovalSettings { expire_seconds: 600, wait_unattended: false }
    }
}

/// `[bridge]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BridgeSettings {
    /// Whether hubs of containers are served at all.
    pub enabled: bool,
    /// The address; the loopback alone unless told otherwise.
    pub address: std::net::IpAddr,
    /// The port; that of the contract without it, or what the environment says.
    pub port: Option<u16>,
    /// The file with the token; one of the workspace's own, which is made when there is none, without it.
    pub token_file: Option<PathBuf>,
    /// So often both sides say that they are there. One that was silent for three times as long is gone.
    pub heartbeat_ms: u64,
}

impl Default for BridgeSettings {
    fn default() -> Self {
        let address = std::net::Ipv4Addr::LOCALHOST.into();
        BridgeSettings { enabled: false, address, port: None, token_file: None, heartbeat_ms: 5_000 }
    }
}

/// `[window]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindowSettings {
    /// Whether one is started at all.
    pub launch: bool,
    /// Its program, an absolute path; the one beside Flightdeck's own, or on the PATH, without it.
    pub binary: Option<PathBuf>,
    /// How long it may take to be ready, in milliseconds.
    pub spawn_timeout_ms: u64,
}

impl Default for WindowSettings {
    fn default() -> Self {
        WindowSettings { launch: true, binary: None, spawn_timeout_ms: 8_000 }
    }
}

/// `[compat]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompatSettings {
    /// How the older actions of the terminal contract are taken: `A` accepts, `B` warns, `C` refuses them.
    pub phase: flightdeck_contract::canonical::Phase,
    /// Whether the older tools are listed over HTTP.
    pub tools: bool,
}

/// `[sandbox]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SandboxSettings {
    /// Whether headless commands are confined, where the kernel can.
    pub enabled: bool,
    /// Whether they are refused where it can't; otherwise they run without, and their results say so.
    pub required: bool,
    /// Whether all of them may use the network. A rule of the policy can allow it to single ones.
    pub network: bool,
    /// Folders that they may write beside the workspace and the temporary ones, absolute or from `~/` on.
    pub write: Vec<PathBuf>,
}

impl Default for SandboxSettings {
    fn default() -> Self {
        SandboxSettings { enabled: true, required: false, network: false, write: Vec::new() }
    }
}

/// `[tabs]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TabSettings {
    /// How many tabs one agent may have open.
    pub per_agent: usize,
    /// How many bytes the logs of one agent's tabs may take on disk.
    pub log_bytes: u64,
    /// What tabs run in: `auto`, `tmux` or `pty`.
    pub backend: TabBackend,
    /// The session of the user's own tmux that tabs are opened in; one of the hub's own without it.
    pub tmux_attach: Option<String>,
    /// The socket of that tmux, or its name as for `tmux -L`; the usual one without it.
    pub tmux_socket: Option<String>,
}

impl TabSettings {
    /// Why a session can't be attached to as it is set, if so.
    pub fn attach_problem(&self) -> Option<&'static str> {
        let bad = |name: &String| name.is_empty() || name.contains(|c: char| c == ':' || c == '.' || c.is_control());
        if self.tmux_attach.as_ref().is_some_and(bad) {
            return Some("tabs.tmux_attach must be the name of a tmux session, which holds no `:` and no `.`");
        }
        if self.tmux_attach.is_some() && self.backend == TabBackend::Pty {
            return Some("tabs.tmux_attach needs tmux, and tabs.backend is pty: leave out one of them");
        }
        let bad = |socket: &String| socket.is_empty() || (socket.contains('/') && !socket.starts_with('/'));
        if self.tmux_socket.as_ref().is_some_and(bad) {
            return Some("tabs.tmux_socket must be an absolute path, or a name as for `tmux -L`");
        }
        None
    }
}

impl Default for TabSettings {
    fn default() -> Self {
        TabSettings {
            per_agent: 50,
            log_bytes: 2 << 30,
            backend: TabBackend::Auto,
            tmux_attach: None,
            tmux_socket: None,
        }
    }
}

/// `[files]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileSettings {
    /// Files that agents may not read beside those with secrets, as in a `.gitignore`; `!` allows one.
    pub deny: Vec<String>,
    /// Files that may not be written beside `.git/` and `node_modules/`, in the same way.
    pub protect: Vec<String>,
    /// How many bytes of replaced content are kept for undo.
    pub undo_bytes: u64,
    /// How many writes can be undone.
    pub undo_entries: usize,
}

impl Default for FileSettings {
    fn default() -> Self {
        FileSettings { deny: Vec::new(), protect: Vec::new(), undo_bytes: 256 << 20, undo_entries: 2000 }
    }
}

impl Settings {
    /// The folder of all that the user has set.
    pub fn folder() -> PathBuf {
        let from_environment = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let base =
            from_environment.unwrap_or_else(|| std::env::home_dir().unwrap_or_else(std::env::temp_dir).join(".config"));
        base.join("flightdeck")
    }

    /// The user's file.
    pub fn path() -> PathBuf {
        Self::folder().join("settings.toml")
    }

    fn check(&self) -> Result<(), String> {
        self.check_values()?;
        Rules::new(&self.files.deny, &self.files.protect).map(drop).map_err(|error| format!("files: {error}"))
    }

    fn check_values(&self) -> Result<(), &'static str> {
        let limits = &self.limits;
        if [limits.at_once, limits.per_turn, limits.terminals, limits.workspace_terminals].contains(&0) {
            return Err(
                "limits.at_once, per_turn, terminals and workspace_terminals must be at least 1: nothing could be called or run",
            );
        }
        // Written so that NaN fails too.
        if !(limits.burst >= 1.0 && limits.per_second > 0.0 && limits.burst.is_finite()) {
            return Err("limits.burst must be at least 1 and limits.per_second more than 0");
        }
        if !(0.0..=1e9).contains(&self.agents.grace_seconds) {
            return Err("agents.grace_seconds must be a number of seconds from 0 on");
        }
        if self.agents.idle_seconds > 1_000_000_000 {
            return Err("agents.idle_seconds must be a number of seconds up to a billion");
        }
        if let Some(problem) = self.agents.mcp.values().find_map(McpServerSettings::problem) {
            return Err(problem);
        }
        if self.approvals.expire_seconds == 0 || self.approvals.expire_seconds > 1_000_000 {
            return Err("approvals.expire_seconds must be from 1 to a million");
        }
        if self.audit.days == 0 {
            return Err("audit.days must be at least 1");
        }
        if self.tabs.per_agent == 0 || self.tabs.log_bytes < 1 << 20 {
            return Err("tabs.per_agent must be at least 1 and tabs.log_bytes at least a mebibyte");
        }
        if let Some(problem) = self.tabs.attach_problem() {
            return Err(problem);
        }
        if self.files.undo_entries == 0 || self.files.undo_bytes < 1 << 20 {
            return Err("files.undo_entries must be at least 1 and files.undo_bytes at least a mebibyte");
        }
        if !(50..=60_000).contains(&self.bridge.heartbeat_ms) {
            return Err("bridge.heartbeat_ms must be from 50 to 60000");
        }
        if !(1..=30_000).contains(&self.window.spawn_timeout_ms) {
            return Err("window.spawn_timeout_ms must be from 1 to 30000");
        }
        if self.sandbox.required && !self.sandbox.enabled {
            return Err("sandbox.required asks for what sandbox.enabled = false switches off: leave out one of them");
        }
        if self.sandbox.write.iter().any(|folder| !folder.is_absolute() && !folder.starts_with("~")) {
            return Err("sandbox.write takes absolute paths and those that begin with ~/");
        }
        Ok(())
    }
}
