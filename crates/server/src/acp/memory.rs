//! What has to be known of a connection when another hub takes it up: what was asked of the agent and not answered, and what
//! the agent has asked and not been told. It is kept with the conversation, in the same step as what follows from each message.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The state of one connection.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Memory {
    /// The id of the last request of ours.
    pub last: i64,
    /// What the agent has not answered, by the id of the request.
    pub asked: BTreeMap<i64, Asked>,
    /// What we have not answered, by the id that the agent gave it, as JSON. Each is kept in a row of its own; only what an
    /// older version has kept is read from here.
    #[serde(skip_serializing)]
    pub open: BTreeMap<String, Open>,
    /// How many bytes are kept of all that.
    #[serde(skip)]
    pub open_bytes: usize,
    /// What the agent can do, once it has said so.
    pub can: Option<Can>,
    /// The session was begun or taken up.
    pub ready: bool,
    /// What the agent tells is an old session again, which is here already. Some go on with that after they have answered,
    /// so it lasts until the next prompt goes out.
    pub replaying: bool,
    /// Entries of questions with a page to open that the agent may tell the end of, by its own name for each.
    pub pages: BTreeMap<String, u64>,
    /// Updates that came before the name of their session was known.
    pub early: Vec<Value>,
    /// The turn was cancelled, and the agent has not ended it yet. Empty where a person did so; else what of the budget was used.
    pub cancelled: Option<String>,
    /// Models that can be chosen by a request of their own.
    pub models: bool,
    /// A warning about the budget was shown.
    pub warned: bool,
}

/// Something that was asked of the agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub(super) enum Asked {
    Initialize,
    NewSession,
    LoadSession,
    ResumeSession,
    Prompt { turn: u32 },
    Mode { mode: String },
    Option,
    Model { model: String },
    Authenticate,
    Close,
    ListSessions,
    DeleteSession,
    SignOut,
}

/// Something that the agent has asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Open {
    pub method: String,
    pub params: Value,
    /// The entry that shows it, when one does.
    #[serde(default)]
    pub entry: Option<u64>,
    /// How many bytes are kept of it.
    #[serde(skip)]
    pub bytes: usize,
}

/// How many requests of an agent may be open at once.
pub(super) const MAX_OPEN_REQUESTS: usize = 10_000;
/// How many bytes of requests may be open at once. One alone may be as long as a line can be.
pub(super) const MAX_OPEN_BYTES: usize = 64 << 20;
/// How many updates are kept until the name of their session is known, and how many bytes of them. All of them are written
/// down again with each.
const MAX_EARLY_UPDATES: usize = 100;
const MAX_EARLY_BYTES: usize = 1 << 20;

/// How many pages may be open for an agent at once.
pub(super) const MAX_PAGES: usize = 100;

/// What an agent can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Can {
    pub load: bool,
    pub resume: bool,
    pub close: bool,
    /// Takes MCP servers that speak HTTP.
    pub mcp_http: bool,
    /// Takes those that speak the older SSE.
    pub mcp_sse: bool,
}

impl Memory {
    /// An id for a request of ours.
    pub(super) fn ask(&mut self, what: Asked) -> i64 {
        self.last += 1;
        self.asked.insert(self.last, what);
        self.last
    }

    /// What the agent has asked is open from now on.
    pub(super) fn insert_open(&mut self, id: String, open: Open) {
        self.open_bytes += open.bytes;
        if let Some(before) = self.open.insert(id, open) {
            self.open_bytes -= before.bytes;
        }
    }

    /// What the agent has asked is open no longer.
    pub(super) fn remove_open(&mut self, id: &str) -> Option<Open> {
        let open = self.open.remove(id)?;
        self.open_bytes -= open.bytes;
        Some(open)
    }

    /// Keeps an update until the name of its session is known. `false` when there is no room for it.
    pub(super) fn keep_early(&mut self, update: Value) -> bool {
        let length = |update: &Value| update.to_string().len();
        let kept: usize = self.early.iter().map(length).sum();
        let has_room = self.early.len() < MAX_EARLY_UPDATES && kept + length(&update) <= MAX_EARLY_BYTES;
        if has_room {
            self.early.push(update);
        }
        has_room
    }

    /// The turn that the agent works on.
    pub(super) fn turn(&self) -> Option<u32> {
        self.asked.values().find_map(|asked| match asked {
            Asked::Prompt { turn } => Some(*turn),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_updates_are_bounded_in_number_and_in_bytes() {
        let mut memory = Memory::default();
        for number in 0..MAX_EARLY_UPDATES {
            assert!(memory.keep_early(Value::from(number)));
        }
        assert!(!memory.keep_early(Value::Null));
        // A string is two bytes longer as JSON.
        let mut memory = Memory::default();
        assert!(!memory.keep_early(Value::from("x".repeat(MAX_EARLY_BYTES - 1))));
        assert!(memory.keep_early(Value::from("x".repeat(MAX_EARLY_BYTES - 10))));
        assert!(!memory.keep_early(Value::from("x".repeat(10))));
        assert!(memory.keep_early(Value::from("x".repeat(6))));
        assert!(!memory.keep_early(Value::Null));
    }
}
