//! What may be done. The seam for the policy: every call is asked about here, whatever surface it came from.

use serde_json::Value;

use crate::actor::Caller;
use crate::registry::Command;

/// What the policy says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It may be done.
    Allowed,
}

impl Verdict {
    /// Its name in the audit log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Allowed => "allowed",
        }
    }
}

/// A verdict, with what led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub verdict: Verdict,
    /// The rule that decided.
    pub rule: &'static str,
    /// Why, in words.
    pub reason: &'static str,
}

/// Decides about one call. No rules exist yet, so nothing is asked or refused, and the audit log says just that.
pub(crate) fn decide(_command: &Command, _args: &Value, _caller: &Caller) -> Decision {
    Decision { verdict: Verdict::Allowed, rule: "none", reason: "no policy is in force" }
}
