//! What a form says about the content of its fields, checked where it is typed and once more where it is answered.

use std::fmt;

use serde_json::Value;

use super::{FieldKind, FieldLimits, FieldOption};

/// How many options are named where a value is none of them.
const MAX_NAMED_OPTIONS: usize = 10;

/// Why a value can't stand in a field. Its text is what a person reads behind the field's name.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldProblem {
    NotText,
    NotNumber,
    NotInteger,
    NotSwitch,
    /// It is none of the options, or, where `many` can be chosen, no list of them.
    NotOffered {
        offered: Vec<String>,
        many: bool,
    },
    BelowMinimum(f64),
    AboveMaximum(f64),
    /// It has fewer characters.
    TooShort(u32),
    TooLong(u32),
    TooFew(u64),
    TooMany(u64),
}

impl fmt::Display for FieldProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldProblem::NotText => f.write_str("it must be text"),
            FieldProblem::NotNumber => f.write_str("it must be a number"),
            FieldProblem::NotInteger => f.write_str("it must be a whole number"),
            FieldProblem::NotSwitch => f.write_str("it must be true or false"),
            FieldProblem::NotOffered { offered, many } => {
                let which = if *many { "a list of" } else { "one of" };
                let mut named: Vec<_> =
                    offered.iter().take(MAX_NAMED_OPTIONS).map(|value| format!("{value:?}")).collect();
                if offered.len() > MAX_NAMED_OPTIONS {
                    named.push(format!("{} more", offered.len() - MAX_NAMED_OPTIONS));
                }
                write!(f, "it must be {which} {}", named.join(", "))
            }
            FieldProblem::BelowMinimum(least) => write!(f, "it must be at least {least}"),
            FieldProblem::AboveMaximum(most) => write!(f, "it must be at most {most}"),
            FieldProblem::TooShort(least) => {
                write!(f, "it must have at least {}", counted(u64::from(*least), "character"))
            }
            FieldProblem::TooLong(most) => write!(f, "it must have at most {}", counted(u64::from(*most), "character")),
            FieldProblem::TooFew(least) => write!(f, "at least {} must be chosen", counted(*least, "value")),
            FieldProblem::TooMany(most) => write!(f, "at most {} may be chosen", counted(*most, "value")),
        }
    }
}

fn counted(count: u64, of: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {of}{plural}")
}

impl FieldKind {
    /// Whether a value is of this kind.
    ///
    /// # Errors
    ///
    /// What the field takes instead.
    pub fn check(&self, value: &Value) -> Result<(), FieldProblem> {
        let is_offered = |options: &[FieldOption], value: &Value| options.iter().any(|it| value == it.value.as_str());
        let not_offered = |options: &[FieldOption], many| {
            let offered = options.iter().map(|option| option.value.clone()).collect();
            FieldProblem::NotOffered { offered, many }
        };
        let (is_right, problem) = match self {
            FieldKind::Text => (value.is_string(), FieldProblem::NotText),
            FieldKind::Number { integer: true } => (value.is_i64() || value.is_u64(), FieldProblem::NotInteger),
            FieldKind::Number { integer: false } => (value.is_number(), FieldProblem::NotNumber),
            FieldKind::Switch => (value.is_boolean(), FieldProblem::NotSwitch),
            FieldKind::Select { options } => (is_offered(options, value), not_offered(options, false)),
            FieldKind::Many { options } => {
                let all_offered = |values: &Vec<Value>| values.iter().all(|value| is_offered(options, value));
                (value.as_array().is_some_and(all_offered), not_offered(options, true))
            }
        };
        if is_right { Ok(()) } else { Err(problem) }
    }
}

impl FieldLimits {
    /// Whether a value keeps the limits.
    ///
    /// # Errors
    ///
    /// The limit that it does not keep.
    pub fn check(&self, value: &Value) -> Result<(), FieldProblem> {
        let problem = match value {
            Value::Number(number) => {
                let Some(number) = number.as_f64() else { return Ok(()) };
                below(number, self.minimum)
                    .map(FieldProblem::BelowMinimum)
                    .or_else(|| above(number, self.maximum).map(FieldProblem::AboveMaximum))
            }
            Value::String(text) => {
                let length = text.chars().count() as u64;
                let too_short = self.min_length.filter(|least| length < u64::from(*least));
                let too_long = self.max_length.filter(|most| length > u64::from(*most));
                too_short.map(FieldProblem::TooShort).or(too_long.map(FieldProblem::TooLong))
            }
            Value::Array(chosen) => {
                let count = chosen.len() as u64;
                let too_few = self.min_items.filter(|least| count < *least);
                let too_many = self.max_items.filter(|most| count > *most);
                too_few.map(FieldProblem::TooFew).or(too_many.map(FieldProblem::TooMany))
            }
            Value::Null | Value::Bool(_) | Value::Object(_) => None,
        };
        problem.map_or(Ok(()), Err)
    }

