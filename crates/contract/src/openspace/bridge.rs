//! What an external IDE and the hub say to each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::PaneSummary;
use crate::terminal::Done;

/// `POST /openspace/register-bridge`: an IDE wants to carry out pane and editor commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterBridge {
    /// What the IDE calls itself.
    pub name: String,
    /// The id of an earlier registration, to take that one up again after a break.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge_id: Option<String>,
    /// Commands of its own. Agents get them as tools while its socket is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<BridgeCommand>,
}

/// A command that an IDE brings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BridgeCommand {
    /// Its name everywhere, with a prefix of the IDE's own: `theia.git.commit`.
    pub id: String,
    /// A few words for a palette.
    pub title: String,
    /// What an agent has to know; the title when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON schema of its arguments, which agents get as it is; any object when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Map<String, Value>>,
    /// It changes nothing. What does not say so counts as destructive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
}

/// The IDE is registered; it counts from the moment when its socket is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BridgeRegistered {
    /// Its id, a secret between the hub and the IDE.
    pub bridge_id: String,
    /// The path of the WebSocket over which it gets commands.
    pub socket: String,
    /// The commands that it will get, its own included.
    pub commands: Vec<String>,
    /// How long it has for each.
    pub timeout_ms: u64,
}

/// What `flightdeck.bridge.serve` tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BridgeEvent {
    /// Commands go to this IDE from now on.
    Ready {},
    /// One to carry out.
    Execute {
        /// Which.
        execute: Execute,
    },
}

/// A command for the IDE, over its socket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Execute {
    /// The call; its result carries the same.
    pub request_id: u64,
    /// `openspace.editor.open` and the like.
    pub command_id: String,
    /// As the command's schema has them.
    pub args: Value,
}

/// `POST /openspace/command-results`, or a message over the socket: how a command ended in the IDE.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandResult {
    /// The registration; may be left out over the socket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge_id: Option<String>,
    /// The call.
    pub request_id: u64,
    /// Whether it did what was asked.
    pub success: bool,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The fields of the result.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

/// `flightdeck.bridge.serve`: the IDE's socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServeBridge {
    /// The registration.
    pub bridge_id: String,
}

streams!(ServeBridge: "flightdeck.bridge.serve", BridgeEvent, Done);

/// `POST /openspace/state`: how the IDE stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BridgeState {
    /// The registration.
    pub bridge_id: String,
    /// Its panes.
    pub panes: Vec<PaneSummary>,
    /// The one with the keyboard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_pane: Option<String>,
    /// When that was, as RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}
