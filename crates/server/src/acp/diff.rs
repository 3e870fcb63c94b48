//! What an agent changes in a file, as a unified diff.

use std::time::Duration;

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::chat::ToolContent;
use similar::{ChangeTag, TextDiff};

/// The longest diff that is kept.
const LONGEST: usize = 64 * 1024;
/// How long is looked for the smallest one.
const PATIENCE: Duration = Duration::from_millis(50);

/// One change.
pub(super) fn of(change: &acp::Diff) -> ToolContent {
    let old = change.old_text.as_deref().unwrap_or_default();
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old, change.new_text.as_str());
    let count = |tag| diff.iter_all_changes().filter(|line| line.tag() == tag).count() as u32;
    let (added, removed) = (count(ChangeTag::Insert), count(ChangeTag::Delete));
    let mut text = diff.unified_diff().context_radius(3).to_string();
    let truncated = text.len() > LONGEST;
    if truncated {
        text.truncate(text.floor_char_boundary(LONGEST));
    }
    ToolContent::Diff { path: change.path.to_string_lossy().into_owned(), diff: text, added, removed, truncated }
}

/// All changes of a tool call as one text; `None` when there are none.
pub(super) fn of_all(content: &[ToolContent]) -> Option<String> {
    let changes = content.iter().filter_map(|content| match content {
        ToolContent::Diff { path, diff, truncated, .. } => {
            let more = if *truncated { "\n… (there is more of it, which is not shown)" } else { "" };
            Some(format!("--- {path}\n+++ {path}\n{diff}{more}"))
        }
        _ => None,
    });
    let texts: Vec<String> = changes.collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted() {
        let change = acp::Diff::new("/w/a.txt", "one\nthree\nfour\n").old_text("one\ntwo\n".to_owned());
        let ToolContent::Diff { path, diff, added, removed, truncated } = of(&change) else { panic!("no diff") };
        assert_eq!((path.as_str(), added, removed, truncated), ("/w/a.txt", 2, 1, false));
        assert!(diff.contains("-two\n+three\n+four\n"), "{diff}");
    }
}
