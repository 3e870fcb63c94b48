//! Which rule decided. Decisions carry these ids; text is made of them only for display, and for the audit log.

use std::fmt;

use crate::{DangerKind, Stance};

/// A rule that decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RuleId {
    /// A proof that a kind of command is harmless.
    Builtin(BuiltinRule),
    /// A danger that was found.
    Danger(DangerKind),
    /// A rule of a policy file, by its name.
    User(String),
    /// What a surface does about the rest.
    Default(Stance),
    /// What is not proven does not run headless.
    Headless,
}

/// What can be proven harmless without a rule of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinRule {
    /// Commands of the shell itself, such as `echo`.
    Shell,
    /// Asking a program for its version.
    Version,
    /// Commands of git that only read; proven only with [`GIT_ENVIRONMENT`](crate::GIT_ENVIRONMENT).
    GitRead,
    /// Programs that only read files.
    Read,
    /// Programs that search.
    Search,
    /// Questions about processes and the machine.
    Machine,
    /// Questions to package managers; proven only with [`PACKAGES_ENVIRONMENT`](crate::PACKAGES_ENVIRONMENT).
    Packages,
}

impl BuiltinRule {
    fn name(self) -> &'static str {
        match self {
            BuiltinRule::Shell => "shell",
            BuiltinRule::Version => "version",
            BuiltinRule::GitRead => "git-read",
            BuiltinRule::Read => "read",
            BuiltinRule::Search => "search",
            BuiltinRule::Machine => "machine",
            BuiltinRule::Packages => "packages",
        }
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleId::Builtin(rule) => write!(f, "builtin:{}", rule.name()),
            RuleId::Danger(kind) => f.write_str(kind.rule()),
            RuleId::User(name) => write!(f, "rule:{name}"),
            RuleId::Default(stance) => write!(f, "default:{}", stance.name()),
            RuleId::Headless => f.write_str("default:headless"),
        }
    }
}

impl From<DangerKind> for RuleId {
    fn from(kind: DangerKind) -> Self {
        RuleId::Danger(kind)
    }
}

/// For display: all of them, in their order.
pub(crate) fn listed(ids: &[RuleId]) -> String {
    ids.iter().map(RuleId::to_string).collect::<Vec<_>>().join(", ")
}
