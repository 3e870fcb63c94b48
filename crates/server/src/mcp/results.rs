//! A command's result as a tool's result: the envelope, pictures, and links to what goes on.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flightdeck_contract::Error;
use flightdeck_core::Command;
use rmcp::model::{CallToolResult, ContentBlock, Resource};
use serde_json::Value;

use super::resources;

/// Puts a result into the form of the protocol. The text is the same JSON as the structured content, for clients that
/// show text only.
pub(super) fn result(command: &Command, result: &Result<Value, Error>, attached: &[u8]) -> CallToolResult {
    let envelope = command.outcome(result);
    let text = vec![ContentBlock::text(as_text(&envelope))];
    let mut answer = if command.failed(result) { CallToolResult::error(text) } else { CallToolResult::success(text) };
    answer.structured_content = Some(envelope);
    if let (Some(kind), false) = (command.attachment, attached.is_empty()) {
        answer.content.push(ContentBlock::image(STANDARD.encode(attached), kind));
    }
    answer
}

/// A result whose picture is seen by all models: clients that take structured content show theirs nothing else. The same JSON is
/// there as text.
pub(super) fn in_sight(mut result: CallToolResult) -> CallToolResult {
    if result.content.iter().any(|block| block.as_image().is_some()) {
        result.structured_content = None;
    }
    result
}

/// A text that is longer than this may be too long for a client.
const LONG: usize = 8 * 1024;

/// A result as JSON, and a long one with each of its fields on a line of its own. Clients cut what is too long, some by whole
/// lines: then all of them but the longest are left, with the exit code, the id and the cursors.
pub(super) fn as_text(result: &Value) -> String {
    let text = result.to_string();
    let Some(fields) = result.as_object().filter(|_| text.len() > LONG) else { return text };
    let lines: Vec<_> = fields.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
    format!("{{{}}}", lines.join(",\n"))
}

/// Where the agent can look on: output that was left out, and what a command left running.
pub(super) fn links(command: &Command, result: &Value) -> Vec<ContentBlock> {
    let mut links: Vec<Resource> = whole_output(result).into_iter().collect();
    let id = result.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok());
    let is_running = command.effects.executes && result.get("running").and_then(Value::as_bool) == Some(true);
    links.extend(id.filter(|_| is_running).map(resources::screen_link));
    links.into_iter().map(ContentBlock::resource_link).collect()
}

/// The resource that a result names because it leaves something out.
fn whole_output(result: &Value) -> Option<Resource> {
    let places = [Some(result), result.get("result")];
    let named = places.into_iter().flatten().find_map(|place| {
        let field = place.get("whole_output").or_else(|| place.get("wholeOutput"));
        field.and_then(Value::as_str)
    });
    resources::linked(named?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_result_is_the_same_json_in_lines() {
        let long = json!({ "success": true, "data": { "exitCode": 4, "a\"b": 1 }, "output": "1\n".repeat(LONG) });
        let lines = as_text(&long);
        assert!(lines.starts_with("{\"success\":true,\n\"data\":{\"exitCode\":4,"), "{}", &lines[..80]);
        assert_eq!((lines.lines().count(), serde_json::from_str::<Value>(&lines).unwrap()), (3, long));
        assert_eq!(as_text(&json!({ "success": true, "output": "" })), r#"{"success":true,"output":""}"#);
    }

    #[test]
    fn a_picture_stands_in_for_structured_content() {
        let plain = CallToolResult::structured(json!({ "success": true }));
        assert_eq!(in_sight(plain.clone()).structured_content, plain.structured_content);
        let mut seen = plain;
        seen.content.push(ContentBlock::image("iVBORw0KGgo", "image/png"));
        let seen = in_sight(seen);
        assert_eq!((seen.structured_content, seen.content.len()), (None, 2));
    }
}
