//! What holds for every command.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::types::{Collection, Way};
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
            walk(&Value::Object(Map::clone(schema)), &command.id, &mut |path, fields| {
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
fn a_mistyped_id_has_neighbours() {
    let registry = Registry::new();
    assert!(registry.near("flightdeck_terminal_run").iter().any(|id| id == "flightdeck.terminal.run"));
    assert!(registry.near("flightdeck.terminal.run").iter().any(|id| id == "flightdeck.terminal.run"));
    assert!(registry.near("nothing.like.it").is_empty());
}

mod here {
    #[derive(schemars::JsonSchema)]
    pub struct Thing {
        #[expect(dead_code, reason = "only its schema is used")]
        here: bool,
    }
}

mod there {
    #[derive(schemars::JsonSchema)]
    pub struct Thing {
        #[expect(dead_code, reason = "only its schema is used")]
        there: bool,
    }
}

#[test]
fn two_types_of_one_name_are_an_error() {
    let mut types = Collection::new();
    types.add(Way::In, SchemaGenerator::subschema_for::<here::Thing>);
    types.add(Way::In, SchemaGenerator::subschema_for::<here::Thing>);
    types.input_names().unwrap();
    // Also when one of them only goes in, and the other only comes out.
    types.add(Way::Out, SchemaGenerator::subschema_for::<there::Thing>);
    assert!(types.input_names().unwrap_err().contains("Thing2"));
}

#[derive(Serialize, serde::Deserialize, JsonSchema)]
struct Outer {
    inner: Vec<Inner>,
    same: Same,
}

#[derive(Serialize, serde::Deserialize, JsonSchema)]
struct Inner {
    /// Always there on its way out.
    #[serde(default)]
    number: u8,
    sent: Option<u8>,
}

#[derive(Serialize, serde::Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Same {
    /// Holds itself.
    More {
        one: Box<Same>,
    },
    None {},
}

#[test]
fn only_what_differs_on_its_way_in_has_a_second_type() {
    let mut types = Collection::new();
    types.add(Way::In, SchemaGenerator::subschema_for::<Outer>);
    types.add(Way::Out, SchemaGenerator::subschema_for::<Outer>);
    let names = types.input_names().unwrap();
    let declared = types.declarations(&names);
    assert_eq!(declared.keys().collect::<Vec<_>>(), ["Inner", "InnerInput", "Outer", "OuterInput", "Same"]);
    assert!(declared["Inner"].ends_with("  number: number;\n  sent: number | null;\n}\n"), "{}", declared["Inner"]);
    assert!(
        declared["InnerInput"].ends_with("  number?: number;\n  sent?: number;\n}\n"),
        "{}",
        declared["InnerInput"]
    );
    assert!(declared["OuterInput"].contains("inner: InnerInput[];\n  same: Same;"), "{}", declared["OuterInput"]);
    assert!(declared["Same"].contains("| {\n    kind: 'more';\n    one: Same;\n  }"), "{}", declared["Same"]);
}
