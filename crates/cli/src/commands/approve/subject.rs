//! What a request is about when it is no command: an agent's own question, or a file that would be written.

use flightdeck_contract::approval::{FileWriteSubject, PermissionOption, PermissionSubject};

use super::show::{Length, gap};
use crate::commands::visible::visible;
use crate::style::Style;

/// Lines of a diff that are shown when it is cut short.
const SHOWN: usize = 24;

/// An agent's own question.
pub fn permission(subject: &PermissionSubject, length: Length, style: Style) -> Vec<String> {
    let deed = subject.deed.as_ref().map_or_else(String::new, |deed| format!(" ({})", visible(deed)));
    let mut lines = vec![format!("│ {}{deed}", visible(&subject.title))];
    lines.extend(subject.locations.iter().map(|path| format!("│ {}", visible(path))));
    lines.extend(subject.diff.iter().flat_map(|text| diff(text, length, style)));
    lines
}

/// A file that would be written.
pub fn file_write(subject: &FileWriteSubject, length: Length, style: Style) -> Vec<String> {
    let mut lines = vec![format!("│ {}", style.bold(&visible(&subject.path)))];
    lines.extend(diff(&subject.diff, length, style));
    lines
}

/// The answers to an agent's own question, each with its key.
pub fn options(options: &[PermissionOption]) -> Vec<String> {
    options.iter().enumerate().map(|(index, option)| format!("[{}] {}", index + 1, visible(&option.name))).collect()
}

/// A unified diff. The agent's text can't leave its lines, and its signs stay in front where there are no colours.
fn diff(text: &str, length: Length, style: Style) -> Vec<String> {
    let count = text.lines().count();
    let shown = if length == Length::Whole || count <= SHOWN + 1 { count } else { SHOWN };
    let colour = |line: &str| {
        let plain = visible(line);
        match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => style.bold(&plain),
            [b'+', ..] => style.green(&plain),
            [b'-', ..] => style.red(&plain),
            [b'@', b'@', ..] => style.dim(&plain),
            _ => plain,
        }
    };
    let mut lines: Vec<_> = text.lines().take(shown).map(|line| format!("│ {}", colour(line))).collect();
    lines.extend(gap(&mut (count - shown), style));
    lines
}

#[cfg(test)]
pub mod tests {
    use flightdeck_contract::approval::{Approval, OptionKind, Scope, Subject};

    use super::super::show::{request, tests::sample};
    use super::*;
    use crate::style;

    /// An agent's own question, as a hub would send it.
    pub fn question(number: u32) -> Approval {
        let option = |id: &str, name: &str, kind| PermissionOption { id: id.into(), name: name.into(), kind };
        let subject = PermissionSubject {
            title: "Edit main.rs".into(),
            deed: Some("edit".into()),
            options: vec![
                option("o1", "Allow", OptionKind::AllowOnce),
                option("o2", "Always allow", OptionKind::AllowAlways),
                option("o3", "Reject", OptionKind::RejectOnce),
            ],
            diff: Some("@@ -1 +1 @@\n-old\n+new\n".into()),
            locations: vec!["main.rs".into()],
        };
        let mut approval = sample(number);
        (approval.subject, approval.scopes) = (Subject::Permission(subject), vec![Scope::Once]);
        approval.reason = "the agent asks".into();
        approval
    }

    #[test]
    fn a_question_shows_what_would_change_and_the_answers() {
        assert_eq!(
            request(&question(1), Length::Whole, style::plain()),
            [
                "a1  codex#1 asks",
                "    │ Edit main.rs (edit)",
                "    │ main.rs",
                "    │ @@ -1 +1 @@",
                "    │ -old",
                "    │ +new",
                "    why     the agent asks",
                "    rule    danger:deletes-tree",
                "    answer  [1] Allow",
                "    answer  [2] Always allow",
                "    answer  [3] Reject",
                "    waits   0s more",
            ]
        );
    }

    #[test]
    fn a_diff_is_coloured_where_colours_are_wanted_cut_when_long_and_hides_nothing() {
        let write = |diff: &str| FileWriteSubject { path: "a\x1b[2J".into(), diff: diff.into() };
        let text = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\x1b[2J\n same\n";
        let plain = file_write(&write(text), Length::Whole, style::plain()).join("\n");
        assert!(plain.contains("│ -old\n│ +new\\x1b[2J\n│  same") && !plain.contains('\x1b'), "{plain:?}");
        let coloured = file_write(&write(text), Length::Whole, style::coloured()).join("\n");
        assert!(
            coloured.contains("\x1b[31m-old\x1b[0m") && coloured.contains("\x1b[32m+new\\x1b[2J\x1b[0m"),
            "{coloured:?}"
        );
        let long = write(&"+x\n".repeat(100));
        let cut = file_write(&long, Length::Short, style::plain());
        assert_eq!((cut.len(), cut.last().unwrap().as_str()), (SHOWN + 2, "… 76 more lines"));
        assert_eq!(file_write(&long, Length::Whole, style::plain()).len(), 101);
    }
}
