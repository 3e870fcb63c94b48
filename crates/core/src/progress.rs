//! What a call does now, for its caller. What it is about is a name of its own, so that a hub in between can translate it.

use std::fmt;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// What a call does now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgressReport {
    /// The id of the terminal or approval that the text begins with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The words, or what comes after the subject. Empty until the call says something.
    #[serde(rename = "words")]
    pub text: String,
}

impl fmt::Display for ProgressReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subject {
            Some(subject) => write!(f, "{subject} {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Tells the caller what a command does now. Only the last report counts.
#[derive(Clone, Debug)]
pub(crate) struct Progress(pub(crate) watch::Sender<ProgressReport>);

impl Progress {
    /// Says something that is about nothing with an id.
    pub(crate) fn say(&self, text: impl Into<String>) {
        self.report(ProgressReport { subject: None, text: text.into() });
    }

    /// Says something about what has this id. The text goes on behind it.
    pub(crate) fn say_of(&self, id: impl fmt::Display, text: impl Into<String>) {
        self.report(ProgressReport { subject: Some(id.to_string()), text: text.into() });
    }

    pub(crate) fn report(&self, report: ProgressReport) {
        self.0.send_replace(report);
    }
}
