//! The seat of whoever speaks an agent's protocol: what it hears, what it is told to do, and where it writes down what
//! follows from that.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use flightdeck_contract::chat::Chat;
use flightdeck_contract::{ConversationId, TerminalId};
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use tokio::sync::mpsc;

use super::answer_budget::AnswerBudget;
use super::conversation::Conversation;
use super::instruction::Instruction;
use super::live::Draft;
use super::wire::Wire;
use crate::actor::{Surface, person};
use crate::agents::{Agent, AgentKey, Arrival};
use crate::hub::Hub;

/// Speaks with agents, in whatever protocol.
pub trait Driver: Send + Sync + fmt::Debug {
    /// Speaks with one agent until its process has ended.
    fn drive(&self, seat: Seat) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Keeps together what is written down while it is held.
#[derive(Debug)]
pub struct Batch(Arc<Mutex<()>>);

impl Batch {
    /// Holds it, until this is dropped. Not over an `await`.
    pub fn hold(&self) -> MutexGuard<'_, ()> {
        self.0.lock()
    }
}

/// One conversation, for whoever speaks with its agent.
#[derive(Debug)]
pub struct Seat {
    pub(super) hub: Arc<Hub>,
    pub(super) conversation: Arc<Conversation>,
    /// What the agent had asked an earlier hub, which did not answer: JSON, by the id of each request.
    pub unanswered: Vec<(String, String)>,
    /// What the agent says.
    pub wire: Wire,
    /// What people want of it.
    pub orders: mpsc::Receiver<Instruction>,
}

impl Seat {
    /// The hub, for what the agent asks of it.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Which conversation it is.
    pub fn id(&self) -> ConversationId {
        self.conversation.id()
    }

    /// How it stands.
    pub fn chat(&self) -> Chat {
        self.conversation.chat()
    }

    /// What was last remembered; null when the agent was just started.
    pub fn memory(&self) -> Value {
        self.conversation.memory()
    }

    /// Writes down what follows from something. It is on disk with the next [`flush`](Self::flush).
    pub fn write<T>(&self, write: impl FnOnce(&mut Draft<'_>) -> T) -> T {
        self.conversation.write(write)
    }

    /// What is held while what follows from several messages is written down: none of it is put on disk without the rest.
    pub fn batch(&self) -> Batch {
        Batch(Arc::clone(self.conversation.batch()))
    }

    /// Whether something has to be on disk before it counts: a line for the agent.
    pub fn is_urgent(&self) -> bool {
        self.conversation.is_urgent()
    }

    /// Puts on disk what was written down, and then sends what is to be sent.
    pub async fn flush(&self) {
        self.conversation.flush().await;
    }

    /// The room for long answers to the agent.
    pub fn answers(&self) -> &Arc<AnswerBudget> {
        self.conversation.answers()
    }

    /// The agent is here, under this name.
    pub fn arrive(&self, name: &str, version: &str) -> Agent {
        let arrival = Arrival {
            name: name.to_owned(),
            version: version.to_owned(),
            surface: Surface::Acp,
            key: self.run().map(AgentKey::Process),
            pid: None,
        };
        let agent = self.conversation.agent().arrive(self.hub.agents(), &arrival);
        self.conversation.write(|draft| draft.chat().agent.number = Some(agent.number()));
        agent
    }

    /// The terminal that holds the agent's process: another run of it has another one.
    pub fn run(&self) -> Option<TerminalId> {
        self.conversation.process()
    }

    /// The last lines that the agent wrote to its error output.
    pub fn last_errors(&self) -> Option<String> {
        self.wire.last_errors()
    }

    /// Who has asked for the end of the agent's process, if anybody has.
    pub fn stopped_by(&self) -> Option<String> {
        self.conversation.stopped_by().map(|by| person(&by).to_owned())
    }

    /// Ends what the agent has started and not released.
    pub async fn reap(&self) {
        super::terminals::reap(&self.hub, self.conversation.id()).await;
    }

    /// Ends the agent's process: it does not speak its protocol.
    pub async fn end(&self) {
        super::process::end_process(&self.hub, &self.conversation).await;
    }
}
