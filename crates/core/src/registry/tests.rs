//! What holds for every command.

use serde_json::Value;

use super::*;

fn walk(schema: &Value, path: &str, look: &mut impl FnMut(&str, &serde_json::Map<String, Value>)) {
    match schema {
        Value::Object(fields) => {
            look(path, fields);
            fields.iter().for_each(|(name, value)| walk(value, &format!("{path}/{name}"), look));
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, path, look)),
        _ => {}
    }
}

#[test]
fn every_client_can_read_the_schemas() {
    for command in Registry::new().commands() {
        for schema in [&command.input_schema, &command.output_schema] {
            assert_eq!(schema["type"], "object", "{}", command.id);
            walk(&Value::Object((**schema).clone()), command.id, &mut |path, fields| {
                let in_properties = path.ends_with("/properties");
                for word in ["$ref", "$defs", "format", "oneOf", "anyOf", "allOf", "const", "$schema"] {
                    assert!(in_properties || !fields.contains_key(word), "{path} has {word}");
                }
                assert!(in_properties || !fields.get("type").is_some_and(Value::is_array), "{path} has several types");
                assert!(!fields.get("default").is_some_and(Value::is_null), "{path} has a default of null");
            });
        }
        let required = command.output_schema["required"].as_array().unwrap();
        let first = if command.family == Family::Tabs { None } else { Some("success") };
        assert_eq!(required.first().and_then(Value::as_str), first, "{}", command.id);
    }
}

#[test]
fn every_command_is_described() {
    for command in Registry::new().commands() {
        assert!(command.title.len() > 3 && command.description.len() > 20, "{}", command.id);
        let families = ["flightdeck.", "openspace.", "memory_terminal"];
        let named = command.family == Family::Tabs || families.iter().any(|family| command.id.starts_with(family));
        assert!(named, "{}", command.id);
        let Some(Value::Object(fields)) = command.input_schema.get("properties") else { panic!("{}", command.id) };
        for (name, field) in fields {
            assert!(field.get("description").is_some(), "{}: {name} is not described", command.id);
        }
    }
}

#[test]
fn a_command_that_is_added_is_there_and_watchers_are_told() {
    let registry = Registry::new();
    let mut changes = registry.changes();
    let added = define(
        Family::Hub,
        "flightdeck.hub.added",
        Effects::READS,
        "Added",
        "A command that was added while the hub ran.",
    )
    .controls_ide()
    .aside(|_, _, _: flightdeck_contract::terminal::List| Ok(flightdeck_contract::terminal::Done {}));
    assert!(added.controls_ide, "the gate looks at the consent before it");
    assert!(registry.get("flightdeck.hub.added").is_none());
    registry.add(added);
    assert!(registry.get("flightdeck.hub.added").is_some());
    assert!(changes.has_changed().unwrap());
    assert_eq!(*changes.borrow_and_update(), 1);
}

#[test]
fn a_mistyped_id_has_neighbours() {
    let registry = Registry::new();
    assert!(registry.near("flightdeck_terminal_run").contains(&"flightdeck.terminal.run"));
    assert!(registry.near("flightdeck.terminal.run").contains(&"flightdeck.terminal.run"));
    assert!(registry.near("nothing.like.it").is_empty());
}
