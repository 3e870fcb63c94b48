//! A form of the agent's that is filled in field by field.

use std::collections::BTreeMap;

use flightdeck_contract::chat::{Field, FieldKind, FieldOption, Question};
use flightdeck_view::shown::prose;
use serde_json::Value;

use super::ask::{self, Ask};
use super::styled::{Look, StyledLine};

/// What can be typed stands beside a field's name up to this length; what is longer stands above it, so that there is room for
/// an answer.
const MAX_HINT_CHARS: usize = 33;

/// What has become of a form after a line was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum FormStep {
    /// Another field is asked for.
    Next,
    /// All is filled in.
    Complete,
    /// The person does not want to answer.
    Declined,
}

/// A form that is being filled in.
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

    /// What is asked.
    pub fn message(&self) -> &str {
        &self.question.message
    }

    /// Begins again, with what was filled in as defaults: the hub has refused it.
    pub fn restart(&mut self) {
        for field in &mut self.question.fields {
            if let Some(value) = self.values.remove(&field.name) {
                field.default = Some(value);
            }
        }
        self.at = 0;
    }

    /// What is asked now.
    pub fn ask(&self) -> Ask {
        let mut lines = Vec::new();
        if self.at == 0 {
            let mut message = self.question.message.lines().map(prose);
            lines.push(ask::question(&message.next().unwrap_or_default()));
            lines.extend(message.map(|line| StyledLine::plain(format!("  {line}"))));
            if let Some(url) = &self.question.url {
                lines.push(StyledLine::plain(format!("  open {}", prose(url))));
                // Of a long address, the host is what tells whose page it is.
                if let Some(host) = &self.question.host {
                    lines.push(StyledLine::plain("  host ").and(Look::BOLD, &prose(host)));
                }
            }
            let fields = self.question.fields.len();
            let ways = match fields {
                0 => format!("  {}", self.confirmation_hint()),
                1 => "  /cancel declines".to_owned(),
                _ => format!("  {fields} fields; /back goes to the one before, /cancel declines the form"),
            };
            lines.push(StyledLine::of(Look::DIM, ways));
        }
        let Some(field) = self.question.fields.get(self.at) else {
            let prompt = if self.question.url.is_some() { "done? " } else { "agree? " };
            return Ask { lines, prompt: prompt.to_owned() };
        };
        if let Some(description) = &field.description {
            let row = |line| StyledLine::of(Look::DIM, format!("  {}", prose(line)));
            lines.extend(description.lines().map(row));
        }
        if let FieldKind::Select { options } | FieldKind::Many { options } = &field.kind {
            let option = |(at, option): (usize, &FieldOption)| {
                StyledLine::plain(format!("  [{}] {}", at + 1, prose(&option.title)))
            };
            lines.extend(options.iter().enumerate().map(option));
        }
        let (title, how) = (prose(&field.title), how(field));
        if how.chars().count() > MAX_HINT_CHARS {
            lines.push(StyledLine::of(Look::DIM, format!("  {how}")));
            return Ask { lines, prompt: format!("{title}: ") };
        }
        let how = if how.is_empty() { how } else { format!(" ({how})") };
        Ask { lines, prompt: format!("{title}{how}: ") }
    }

    /// Takes a line. What can't be used is refused with the reason.
    pub fn take(&mut self, line: &str) -> Result<FormStep, String> {
        let word = line.trim();
        if word == "/cancel" {
            return Ok(FormStep::Declined);
        }
        let Some(field) = self.question.fields.get(self.at) else { return self.confirm(word) };
        let value = match word {
            "/back" => {
                self.at = self.at.checked_sub(1).ok_or("this is the first field")?;
                return Ok(FormStep::Next);
            }
            "" if field.default.is_some() => field.default.clone(),
            "/skip" | "" if field.required => {
                return Err(format!("{} is required; /cancel declines", prose(&field.title)));
            }
            "/skip" | "" => None,
            _ => {
                let value = value_of(&field.kind, line)?;
                field.limits.check(&value).map_err(|problem| format!("{}: {problem}", prose(&field.title)))?;
                Some(value)
            }
        };
        match value {
            Some(value) => drop(self.values.insert(field.name.clone(), value)),
            None => drop(self.values.remove(&field.name)),
        }
        self.at += 1;
        Ok(if self.at < self.question.fields.len() { FormStep::Next } else { FormStep::Complete })
    }

    /// What a word means where nothing is to be filled in. Only what surely means yes is one.
    fn confirm(&self, word: &str) -> Result<FormStep, String> {
        match word.to_lowercase().as_str() {
            "" | "y" | "yes" | "done" => Ok(FormStep::Complete),
            "n" | "no" | "cancel" => Ok(FormStep::Declined),
            _ => Err(format!("{word:?} is neither yes nor no: {}", self.confirmation_hint())),
        }
    }

    /// What can be typed where nothing is to be filled in.
    fn confirmation_hint(&self) -> &'static str {
        if self.question.url.is_some() {
            "Enter or y says that it is done; n declines"
        } else {
            "Enter or y agrees; n declines"
        }
    }

    /// All that was filled in.
    pub fn values(&self) -> BTreeMap<String, Value> {
        self.values.clone()
    }
}

