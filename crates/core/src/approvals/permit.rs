//! Leave to carry out a call, as the gate gave it.

use flightdeck_policy::{RuleId, Verdict};

use crate::approvals::intent::Intent;

/// What the gate says to a command that may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    /// [`Verdict::Allowed`] or [`Verdict::AllowedWithWarning`].
    pub(crate) verdict: Verdict,
    /// What is dangerous about it.
    pub(crate) warning: Option<String>,
    /// What a person has put in the place of the command, in words for whoever asked for another one.
    pub(crate) changed: Option<String>,
    /// The rules that decided.
    pub(crate) rules: Vec<RuleId>,
    /// What was decided about: a shell in which it is to run must still be there, and the line of a prompt the same.
    pub(crate) decided: Option<Intent>,
    /// Whether it may use the network although it runs in a sandbox.
    pub(crate) network: bool,
}

impl Permit {
    /// For what needs none.
    pub(crate) const FREE: Permit = Permit {
        verdict: Verdict::Allowed,
        warning: None,
        changed: None,
        rules: Vec::new(),
        decided: None,
        network: false,
    };
}
