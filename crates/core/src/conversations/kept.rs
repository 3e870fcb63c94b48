//! What is kept of a conversation beside what people see of it.

use flightdeck_contract::TerminalId;
use flightdeck_contract::chat::Chat;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A conversation's row in the store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    pub chat: Chat,
    #[serde(flatten)]
    pub kept: Kept,
}

/// What another hub needs to go on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The terminal that holds the agent's process.
    #[serde(default)]
    pub process: Option<TerminalId>,
    /// What the agent says was handled up to here.
    #[serde(default)]
    pub cursor: u64,
    /// How many bytes were said to the agent, or are on their way.
    #[serde(default)]
    pub queued: u64,
    /// What whoever speaks with the agent remembers.
    #[serde(default)]
    pub memory: Value,
    /// Variables that were set for the agent.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The agent's process was asked to end, by whom.
    #[serde(default)]
    pub stopped_by: Option<String>,
}
