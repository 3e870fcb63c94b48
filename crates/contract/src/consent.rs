//! A person's consent to agents that control panes and editors.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the text below. A new one is asked about again.
pub const CONSENT_VERSION: u32 = 2;
/// What a person consents to.
pub const CONSENT_TEXT: &str = "The AI agent can now control your IDE (open files, run terminals, etc.).\n\
                                Its commands are read first, and dangerous ones ask you; its file tools stay in your \
                                workspace. What it runs is not confined.";

/// Asks how it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowConsent {}

/// Gives or takes consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetConsent {
    /// Whether agents may.
    pub allow: bool,
    /// Which version of the text was shown.
    pub version: u32,
    /// Do not ask again; otherwise the answer counts until the hub ends.
    #[serde(default = "yes")]
    pub remember: bool,
}

fn yes() -> bool {
    true
}

/// How it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Whether a person has to be asked: there is no answer to this version of the text.
    pub ask: bool,
    /// What was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<bool>,
    /// By whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
    /// The version of the text.
    pub version: u32,
    /// The text.
    pub text: String,
}
