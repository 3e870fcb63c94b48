//! What an agent asks leave for, as a person sees it. Some requests name a tool call and nothing else: what that would do is
//! what the agent has told of it before.

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::approval::{OptionKind, PermissionOption, PermissionSubject};
use flightdeck_contract::chat::{Asked, Block, EntryContent, ToolCall, ToolContent, ToolKind};
use flightdeck_core::Draft;
use serde_json::Value;

use super::command;
use super::diff;
use super::updates;

/// Writes the question down, and gives the number of its entry.
pub(super) fn show(draft: &mut Draft<'_>, request: &acp::RequestPermissionRequest) -> u64 {
    let tool = request.tool_call.tool_call_id.to_string();
    // Some ask before they tell of the call, under a name that does not come again.
    if draft.knows_tool(&tool) {
        updates::tool_changed(draft, request.tool_call.clone(), None);
    }
    let PermissionSubject { title, options, .. } = subject(draft, request);
    let asked = Asked { approval: None, tool, title, options, outcome: None };
    draft.push(EntryContent::Permission(Box::new(asked)))
}

/// What is asked, with all that is known of the tool call.
pub(super) fn subject(draft: &mut Draft<'_>, request: &acp::RequestPermissionRequest) -> PermissionSubject {
    let id = request.tool_call.tool_call_id.to_string();
    let known = if draft.knows_tool(&id) { draft.tool_call(&id) } else { None };
    let tool = known.unwrap_or_else(|| {
        let mut tool = ToolCall::new(id);
        updates::change(&mut tool, request.tool_call.fields.clone());
        tool
    });
    let deed = Some(tool.tool).filter(|kind| *kind != ToolKind::Other);
    let deed = deed.and_then(|kind| serde_json::to_value(kind).ok());
    PermissionSubject {
        title: title_of(&tool),
        deed: deed.and_then(|deed| deed.as_str().map(str::to_owned)),
        options: request.options.iter().map(option).collect(),
        diff: diff::of_all(&tool.content),
        locations: locations_of(&tool),
    }
}

/// The title, and what the call says of itself beside it: some are called `Bash`, whatever they run. Nothing is cut here:
/// commands and texts were cut where they came in, and whoever approves sees all that was kept.
fn title_of(tool: &ToolCall) -> String {
    let title = if tool.title.is_empty() { &tool.id } else { &tool.title };
    let text = || {
        tool.content.iter().find_map(|content| match content {
            ToolContent::Block { block: Block::Text { text } } => Some(text.clone()),
            _ => None,
        })
    };
    let command = tool.input.as_ref().and_then(command::line_of);
    let details = command.or_else(text).or_else(|| input_of(tool)).unwrap_or_default();
    let details = details.trim();
    if details.is_empty() || title.contains(details) {
        return title.clone();
    }
    format!("{title}: {details}")
}

/// What the tool was given, in a form of the agent's own. `None` when that is empty, or a person sees it as a change or a
/// location.
fn input_of(tool: &ToolCall) -> Option<String> {
    if tool.content.iter().any(|content| matches!(content, ToolContent::Diff { .. })) {
        return None;
    }
    let text = match tool.input.as_ref()? {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.is_empty() => return None,
        input => match path_alone(input) {
            Some(path) => path.to_owned(),
            None => input.to_string(),
        },
    };
    (!tool.locations.iter().any(|place| place.path == text)).then_some(text)
}

/// The path of an input that has nothing else.
fn path_alone(input: &Value) -> Option<&str> {
    let fields = input.as_object().filter(|fields| fields.len() == 1)?;
    ["path", "file_path", "abs_path"].iter().find_map(|name| fields.get(*name)?.as_str())
}

/// The files that it is about: those that it names, and those that it would change.
fn locations_of(tool: &ToolCall) -> Vec<String> {
    let changed = tool.content.iter().filter_map(|content| match content {
        ToolContent::Diff { path, .. } => Some(path),
        _ => None,
    });
    let mut all: Vec<String> = Vec::new();
    for path in tool.locations.iter().map(|place| &place.path).chain(changed) {
        if !all.contains(path) {
            all.push(path.clone());
        }
    }
    all
}

fn option(option: &acp::PermissionOption) -> PermissionOption {
    PermissionOption {
        id: option.option_id.to_string(),
        name: option.name.clone(),
        kind: match option.kind {
            acp::PermissionOptionKind::AllowOnce => OptionKind::AllowOnce,
            acp::PermissionOptionKind::AllowAlways => OptionKind::AllowAlways,
            acp::PermissionOptionKind::RejectAlways => OptionKind::RejectAlways,
            // What is not known is no yes.
            _ => OptionKind::RejectOnce,
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_command_is_shown_whatever_its_form() {
        for (title, input, expected) in [
            ("Bash", json!({ "command": "rm -r x" }), "Bash: rm -r x"),
            ("rm -r x", json!({ "command": "rm -r x" }), "rm -r x"),
            ("Shell", json!({ "command": ["bash", "-lc", "rm -r 'x y'"] }), r"Shell: bash -lc 'rm -r '\''x y'\'''"),
            ("", json!({ "cmd": "ls" }), "call-1: ls"),
            ("Edit", json!({ "path": "/x" }), "Edit: /x"),
            ("Edit /x", json!({ "path": "/x" }), "Edit /x"),
            ("Odd", json!({ "command": 3 }), r#"Odd: {"command":3}"#),
            ("Run", json!({ "script": "rm -r x" }), r#"Run: {"script":"rm -r x"}"#),
            ("Run", json!("rm -r x"), "Run: rm -r x"),
            ("Run", json!({}), "Run"),
        ] {
            let tool = ToolCall { title: title.to_owned(), input: Some(input), ..ToolCall::new("call-1") };
            assert_eq!(title_of(&tool), expected);
        }
    }
}
