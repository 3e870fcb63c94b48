//! What goes into a terminal: text, keys, another size.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ViewerId, WindowSize};
use crate::TerminalId;

/// Types into a terminal. The parts are sent in this order: text, paste, keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Send {
    /// Into which terminal.
    pub id: TerminalId,
    /// Text as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Text as a paste, which the program may tell from typing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paste: Option<String>,
    /// Named keys: `Enter`, `C-c`, `Up`, `F5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Wait until the program has answered and the screen stands still, and give it back: type and look in one call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub screen: bool,
}

impl Send {
    /// Nothing yet.
    pub fn to(id: TerminalId) -> Self {
        Send { id, text: None, paste: None, keys: Vec::new(), screen: false }
    }
}

/// Changes the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Resize {
    /// Of which terminal.
    pub id: TerminalId,
    /// To this size.
    pub size: WindowSize,
    /// The window of this viewer has it: the terminal follows by its rule. Without it the terminal itself is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<ViewerId>,
}

/// What was typed is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sent {
    /// The end of the log before the input: what the program answers comes after it.
    pub cursor: u64,
    /// The screen after it, when it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<String>,
}
