//! What agents see as the tool's input: the canonical request, and the older flat fields, which still work.
//!
//! Wider than what is accepted on purpose. A client that checks arguments by the schema must let older payloads
//! through, and what is wrong is said better by `validate` than by a schema checker.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::request::{Compat, Correlation, Execution, Invocation, Runtime, Target};

/// Arguments as they came. Their schema is for callers; [`normalise`](super::normalise) reads them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arguments(pub Value);

impl JsonSchema for Arguments {
    fn schema_name() -> Cow<'static, str> {
        "Arguments".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Shape::json_schema(generator)
    }
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Shape {
    /// What is to be done: execute, read_output, terminate or list. The others are deprecated.
    action: AnyAction,
    /// How it runs, and what for. Required by `execute`.
    invocation: Option<Invocation>,
    /// Names of the call; made up when absent.
    correlation: Option<Correlation>,
    /// Where it runs and how long it is waited for.
    runtime: Option<Runtime>,
    /// What to run, for `execute`.
    execution: Option<Execution>,
    /// What an earlier call made: for `read_output` and `terminate`, and to run in an open terminal.
    target: Option<Target>,
    /// Where the call comes from; leave it out.
    compat: Option<Compat>,
    /// Deprecated: `execution.command`.
    #[deprecated]
    command: Option<String>,
    /// Deprecated: `execution.command`, of the action send.
    #[deprecated]
    text: Option<String>,
    /// Deprecated: `execution.args`.
    #[deprecated]
    args: Option<Vec<String>>,
    /// Deprecated: `execution.env`.
    #[deprecated]
    env: Option<BTreeMap<String, String>>,
    /// Deprecated: `runtime.cwd`.
    #[deprecated]
    cwd: Option<String>,
    /// Deprecated: `runtime.timeout_ms`. In milliseconds.
    #[deprecated]
    timeout: Option<u64>,
    /// Deprecated: `runtime.timeout_ms`.
    #[deprecated]
    timeout_ms: Option<u64>,
    /// Deprecated: `runtime.workspace_id`.
    #[deprecated]
    workspace_id: Option<String>,
    /// Deprecated: `runtime.name`.
    #[deprecated]
    name: Option<String>,
    /// Deprecated: `target.session_id`.
    #[deprecated]
    session_id: Option<String>,
    /// Deprecated: `target.terminal_id`.
    #[deprecated]
    terminal_id: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum AnyAction {
    Execute,
    ReadOutput,
    Terminate,
    List,
    Run,
    Kill,
    Send,
    Close,
    Create,
}
