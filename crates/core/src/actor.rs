//! Who makes a call.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::TerminalId;
use flightdeck_contract::approval::Approval;

use crate::agents::Limits;
use crate::approvals::Answer;

/// A person at a front end, or an agent on a connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A person, by the front end: `cli:anna`, `web:2`.
    Human(String),
    /// An agent.
    Agent {
        /// Its number, for one connection and never used again while the hub runs.
        number: u32,
        /// What it calls itself.
        name: String,
    },
}

impl Actor {
    /// Whether it is a person.
    pub fn is_human(&self) -> bool {
        matches!(self, Actor::Human(_))
    }

    /// What an agent calls itself.
    pub fn agent_name(&self) -> Option<&str> {
        match self {
            Actor::Human(_) => None,
            Actor::Agent { name, .. } => Some(name),
        }
    }
}

/// As it stands in records, in the audit log and in messages: `cli:anna`, `claude-code#3`.
impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Human(front_end) => f.write_str(front_end),
            Actor::Agent { number, name } => write!(f, "{name}#{number}"),
        }
    }
}

/// Through which door a call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Surface {
    /// The private socket, which the command line uses.
    Control,
    /// MCP over standard input and output.
    McpStdio,
    /// MCP over HTTP.
    McpHttp,
    /// HTTP beside MCP: an external IDE.
    Http,
}

impl Surface {
    /// Its name in the audit log.
    pub fn name(self) -> &'static str {
        match self {
            Surface::Control => "control",
            Surface::McpStdio => "mcp-stdio",
            Surface::McpHttp => "mcp-http",
            Surface::Http => "http",
        }
    }
}

/// Who makes a call, through which door, and as part of what.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who.
    pub actor: Actor,
    /// Through which door.
    pub surface: Surface,
    /// The agent's turn that the call belongs to, where it is known.
    pub turn: Option<String>,
    /// An id that the caller follows the call by; it goes into the audit log unchanged.
    pub trace: Option<String>,
    /// How the person behind an agent's client can be asked, when no front end is attached.
    pub asks: Option<Arc<dyn Asks>>,
    /// The terminal that a front end was started in, when it is one of the hub's own.
    pub within: Option<Within>,
    /// What an agent may do at once.
    pub(crate) limits: Option<Arc<Limits>>,
}

/// Asks the person behind an agent's client.
pub trait Asks: Send + Sync + fmt::Debug {
    /// Their answer; `None` when they can't be asked.
    fn ask(&self, approval: Approval) -> Pin<Box<dyn Future<Output = Option<Answer>> + Send>>;
}

/// Where a front end was started: inside of one of the terminals that agents share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within {
    /// Which terminal, when it is known.
    pub terminal: Option<TerminalId>,
}

/// How long a bounded wait lasts when the caller sets no time.
const DEFAULT_TIME: Duration = Duration::from_secs(30);
/// The longest bounded wait of an agent. What it waits for goes on after it.
const LONGEST_TIME: Duration = Duration::from_mins(5);

impl Caller {
    /// How long a bounded wait lasts: as asked, but of an agent never so long that its client gives up on it.
    pub(crate) fn time_limit(&self, asked_ms: Option<u64>) -> Duration {
        let time = asked_ms.map_or(DEFAULT_TIME, Duration::from_millis);
        if self.actor.is_human() { time } else { time.min(LONGEST_TIME) }
    }

    /// A person at a front end.
    pub fn human(front_end: impl Into<String>) -> Self {
        Caller {
            actor: Actor::Human(front_end.into()),
            surface: Surface::Control,
            turn: None,
            trace: None,
            asks: None,
            within: None,
            limits: None,
        }
    }

    /// The caller as it counts: what was started in a terminal that agents can type into may be their doing, whatever it
    /// says.
    pub(crate) fn counted(mut self) -> Self {
        if let (Actor::Human(_), Some(Within { terminal })) = (&self.actor, self.within) {
            let place = terminal.map_or_else(|| "a terminal".to_owned(), |id| id.to_string());
            // No agent has this number, so it is never here: what it starts or holds goes soon.
            self.actor = Actor::Agent { number: 0, name: format!("program in {place}") };
        }
        self
    }
}
