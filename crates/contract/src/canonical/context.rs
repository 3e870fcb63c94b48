//! What is known about a call while it is carried out, and the responses that are made of it.

use serde_json::{Map, Value, json};

use super::fallback::{Class, Fallback, State, fallback};
use super::pm_term::{PmTerm, is_passing, pm_term};
use super::request::{Correlation, Target};
use super::response::{CompatNote, Failure, Identity, Outcome, Resolved, Response, Status};
use super::words::{Action, Mode, ToolName};
use crate::{Error, ErrorCode};

/// Everything about a call that its response needs. It is there for requests that can't be carried out too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Names of the call.
    pub correlation: Correlation,
    /// What the request was taken to mean. Whoever knows the real mode of an identity may set it.
    pub resolved: Resolved,
    /// The older forms that were used.
    pub compat: Option<CompatNote>,
    /// What to tell the caller beside the result.
    pub warnings: Vec<String>,
    /// How long it is waited for.
    pub timeout_ms: u64,
    /// What the request was meant for.
    pub target: Target,
    /// What the call has made so far; for failures.
    pub identity: Option<Identity>,
    /// What has come of it so far; for failures such as a timeout with output.
    pub result: Option<Outcome>,
    /// The request to send instead where nobody is there to see it: the same one headless, when that would be accepted.
    pub unseen: Option<Value>,
}

impl Context {
    /// The response to a call that did what was asked. Warnings of the request stand before that of the result.
    pub fn succeed(&self, status: Status, identity: Identity, result: Outcome) -> Response {
        Response {
            success: true,
            action: self.resolved.canonical_action,
            status,
            correlation: self.correlation.clone(),
            resolved: self.resolved,
            compat: self.compat.clone(),
            identity: Some(identity),
            result: Some(self.warned(result)),
            error: None,
            fallback: None,
        }
    }

    /// What counts about the call when it fails with this error.
    pub fn class(&self, error: &Error) -> Class {
        let tool = self.resolved.tool.unwrap_or(ToolName::Interactive);
        let mode = self.resolved.mode.unwrap_or_else(|| tool.default_mode());
        Class { action: self.resolved.canonical_action, mode, state: self.state(error) }
    }

    fn state(&self, error: &Error) -> State {
        use ErrorCode as E;
        if self.result.as_ref().is_some_and(|result| result.running == Some(true)) {
            return State::Running;
        }
        let is = |name: &str, value| {
            error.details.as_deref().and_then(|details| details.get(name)) == Some(&Value::Bool(value))
        };
        let fixed = is("fixed", true);
        match error.code {
            _ if fixed => State::Final,
            E::ApprovalUnavailable if self.unseen.is_some() => State::Unseen,
            E::Disconnected if is("started", false) => State::Unstarted,
            E::Blocked if is("attended", true) => State::Attended,
            E::Blocked if is("attended", false) => State::Unattended,
            code if is_passing(code) => State::Later,
            // These are not about the command: another mode would say the same.
            E::NotAllowed | E::PolicyInvalid => State::Later,
            _ => State::Usual,
        }
    }

    fn warned(&self, mut result: Outcome) -> Outcome {
        let warnings: Vec<&str> = self
            .warnings
            .iter()
            .map(String::as_str)
            .chain(result.warning.as_deref())
            .filter(|w| !w.is_empty())
            .collect();
        result.warning = (!warnings.is_empty()).then(|| warnings.join(" "));
        result
    }
}

/// The response to a call that failed.
pub fn fail(context: &Context, error: &Error) -> Response {
    let code = pm_term(error.code);
    let state = context.state(error);
    let (message, details) = match code {
        PmTerm::Internal if !is_passing(error.code) => (sanitised(error.code).to_owned(), traced(context, error.code)),
        _ => (error.message.clone(), details(context, code, error)),
    };
    Response {
        success: false,
        action: context.resolved.canonical_action,
        status: Status::Failed,
        correlation: context.correlation.clone(),
        resolved: context.resolved,
        compat: context.compat.clone(),
        identity: context.identity.clone(),
        result: context.result.clone().map(|result| context.warned(result)),
        error: Some(Failure { code, category: code.category(), message, retriable: code.retriable(), details }),
        fallback: Some(Fallback {
            request: context.unseen.clone().filter(|_| state == State::Unseen),
            ..fallback(code, context.class(error))
        }),
    }
}

/// The facts of an error: those of the code first, then its own, then the finer code and the advice.
fn details(context: &Context, code: PmTerm, error: &Error) -> Value {
    let mut details = Map::new();
    match code {
        PmTerm::Timeout => {
            details.insert("timeout_ms".into(), context.timeout_ms.into());
            if let Some(target) = context.meant() {
                details.insert("target".into(), target.into());
            }
        }
        PmTerm::Internal => {
            details.insert("trace_id".into(), context.correlation.trace_id.as_str().into());
            if let Some(target) = context.meant() {
                details.insert("target".into(), target.into());
            }
        }
        PmTerm::BlockedDestructive => {
            details.insert("authorization".into(), "blocked".into());
        }
        PmTerm::InvalidAction => {
            details.insert("allowed_actions".into(), json!(Action::NAMES));
        }
        PmTerm::InvalidMode => {
            details.insert("allowed_modes".into(), json!(Mode::NAMES));
        }
        _ => {}
    }
    match error.details.as_deref() {
        Some(Value::Object(own)) => details.extend(own.clone()),
        Some(other) => {
            details.insert("cause".into(), other.clone());
        }
        None => {}
    }
    // Where there is only one, it says nothing that the code does not.
    if code != PmTerm::GuiUnavailable {
        details.insert("reason".into(), error.code.name().into());
    }
    if let Some(hint) = &error.hint {
        details.insert("hint".into(), hint.as_str().into());
    }
    Value::Object(details)
}

/// Of what happened inside, callers get the kind and the name under which the log has it, and no text of the cause.
fn traced(context: &Context, code: ErrorCode) -> Value {
    json!({ "trace_id": context.correlation.trace_id, "reason": code.name() })
}

fn sanitised(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Storage => "The disk is full or can't be written.",
        ErrorCode::ResourceLimit => "The machine's limit of open files or processes is reached.",
        _ => "The request failed by a mistake of Flightdeck's own.",
    }
}

impl Context {
    /// The id that the call is about.
    fn meant(&self) -> Option<&str> {
        let made = self.identity.as_ref().and_then(|made| made.session_id.as_deref().or(made.terminal_id.as_deref()));
        made.or(self.target.session_id.as_deref()).or(self.target.terminal_id.as_deref())
    }
}
