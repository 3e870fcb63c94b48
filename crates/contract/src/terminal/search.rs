//! Searching what terminals printed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TerminalId;

/// Searches the logs, line by line, as plain text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Search {
    /// A regular expression.
    pub pattern: String,
    /// One terminal; all of them, those that ended as well, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<TerminalId>,
    /// The pattern is text as it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub literal: bool,
    /// Upper and lower case are the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignore_case: bool,
    /// So many lines before and after each match; 0 when absent, 20 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<usize>,
    /// How many matches at most; 50 when absent, 1000 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_matches: Option<usize>,
    /// With `id`: from this cursor on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Oldest first in each terminal.
    pub matches: Vec<Match>,
    /// There is more: the limit of matches, bytes or time was reached.
    pub truncated: bool,
    /// With `id` and `truncated`: search on from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
    /// With `truncated`: how to search on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// How much was searched.
    pub searched_bytes: u64,
}

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// In which terminal.
    pub id: TerminalId,
    /// Where the line begins in its log.
    pub cursor: u64,
    /// The line, cut at 500 characters.
    pub line: String,
    /// The lines before, but for those that the match before has told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The lines after, up to the next match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}
