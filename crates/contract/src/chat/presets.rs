//! The agents that are known by name: how each is started, whether it is there, and how it is installed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lists the agents that are known by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPresets {}

/// The agents that are known by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Presets {
    /// Those that are installed first.
    pub agents: Vec<Preset>,
}

/// An agent that is known by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// Its name in `flightdeck.chat.new`: `claude`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where the program is, when it is installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Variables that are set for it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// What a person types to install it.
    pub install: String,
}
