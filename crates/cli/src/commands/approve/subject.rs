//! What a request is about when it is no command: an agent's own question, or a file that would be written.

use flightdeck_contract::approval::{FileWriteSubject, PermissionOption, PermissionSubject};

use super::show::Length;
use crate::commands::visible::visible;
use crate::style::Style;

/// Lines of a text that are shown when it is cut short.
const MAX_SHORT_LINES: usize = 24;
/// How long each of them is at its beginning and at its end.
const SHORT_LINE_START_CHARS: usize = 600;
const SHORT_LINE_END_CHARS: usize = 200;

/// What a line of a subject is, for whoever gives it a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectLineKind {
    Plain,
    /// The name of a file.
    File,
    Added,
    Removed,
    /// Where in a file a change is.
    Place,
    /// Ours: it says what is left out.
    Gap,
}

/// A line of what a request is about. The agent's text can't leave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectLine {
    pub kind: SubjectLineKind,
    pub text: String,
}

impl SubjectLine {
    fn new(kind: SubjectLineKind, text: &str) -> Self {
        SubjectLine { kind, text: visible(text) }
    }

    fn gap(text: String) -> Self {
        SubjectLine { kind: SubjectLineKind::Gap, text }
    }

    fn paint(&self, style: Style) -> String {
        let text = match self.kind {
            SubjectLineKind::Gap => return style.yellow(&self.text),
            SubjectLineKind::Plain => self.text.clone(),
            SubjectLineKind::File => style.bold(&self.text),
            SubjectLineKind::Added => style.green(&self.text),
            SubjectLineKind::Removed => style.red(&self.text),
            SubjectLineKind::Place => style.dim(&self.text),
        };
        format!("│ {text}")
    }
}

/// An agent's own question, painted.
pub fn permission(subject: &PermissionSubject, length: Length, style: Style) -> Vec<String> {
    permission_lines(subject, length).iter().map(|line| line.paint(style)).collect()
}

/// An agent's own question: its words with the command, the files, and what would change.
pub fn permission_lines(subject: &PermissionSubject, length: Length) -> Vec<SubjectLine> {
    let mut lines = text(&subject.title, length, |_| SubjectLineKind::Plain);
    if let (Some(first), Some(deed)) = (lines.first_mut(), &subject.deed) {
        first.text = format!("{} ({})", first.text, visible(deed));
    }
    lines.extend(subject.locations.iter().map(|path| SubjectLine::new(SubjectLineKind::Plain, path)));
    lines.extend(subject.diff.iter().flat_map(|diff| text(diff, length, kind_in_diff)));
    lines
}

/// A file that would be written, painted.
pub fn file_write(subject: &FileWriteSubject, length: Length, style: Style) -> Vec<String> {
    file_write_lines(subject, length).iter().map(|line| line.paint(style)).collect()
}

/// A file that would be written, and what would change.
pub fn file_write_lines(subject: &FileWriteSubject, length: Length) -> Vec<SubjectLine> {
    let mut lines = vec![SubjectLine::new(SubjectLineKind::File, &subject.path)];
    lines.extend(text(&subject.diff, length, kind_in_diff));
    lines
}

/// The answers to an agent's own question, each with its key.
pub fn options(options: &[PermissionOption]) -> Vec<String> {
    options.iter().enumerate().map(|(index, option)| format!("[{}] {}", index + 1, visible(&option.name))).collect()
}

/// A text in lines.
fn text(text: &str, length: Length, kind: impl Fn(&str) -> SubjectLineKind) -> Vec<SubjectLine> {
    let count = text.lines().count();
    let shown = if length == Length::Whole || count <= MAX_SHORT_LINES + 1 { count } else { MAX_SHORT_LINES };
    let line = |line: &str| match length {
        Length::Whole => SubjectLine::new(kind(line), line),
        Length::Short => SubjectLine::new(kind(line), &without_middle(line)),
    };
    let mut lines: Vec<_> = text.lines().take(shown).map(line).collect();
    if count > shown {
        lines.push(SubjectLine::gap(format!("… {} more lines", count - shown)));
    }
    lines
}

/// The beginning and the end of a line: what matters of a long command may stand at either.
fn without_middle(line: &str) -> String {
    let count = line.chars().count();
    let left_out = count.saturating_sub(SHORT_LINE_START_CHARS + SHORT_LINE_END_CHARS);
    if left_out == 0 {
        return line.to_owned();
    }
    let start: String = line.chars().take(SHORT_LINE_START_CHARS).collect();
    let end: String = line.chars().skip(count - SHORT_LINE_END_CHARS).collect();
    format!("{start} … ({left_out} more characters) … {end}")
}

/// Its signs stay in front, where there are no colours.
fn kind_in_diff(line: &str) -> SubjectLineKind {
    match line.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => SubjectLineKind::File,
        [b'+', ..] => SubjectLineKind::Added,
        [b'-', ..] => SubjectLineKind::Removed,
        [b'@', b'@', ..] => SubjectLineKind::Place,
        _ => SubjectLineKind::Plain,
    }
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
        assert_eq!((cut.len(), cut.last().unwrap().as_str()), (MAX_SHORT_LINES + 2, "… 76 more lines"));
        assert_eq!(file_write(&long, Length::Whole, style::plain()).len(), 101);
    }

    #[test]
    fn a_long_title_is_cut_in_the_middle_when_it_is_to_be_short() {
        let mut subject = match question(1).subject {
            Subject::Permission(subject) => subject,
            other => panic!("{other:?}"),
        };
        subject.title = format!("Bash: echo {}; rm -r x\nand\x1b[2J", "x".repeat(5000));
        let short = permission_lines(&subject, Length::Short);
        assert!(short[0].text.contains("more characters) … ") && short[0].text.ends_with("; rm -r x (edit)"));
        assert!(short[0].text.len() < 1000, "{}", short[0].text.len());
        assert_eq!(short[1].text, "and\\x1b[2J");
        let whole = permission_lines(&subject, Length::Whole);
        assert!(whole[0].text.len() > 5000 && !whole[0].text.contains('…'));
    }
}
