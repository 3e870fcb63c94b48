//! Schemas as TypeScript.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::Registry;
use super::types::{Collection, TABLE, Way};

/// Other names for some types.
pub(super) type Names = BTreeMap<String, String>;

impl Registry {
    /// `web/src/commands.ts`: all types by their names, and the table that ties them to ids.
    ///
    /// # Errors
    /// Two Rust types have the same name.
    pub fn typescript(&self) -> Result<String, String> {
        let commands = self.commands();
        let mut types = Collection::new();
        let mut rows = Vec::new();
        for command in &commands {
            let args = types.add(Way::In, command.types.args);
            let result = types.add(Way::Out, command.types.result);
            let event = command.types.event.map(|event| types.add(Way::Out, event));
            rows.push((command, args, result, event));
        }
        let (input, output) = (types.input_names()?, Names::default());
        let mut text = String::from(
            "// The commands of the hub and their types. Made from their definitions by `make generate`.\n",
        );
        for declaration in types.declarations(&input).values() {
            text = text + "\n" + declaration;
        }
        text.push_str("\n/** What each command takes and gives, and what it tells while it runs. */\n");
        // Writing into a string can't fail.
        let _ = writeln!(text, "export interface {TABLE} {{");
        for (command, args, result, event) in rows {
            let (args, result) = (inline(&args, &input), inline(&result, &output));
            let event = event.map(|event| format!("; event: {}", inline(&event, &output))).unwrap_or_default();
            let _ = writeln!(text, "  /** {} */", command.title);
            let _ = writeln!(text, "  '{}': {{ args: {args}; result: {result}{event} }};", command.id);
        }
        text.push_str("}\n\n/** For a palette. */\nexport const commands = [\n");
        for command in &commands {
            let (title, effects) = (literal(&Value::from(command.title.as_ref())), command.effects.words());
            let _ = writeln!(
                text,
                "  {{ id: '{}', title: {title}, effects: '{effects}', tool: {} }},",
                command.id, command.tool
            );
        }
        text.push_str("] as const;\n");
        Ok(text)
    }
}

/// The declaration of a named type.
pub(super) fn declaration(name: &str, schema: &Value, names: &Names) -> String {
    let writer = Writer { names, documented: true };
    let mut text = description(schema).map(|words| comment(words, 0)).unwrap_or_default();
    let choices = writer.choices(schema, 1);
    // A choice with words on its options has a line for each of them.
    if choices.iter().any(|choice| choice.words.is_some()) {
        let _ = write!(text, "export type {name} =");
        for Choice { words, text: option } in choices {
            let words = words.map(|words| comment(&words, 1)).unwrap_or_default();
            let _ = write!(text, "\n{words}  | {option}");
        }
        return text + ";\n";
    }
    let whole = writer.text(schema, 0);
    let is_object = whole.starts_with("{\n") && whole.find("\n}") == Some(whole.len() - 2);
    match whole.as_str() {
        object if is_object => format!("{text}export interface {name} {object}\n"),
        // A struct without fields, not any object.
        ANY_OBJECT => format!("{text}export type {name} = {NO_FIELDS};\n"),
        other => format!("{text}export type {name} = {other};\n"),
    }
}

/// A type on one line.
pub(super) fn inline(schema: &Value, names: &Names) -> String {
    let text = Writer { names, documented: false }.text(schema, 0);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const ANY_OBJECT: &str = "{ [key: string]: unknown }";
const NO_FIELDS: &str = "{ [key: string]: never }";

struct Writer<'a> {
    names: &'a Names,
    documented: bool,
}

/// One of several forms that a value can have.
struct Choice {
    words: Option<String>,
    text: String,
}