    /// The limits as they stand beside the field; empty where there are none.
    pub fn describe(&self) -> String {
        let range = |least: Option<String>, most: Option<String>, unit: &str| {
            let last = most.clone().or_else(|| least.clone())?;
            let unit = if last == "1" { unit.trim_end_matches('s') } else { unit };
            let numbers = match (least, most) {
                (Some(least), Some(most)) if least == most => least,
                (Some(least), Some(most)) => format!("{least} to {most}"),
                (Some(least), None) => format!("at least {least}"),
                (None, _) => format!("at most {last}"),
            };
            Some(numbers + unit)
        };
        let text = |number: Option<f64>| number.map(|number| number.to_string());
        let least_length = self.min_length.filter(|least| *least > 0).map(|least| least.to_string());
        let least_items = self.min_items.filter(|least| *least > 0).map(|least| least.to_string());
        let all = [
            range(text(self.minimum), text(self.maximum), ""),
            range(least_length, self.max_length.map(|most| most.to_string()), " characters"),
            range(least_items, self.max_items.map(|most| most.to_string()), " values"),
        ];
        all.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn below(number: f64, least: Option<f64>) -> Option<f64> {
    least.filter(|least| number < *least)
}

fn above(number: f64, most: Option<f64>) -> Option<f64> {
    most.filter(|most| number > *most)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn limits_are_kept_and_named() {
        let number = FieldLimits { minimum: Some(1.0), maximum: Some(10.0), ..FieldLimits::default() };
        let text = FieldLimits { min_length: Some(2), max_length: Some(3), ..FieldLimits::default() };
        let many = FieldLimits { min_items: Some(1), max_items: Some(2), ..FieldLimits::default() };
        for (limits, value, problem) in [
            (number, json!(1), None),
            (number, json!(10.0), None),
            (number, json!(0.5), Some("it must be at least 1")),
            (number, json!(11), Some("it must be at most 10")),
            (text, json!("üü"), None),
            (text, json!("ü"), Some("it must have at least 2 characters")),
            (text, json!("abcd"), Some("it must have at most 3 characters")),
            (many, json!(["a"]), None),
            (many, json!([]), Some("at least 1 value must be chosen")),
            (many, json!(["a", "b", "c"]), Some("at most 2 values may be chosen")),
            (FieldLimits::default(), json!(1e300), None),
        ] {
            let told = limits.check(&value).err().map(|problem| problem.to_string());
            assert_eq!(told.as_deref(), problem, "{value}");
        }
    }

    #[test]
    fn limits_are_described() {
        let default = FieldLimits::default();
        for (limits, described) in [
            (default, ""),
            (FieldLimits { minimum: Some(1.0), maximum: Some(2.5), ..default }, "1 to 2.5"),
            (FieldLimits { minimum: Some(0.0), ..default }, "at least 0"),
            (FieldLimits { min_length: Some(4), max_length: Some(4), ..default }, "4 characters"),
            (FieldLimits { min_length: Some(0), max_length: Some(80), ..default }, "at most 80 characters"),
            (FieldLimits { min_items: Some(1), max_items: Some(2), ..default }, "1 to 2 values"),
            (FieldLimits { max_items: Some(1), ..default }, "at most 1 value"),
        ] {
            assert_eq!(limits.describe(), described);
        }
    }

    #[test]
    fn a_value_of_another_kind_is_told_what_it_should_be() {
        let options: Vec<_> =
            ["left", "right"].map(|value| FieldOption { value: value.into(), title: value.into() }).into();
        for (kind, value, problem) in [
            (FieldKind::Text, json!("a"), None),
            (FieldKind::Text, json!(1), Some("it must be text")),
            (FieldKind::Number { integer: true }, json!(1.5), Some("it must be a whole number")),
            (FieldKind::Number { integer: false }, json!(1.5), None),
            (FieldKind::Number { integer: false }, json!("1"), Some("it must be a number")),
            (FieldKind::Switch, json!("y"), Some("it must be true or false")),
            (FieldKind::Select { options: options.clone() }, json!("left"), None),
            (FieldKind::Select { options: options.clone() }, json!("up"), Some(r#"it must be one of "left", "right""#)),
            (FieldKind::Many { options: options.clone() }, json!(["left"]), None),
            (FieldKind::Many { options }, json!("left"), Some(r#"it must be a list of "left", "right""#)),
        ] {
            let told = kind.check(&value).err().map(|problem| problem.to_string());
            assert_eq!(told.as_deref(), problem, "{kind:?} {value}");
        }
    }
}
