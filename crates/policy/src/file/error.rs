//! What is wrong with a policy file, and where.

use std::fmt;

use crate::pattern::PatternError;

/// Something wrong, with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct PolicyError {
    /// The line, counted from one.
    pub line: usize,
    /// The rule, by its name, or by its number when it has none (`#3`).
    pub rule: Option<String>,
    /// The field.
    pub field: Option<&'static str>,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(rule) = &self.rule {
            write!(f, ", rule {rule}")?;
        }
        if let Some(field) = self.field {
            write!(f, ", {field}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// The kinds of what can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is no TOML, or has fields or values that a policy does not have.
    #[error("{0}")]
    Syntax(String),
    /// It is longer than any policy.
    #[error("the file is longer than {0} bytes; a policy is shorter")]
    TooLong(usize),
    /// A name that could not be told from other words.
    #[error("{0:?} is no name for a rule; use letters, digits, '-', '_' and '.', at most 64")]
    BadName(String),
    /// Two rules with one name.
    #[error("another rule has this name already; decisions name their rule, so each needs a name of its own")]
    NameTwice,
    /// A rule that says not what to do.
    #[error("it does nothing; give it one of allow, ask or block with a list of patterns")]
    NoEffect,
    /// A rule that says several things to do.
    #[error("it has {0}; a rule has exactly one of allow, ask and block, so make it several rules")]
    ManyEffects(String),
    /// A list with nothing in it.
    #[error("the list is empty; name at least one command, or take the rule out")]
    NoPatterns,
    /// A pattern that can't be read.
    #[error("pattern {pattern:?}: {error}")]
    Pattern {
        /// Its text.
        pattern: String,
        /// What is wrong with it.
        error: PatternError,
    },
    /// A pattern that would allow nearly everything.
    #[error("pattern {pattern:?} allows too much: {why}; name the command itself")]
    Overbroad {
        /// Its text.
        pattern: String,
        /// Why.
        why: String,
    },
    /// A field that only an allow rule has.
    #[error("only allow rules have this field; take it out")]
    OnlyAllow,
    /// An example that the rule should be about and is not.
    #[error("{0:?} should match and does not; change the patterns or the example")]
    ExampleMissed(String),
    /// An example that the rule should not be about and is.
    #[error("{0:?} should not match and does; make the patterns narrower, or change the example")]
    ExampleHit(String),
}
