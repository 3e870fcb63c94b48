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
    let mut answer = if command.failed(result) {
        CallToolResult::structured_error(envelope)
    } else {
        CallToolResult::structured(envelope)
    };
    if let (Some(kind), false) = (command.attachment, attached.is_empty()) {
        answer.content.push(ContentBlock::image(STANDARD.encode(attached), kind));
    }
    answer
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
