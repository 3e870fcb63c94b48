//! Names of things.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The name of a terminal: `t` and a number that is never used twice in a workspace.
///
/// Short, because agents repeat it in every call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TerminalId(u32);

/// Text that is no terminal's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a terminal id: ids look like t1, and `flightdeck ls` lists them")]
pub struct InvalidTerminalId(String);

impl TerminalId {
    /// The terminal with this number.
    pub fn new(number: u32) -> Self {
        TerminalId(number)
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TerminalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl FromStr for TerminalId {
    type Err = InvalidTerminalId;

    fn from_str(text: &str) -> Result<Self, InvalidTerminalId> {
        let invalid = || InvalidTerminalId(text.chars().take(40).collect());
        let digits = text.strip_prefix('t').ok_or_else(invalid)?;
        let canonical = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        if canonical { digits.parse().map(TerminalId).map_err(|_| invalid()) } else { Err(invalid()) }
    }
}

impl TryFrom<String> for TerminalId {
    type Error = InvalidTerminalId;

    fn try_from(text: String) -> Result<Self, InvalidTerminalId> {
        text.parse()
    }
}

impl From<TerminalId> for String {
    fn from(id: TerminalId) -> String {
        id.to_string()
    }
}

impl JsonSchema for TerminalId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "TerminalId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^t[1-9][0-9]*$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form() {
        assert_eq!("t12".parse(), Ok(TerminalId(12)));
        for text in ["", "t", "12", "t01", "t0", "t-1", "t+1", "t1 ", "../t1", "t99999999999", "T1"] {
            assert!(text.parse::<TerminalId>().is_err(), "{text:?}");
        }
    }
}
