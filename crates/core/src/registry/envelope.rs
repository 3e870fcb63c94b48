//! What agents get of a result: `{ success, output?, error?, code?, hint?, details?, data?, warning? }`.
//!
//! The `openspace.*` commands have a documented form of their own, in which the fields of the result stand beside
//! `success`; the tab tools give the documented object and nothing around it. In all, what failed says so, in words and
//! with a stable code.

use flightdeck_contract::Error;
use serde_json::{Map, Value, json};

use super::Effects;

/// The form of a command's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `{ success, output?, data? }`.
    Enveloped,
    /// The fields of the result beside `success`.
    Flat,
    /// The result alone, and a failure without `success`: `{ error, code, hint?, details? }`.
    Bare,
    /// As it is: the result says of itself whether it succeeded.
    Own,
}

/// The field of a result that says what to look out for although the call succeeded.
pub(super) const WARNING: &str = "warning";

/// The same for what to do next, as in failures.
const HINT: &str = "hint";

/// Adds to what a result says to look out for.
pub(super) fn warn(form: Form, result: &mut Value, words: &str) {
    let place = if form == Form::Own { result.get_mut("result") } else { Some(result) };
    let Some(fields) = place.and_then(Value::as_object_mut) else { return };
    let before = fields.get(WARNING).and_then(Value::as_str).map_or_else(String::new, |before| format!("{before} "));
    fields.insert(WARNING.to_owned(), format!("{before}{words}").into());
}

/// A text that is longer than this stands at the end of a result.
const LONG: usize = 256;

/// Puts a result into its envelope. `text` is the field of it that is text to read. What is short comes first: clients cut
/// long results, at the end or in the middle, and the exit code, the id and the cursors must be in what is left.
pub(super) fn wrap(form: Form, text: &str, result: &Result<Value, Error>) -> Value {
    short_first(enveloped(form, text, result))
}

fn short_first(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, short_first(value)));
            let (long, short): (Vec<_>, Vec<_>) = fields.partition(|(_, value)| is_long(value));
            Value::Object(short.into_iter().chain(long).collect())
        }
        other => other,
    }
}

fn is_long(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() > LONG,
        Value::Array(all) => all.iter().map(weight).sum::<usize>() > LONG,
        Value::Object(fields) => fields.values().any(is_long),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// About how much room it takes.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(all) => all.iter().map(weight).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + weight(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

fn enveloped(form: Form, text: &str, result: &Result<Value, Error>) -> Value {
    if let (Form::Own | Form::Bare, Ok(value)) = (form, result) {
        return value.clone();
    }
    let mut envelope = Map::new();
    if form != Form::Bare {
        envelope.insert("success".into(), result.is_ok().into());
    }
    match result {
        Ok(Value::Object(fields)) if form == Form::Flat => {
            // An IDE gives fields of its own, and whether it succeeded is known already.
            envelope.extend(fields.clone().into_iter().filter(|(name, _)| name != "success"));
        }
        Ok(Value::Object(fields)) => {
            let mut data = fields.clone();
            let text = data.shift_remove(text);
            for name in [WARNING, HINT] {
                if let Some(words) = data.shift_remove(name) {
                    envelope.insert(name.into(), words);
                }
            }
            if !data.is_empty() {
                envelope.insert("data".into(), Value::Object(data));
            }
            if let Some(text) = text {
                envelope.insert("output".into(), text);
            }
        }
        Ok(other) => {
            envelope.insert("data".into(), other.clone());
        }
        Err(error) => {
            let mut fields = serde_json::to_value(error).unwrap_or_default();
            if let Some(fields) = fields.as_object_mut() {
                envelope.insert("error".into(), fields.shift_remove("message").unwrap_or_default());
                envelope.append(fields);
            }
        }
    }
    Value::Object(envelope)
}

/// The schema of an envelope around a result of this schema.
pub(super) fn schema(form: Form, text: &str, result: &Map<String, Value>, effects: Effects) -> Map<String, Value> {
    let mut properties = Map::new();
    if form != Form::Bare {
        let description = "Whether the call did what was asked.";
        properties.insert("success".into(), json!({ "type": "boolean", "description": description }));
    }
    if matches!(form, Form::Flat | Form::Bare) {
        if let Some(Value::Object(fields)) = result.get("properties") {
            properties.extend(fields.clone());
        }
    } else {
        let mut data = result.clone();
        if let Some(Value::Object(fields)) = data.get_mut("properties") {
            fields.shift_remove(HINT);
            if let Some(text) = fields.shift_remove(text) {
                properties.insert("output".into(), text);
            }
        }
        if let Some(Value::Array(required)) = data.get_mut("required") {
            required.retain(|name| name != text);
        }
        properties.insert("data".into(), Value::Object(data));
    }
    let description = match (form, effects.only_reads()) {
        (Form::Bare, true) => Some("Arguments that were ignored, because there are none of that name."),
        (Form::Bare, false) => {
            Some("That the disk is full; arguments that were ignored, because there are none of that name.")
        }
        (_, false) => Some("That the disk is full."),
        (_, true) => None,
    };
    if let Some(description) = description {
        properties.insert(WARNING.into(), json!({ "type": "string", "description": description }));
    }
    for (name, kind, description) in [
        ("error", "string", "What went wrong."),
        ("code", "string", "The same for programs; it never changes its meaning."),
        ("hint", "string", "What to do next."),
        ("details", "object", "Facts about the error."),
    ] {
        properties.insert(name.into(), json!({ "type": kind, "description": description }));
    }
    // A failure of a bare result has none of its fields, and clients compare that with the schema too.
    let required: &[&str] = if form == Form::Bare { &[] } else { &["success"] };
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    let Value::Object(schema) = schema else { return Map::new() };
    schema
}
