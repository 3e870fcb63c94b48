//! Conversations with agents that the hub runs itself. The hub owns them: what was said is here and on disk, whoever looks,
//! and whatever protocol the agent speaks.
//!
//! ```text
//!   people ── chat.prompt ──► Instruction ──► Driver (server/acp) ── lines ──► pipes of the agent's process (keeper)
//!                                          │                                │
//!   people ◄── chat.watch ◄── Conversation ◄── Draft ◄── lines ── log ◄──────┘
//!                                  │
//!                                store: head with the cursor, entries, lines on their way
//! ```
//!
//! Everything that follows from a line of the agent is written down in one step with the place up to which its output was
//! read, and what is said to the agent is written down before it is sent. So a hub that is killed at any moment goes on where
//! it was: nothing is handled twice, and nothing is left out.

mod answer_budget;
mod conversation;
mod driver;
mod instruction;
pub(crate) mod keepsake;
mod kept;
mod live;
pub(crate) mod permission;
pub(crate) mod presets;
mod process;
mod registry;
pub(crate) mod sign_in;
pub(crate) mod standing;
pub(crate) mod terminals;
mod wire;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use flightdeck_contract::chat::Chat;
use flightdeck_contract::{ConversationId, Error, ErrorCode, TerminalId};
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::actor::Entry;
use crate::agents::{Agent, AgentKey, Arrival};
use crate::hub::Hub;
use crate::store::{Change, Store, StoreError};

pub use answer_budget::{AnswerBudget, AnswerRoom};
pub(crate) use conversation::Conversation;
pub use driver::{Batch, Driver, Seat};
pub use instruction::{Instruction, Reply};
pub use live::{Draft, Speaker};
pub(crate) use process::{restart, start, stop};
pub use wire::{Heard, Line};

/// What is kept in the store: the last number.
const LAST: &str = "conversations.last";

/// All conversations of a hub.
#[derive(Debug)]
pub(crate) struct Conversations {
    store: Arc<Store>,
    inner: Mutex<Inner>,
    driver: OnceLock<Arc<dyn Driver>>,
    /// Grows when one of them comes, goes, or stands otherwise than before.
    changes: Arc<watch::Sender<u64>>,
}

#[derive(Debug, Default)]
struct Inner {
    last: u32,
    all: BTreeMap<ConversationId, Arc<Conversation>>,
}

impl Conversations {
    /// Those that earlier hubs have kept.
    pub(crate) fn open(store: Arc<Store>) -> Result<Self, StoreError> {
        let last = store.fact(LAST)?.and_then(|text| text.parse().ok()).unwrap_or(0);
        let changes = Arc::new(watch::Sender::new(0));
        let mut inner = Inner { last, all: BTreeMap::new() };
        for stored in store.conversations()? {
            let number = stored.number;
            match Conversation::load(&store, &stored, &changes) {
                Ok(conversation) => drop(inner.all.insert(conversation.id(), Arc::new(conversation))),
                // It was written by another version, and is left alone.
                Err(error) => tracing::error!(number = number.0, %error, "a conversation can't be read"),
            }
            inner.last = inner.last.max(number.0);
        }
        Ok(Conversations { store, inner: Mutex::new(inner), driver: OnceLock::new(), changes })
    }

    /// All of them, the one that was last used first.
    pub(crate) fn list(&self) -> Vec<Chat> {
        let mut chats: Vec<_> = self.all().iter().map(|conversation| conversation.chat()).collect();
        chats.sort_by_key(|chat| std::cmp::Reverse((chat.updated_at_ms, chat.id)));
        chats
    }

    /// All of them, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Conversation>> {
        self.inner.lock().all.values().cloned().collect()
    }

    /// One of them.
    pub(crate) fn get(&self, id: ConversationId) -> Result<Arc<Conversation>, Error> {
        self.inner.lock().all.get(&id).cloned().ok_or_else(|| {
            Error::new(ErrorCode::ChatNotFound, format!("there is no conversation {id}"))
                .hint("`flightdeck agent --list` lists them")
        })
    }

    /// The conversation whose agent's process this terminal holds.
    fn held_by(&self, terminal: TerminalId) -> Option<Arc<Conversation>> {
        self.inner.lock().all.values().find(|conversation| conversation.process() == Some(terminal)).cloned()
    }

    /// The conversation with the agent of this number.
    pub(crate) fn with_agent(&self, number: u32) -> Option<Arc<Conversation>> {
        self.inner.lock().all.values().find(|conversation| conversation.agent().number() == Some(number)).cloned()
    }

    /// Grows when one of them comes, goes, or stands otherwise than before.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// A number that was never given out before.
    fn next_id(&self) -> Result<ConversationId, StoreError> {
        let mut inner = self.inner.lock();
        let next = inner.last + 1;
        self.store.write(Change::PutFact(LAST.to_owned(), next.to_string()))?;
        inner.last = next;
        Ok(ConversationId::new(next))
    }

    fn insert(&self, conversation: Arc<Conversation>) {
        self.inner.lock().all.insert(conversation.id(), conversation);
        self.tell();
    }

    /// Forgets one, on disk too.
    pub(crate) async fn remove(&self, id: ConversationId) -> Result<(), StoreError> {
        let removed = self.inner.lock().all.remove(&id);
        if let Some(conversation) = removed {
            conversation.forget().await?;
            self.tell();
        }
        Ok(())
    }

    fn tell(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    fn driver(&self) -> Result<&Arc<dyn Driver>, Error> {
        self.driver.get().ok_or_else(|| Error::new(ErrorCode::NotServed, "this hub runs no agents"))
    }
}

/// Where a program is, by the hub's own search path, or by its own where that is absolute.
pub fn find_program(program: &str) -> Option<std::path::PathBuf> {
    presets::on_path(program)
}

impl Hub {
    /// An agent on a connection of its own. One that the hub runs, and that uses our tools as well, is one agent: its process is
    /// what tells, and no word of its own.
    pub fn arrive(&self, arrival: &Arrival, entry: Entry) -> Agent {
        let conversation = match entry {
            Entry::InsideTerminal(Some(terminal)) => self.conversations().held_by(terminal),
            _ => None,
        };
        let Some(conversation) = conversation else { return self.agents().arrive(arrival) };
        // It may come here before its conversation is taken up again; it is known by the same name all the same.
        let known = conversation.chat().agent;
        let name = if known.number.is_some() { known.name } else { arrival.name.clone() };
        let key = conversation.process().map(AgentKey::Process);
        conversation.agent().arrive(self.agents(), &Arrival { name, key, pid: None, ..arrival.clone() })
    }

    /// Says who speaks with agents, and takes up the conversations whose agents still run.
    pub fn converse_by(self: &Arc<Self>, driver: Arc<dyn Driver>) {
        if self.conversations().driver.set(driver).is_ok() {
            process::take_up_all(self);
        }
    }
}
