//! What the agent asks, put to the person in this window, and their answer.

use flightdeck_contract::ApprovalId;
use flightdeck_contract::approval::{AnswerApproval, Approval, Choice, OptionKind, PermissionSubject, Subject};
use flightdeck_contract::chat::AuthMethod;
use flightdeck_view::shown::prose;

use super::styled::{Look, StyledLine};
use crate::commands::approve::{Length, SubjectLine, SubjectLineKind, file_write_lines, permission_lines};
use crate::commands::visible::visible;

/// A question: lines to read, and what stands before the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    pub lines: Vec<StyledLine>,
    pub prompt: String,
}

/// The first line of a question.
pub fn question(text: &str) -> StyledLine {
    StyledLine::of(Look::YELLOW, "? ").and(Look::BOLD, text)
}

/// A line of what is asked about, which can't be taken for one of ours.
fn quoted(line: &SubjectLine) -> StyledLine {
    let look = match line.kind {
        SubjectLineKind::Plain => Look::PLAIN,
        SubjectLineKind::File => Look::BOLD,
        SubjectLineKind::Added => Look::GREEN,
        SubjectLineKind::Removed => Look::RED,
        SubjectLineKind::Place => Look::DIM,
        SubjectLineKind::Gap => return StyledLine::of(Look::YELLOW, format!("  {}", line.text)),
    };
    StyledLine::of(Look::DIM, "  │ ").and(look, &line.text)
}

/// The question of a permission, with a number for each answer. All of it is shown: whoever answers has seen what it is
/// about.
pub fn permission(subject: &PermissionSubject) -> Ask {
    let about = permission_lines(subject, Length::Whole);
    let mut about = about.iter();
    let mut lines = vec![question(about.next().map_or("", |first| &first.text))];
    lines.extend(about.map(quoted));
    let option = |(at, name): (usize, &str)| format!("[{}] {}", at + 1, visible(name));
    let options: Vec<_> = subject.options.iter().map(|option| option.name.as_str()).enumerate().map(option).collect();
    lines.push(StyledLine::plain(format!("  {}", options.join("  "))));
    Ask { lines, prompt: "answer: ".to_owned() }
}

/// The answer that a line means: the number of an option, the beginning of its name, `y` or `n`.
pub fn permission_answer(approval: ApprovalId, asked: &PermissionSubject, line: &str) -> Option<AnswerApproval> {
    let line = line.trim().to_lowercase();
    let by_number = line.parse::<usize>().ok().and_then(|number| asked.options.get(number.checked_sub(1)?));
    let by_name =
        || asked.options.iter().find(|option| !line.is_empty() && option.name.to_lowercase().starts_with(&line));
    let by_letter = || {
        let kind = match line.as_str() {
            "y" | "yes" => OptionKind::AllowOnce,
            "n" | "no" => OptionKind::RejectOnce,
            _ => return None,
        };
        asked.options.iter().find(|option| option.kind == kind)
    };
    let option = by_number.or_else(by_letter).or_else(by_name)?;
    let (choice, option) = (option.kind.choice(), Some(option.id.clone()));
    Some(AnswerApproval { id: approval, choice, scope: None, command: None, option, reason: None })
}

/// What can be typed as the answer to a permission.
pub fn permission_hint(asked: &PermissionSubject) -> String {
    let has = |kind| asked.options.iter().any(|option| option.kind == kind);
    let number = match asked.options.len() {
        1 => "1".to_owned(),
        count => format!("a number from 1 to {count}"),
    };
    let yes = has(OptionKind::AllowOnce).then(|| "y".to_owned());
    let no = has(OptionKind::RejectOnce).then(|| "n".to_owned());
    let ways: Vec<String> = [Some(number), yes, no].into_iter().flatten().collect();
    format!("type {} or the beginning of an answer", ways.join(", "))
}

/// The question about a command or a file that the hub asks by itself.
pub fn command(approval: &Approval) -> Ask {
    let (what, about) = match &approval.subject {
        Subject::Command(command) => {
            let line = |line| SubjectLine { kind: SubjectLineKind::Plain, text: visible(line) };
            ("the agent wants to run", command.text.lines().map(line).collect())
        }
        Subject::FileWrite(write) => ("the agent wants to write", file_write_lines(write, Length::Whole)),
        Subject::Permission(subject) => ("the agent asks", permission_lines(subject, Length::Whole)),
    };
    let mut lines = vec![question(what)];
    lines.extend(about.iter().map(quoted));
    lines.push(StyledLine::of(Look::DIM, format!("  {}", visible(&approval.reason))));
    lines.push(StyledLine::plain("  [y] once  [n] no"));
    Ask { lines, prompt: "answer: ".to_owned() }
}

/// The answer that a line means.
pub fn command_answer(approval: ApprovalId, line: &str) -> Option<AnswerApproval> {
    let choice = match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Choice::Approve,
        "n" | "no" => Choice::Decline,
        _ => return None,
    };
    Some(AnswerApproval { id: approval, choice, scope: None, command: None, option: None, reason: None })
}

/// How to sign in.
pub fn sign_in(reason: &str, ways: &[AuthMethod]) -> Ask {
    let mut lines = vec![question(&prose(reason))];
    for (at, method) in ways.iter().enumerate() {
        let how = method
            .command
            .as_ref()
            .map(|command| format!(": runs `{}` in a new terminal", visible(&command.join(" "))));
        let text = format!("  [{}] {}{}", at + 1, prose(&method.name), how.unwrap_or_default());
        lines.push(StyledLine::plain(text));
    }
    Ask { lines, prompt: "sign in with: ".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flightdeck_contract::approval::PermissionOption;

    #[test]
    fn a_hint_has_what_is_on_offer() {
        let option = |kind| PermissionOption { id: "it".into(), name: "It".into(), kind };
        let subject = |options| PermissionSubject {
            title: "Edit".into(),
            deed: None,
            options,
            diff: None,
            locations: Vec::new(),
        };
        for (kinds, expected) in [
            (&[OptionKind::AllowOnce][..], "type 1, y or the beginning of an answer"),
            (
                &[OptionKind::AllowAlways, OptionKind::RejectOnce],
                "type a number from 1 to 2, n or the beginning of an answer",
            ),
        ] {
            assert_eq!(permission_hint(&subject(kinds.iter().copied().map(option).collect())), expected);
        }
    }

    #[test]
    fn an_answer_is_a_number_a_name_or_a_letter() {
        let option = |id: &str, name: &str, kind| PermissionOption { id: id.into(), name: name.into(), kind };
        let asked = PermissionSubject {
            title: "Edit".into(),
            deed: None,
            options: vec![
                option("always", "Always allow", OptionKind::AllowAlways),
                option("once", "Allow", OptionKind::AllowOnce),
                option("no", "Reject", OptionKind::RejectOnce),
            ],
            diff: None,
            locations: Vec::new(),
        };
        for (line, expected) in [
            ("1", Some("always")),
            ("2\n", Some("once")),
            ("y", Some("once")),
            ("NO", Some("no")),
            ("rej", Some("no")),
            ("alw", Some("always")),
            ("4", None),
            ("0", None),
            ("", None),
            ("what?", None),
        ] {
            let answer = permission_answer(ApprovalId::new(1), &asked, line);
            assert_eq!(answer.as_ref().and_then(|answer| answer.option.as_deref()), expected, "{line:?}");
        }
    }
}
