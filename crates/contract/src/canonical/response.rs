//! The canonical response. The order of the keys is that of the document.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fallback::Fallback;
use super::pm_term::{Category, PmTerm};
use super::request::Correlation;
use super::words::{Action, LegacyAction, Mode, ToolName, Words, words};
use crate::terminal::InputState;

/// What every call is answered with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// Whether the call did what was asked.
    pub success: bool,
    /// The canonical action; null when the request had none.
    #[schemars(schema_with = "or_null::<Action>")]
    pub action: Option<Action>,
    /// How far it is.
    pub status: Status,
    /// Names of the call.
    pub correlation: Correlation,
    /// What the request was taken to mean.
    pub resolved: Resolved,
    /// The older forms that the request used; absent when there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compat: Option<CompatNote>,
    /// What the call made or went to: the target of later calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
    /// What went wrong; null when nothing did.
    #[schemars(schema_with = "failure_or_null")]
    pub error: Option<Failure>,
    /// What to do now; only there when something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
}

words! {
    /// How far a call is.
    Status {
        /// It was started and goes on.
        Accepted = "accepted",
        /// It is done.
        Completed = "completed",
        /// It went wrong.
        Failed = "failed",
    }
}

/// What a request was taken to mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// The canonical action; null when it could not be told.
    #[schemars(schema_with = "or_null::<Action>")]
    pub canonical_action: Option<Action>,
    /// Whether an older action or an older tool was used.
    pub alias_applied: bool,
    /// The older action that was used, or null.
    #[schemars(schema_with = "or_null::<LegacyAction>")]
    pub legacy_action: Option<LegacyAction>,
    /// The mode that was asked for, or the default; null when it is none.
    #[schemars(schema_with = "or_null::<Mode>")]
    pub mode: Option<Mode>,
    /// The older tool that was used; absent for the canonical one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolName>,
}

/// The older forms that a request used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompatNote {
    /// Whether an older action or an older tool was used.
    pub alias_applied: bool,
    /// Fields that have another place now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<Moved>,
    /// What to change, once the older forms are on their way out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// A field that has another place now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// Where it was.
    pub from: String,
    /// Where it belongs.
    pub to: String,
}

/// What a call made or went to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Identity {
    /// For `target.session_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// For `target.terminal_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
}

words! {
    /// What the policy said.
    Authorization {
        /// It ran.
        Allowed = "allowed",
        /// It ran, and `warning` says what is dangerous about it.
        AllowedWithWarning = "allowed_with_warning",
        /// It did not run.
        Blocked = "blocked",
    }
}

/// What came of a call. Fields that say nothing are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CallOutcome")]
pub struct Outcome {
    /// What the policy said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorization: Option<Authorization>,
    /// What to look out for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// What was printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// What was printed as errors, where the two are apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The exit code, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Whether it still runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<bool>,
    /// What it asks for, which is why it was not waited for any longer or did not end in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<InputState>,
    /// What there is, for `list`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Item>>,
    /// The time was up before the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// Output was left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// How many bytes of it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_bytes: u64,
    /// The resource that has all of it, in pieces of 64 KiB, when something was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_output: Option<String>,
}

/// One thing that there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// For `target.session_id`.
    pub session_id: String,
    /// For `target.terminal_id`, when it is a terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// How it runs.
    pub mode: Mode,
    /// What runs there, or ran last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Where it is.
    pub cwd: String,
    /// Whether the command still runs, as `read_output` says it. A terminal that was only opened runs.
    pub running: bool,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Whether it still takes commands, or runs.
    #[serde(default)]
    pub open: bool,
    /// Who made it.
    pub created_by: String,
    /// Whether other agents may read and end it.
    pub shared: bool,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// For programs; it never changes its meaning.
    pub code: PmTerm,
    /// What kind of thing went wrong.
    pub category: Category,
    /// What happened, in a sentence.
    pub message: String,
    /// Whether the same request can succeed another time.
    pub retriable: bool,
    /// Facts: `reason` is a finer code, `hint` says what to do, `fields` what is wrong with each field.
    #[schemars(schema_with = "any_object")]
    pub details: Value,
}

/// The words and null, without a type: some clients refuse a list of types.
fn or_null<T: Words + JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    if !generator.settings().inline_subschemas {
        return generator.subschema_for::<Option<T>>();
    }
    let words = T::NAMES.iter().map(|name| Value::from(*name)).chain([Value::Null]);
    json_schema!({ "enum": words.collect::<Vec<_>>() })
}

/// `properties` says nothing about null, so this fits both without a choice of types.
fn failure_or_null(generator: &mut SchemaGenerator) -> Schema {
    if !generator.settings().inline_subschemas {
        return generator.subschema_for::<Option<Failure>>();
    }
    let mut schema = Failure::json_schema(generator);
    schema.remove("type");
    schema
}

pub(super) fn any_object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
