//! Names of things: a letter and a number, short because agents repeat them in every call.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Defines a name that is a letter and a number.
macro_rules! numbered_id {
    ($(#[$doc:meta])* $name:ident, $invalid:ident, $letter:literal, $words:literal $(, $exception:path)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(u32);

        #[doc = concat!("Text that is no ", stringify!($name), ".")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $invalid(String);

        impl fmt::Display for $invalid {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(
                    if let Some(text) = $exception(&self.0) {
                        return f.write_str(&text);
                    }
                )?
                write!(f, $words, self.0)
            }
        }

        impl std::error::Error for $invalid {}

        impl $name {
            /// The one with this number.
            pub fn new(number: u32) -> Self {
                $name(number)
            }

            /// Its number.
            pub fn number(self) -> u32 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = $invalid;

            fn from_str(text: &str) -> Result<Self, $invalid> {
                let invalid = || $invalid(text.chars().take(40).collect());
                let digits = text.strip_prefix($letter).ok_or_else(invalid)?;
                let canonical = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
                if canonical { digits.parse().map($name).map_err(|_| invalid()) } else { Err(invalid()) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = $invalid;

            fn try_from(text: String) -> Result<Self, $invalid> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": concat!("^", $letter, "[1-9][0-9]*$") })
            }
        }
    };
}

numbered_id!(
    /// The name of a terminal: `t` and a number that is never used twice in a workspace.
    TerminalId,
    InvalidTerminalId,
    "t",
    "{0:?} is not a terminal id: ids look like t1, and flightdeck.terminal.list or `flightdeck ls` lists them",
    of_the_host
);

/// What a terminal of the container's host is reached by.
fn of_the_host(text: &str) -> Option<String> {
    let says =
        "is on the container's host: memory_terminal_interactive reaches it by execute, read_output and terminate";
    text.starts_with("host:").then(|| format!("{text:?} {says}"))
}

numbered_id!(
    /// The name of a request for a person's yes: `a` and a number that is not used twice while the hub runs.
    ApprovalId,
    InvalidApprovalId,
    "a",
    "{0:?} is not the id of a request: ids look like a1, and `flightdeck approve --list` lists them"
);

numbered_id!(
    /// The name of a conversation with an agent: `c` and a number that is never used twice in a workspace.
    ConversationId,
    InvalidConversationId,
    "c",
    "{0:?} is not the id of a conversation: ids look like c1, and `flightdeck agent --list` lists them"
);

numbered_id!(
    /// The name of a pane of the workbench: `p` and a number that is never used twice in a workspace.
    PaneId,
    InvalidPaneId,
    "p",
    "{0:?} is not a pane id: ids look like p1, and `openspace.pane.list` lists them"
);

numbered_id!(
    /// The name of a tab in a pane: `pt` and a number that is never used twice in a workspace.
    PaneTabId,
    InvalidPaneTabId,
    "pt",
    "{0:?} is not the id of a pane's tab: ids look like pt1, and `openspace.pane.list` lists them"
);

numbered_id!(
    /// The name of an editor, which is one view of a document: `e` and a number that is never used twice in a workspace.
    EditorId,
    InvalidEditorId,
    "e",
    "{0:?} is not an editor id: ids look like e1, and `openspace.editor.open` answers with one"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form() {
        assert_eq!("t12".parse(), Ok(TerminalId(12)));
        for text in ["", "t", "12", "t01", "t0", "t-1", "t+1", "t1 ", "../t1", "t99999999999", "T1"] {
            assert!(text.parse::<TerminalId>().is_err(), "{text:?}");
        }
        let said = |text: &str| text.parse::<TerminalId>().unwrap_err().to_string();
        assert!(said("7").contains("ids look like t1"));
        assert!(said("host:t7").contains("memory_terminal_interactive"));
    }
}
