//! Who holds the controls of a terminal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TerminalId;

/// Whoever holds the controls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// A person's front end or an agent.
    pub actor: String,
    /// Whether it is a person.
    pub human: bool,
    /// Since when, in seconds since 1970.
    pub since: f64,
    /// Why, in the holder's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What to do about a lease.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeaseAction {
    /// Say who holds the controls.
    #[default]
    Show,
    /// Take them. A person can always do so; an agent only when nobody else holds them.
    Take,
    /// Hand them back.
    Release,
    /// Wait until they are free, and take them.
    Wait,
}

/// Shows, takes or hands back the controls of a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LeaseRequest {
    /// Of which terminal.
    pub id: TerminalId,
    /// What to do; `show` when absent.
    #[serde(default)]
    pub action: LeaseAction,
    /// Why, for whoever is refused meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With `wait`: how long at most; 30 s when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// How the lease stands now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaseState {
    /// Who holds it; absent when nobody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<Holder>,
    /// Whether the caller may type now.
    pub yours: bool,
}

/// Keeps a terminal although the agent that started it leaves, or no longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Which one.
    pub id: TerminalId,
    /// `false` lets it go with its agent again.
    #[serde(default = "yes")]
    pub keep: bool,
}

fn yes() -> bool {
    true
}
