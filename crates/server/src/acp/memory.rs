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
    /// What we have not answered, by the id that the agent gave it, as JSON.
    pub open: BTreeMap<String, Open>,
    /// What the agent can do, once it has said so.
    pub can: Option<Can>,
    /// The session was begun or taken up.
    pub ready: bool,
    /// What the agent tells is an old session again, which is here already.
    pub replaying: bool,
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
}

/// Something that the agent has asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Open {
    pub method: String,
    pub params: Value,
    /// The entry that shows it, when one does.
    #[serde(default)]
    pub entry: Option<u64>,
}

/// What an agent can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Can {
    pub load: bool,
    pub resume: bool,
    pub close: bool,
}

impl Memory {
    /// An id for a request of ours.
    pub(super) fn ask(&mut self, what: Asked) -> i64 {
        self.last += 1;
        self.asked.insert(self.last, what);
        self.last
    }

    /// The turn that the agent works on.
    pub(super) fn turn(&self) -> Option<u32> {
        self.asked.values().find_map(|asked| match asked {
            Asked::Prompt { turn } => Some(*turn),
            _ => None,
        })
    }
}