impl Writer<'_> {
    fn text(&self, schema: &Value, depth: usize) -> String {
        join(self.choices(schema, depth))
    }

    /// The forms that a value of this schema can have.
    fn choices(&self, schema: &Value, depth: usize) -> Vec<Choice> {
        let plain = |text: String| Choice { words: None, text };
        let Value::Object(fields) = schema else {
            return vec![plain(if schema == &Value::Bool(false) { "never" } else { "unknown" }.to_owned())];
        };
        let literals = fields.get("const").into_iter().chain(list(fields, "enum"));
        let literals: Vec<_> = literals.map(|value| plain(literal(value))).collect();
        if !literals.is_empty() {
            return literals;
        }
        let options: Vec<_> = list(fields, "oneOf")
            .chain(list(fields, "anyOf"))
            .flat_map(|option| {
                let mut choices = self.choices(option, depth);
                if let [only] = choices.as_mut_slice() {
                    only.words = description(option).map(str::to_owned).filter(|_| self.documented);
                }
                choices
            })
            .collect();
        // Next to other parts, an object without fields only says that they are objects.
        let alone = options.is_empty() && !["$ref", "allOf"].iter().any(|word| fields.contains_key(*word));
        let mut parts: Vec<String> = Vec::new();
        match fields.get("type") {
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                return kinds.map(|kind| plain(self.of_kind(kind, fields, depth))).collect();
            }
            Some(Value::String(kind)) if kind != "object" || alone || fields.contains_key("properties") => {
                parts.push(self.of_kind(kind, fields, depth));
            }
            _ if fields.contains_key("properties") => parts.push(self.object(fields, depth)),
            _ => {}
        }
        if let Some(name) = fields.get("$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or(name);
            parts.push(self.names.get(name).map_or(name, String::as_str).to_owned());
        }
        parts.extend(list(fields, "allOf").map(|part| bracketed(self.choices(part, depth))));
        match (parts.is_empty(), options.is_empty()) {
            (true, true) => vec![plain("unknown".to_owned())],
            (true, false) => options,
            (false, true) => vec![plain(parts.join(" & "))],
            (false, false) => vec![plain(format!("{} & {}", parts.join(" & "), bracketed(options)))],
        }
    }

    fn of_kind(&self, kind: &str, fields: &Map<String, Value>, depth: usize) -> String {
        match kind {
            "integer" => "number".to_owned(),
            "array" => {
                let tuple: Vec<_> = list(fields, "prefixItems").map(|item| self.text(item, depth)).collect();
                match fields.get("items") {
                    _ if !tuple.is_empty() => format!("[{}]", tuple.join(", ")),
                    Some(item) => bracketed(self.choices(item, depth)) + "[]",
                    None => "unknown[]".to_owned(),
                }
            }
            "object" => self.object(fields, depth),
            plain => plain.to_owned(),
        }
    }

    fn object(&self, fields: &Map<String, Value>, depth: usize) -> String {
        let Some(properties) = fields.get("properties").and_then(Value::as_object).filter(|own| !own.is_empty()) else {
            return match fields.get("additionalProperties") {
                Some(Value::Bool(false)) => NO_FIELDS.to_owned(),
                Some(values @ Value::Object(_)) => format!("{{ [key: string]: {} }}", self.text(values, depth)),
                _ => ANY_OBJECT.to_owned(),
            };
        };
        let indent = "  ".repeat(depth + 1);
        let mut text = String::from("{\n");
        for (name, field) in properties {
            if let Some(words) = description(field).filter(|_| self.documented) {
                text.push_str(&comment(words, depth + 1));
            }
            let required = list(fields, "required").any(|one| one == name);
            let mut choices = self.choices(field, depth + 1);
            if !required {
                // What may be left out is left out, and never null.
                choices.retain(|choice| choice.text != "null");
            }
            let (mark, kind) = (if required { "" } else { "?" }, join(choices));
            let name = if is_identifier(name) { name.clone() } else { format!("'{name}'") };
            let _ = writeln!(text, "{indent}{name}{mark}: {kind};");
        }
        text + &"  ".repeat(depth) + "}"
    }
}

fn list<'a>(fields: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = &'a Value> {
    fields.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn join(choices: Vec<Choice>) -> String {
    choices.into_iter().map(|choice| choice.text).collect::<Vec<_>>().join(" | ")
}

/// In brackets where something else stands beside it.
fn bracketed(choices: Vec<Choice>) -> String {
    let text = join(choices);
    if text.contains(" | ") || text.contains(" & ") { format!("({text})") } else { text }
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        other => other.to_string(),
    }
}

fn description(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str)
}

fn comment(words: &str, depth: usize) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "* /");
    format!("{}/** {words} */\n", "  ".repeat(depth))
}

fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
