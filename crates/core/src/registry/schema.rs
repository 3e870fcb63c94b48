//! Schemas that every client takes: one object without references, one type for each field, what is optional is absent.
//!
//! Some clients refuse `["integer", "null"]`, unknown formats such as `uint64`, `$ref`, or `oneOf` with constants; none
//! of that says anything here that plainer words don't. A type that holds itself, or a choice between forms, is left open
//! here; [`types`](super::types) has all of it.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

pub(super) fn of_request<T: JsonSchema>() -> Map<String, Value> {
    plain(SchemaSettings::draft2020_12(), T::json_schema_root)
}

pub(super) fn of_result<T: JsonSchema>() -> Map<String, Value> {
    plain(SchemaSettings::draft2020_12().for_serialize(), T::json_schema_root)
}

/// Lets a type be named once for both directions.
trait Root: JsonSchema {
    fn json_schema_root(generator: schemars::SchemaGenerator) -> schemars::Schema {
        generator.into_root_schema_for::<Self>()
    }
}

impl<T: JsonSchema> Root for T {}

fn plain(mut settings: SchemaSettings, make: fn(schemars::SchemaGenerator) -> schemars::Schema) -> Map<String, Value> {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = make(settings.into_generator()).to_value();
    simplify(&mut schema);
    let Value::Object(mut schema) = schema else { return Map::new() };
    // The name of the type and its words for programmers; the command has its own title and description.
    schema.remove("title");
    schema.remove("description");
    schema.remove("$defs");
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

fn simplify(schema: &mut Value) {
    if let Value::Object(fields) = schema {
        fields.remove("format");
        fields.remove("$schema");
        if fields.get("default").is_some_and(Value::is_null) {
            fields.remove("default");
        }
        drop_null(fields);
        join_constants(fields);
        fields.remove("$ref");
        fields.remove("oneOf");
    }
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(simplify),
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// What may be null may be left out instead.
fn drop_null(fields: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        types.retain(|name| name != "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            fields.insert("type".into(), single);
        }
    }
    for choice in ["anyOf", "oneOf"] {
        let Some(Value::Array(options)) = fields.get_mut(choice) else { continue };
        options.retain(|option| option.get("type").is_none_or(|name| name != "null"));
        if options.len() == 1
            && let Some(Value::Object(only)) = options.pop()
        {
            fields.remove(choice);
            for (key, value) in only {
                fields.entry(key).or_insert(value);
            }
        }
    }
}

/// An enum of words with a description each becomes one list of words.
fn join_constants(fields: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = fields.get("oneOf") else { return };
    let word = |option: &Value| match (option.get("const"), option.get("enum")) {
        (Some(Value::String(word)), _) => Some(vec![word.clone()]),
        (_, Some(Value::Array(words))) => words.iter().map(|word| word.as_str().map(str::to_owned)).collect(),
        _ => None,
    };
    let Some(words) = options.iter().map(word).collect::<Option<Vec<_>>>() else { return };
    let explained: Vec<_> = options
        .iter()
        .zip(&words)
        .filter_map(|(option, words)| Some(format!("`{}`: {}", words.first()?, option.get("description")?.as_str()?)))
        .collect();
    let own = fields.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = [own, &explained.join(" ")].join(" ").trim().to_owned();
    fields.remove("oneOf");
    fields.insert("type".into(), "string".into());
    fields.insert("enum".into(), words.concat().into());
    if !description.is_empty() {
        fields.insert("description".into(), description.into());
    }
}
