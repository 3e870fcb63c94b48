//! The canonical request. Field names are those of the document; what is ours is marked.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::DEFAULT_TIMEOUT_MS;
use super::words::{Action, AdapterOverride, CallerSurface, Intent, LegacyAction, Mode};

/// A request in order: every rule holds, and every default is filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What is to be done.
    pub action: Action,
    /// How, and what for. `execute` has both; the other actions have a mode when it was given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub invocation: Invocation,
    /// Names of the call.
    pub correlation: Correlation,
    /// Where and how long.
    pub runtime: Runtime,
    /// What to run.
    #[serde(default, skip_serializing_if = "Execution::is_empty")]
    pub execution: Execution,
    /// What an earlier call made.
    #[serde(default, skip_serializing_if = "Target::is_empty")]
    pub target: Target,
    /// Where the call comes from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub compat: Compat,
}

/// How it runs, and what for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invocation {
    /// `interactive` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Required by `execute`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
}

/// Names that connect a response, the audit log and the caller's own records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Correlation {
    /// Made up when absent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub request_id: String,
    /// Passed on unchanged; made from `request_id` when absent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trace_id: String,
    /// A name of your own, which comes back in the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_request_id: Option<String>,
}

/// Where it runs and how long it is waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Runtime {
    /// The workspace that is meant; the served one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
    /// The folder to start in, absolute or relative to the workspace; the workspace when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// How long to wait, in milliseconds: 1 to 300000. A command may go on after that.
    #[serde(default = "default_timeout")]
    pub timeout_ms: u64,
    /// By which way the terminal is reached; leave it out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub adapter_override: AdapterOverride,
    /// The window's program, when several are installed: an absolute path, and one that the user has set up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary_path: Option<String>,
    /// Let an interactive command run headless when nobody can be asked, if the policy allows it there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub allow_headless_fallback: bool,
    /// Let other agents read and end what this makes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shared: bool,
    /// A title for people, for a terminal that is opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// The command. Without `args` it is a command line for a shell; with them it is a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Arguments of the program, each as it is: no quoting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Environment variables to set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

/// What an earlier call made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Target {
    /// The `identity.session_id` of a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The `identity.terminal_id` of a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
}

/// Where a call comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compat {
    /// The action that was asked of a bridge which made this request of it; absent once it is normalised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legacy_action: Option<LegacyAction>,
    /// Who calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller_surface: Option<CallerSurface>,
}

impl Request {
    /// The mode it runs in: the one that was asked for, or interactive.
    pub fn mode(&self) -> Mode {
        self.invocation.mode.unwrap_or_default()
    }

    /// The same request headless, in as few words as it can be sent with.
    pub fn unseen(&self) -> Value {
        let mut request = self.clone();
        request.invocation.mode = Some(Mode::Headless);
        request.runtime.allow_headless_fallback = false;
        request.runtime.adapter_override = AdapterOverride::default();
        request.runtime.binary_path = None;
        request.compat = Compat::default();
        let plain = request.runtime == Runtime::default();
        let mut request = serde_json::to_value(request).unwrap_or_default();
        if let Value::Object(fields) = &mut request {
            // A new call has new names.
            fields.shift_remove("correlation");
            if plain {
                fields.shift_remove("runtime");
            }
        }
        request
    }

    /// Whether it goes to a terminal that is there already: attach, or send.
    pub fn attaches(&self) -> bool {
        self.action == Action::Execute && !self.target.is_empty()
    }
}

impl Execution {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Target {
    /// Whether nothing is meant.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Runtime {
    fn default() -> Self {
        Runtime {
            workspace_id: None,
            cwd: None,
            timeout_ms: DEFAULT_TIMEOUT_MS,
            adapter_override: AdapterOverride::default(),
            binary_path: None,
            allow_headless_fallback: false,
            shared: false,
            name: None,
        }
    }
}

fn default_timeout() -> u64 {
    DEFAULT_TIMEOUT_MS
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
