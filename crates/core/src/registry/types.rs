//! The types of all commands as one set of named schemas, for front ends that are written with types.
//!
//! Each Rust type is there once, by its own name. What is sent to the hub and what comes from it can differ: a field
//! with a default may be left out on the way in and is always there on the way out. Only where that is so is there a
//! second type, with `Input` at the end of its name.

use std::collections::{BTreeMap, BTreeSet};

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::typescript::{Names, declaration};

/// Puts a type into a generator and tells how to refer to it: `SchemaGenerator::subschema_for::<T>`.
pub(crate) type Describe = fn(&mut SchemaGenerator) -> Schema;

/// The types of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Types {
    /// Its arguments.
    pub args: Describe,
    /// Its result.
    pub result: Describe,
    /// What it tells while it runs, if it tells anything.
    pub event: Option<Describe>,
}

/// Which way a type goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To the hub.
    In,
    /// From the hub.
    Out,
}

const INPUT: &str = "Input";
/// The name of what ties ids to types.
pub(super) const TABLE: &str = "Commands";

/// All types, while they are collected.
pub(super) struct Collection {
    input: Side,
    output: Side,
}

/// Types that go one way.
struct Side {
    generator: SchemaGenerator,
    roots: Vec<Value>,
}

impl Side {
    fn new(settings: SchemaSettings) -> Self {
        Side { generator: settings.into_generator(), roots: Vec::new() }
    }

    fn schema(&self, name: &str) -> &Value {
        self.generator.definitions().get(name).unwrap_or(&Value::Null)
    }

    /// The names of all that is reached from the roots.
    fn reached(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut left: Vec<&Value> = self.roots.iter().collect();
        while let Some(schema) = left.pop() {
            for name in references(schema) {
                if names.insert(name.to_owned()) {
                    left.push(self.schema(name));
                }
            }
        }
        names
    }
}

impl Collection {
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12;
        Collection { input: Side::new(settings()), output: Side::new(settings().for_serialize()) }
    }

    /// Adds a type, and gives how it is referred to.
    pub(super) fn add(&mut self, way: Way, describe: Describe) -> Value {
        // It is described both ways, so that two types of one name meet even if each goes one way only.
        let (input, output) = (describe(&mut self.input.generator), describe(&mut self.output.generator));
        let (side, reference) = if way == Way::In { (&mut self.input, input) } else { (&mut self.output, output) };
        let reference = reference.to_value();
        side.roots.push(reference.clone());
        reference
    }

    /// How types are named on their way in: those that differ from the same on their way out have names of their own.
    ///
    /// # Errors
    /// Two Rust types have the same name.
    pub(super) fn input_names(&self) -> Result<Names, String> {
        if self.input.generator.definitions().contains_key(TABLE) {
            return Err(format!("{TABLE} is the table of all commands: give the type of that name another one"));
        }
        for name in self.input.generator.definitions().keys().chain(self.output.generator.definitions().keys()) {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let stem = name.strip_suffix(INPUT).unwrap_or(stem);
            if stem != name && self.output.generator.definitions().contains_key(stem) {
                return Err(format!(
                    "{name} may be a second type called {stem}: give one of them another name with #[schemars(rename)]"
                ));
            }
        }
        let (input, output) = (self.input.reached(), self.output.reached());
        let shared: Vec<_> = input.intersection(&output).collect();
        let mut names = Names::default();
        loop {
            let differs = |name: &&&String| {
                let out = declaration(name, self.output.schema(name), &Names::default());
                !names.contains_key(**name) && declaration(name, self.input.schema(name), &names) != out
            };
            let found: Vec<_> = shared.iter().filter(differs).map(|name| (*name).clone()).collect();
            if found.is_empty() {
                return Ok(names);
            }
            // What refers to these differs too, so it is looked for again.
            names.extend(found.into_iter().map(|name| (name.clone(), name + INPUT)));
        }
    }

    /// The declarations of all types by name.
    pub(super) fn declarations(&self, input_names: &Names) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        for name in self.input.reached() {
            let own = input_names.get(&name).unwrap_or(&name);
            all.insert(own.clone(), declaration(own, self.input.schema(&name), input_names));
        }
        for name in self.output.reached() {
            let text = declaration(&name, self.output.schema(&name), &Names::default());
            all.insert(name, text);
        }
        all
    }
}

/// The names that a schema refers to.
fn references(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
