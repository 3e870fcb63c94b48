//! What agents get of a result: `{ success, output?, error?, code?, hint?, details?, data? }`.
//!
//! The `openspace.*` commands have a documented form of their own, in which the fields of the result stand beside
//! `success`. In both, what failed says so, in words and with a stable code.

use flightdeck_contract::Error;
use serde_json::{Map, Value, json};

use super::Family;

/// Puts a result into its envelope. `text` is the field of it that is text to read.
pub(super) fn wrap(family: Family, text: &str, result: &Result<Value, Error>) -> Value {
    let mut envelope = Map::new();
    envelope.insert("success".into(), result.is_ok().into());
    match result {
        Ok(Value::Object(fields)) if family == Family::Openspace => envelope.extend(fields.clone()),
        Ok(Value::Object(fields)) => {
            let mut data = fields.clone();
            if let Some(text) = data.remove(text) {
                envelope.insert("output".into(), text);
            }
            if !data.is_empty() {
                envelope.insert("data".into(), Value::Object(data));
            }
        }
        Ok(other) => {
            envelope.insert("data".into(), other.clone());
        }
        Err(error) => {
            let mut fields = serde_json::to_value(error).unwrap_or_default();
            if let Some(fields) = fields.as_object_mut() {
                envelope.insert("error".into(), fields.remove("message").unwrap_or_default());
                envelope.append(fields);
            }
        }
    }
    Value::Object(envelope)
}

/// The schema of an envelope around a result of this schema.
pub(super) fn schema(family: Family, text: &str, result: &Map<String, Value>) -> Map<String, Value> {
    let mut properties = Map::new();
    properties
        .insert("success".into(), json!({ "type": "boolean", "description": "Whether the call did what was asked." }));
    if family == Family::Openspace {
        if let Some(Value::Object(fields)) = result.get("properties") {
            properties.extend(fields.clone());
        }
    } else {
        let mut data = result.clone();
        if let Some(Value::Object(fields)) = data.get_mut("properties")
            && let Some(text) = fields.remove(text)
        {
            properties.insert("output".into(), text);
        }
        if let Some(Value::Array(required)) = data.get_mut("required") {
            required.retain(|name| name != text);
        }
        properties.insert("data".into(), Value::Object(data));
    }
    for (name, kind, description) in [
        ("error", "string", "What went wrong."),
        ("code", "string", "The same for programs; it never changes its meaning."),
        ("hint", "string", "What to do next."),
        ("details", "object", "Facts about the error."),
    ] {
        properties.insert(name.into(), json!({ "type": kind, "description": description }));
    }
    let schema = json!({ "type": "object", "properties": properties, "required": ["success"] });
    let Value::Object(schema) = schema else { return Map::new() };
    schema
}
