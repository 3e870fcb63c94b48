//! Who makes a call, and how they came in.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::TerminalId;
use flightdeck_contract::approval::{Approval, Origin};

use crate::agents::Limits;
use crate::approvals::Answer;
use crate::errands::Link;
use crate::identity::Peer;
use crate::order::Ticket;

/// A person at a front end, or an agent on a connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A person, by the front end: `cli:anna`, `web:2`.
    Human(String),
    /// An agent.
    Agent {
        /// Its number, never another agent's. One that comes back to the next hub has the same there.
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

/// A person as texts for people call them: by their name where the front end knows it, and otherwise as whoever looks.
pub(crate) fn person(actor: &str) -> &str {
    match actor.split_once(':') {
        Some((_, name)) if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) => "you",
        Some((_, name)) => name,
        None => actor,
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
    /// An agent that the hub runs itself, over its pipes.
    Acp,
    /// The hub of a container.
    Bridge,
}

impl Surface {
    /// Its name in the audit log.
    pub fn name(self) -> &'static str {
        match self {
            Surface::Control => "control",
            Surface::McpStdio => "mcp-stdio",
            Surface::McpHttp => "mcp-http",
            Surface::Http => "http",
            Surface::Acp => "acp",
            Surface::Bridge => "bridge",
        }
    }

    /// How programs come in there.
    pub(crate) fn usual_entry(self) -> Entry {
        match self {
            Surface::Control | Surface::McpStdio | Surface::Acp => Entry::Socket,
            Surface::McpHttp | Surface::Http | Surface::Bridge => Entry::Token,
        }
    }
}

/// How a caller came in: what the hub knows of them by itself, whatever they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// By the private socket, which the user's own processes can open.
    Socket,
    /// Over HTTP with the cookie of a one-time link: a browser that a person has let in.
    Cookie,
    /// Over HTTP with the token. Configurations of agents hold it, so whoever shows it is a program and no person.
    Token,
    /// From a process inside of one of the terminals that agents share, by any door; which one, when it is known.
    InsideTerminal(Option<TerminalId>),
    /// From a process that a client of MCP has started, or from the client itself.
    OfAgent,
    /// From a process that nobody can tell whose it is.
    Unknown,
}

impl Entry {
    /// Somewhere that agents can type into.
    pub const INSIDE: Entry = Entry::InsideTerminal(None);

    /// Whether a person's answer can't come this way: it could be an agent that answers itself.
    pub fn may_be_agent(self) -> bool {
        matches!(self, Entry::InsideTerminal(_) | Entry::OfAgent | Entry::Unknown)
    }

    /// What a person's name stands for who came in like this, when that is no person.
    fn program(self, name: &str) -> Option<String> {
        match self {
            Entry::Socket | Entry::Cookie => None,
            Entry::Token => Some(name.to_owned()),
            Entry::InsideTerminal(Some(id)) => Some(format!("program in {id}")),
            Entry::InsideTerminal(None) => Some("program in a terminal".to_owned()),
            Entry::OfAgent => Some("program of an agent".to_owned()),
            Entry::Unknown => Some("unknown program".to_owned()),
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
    /// How they came in.
    pub entry: Entry,
    /// The session of processes that it belongs to, where it is known: a window of a person's, or a script.
    pub session: Option<u32>,
    /// Who is at the other end of the socket, where the call came by it.
    pub peer: Option<Peer>,
    /// The agent's turn that the call belongs to, where it is known.
    pub turn: Option<String>,
    /// An id that the caller follows the call by; it goes into the audit log unchanged.
    pub trace: Option<String>,
    /// How the person behind an agent's client can be asked, when no front end is attached.
    pub asks: Option<Arc<dyn Asks>>,
    /// Where it comes from, when that is not this machine.
    pub origin: Option<Arc<Origin>>,
    /// Whether somebody still waits, when the call outlives its connection.
    pub(crate) link: Option<Link>,
    /// Its place among the calls of its connection, which take effect in the order in which they came.
    pub ticket: Option<Arc<Ticket>>,
    /// What an agent may do at once.
    pub(crate) limits: Option<Arc<Limits>>,
}

/// Asks the person behind an agent's client.
pub trait Asks: Send + Sync + fmt::Debug {
    /// Their answer; `None` when they can't be asked.
    fn ask(&self, approval: Approval) -> Pin<Box<dyn Future<Output = Option<Answer>> + Send>>;
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
            entry: Entry::Socket,
            session: None,
            peer: None,
            turn: None,
            trace: None,
            asks: None,
            origin: None,
            link: None,
            ticket: None,
            limits: None,
        }
    }

    /// By what it is remembered how far it has read. Each command of the command line is a process of its own, so those of
    /// one window or script go on where the one before ended, and know nothing of what others have read.
    pub(crate) fn reader(&self) -> String {
        match self.session {
            Some(session) => format!("{} in {session}", self.actor),
            None => self.actor.to_string(),
        }
    }

    /// The call is a command that stands in line behind another one.
    pub(crate) fn stands_in_line(&self) {
        if let Some(ticket) = &self.ticket {
            ticket.stands_in_line();
        }
    }

    /// The call has taken effect: those of the same connection that touch the same may go on.
    pub(crate) fn took_effect(&self) {
        if let Some(ticket) = &self.ticket {
            ticket.took_effect();
        }
    }

    /// The same one, through another door.
    #[must_use]
    pub fn through(mut self, surface: Surface, entry: Entry) -> Self {
        (self.surface, self.entry) = (surface, entry);
        self
    }

    /// The caller as it counts: what was started in a terminal that agents can type into may be their doing, and so may
    /// what shows the token, whatever it says.
    pub(crate) fn counted(mut self) -> Self {
        if let Actor::Human(name) = &self.actor
            && let Some(name) = self.entry.program(name)
        {
            // No agent has this number, so it is never here: what it starts or holds goes soon.
            self.actor = Actor::Agent { number: 0, name };
        }
        self
    }

    /// The door and how they came in, for the audit log: `control`, `http/cookie`, `mcp-stdio/inside-t3`.
    pub(crate) fn way(&self) -> String {
        let surface = self.surface.name();
        match self.entry {
            Entry::Socket => surface.to_owned(),
            Entry::Cookie => format!("{surface}/cookie"),
            Entry::Token => format!("{surface}/token"),
            Entry::InsideTerminal(Some(id)) => format!("{surface}/inside-{id}"),
            Entry::InsideTerminal(None) => format!("{surface}/inside"),
            Entry::OfAgent => format!("{surface}/agent"),
            Entry::Unknown => format!("{surface}/unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_comes_by_the_socket_or_with_a_cookie() {
        for (entry, counted, way) in [
            (Entry::Socket, "cli:anna", "http"),
            (Entry::Cookie, "cli:anna", "http/cookie"),
            (Entry::Token, "cli:anna#0", "http/token"),
            (Entry::InsideTerminal(Some(TerminalId::new(3))), "program in t3#0", "http/inside-t3"),
            (Entry::INSIDE, "program in a terminal#0", "http/inside"),
            (Entry::OfAgent, "program of an agent#0", "http/agent"),
            (Entry::Unknown, "unknown program#0", "http/unknown"),
        ] {
            let caller = Caller::human("cli:anna").through(Surface::Http, entry).counted();
            assert_eq!((caller.actor.to_string().as_str(), caller.way().as_str()), (counted, way));
            assert_eq!(caller.actor.is_human(), matches!(entry, Entry::Socket | Entry::Cookie), "{entry:?}");
        }
    }
}
