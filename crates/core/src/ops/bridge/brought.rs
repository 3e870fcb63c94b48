//! Commands that an external IDE brings: checked when it registers, carried out by it, and gone when it is.

use std::sync::Arc;

use flightdeck_contract::openspace::BridgeCommand;
use flightdeck_contract::{Error, ErrorCode};
use serde_json::{Map, Value, json};

use crate::registry::{Command, Effects, define};

/// How many an IDE may bring. Agents read all of them.
const MOST: usize = 64;
/// The longest name that all clients take.
const LONGEST_ID: usize = 64;
const LONGEST_TITLE: usize = 100;
const LONGEST_DESCRIPTION: usize = 2000;
/// The largest schema of arguments, in bytes of JSON.
const LARGEST_SCHEMA: usize = 16 << 10;
/// The prefix of what only the hub itself has, now and later.
const OURS: &str = "flightdeck.";

/// What nobody knows better of may do anything to the IDE.
const EFFECTS: Effects = Effects { idempotent: false, open_world: true, ..Effects::DESTROYS };

/// What an IDE has brought, checked. `own` are those that the hub has itself.
pub(super) fn commands<'a>(
    own: impl Iterator<Item = &'a Arc<Command>>,
    brought: Vec<BridgeCommand>,
) -> Result<Vec<Arc<Command>>, Error> {
    if brought.len() > MOST {
        let problem = format!("{} commands are too many: {MOST} at most", brought.len());
        return Err(Error::invalid("commands", problem));
    }
    // Clients rewrite dots on their own, so names have to differ without them too.
    let plain = |id: &str| id.replace('.', "_");
    let mut taken: Vec<String> = own.map(|command| plain(&command.id)).collect();
    let mut commands = Vec::new();
    for (place, one) in brought.into_iter().enumerate() {
        check(&one).map_err(|(field, problem)| Error::invalid(&format!("commands[{place}].{field}"), problem))?;
        let name = plain(&one.id);
        if taken.contains(&name) {
            let problem = format!("there is a command {} already", one.id);
            return Err(Error::invalid(&format!("commands[{place}].id"), problem).hint("use a prefix of the IDE's own"));
        }
        taken.push(name);
        commands.push(Arc::new(command(one)));
    }
    Ok(commands)
}

fn check(command: &BridgeCommand) -> Result<(), (&'static str, String)> {
    let BridgeCommand { id, title, description, input_schema, .. } = command;
    let allowed = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    if id.len() > LONGEST_ID || !id.contains('.') || !id.split('.').all(allowed) {
        let shown: String = id.chars().take(LONGEST_ID).collect();
        let problem = format!(
            "{shown:?} is no id: they look like theia.git.commit, words of letters, digits, _ and - with dots between them, \
             {LONGEST_ID} characters at most"
        );
        return Err(("id", problem));
    }
    if id.to_ascii_lowercase().starts_with(OURS) {
        return Err(("id", format!("{OURS}* are the hub's own")));
    }
    let control = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    if title.trim().is_empty() || title.chars().count() > LONGEST_TITLE || control(title) || title.contains('\n') {
        return Err(("title", format!("a title is one line of 1 to {LONGEST_TITLE} characters")));
    }
    if description.as_ref().is_some_and(|text| text.chars().count() > LONGEST_DESCRIPTION || control(text)) {
        return Err((
            "description",
            format!("a description is plain text of at most {LONGEST_DESCRIPTION} characters"),
        ));
    }
    let Some(schema) = input_schema else { return Ok(()) };
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(("inputSchema", "arguments are an object, so its type has to be \"object\"".to_owned()));
    }
    let size = serde_json::to_vec(schema).map_or(usize::MAX, |json| json.len());
    if size > LARGEST_SCHEMA {
        return Err(("inputSchema", format!("it has more than {LARGEST_SCHEMA} bytes")));
    }
    Ok(())
}

