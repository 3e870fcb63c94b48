//! How it stands with each agent: what it does or waits for, by what the hub knows and not by guess.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terminal::InputKind;
use crate::{ApprovalId, TerminalId};

/// Lists the agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListAgents {}

/// The agents of a hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListedAgents {
    /// In the order of arrival; those that are gone come last.
    pub agents: Vec<AgentState>,
}

/// One agent as it stands. Which further fields there are goes by `state`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentState {
    /// What it calls itself.
    pub name: String,
    /// Its number; absent for one that an earlier hub knew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// What it does or waits for.
    pub state: Standing,
    /// Why it is said to, in words.
    pub reason: String,
    /// Since when, in milliseconds since 1970.
    pub since_ms: i64,
    /// When working or failed: which command of the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// When it waits for approval: which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
    /// When it waits for input: in which terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalId>,
    /// When it waits for input in a terminal: which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<InputKind>,
}

/// What an agent does or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Calls of it are under way.
    Working,
    /// A call of it waits for a person's yes.
    WaitsForApproval,
    /// A program that it runs asks for a line or a password, also when the call that started it has returned.
    WaitsForInput,
    /// It is here, and nothing of it is under way.
    Idle,
    /// It is run by the hub, has ended its turn, and can be prompted again.
    Done,
    /// Its last call failed, and none has come since; or its last turn did.
    Failed,
    /// It has left; what it started stays for a while, in case it comes back.
    Gone,
}

impl Standing {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Working => "working",
            Standing::WaitsForApproval => "waits for approval",
            Standing::WaitsForInput => "waits for input",
            Standing::Idle => "idle",
            Standing::Done => "done",
            Standing::Failed => "failed",
            Standing::Gone => "gone",
        }
    }
}
