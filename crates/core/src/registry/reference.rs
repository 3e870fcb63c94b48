//! What people and programs can know of all commands, from their definitions.

use std::fmt::Write;
use std::sync::Arc;

use flightdeck_contract::hub::{CommandInfo, CommandList};
use serde_json::{Map, Value};

use super::command::Audience;
use super::typescript::{Names, inline};
use super::{Command, Registry};

impl Registry {
    /// The commands that there are now.
    pub fn describe(&self) -> CommandList {
        let describe = |command: &Arc<Command>| CommandInfo {
            id: command.id.to_string(),
            title: command.title.to_string(),
            description: command.description.to_string(),
            effects: command.effects.words().to_owned(),
            tool: command.tool,
            people_only: command.audience == Audience::People,
            input: Map::clone(&command.input_schema),
            output: Map::clone(&command.output_schema),
        };
        CommandList { commands: self.commands().iter().map(describe).collect() }
    }

    /// `docs/commands.md`.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "# Commands\n\n\
             Every command of the hub, made from its definition: `make generate` writes this file, and the tests fail \
             when it is old.\n\n\
             Agents get those marked *tool* over MCP; `flightdeck call ID '{json}'` calls any that does not stream. \
             Results are `{ success, output?, data?, warning?, error?, code?, hint?, details? }`; the `openspace.*` commands have \
             their fields beside `success`, and the tab tools, whose names have no dots, give the object of the table alone, \
             or `{ error, code, hint?, details? }`.\n",
        );
        // Writing into a string can't fail.
        for command in self.commands() {
            let whose = match command.audience {
                Audience::People => ", for people only",
                _ if command.tool => ", tool",
                _ => "",
            };
            let _ = writeln!(text, "\n## {}\n", command.id);
            let _ =
                writeln!(text, "*{}* ({}{whose}). {}\n", command.title, command.effects.words(), command.description);
            table(&mut text, "Argument", &command.input_schema);
            table(&mut text, "Result", &command.result_schema);
        }
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
        let kind = inline(field, &Names::default()).replace('|', "\\|");
        let description = field.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
        let _ = writeln!(text, "| `{name}{mark}` | `{kind}` | {description} |");
    }
    text.push('\n');
}
