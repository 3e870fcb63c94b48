//! What several fixtures are made of.

use flightdeck_server::mcp::extras::rmcp::model::{CallToolResult, ContentBlock};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A picture of one red dot.
pub const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";
/// A moment of silence.
pub const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/// A type of the protocol from its JSON, which is how the suite describes it.
pub fn of<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("fixtures are of the protocol")
}

/// A result of one text.
pub fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}
