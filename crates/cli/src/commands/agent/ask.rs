//! What the agent asks, put to the person in this window, and their answer.

use std::collections::BTreeMap;

use flightdeck_contract::ApprovalId;
use flightdeck_contract::approval::{AnswerApproval, Approval, Choice, OptionKind, Subject};
use flightdeck_contract::chat::{Asked, Field, FieldKind, Question};
use serde_json::Value;

use crate::commands::visible::visible;
use crate::style::Style;

/// The question of a permission, with a number for each answer.
pub fn permission(asked: &Asked, style: Style) -> String {
    let options: Vec<_> = asked
        .options
        .iter()
        .enumerate()
        .map(|(at, option)| format!("[{}] {}", at + 1, visible(&option.name)))
        .collect();
    format!("{} {}\n  {} ", style.yellow("?"), style.bold(&visible(&asked.title)), options.join("  "))
}

/// The answer that a line means: the number of an option, the beginning of its name, `y` or `n`.
pub fn permission_answer(approval: ApprovalId, asked: &Asked, line: &str) -> Option<AnswerApproval> {
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

/// The question about a command that the hub asks by itself.
pub fn command(approval: &Approval, style: Style) -> String {
    let what = match &approval.subject {
        Subject::Command(command) => command.text.lines().map(visible).collect::<Vec<_>>().join("\n  │ "),
        Subject::FileWrite(write) => format!("write {}", visible(&write.path)),
        Subject::Permission(permission) => visible(&permission.title),
    };
    let reason = visible(&approval.reason);
    format!("{} the agent wants to run\n  │ {what}\n  {}\n  [y] once  [n] no ", style.yellow("?"), style.dim(&reason))
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

/// A form that is being filled in, field by field.
#[derive(Debug)]
pub struct Form {
    pub entry: u64,
    question: Question,
    values: BTreeMap<String, Value>,
    at: usize,
}

impl Form {
    pub fn new(entry: u64, question: Question) -> Self {
        Form { entry, question, values: BTreeMap::new(), at: 0 }
    }

    /// What is asked next; `None` when all is filled in.
    pub fn ask(&self, style: Style) -> Option<String> {
        let field = self.question.fields.get(self.at)?;
        let head = if self.at == 0 {
            format!("{} {}\n", style.yellow("?"), visible(&self.question.message))
        } else {
            String::new()
        };
        let choices = match &field.kind {
            FieldKind::Select { options } | FieldKind::Many { options } => {
                let all: Vec<_> = options
                    .iter()
                    .enumerate()
                    .map(|(at, option)| format!("[{}] {}", at + 1, visible(&option.title)))
                    .collect();
                format!(" {}", all.join("  "))
            }
            FieldKind::Switch => " [y/n]".to_owned(),
            FieldKind::Text | FieldKind::Number { .. } => String::new(),
        };
        let empty = if field.required { "" } else { " (may be left empty)" };
        Some(format!("{head}  {}{choices}{empty}: ", style.bold(&visible(&field.title))))
    }

    /// Takes a line. Says whether it could be used.
    pub fn take(&mut self, line: &str) -> bool {
        let Some(field) = self.question.fields.get(self.at) else { return false };
        let line = line.trim();
        if line.is_empty() && !field.required {
            self.at += 1;
            return true;
        }
        let Some(value) = value_of(field, line) else { return false };
        self.values.insert(field.name.clone(), value);
        self.at += 1;
        true
    }

    /// All that was filled in.
    pub fn into_values(self) -> BTreeMap<String, Value> {
        self.values
    }
}

fn value_of(field: &Field, line: &str) -> Option<Value> {
    let chosen = |options: &[flightdeck_contract::chat::FieldOption], word: &str| {
        let by_number = word.parse::<usize>().ok().and_then(|number| options.get(number.checked_sub(1)?));
        by_number
            .or_else(|| options.iter().find(|option| option.value == word || option.title == word))
            .map(|option| option.value.clone())
    };
    Some(match &field.kind {
        FieldKind::Text if line.is_empty() => return None,
        FieldKind::Text => line.into(),
        FieldKind::Number { integer: true } => line.parse::<i64>().ok()?.into(),
        FieldKind::Number { integer: false } => line.parse::<f64>().ok()?.into(),
        FieldKind::Switch => match line {
            "y" | "yes" | "true" => true.into(),
            "n" | "no" | "false" => false.into(),
            _ => return None,
        },
        FieldKind::Select { options } => chosen(options, line)?.into(),
        FieldKind::Many { options } => line
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(|word| chosen(options, word))
            .collect::<Option<Vec<_>>>()?
            .into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flightdeck_contract::approval::PermissionOption;

    #[test]
    fn an_answer_is_a_number_a_name_or_a_letter() {
        let option = |id: &str, name: &str, kind| PermissionOption { id: id.into(), name: name.into(), kind };
        let asked = Asked {
            approval: None,
            tool: "x".into(),
            title: "Edit".into(),
            options: vec![
                option("always", "Always allow", OptionKind::AllowAlways),
                option("once", "Allow", OptionKind::AllowOnce),
                option("no", "Reject", OptionKind::RejectOnce),
            ],
            outcome: None,
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
