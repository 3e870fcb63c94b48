//! What watchers of conversations are told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Chat, Entry};
use crate::ConversationId;

/// What a watcher of one conversation is told. The first is a snapshot; another one follows whenever a watcher fell behind.
/// The others are in order and leave nothing out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ChatEvent {
    /// The conversation and its newest entries: they take the place of everything before.
    Snapshot {
        /// How it stands.
        chat: Box<Chat>,
        /// The newest entries, oldest first.
        entries: Vec<Entry>,
        /// Whether there are earlier ones, which `flightdeck.chat.read` gives.
        earlier: bool,
    },
    /// How the conversation stands now.
    Chat {
        /// All of it.
        chat: Box<Chat>,
    },
    /// An entry is new, or has changed: it takes the place of the one with its number.
    Entry {
        /// All of it.
        entry: Box<Entry>,
    },
    /// Text came to the end of an entry: of what the agent says or thinks, or of the last output in a tool call.
    Text {
        /// Which entry.
        number: u64,
        /// What is to be put behind the text that is there.
        text: String,
    },
    /// The conversation was removed. Nothing follows.
    Removed {
        /// Which.
        id: ConversationId,
    },
}

/// What a watcher of all conversations is told: all of them, again whenever one has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChatsEvent {
    /// The one that was last used first.
    pub chats: Vec<Chat>,
}
