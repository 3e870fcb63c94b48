//! The reference of all commands, written from their definitions: for people in Markdown, for front ends in TypeScript.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::{Command, Registry};

impl Registry {
    /// `docs/commands.md`.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "# Commands\n\n\
             Every command of the hub, made from its definition: `make generate` writes this file, and the tests fail \
             when it is old.\n\n\
             Agents get those marked *tool* over MCP; `flightdeck call ID '{json}'` calls any that does not stream. \
             Results are `{ success, output?, data?, error?, code?, hint?, details? }`; the `openspace.*` commands have \
             their fields beside `success`, and the tab tools, whose names have no dots, give the object of the table alone, \
             or `{ error, code, hint?, details? }`.\n",
        );
        // Writing into a string can't fail.
        for command in self.commands() {
            let tool = if command.tool { ", tool" } else { "" };
            let _ = writeln!(text, "\n## {}\n", command.id);
            let _ =
                writeln!(text, "*{}* ({}{tool}). {}\n", command.title, command.effects.words(), command.description);
            table(&mut text, "Argument", &command.input_schema);
            table(&mut text, "Result", &command.result_schema);
        }
        text
    }

    /// The types of all arguments and results, and the table that ties them to ids.
    pub fn typescript(&self) -> String {
        let mut text = String::from(
            "// The commands of the hub: arguments and results. Made from their definitions by `make generate`.\n",
        );
        let commands = self.commands();
        for command in &commands {
            for (suffix, schema) in [("Args", &command.input_schema), ("Result", &command.result_schema)] {
                let _ = writeln!(text, "\nexport interface {}{suffix} {}", name(command), object(schema, 0));
            }
        }
        text.push_str("\n/** Arguments and result of each command. */\nexport interface Commands {\n");
        for command in &commands {
            let name = name(command);
            let _ = writeln!(
                text,
                "  /** {} */\n  '{}': {{ args: {name}Args; result: {name}Result }};",
                command.title, command.id
            );
        }
        text.push_str("}\n\n/** For a palette. */\nexport const commands = [\n");
        for command in &commands {
            let (id, title, effects) = (command.id, command.title, command.effects.words());
            let _ =
                writeln!(text, "  {{ id: '{id}', title: '{title}', effects: '{effects}', tool: {} }},", command.tool);
        }
        text.push_str("] as const;\n");
        text
    }
}

fn fields(schema: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value, bool)> {
    let required = schema.get("required").and_then(Value::as_array);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(move |(name, field)| {
        (name, field, required.is_some_and(|required| required.iter().any(|one| one == name)))
    })
}

fn table(text: &mut String, head: &str, schema: &Map<String, Value>) {
    if fields(schema).next().is_none() {
        return;
    }
    let _ = writeln!(text, "| {head} | Type | |\n|---|---|---|");
    for (name, field, required) in fields(schema) {
        let mark = if required { "" } else { "?" };
        let kind = typescript(field, 1).replace('\n', " ").replace('|', "\\|");
        let kind: String = kind.split_whitespace().collect::<Vec<_>>().join(" ");
        let description = field.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
        let _ = writeln!(text, "| `{name}{mark}` | `{kind}` | {description} |");
    }
    text.push('\n');
}

/// `flightdeck.terminal.run` as `FlightdeckTerminalRun`.
fn name(command: &Command) -> String {
    command
        .id
        .split(['.', '_'])
        .flat_map(|part| part.chars().enumerate().map(|(i, c)| if i == 0 { c.to_ascii_uppercase() } else { c }))
        .collect()
}

fn object(schema: &Map<String, Value>, depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let mut text = String::from("{\n");
    for (name, field, required) in fields(schema) {
        if let Some(description) = field.get("description").and_then(Value::as_str).filter(|_| depth == 0) {
            let _ = writeln!(text, "{indent}/** {} */", description.replace('\n', " "));
        }
        let mark = if required { "" } else { "?" };
        let _ = writeln!(text, "{indent}{name}{mark}: {};", typescript(field, depth + 1));
    }
    text + &"  ".repeat(depth) + "}"
}

fn typescript(schema: &Value, depth: usize) -> String {
    if let Some(Value::Array(words)) = schema.get("enum") {
        return words
            .iter()
            .map(|word| format!("'{}'", word.as_str().unwrap_or_default()))
            .collect::<Vec<_>>()
            .join(" | ");
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "string".to_owned(),
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("array") => {
            let item = schema.get("items").map_or_else(|| "unknown".to_owned(), |item| typescript(item, depth));
            if item.contains(" | ") { format!("({item})[]") } else { format!("{item}[]") }
        }
        Some("object") => match (schema.get("additionalProperties"), schema.as_object()) {
            (Some(values @ Value::Object(_)), _) => format!("Record<string, {}>", typescript(values, depth)),
            (_, Some(schema)) => object(schema, depth),
            _ => "unknown".to_owned(),
        },
        _ => "unknown".to_owned(),
    }
}
