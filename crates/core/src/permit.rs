//! Leave to carry out a call, as the gate gave it.

use flightdeck_policy::Verdict;

/// What the gate says to a command that may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    /// [`Verdict::Allowed`] or [`Verdict::AllowedWithWarning`].
    pub(crate) verdict: Verdict,
    /// What is dangerous about it.
    pub(crate) warning: Option<String>,
    /// The rule that decided.
    pub(crate) rule: String,
    /// Whether it may use the network although it runs in a sandbox.
    pub(crate) network: bool,
}

impl Permit {
    /// For what needs none.
    pub(crate) const FREE: Permit =
        Permit { verdict: Verdict::Allowed, warning: None, rule: String::new(), network: false };
}
