//! What is wrong with a request: every field that is, not only the first.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::alias;
use super::words::ToolName;
use crate::{Error, ErrorCode};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Where: `execution.command`.
    pub field: String,
    /// What is wrong.
    pub problem: String,
    /// What to send instead.
    pub hint: String,
    /// The values that can be taken, when they are few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Vec<String>>,
}

/// Which of the codes of validation a violation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Action,
    Mode,
    Payload,
}

/// How many are told. A request with thousands of unknown fields is wrong in one way, and its answer stays short.
const MOST: usize = 50;

/// What was found, in the order of the request.
#[derive(Debug, Default)]
pub(super) struct Violations(Vec<(Kind, Violation)>);

impl Violations {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether more would not be told, so that nobody needs to look for it.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Whether something is wrong with this field.
    pub(super) fn has(&self, field: &str) -> bool {
        self.0.iter().any(|(_, violation)| violation.field == field)
    }

    /// A field rule that does not hold.
    pub(super) fn payload(&mut self, field: impl Into<String>, problem: impl Into<String>, hint: impl Into<String>) {
        self.push(Kind::Payload, field, problem, hint, &[]);
    }

    /// A word that is none of those that can be taken.
    pub(super) fn word(&mut self, kind: Kind, field: &str, problem: impl Into<String>, allowed: &[&str]) {
        let hint = match allowed {
            [only] => format!("send {only}"),
            several => format!("send one of {}", several.join(", ")),
        };
        self.push(kind, field, problem, hint, allowed);
    }

    pub(super) fn push(
        &mut self,
        kind: Kind,
        field: impl Into<String>,
        problem: impl Into<String>,
        hint: impl Into<String>,
        allowed: &[&str],
    ) {
        let allowed = (!allowed.is_empty()).then(|| allowed.iter().map(|&word| word.to_owned()).collect());
        let violation = Violation { field: field.into(), problem: problem.into(), hint: hint.into(), allowed };
        // Two rules may find the same thing.
        if !self.is_full() && !self.0.iter().any(|(_, known)| *known == violation) {
            self.0.push((kind, violation));
        }
    }

    pub(super) fn fields(&self) -> Value {
        self.0.iter().map(|(_, violation)| json!(violation)).collect()
    }

    /// One error of it all. An unknown action weighs most, then an unknown mode.
    pub(super) fn into_error(self, tool: ToolName) -> Option<Error> {
        let (kind, first) = self.0.iter().min_by_key(|(kind, _)| *kind)?;
        let more = match self.0.len() {
            1 => String::new(),
            n => format!(" ({} more in details.fields)", n - 1),
        };
        let message = format!("{}: {}{more}", first.field, first.problem);
        let code = match kind {
            Kind::Action => ErrorCode::InvalidAction,
            Kind::Mode => ErrorCode::InvalidMode,
            Kind::Payload => ErrorCode::InvalidArgument,
        };
        let mut details = Map::new();
        match kind {
            Kind::Action => {
                details.insert("allowed_actions".into(), json!(tool.offered()));
                details.insert("aliases".into(), alias::migration());
            }
            Kind::Mode => {
                details.insert("allowed_modes".into(), json!(tool.modes()));
            }
            Kind::Payload => {}
        }
        details.insert("fields".into(), self.fields());
        let hint = first.hint.clone();
        Some(Error::new(code, message).hint(hint).details(Value::Object(details)))
    }
}
