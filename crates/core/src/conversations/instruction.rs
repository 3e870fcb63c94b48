//! What people want of an agent, on its way to whoever speaks with it.

use std::collections::BTreeMap;

use flightdeck_contract::Error;
use flightdeck_contract::chat::{AgentSessions, Block, Prompted};
use serde_json::Value;
use tokio::sync::oneshot;

/// Something that a person wants of an agent.
#[derive(Debug)]
pub enum Instruction {
    /// To work on this.
    Prompt {
        /// What was said.
        content: Vec<Block>,
        /// By whom.
        by: String,
        /// Answered when it is on its way.
        reply: Reply<Prompted>,
    },
    /// To stop.
    Cancel {
        /// Answered when it is on its way.
        reply: Reply<()>,
    },
    /// To work in another mode.
    Mode {
        /// Its id.
        mode: String,
        /// Answered by the agent.
        reply: Reply<()>,
    },
    /// To use another model, or the like.
    Option {
        /// The id of the option.
        option: String,
        /// The id of the value.
        value: String,
        /// Answered by the agent.
        reply: Reply<()>,
    },
    /// To sign in.
    Authenticate {
        /// The id of the way to do so.
        method: String,
        /// Answered by the agent.
        reply: Reply<()>,
    },
    /// To go on: its user has signed in elsewhere, and it was not started again.
    SignedIn {
        /// Answered when it can be prompted, or is about to begin a session.
        reply: Reply<()>,
    },
    /// An answer to its question.
    Answer {
        /// The number of the entry with the question.
        entry: u64,
        /// What was filled in; `None` when a person declines.
        values: Option<BTreeMap<String, Value>>,
        /// By whom.
        by: String,
        /// Answered when it is on its way.
        reply: Reply<()>,
    },
    /// To list its sessions.
    ListSessions {
        /// Those of all folders.
        all: bool,
        /// Answered by the agent.
        reply: Reply<AgentSessions>,
    },
    /// To forget a session.
    DeleteSession {
        /// Its own name for it.
        session: String,
        /// Answered by the agent.
        reply: Reply<()>,
    },
    /// To sign its user out.
    SignOut {
        /// Answered by the agent.
        reply: Reply<()>,
    },
    /// To let its session go, before its process is ended.
    Close {
        /// Answered when it has, or can't.
        reply: Reply<()>,
    },
}

/// The way of an answer to whoever gave an order.
#[derive(Debug)]
pub struct Reply<T>(oneshot::Sender<Result<T, Error>>);

impl<T> Reply<T> {
    pub(super) fn channel() -> (Self, oneshot::Receiver<Result<T, Error>>) {
        let (sender, receiver) = oneshot::channel();
        (Reply(sender), receiver)
    }

    /// Answers. Whoever asked may be gone.
    pub fn send(self, answer: Result<T, Error>) {
        let _ = self.0.send(answer);
    }
}
