//! The sessions that an agent knows beside that of its conversation, and signing in and out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ConversationId, TerminalId};

/// Lists the sessions that an agent knows. One of them is taken up with `session` of `flightdeck.chat.new`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListSessions {
    /// The conversation whose agent is asked.
    pub id: ConversationId,
    /// Those of all folders, and not of the conversation's alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// The sessions that an agent knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentSessions {
    /// In the agent's order.
    pub sessions: Vec<ListedSession>,
    /// There are more of them than are listed.
    pub more: bool,
}

/// A session that an agent knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    /// The agent's own name for it.
    pub session: String,
    /// The folder that it works in.
    pub cwd: String,
    /// Other folders that it may work in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional_directories: Vec<String>,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When something was last said in it, as ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// The conversation that has it here, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
}

/// Has an agent forget one of its sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteSession {
    /// The conversation whose agent is asked.
    pub id: ConversationId,
    /// The agent's own name for the session; not that of the conversation.
    pub session: String,
}

/// Signs out of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignOut {
    /// The conversation with it.
    pub id: ConversationId,
}

/// A sign-in that has ended or begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignIn {
    /// The terminal in which a person goes on with it; absent when it is done. The agent starts again once that has ended well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalId>,
}