fn command(brought: BridgeCommand) -> Command {
    let BridgeCommand { id, title, description, input_schema, read_only } = brought;
    let effects = if read_only { Effects::READS } else { EFFECTS };
    let description = description.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| title.clone());
    let any: Map<_, _> = [("type".to_owned(), json!("object"))].into_iter().collect();
    let name = id.clone();
    define(id, effects, title, description).controls_ide().handed_on(
        input_schema.unwrap_or(any),
        move |hub, call, args| {
            let name = name.clone();
            async move {
                let asked = hub.bridge().execute(&call.caller.actor, &name, args.into(), call.cancelled.clone()).await;
                asked.unwrap_or_else(|| {
                    let text = format!("the IDE that brought {name} is gone");
                    Err(Error::new(ErrorCode::BridgeGone, text).hint("look with tools/list what there is now"))
                })
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    fn bring(commands: Value) -> Result<Vec<Arc<Command>>, Error> {
        let registry = Registry::new();
        super::commands(registry.commands().iter(), serde_json::from_value(commands).unwrap())
    }

    #[test]
    fn what_is_brought_is_there_until_it_is_taken_away() {
        let schema =
            json!({ "type": "object", "properties": { "n": { "oneOf": [{ "const": 1 }, { "const": null }] } } });
        let brought = bring(json!([
            { "id": "theia.git.commit", "title": "Commit", "inputSchema": schema },
            { "id": "openspace.presentation.open", "title": "Show slides", "readOnly": true },
        ]))
        .unwrap();
        assert_eq!(json!(*brought[0].input_schema), schema, "it is handed on as it is");
        assert!(brought[0].controls_ide && brought[0].effects.destructive && brought[0].effects.writes);
        assert!(brought[1].controls_ide && brought[1].effects.only_reads());
        let registry = Registry::new();
        let mut changes = registry.changes();
        registry.add(&brought);
        registry.add(&brought);
        assert_eq!(*changes.borrow_and_update(), 1);
        assert!(registry.get("theia.git.commit").is_some());
        // Another that has taken an id since is not the one that goes.
        let again = bring(json!([{ "id": "theia.git.commit", "title": "Commit" }])).unwrap();
        registry.add(&again);
        registry.remove(&brought);
        assert!(registry.get("theia.git.commit").is_some() && registry.get("openspace.presentation.open").is_none());
        registry.remove(&again);
        assert_eq!(registry.commands().len(), Registry::new().commands().len());
        assert_eq!(*changes.borrow_and_update(), 4);
    }

    #[test]
    fn hostile_commands_are_refused() {
        let long = "x".repeat(LARGEST_SCHEMA);
        for (field, one) in [
            ("id", json!({ "id": "flightdeck.terminal.run", "title": "Ours" })),
            ("id", json!({ "id": "Flightdeck.later", "title": "Ours to come" })),
            ("id", json!({ "id": "openspace.pane.open", "title": "Ours" })),
            ("id", json!({ "id": "openspace.pane_open", "title": "Ours without a dot" })),
            ("id", json!({ "id": "execute_command", "title": "No prefix" })),
            ("id", json!({ "id": "", "title": "Nothing" })),
            ("id", json!({ "id": "theia.", "title": "Half" })),
            ("id", json!({ "id": "theia.a b", "title": "Space" })),
            ("id", json!({ "id": "theia.\u{202e}x", "title": "Turned" })),
            ("id", json!({ "id": "theia/../x.y", "title": "Path" })),
            ("id", json!({ "id": format!("theia.{}", "x".repeat(LONGEST_ID)), "title": "Long" })),
            ("title", json!({ "id": "theia.x", "title": " " })),
            ("title", json!({ "id": "theia.x", "title": "\u{1b}[2J" })),
            ("description", json!({ "id": "theia.x", "title": "X", "description": long })),
            ("inputSchema", json!({ "id": "theia.x", "title": "X", "inputSchema": {} })),
            ("inputSchema", json!({ "id": "theia.x", "title": "X", "inputSchema": { "type": "string" } })),
            ("inputSchema", json!({ "id": "theia.x", "title": "X", "inputSchema": { "type": ["object", "null"] } })),
            (
                "inputSchema",
                json!({ "id": "theia.x", "title": "X", "inputSchema": { "type": "object", "$comment": long } }),
            ),
        ] {
            let error = bring(json!([one])).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidArgument);
            assert!(error.message.contains(&format!("commands[0].{field}")), "{one}: {}", error.message);
        }
        let twice = json!([{ "id": "theia.a.b", "title": "X" }, { "id": "theia.a_b", "title": "X" }]);
        assert!(bring(twice).unwrap_err().message.contains("commands[1].id"));
        let many: Vec<_> = (0..=MOST).map(|n| json!({ "id": format!("theia.x{n}"), "title": "X" })).collect();
        assert!(bring(json!(many)).unwrap_err().message.contains("too many"));
    }
}
