//! What people ask of conversations.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Block, Budget, Chat, ChatEvent, ChatsEvent, Entry};
use crate::terminal::Done;
use crate::{ConversationId, Resumes};

/// Begins a conversation: starts an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewChat {
    /// A preset of `flightdeck.chat.agents`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// A program with its arguments instead, which speaks the Agent Client Protocol on stdin and stdout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// The folder to work in, absolute or relative to the workspace; the workspace when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Other folders that it may work in, in the same form. An agent that can't is said to.
    #[serde(rename = "additionalDirectories", skip_serializing_if = "Vec::is_empty")]
    pub additional_directories: Vec<String>,
    /// Environment variables to set for the agent.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The agent's own name of an earlier session, to go on with that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// A conversation that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatStarted {
    /// Its name in all other calls.
    pub id: ConversationId,
}

/// Lists the conversations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListChats {}

/// The conversations of a hub.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chats {
    /// The one that was last used first.
    pub chats: Vec<Chat>,
}

/// Tells all conversations as they are and as they change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchChats {}

streams!(WatchChats: "flightdeck.chat.overview", ChatsEvent, Done);

/// All of them come again, so there is nothing to go on from.
impl Resumes for WatchChats {
    fn seen(&mut self, _: &ChatsEvent) {}
}

/// Tells what is said and done in one conversation, as `ChatEvent`s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchChat {
    /// Which.
    pub id: ConversationId,
    /// How many of the newest entries come first; 100 when absent, 500 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<usize>,
    /// A person is here and will answer: as long as this call lasts, agents' requests wait instead of being refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attend: bool,
}

streams!(WatchChat: "flightdeck.chat.watch", ChatEvent, Done);

/// The newest entries come again, so there is nothing to go on from.
impl Resumes for WatchChat {
    fn seen(&mut self, _: &ChatEvent) {}
}

/// Reads entries of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadChat {
    /// Which.
    pub id: ConversationId,
    /// Those before the one with this number; the newest when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// How many; 100 when absent, 500 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// Entries of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChatRead {
    /// How it stands.
    pub chat: Chat,
    /// Oldest first.
    pub entries: Vec<Entry>,
    /// Whether there are earlier ones.
    pub earlier: bool,
}

/// Says something to an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// In which conversation.
    pub id: ConversationId,
    /// What.
    pub content: Vec<Block>,
}

/// A prompt that the agent works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prompted {
    /// The number of its turn.
    pub turn: u32,
}

/// Tells the agent to stop its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelTurn {
    /// In which conversation.
    pub id: ConversationId,
}

/// Chooses the agent's mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMode {
    /// In which conversation.
    pub id: ConversationId,
    /// The id of the mode.
    pub mode: String,
}

/// Chooses something else of the agent's: its model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetOption {
    /// In which conversation.
    pub id: ConversationId,
    /// The id of the option.
    pub option: String,
    /// The id of the value; `true` or `false` for a switch.
    pub value: String,
}

/// Signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Authenticate {
    /// In which conversation.
    pub id: ConversationId,
    /// The id of the way to do so.
    pub method: String,
}

/// Answers a question of the agent's that has a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerQuestion {
    /// In which conversation.
    pub id: ConversationId,
    /// The number of the entry with the question.
    pub entry: u64,
    /// What was filled in, by field; absent to decline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<String, Value>>,
}

/// Sets what a conversation may use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetBudget {
    /// Which.
    pub id: ConversationId,
    /// What; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// Starts the agent of a conversation again, with its last session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestartChat {
    /// Which.
    pub id: ConversationId,
    /// Begin a new session, in which the agent knows nothing of what was said. Without it an agent that can't take its
    /// session up again is not started.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
}

/// Ends the agent's process. What was said stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopChat {
    /// Which.
    pub id: ConversationId,
}

/// Ends the agent's process, and forgets what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveChat {
    /// Which.
    pub id: ConversationId,
}
