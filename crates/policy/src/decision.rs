//! What was decided, by which rule, and why.

use serde::{Deserialize, Serialize};

use crate::RuleId;
use crate::rule_id::listed;

/// What may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It may run.
    Allowed,
    /// It may run, and whoever asked is told what is dangerous about it.
    AllowedWithWarning,
    /// A person has to say yes first.
    NeedsApproval,
    /// It may not run.
    Blocked,
}

impl Verdict {
    /// Its name in the audit log and in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Allowed => "allowed",
            Verdict::AllowedWithWarning => "allowed_with_warning",
            Verdict::NeedsApproval => "needs_approval",
            Verdict::Blocked => "blocked",
        }
    }
}

/// A verdict, with what led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What may be done.
    pub verdict: Verdict,
    /// The rules that decided: one, or all that allow a part of it. Never empty.
    pub rules: Vec<RuleId>,
    /// Why, in a sentence for an agent or a person.
    pub reason: String,
    /// What would change it.
    pub remedy: Remedy,
}

impl Decision {
    /// The rules for display: `builtin:git-read, rule:tests`, `danger:deletes-tree`, `default:guard`.
    #[must_use]
    pub fn rules_text(&self) -> String {
        listed(&self.rules)
    }

    /// Whether nobody can allow it.
    #[must_use]
    pub fn fixed(&self) -> bool {
        self.remedy == Remedy::Nothing
    }
}

/// What would change a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Nothing: nobody can allow it.
    Nothing,
    /// What the reason says: another command, another folder, or a rule.
    Said,
    /// A person who is asked.
    Person,
}

/// How careful a surface is with what agents run there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Only what is proven safe runs; the rest is blocked.
    Strict,
    /// What is proven safe runs; a person is asked about the rest.
    Ask,
    /// What is dangerous is asked about; the rest runs.
    #[default]
    Guard,
    /// Everything runs but what nobody can allow.
    Open,
}

impl Stance {
    /// Its name in the policy file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stance::Strict => "strict",
            Stance::Ask => "ask",
            Stance::Guard => "guard",
            Stance::Open => "open",
        }
    }
}
