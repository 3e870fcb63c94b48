//! The schemas that agents and their clients see.

use flightdeck_contract::canonical::{Arguments, Response};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

fn schema<T: schemars::JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

#[test]
fn the_input_names_canonical_actions_first_and_requires_nothing_else() {
    let schema = schema::<Arguments>();
    let actions = schema["properties"]["action"]["enum"].as_array().expect("a list of words");
    assert_eq!(actions[..4], [json!("execute"), json!("read_output"), json!("terminate"), json!("list")]);
    assert_eq!(actions.len(), 9);
    assert_eq!(schema["required"], json!(["action"]));
}

#[test]
fn the_input_lets_older_payloads_through() {
    let schema = schema::<Arguments>();
    for field in [
        "command",
        "text",
        "args",
        "env",
        "cwd",
        "timeout",
        "timeout_ms",
        "workspace_id",
        "name",
        "session_id",
        "terminal_id",
    ] {
        assert_eq!(schema["properties"][field]["deprecated"], true, "{field}");
    }
    assert!(!schema.to_string().contains("additionalProperties\":false"));
    for section in ["invocation", "correlation", "runtime", "execution", "target", "compat"] {
        assert!(!schema["properties"][section].to_string().contains("\"required\""), "{section} requires something");
    }
}

#[test]
fn every_field_is_described() {
    for schema in [schema::<Arguments>(), schema::<Response>()] {
        described(&schema, "");
    }
}

fn described(schema: &Value, path: &str) {
    if let Some(Value::Object(fields)) = schema.get("properties") {
        for (name, field) in fields {
            let path = format!("{path}.{name}");
            assert!(field.get("description").is_some(), "{path}");
            described(field, &path);
        }
    }
}

/// A client that checks results by the schema must find null where the document has it.
#[test]
fn what_may_be_null_has_no_type() {
    let schema = schema::<Response>();
    let properties = &schema["properties"];
    for field in [
        &properties["error"],
        &properties["action"],
        &properties["resolved"]["properties"]["legacy_action"],
        &properties["resolved"]["properties"]["canonical_action"],
        &properties["resolved"]["properties"]["mode"],
    ] {
        assert!(field.get("type").is_none(), "{field}");
        let words = field.get("enum").and_then(|words| words.as_array());
        assert!(words.is_none_or(|words| words.contains(&serde_json::Value::Null)), "{field}");
    }
    assert!(properties["error"]["properties"]["code"].is_object());
}
