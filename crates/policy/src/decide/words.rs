//! Commands in sentences.

use crate::pattern::unseen;

/// Longer ones are cut in sentences.
const LONGEST: usize = 100;

/// A command in a sentence: in back quotes, on one line, and not too long.
pub(crate) fn cited(text: &str) -> String {
    let mut seen = text.chars().map(|c| if unseen(c) { ' ' } else { c });
    let short: String = seen.by_ref().take(LONGEST).collect();
    let more = if seen.next().is_some() { "…" } else { "" };
    format!("`{}{more}`", short.trim())
}

/// A text as one word for a shell.
pub(crate) fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
