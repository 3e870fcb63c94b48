//! Who makes a call.

use std::fmt;
use std::sync::Arc;

use crate::agents::Limits;

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
}

impl Surface {
    /// Its name in the audit log.
    pub fn name(self) -> &'static str {
        match self {
            Surface::Control => "control",
            Surface::McpStdio => "mcp-stdio",
            Surface::McpHttp => "mcp-http",
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
    /// What an agent may do at once.
    pub(crate) limits: Option<Arc<Limits>>,
}

impl Caller {
    /// A person at a front end.
    pub fn human(front_end: impl Into<String>) -> Self {
        Caller {
            actor: Actor::Human(front_end.into()),
            surface: Surface::Control,
            turn: None,
            trace: None,
            limits: None,
        }
    }
}