/// What can be typed for a field, beside its name.
fn how(field: &Field) -> String {
    let kind = match &field.kind {
        FieldKind::Switch => "y/n",
        FieldKind::Number { integer: true } => "whole number",
        FieldKind::Number { integer: false } => "number",
        FieldKind::Many { .. } => "several, with commas",
        FieldKind::Text | FieldKind::Select { .. } => "",
    };
    let limits = field.limits.describe();
    let enter = match &field.default {
        Some(default) => format!("Enter: {}", prose(&shown(&field.kind, default))),
        None if field.required => String::new(),
        None => "Enter skips".to_owned(),
    };
    [kind, &limits, &enter].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("; ")
}

/// A value as a person would type it.
fn shown(kind: &FieldKind, value: &Value) -> String {
    let titled = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match kind {
            FieldKind::Select { options } | FieldKind::Many { options } => {
                options.iter().find(|option| option.value == text).map_or(text, |option| option.title.clone())
            }
            _ => text,
        }
    };
    match value {
        Value::Bool(on) => if *on { "y" } else { "n" }.to_owned(),
        Value::Array(values) => values.iter().map(titled).collect::<Vec<_>>().join(", "),
        value => titled(value),
    }
}

fn value_of(kind: &FieldKind, line: &str) -> Result<Value, String> {
    let word = line.trim();
    Ok(match kind {
        FieldKind::Text => word.into(),
        FieldKind::Number { integer: true } => {
            word.parse::<i64>().map_err(|_| format!("{word:?} is no whole number: type one such as 3"))?.into()
        }
        FieldKind::Number { integer: false } => {
            let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| format!("{word:?} is no number: type one such as 2.5"))?.into()
        }
        FieldKind::Switch => match word.to_lowercase().as_str() {
            "y" | "yes" | "true" => true.into(),
            "n" | "no" | "false" => false.into(),
            _ => return Err(format!("{word:?} is neither y nor n")),
        },
        FieldKind::Select { options } => chosen(options, word)?.into(),
        FieldKind::Many { options } => {
            // Titles have spaces; numbers may be typed with nothing else between them.
            let is_list = word.contains(',') || chosen(options, word).is_ok();
            let words: Vec<&str> = if is_list { word.split(',').collect() } else { word.split(' ').collect() };
            let words = words.into_iter().map(str::trim).filter(|word| !word.is_empty());
            words.map(|word| chosen(options, word)).collect::<Result<Vec<_>, _>>()?.into()
        }
    })
}

/// The option that is meant: by its number, its value or its title.
fn chosen(options: &[FieldOption], word: &str) -> Result<String, String> {
    let by_number = word.parse::<usize>().ok().and_then(|number| options.get(number.checked_sub(1)?));
    let is_it = |option: &&FieldOption| option.value == word || option.title.to_lowercase() == word.to_lowercase();
    let option = options.iter().find(is_it).or(by_number);
    option.map(|option| option.value.clone()).ok_or_else(|| match options.len() {
        1 => format!("{word:?} is not on offer: type 1 or the option's name"),
        count => format!("{word:?} is not on offer: type a number from 1 to {count} or an option's name"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn form() -> Form {
        let option = |value: &str, title: &str| FieldOption { value: value.into(), title: title.into() };
        let field = |name: &str, kind, required, default| Field {
            name: name.into(),
            title: name.to_uppercase(),
            description: None,
            required,
            kind,
            limits: flightdeck_contract::chat::FieldLimits::default(),
            default,
        };
        let colours = vec![option("r", "Red"), option("g", "Dark green")];
        let fields = vec![
            field("name", FieldKind::Text, true, None),
            field("age", FieldKind::Number { integer: true }, false, Some(json!(7))),
            field("sure", FieldKind::Switch, false, None),
            field("one", FieldKind::Select { options: colours.clone() }, true, Some(json!("g"))),
            field("some", FieldKind::Many { options: colours }, false, None),
        ];
        Form::new(
            1,
            Question { message: "Who?".into(), fields, url: None, host: None, completed: false, outcome: None },
        )
    }

    #[test]
    fn what_a_field_does_not_take_is_refused_with_the_reason() {
        let mut form = form();
        for (line, expected) in [
            ("", Err("NAME is required; /cancel declines")),
            ("/back", Err("this is the first field")),
            ("anna", Ok(FormStep::Next)),
            ("old", Err("\"old\" is no whole number: type one such as 3")),
            ("/back", Ok(FormStep::Next)),
            ("bo", Ok(FormStep::Next)),
            ("", Ok(FormStep::Next)),
            ("perhaps", Err("\"perhaps\" is neither y nor n")),
            ("/skip", Ok(FormStep::Next)),
            ("3", Err("\"3\" is not on offer: type a number from 1 to 2 or an option's name")),
            ("red", Ok(FormStep::Next)),
            ("dark green, 1", Ok(FormStep::Complete)),
        ] {
            assert_eq!(form.take(line), expected.map_err(str::to_owned), "{line:?}");
        }
        let values = json!(form.values());
        assert_eq!(values, json!({ "age": 7, "name": "bo", "one": "r", "some": ["g", "r"] }));
        form.restart();
        assert_eq!(form.ask().prompt, "NAME (Enter: bo): ");
        assert_eq!(form.take("/cancel"), Ok(FormStep::Declined));
    }

    #[test]
    fn limits_stand_beside_a_field_and_are_checked_there() {
        let mut form = form();
        form.question.fields.truncate(2);
        form.question.fields[0].limits.max_length = Some(3);
        form.question.fields[1].limits.minimum = Some(1.0);
        assert_eq!(form.ask().prompt, "NAME (at most 3 characters): ");
        for (line, expected) in [
            ("anna", Err("NAME: it must have at most 3 characters")),
            ("ann", Ok(FormStep::Next)),
            ("0", Err("AGE: it must be at least 1")),
        ] {
            assert_eq!(form.take(line), expected.map_err(str::to_owned), "{line:?}");
        }
        let ask = form.ask();
        assert_eq!(
            (ask.lines[0].text().as_str(), ask.prompt.as_str()),
            ("  whole number; at least 1; Enter: 7", "AGE: ")
        );
        assert_eq!(form.take("1"), Ok(FormStep::Complete));
    }

    #[test]
    fn a_page_is_shown_with_its_host() {
        let mut form = form();
        form.question.fields.clear();
        form.question.url = Some("https://agent.example.com/connect?x=1".into());
        form.question.host = Some("agent.example.com".into());
        let lines: Vec<_> = form.ask().lines.iter().map(StyledLine::text).collect();
        assert_eq!(lines[1..3], ["  open https://agent.example.com/connect?x=1", "  host agent.example.com"]);
    }

    #[test]
    fn only_a_yes_accepts_where_nothing_is_to_be_filled_in() {
        let mut form = form();
        form.question.fields.clear();
        for (url, prompt, hint) in [
            (Some("https://example.com/"), "done? ", "Enter or y says that it is done; n declines"),
            (None, "agree? ", "Enter or y agrees; n declines"),
        ] {
            form.question.url = url.map(str::to_owned);
            assert_eq!(form.ask().prompt, prompt);
            for word in ["", " ", "y", "YES", "done"] {
                assert_eq!(form.take(word), Ok(FormStep::Complete), "{word:?}");
            }
            for word in ["n", "No", "cancel", "/cancel"] {
                assert_eq!(form.take(word), Ok(FormStep::Declined), "{word:?}");
            }
            for word in ["x", "/back", "nope"] {
                assert_eq!(form.take(word), Err(format!("{word:?} is neither yes nor no: {hint}")));
            }
        }
    }

    #[test]
    fn a_field_says_what_can_be_typed() {
        let mut form = form();
        assert_eq!(form.ask().lines[0].text(), "? Who?");
        let mut prompts = Vec::new();
        for line in ["a", "", "", "", ""] {
            prompts.push(form.ask().prompt);
            form.take(line).unwrap();
        }
        let expected = [
            "NAME: ",
            "AGE (whole number; Enter: 7): ",
            "SURE (y/n; Enter skips): ",
            "ONE (Enter: Dark green): ",
            "SOME (several, with commas; Enter skips): ",
        ];
        assert_eq!(prompts, expected);
    }
}
