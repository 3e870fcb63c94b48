//! Tools in words, as the client sees them. Hints, errors and descriptions name commands by their ids; a client that was
//! given other names knows no tool by those, so all words on their way to it pass here.

use std::borrow::Cow;
use std::sync::Arc;

use flightdeck_contract::control::ToolNames;
use flightdeck_core::Registry;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

/// The fields of a result that are words of ours to the agent. All others are output, files and other people's texts.
const OF_FAILURES: &[&str] = &["error", "message", "hint", "user_message", "warning", "note"];
const OF_SUCCESSES: &[&str] = &["hint", "warning", "note"];
/// The fields that our words may stand in.
const AROUND_WORDS: &[&str] = &["data", "details", "error", "fallback", "fields", "result"];

/// How one client's tools are spelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelling<'a> {
    pub names: ToolNames,
    pub registry: &'a Registry,
}

impl Spelling<'_> {
    fn is_usual(self) -> bool {
        self.names == ToolNames::Dotted
    }

    /// A text with the names that the client knows.
    pub(super) fn text(self, text: &str) -> String {
        if self.is_usual() || !text.contains('.') {
            return text.to_owned();
        }
        let mut spelled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_name) {
            spelled.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            // A dot at the end is that of the sentence, or of `openspace.pane.*`.
            let name = rest[..end].trim_end_matches('.');
            let is_family = rest[name.len()..].starts_with(".*");
            if is_family && self.is_prefix(name) {
                spelled.push_str(&self.names.name(name));
                spelled.push('_');
                rest = &rest[name.len() + 1..];
                continue;
            }
            if name.contains('.') && self.registry.get(name).is_some() {
                spelled.push_str(&self.names.name(name));
            } else {
                spelled.push_str(name);
            }
            rest = &rest[name.len()..];
            let dots = rest.len() - rest.trim_start_matches('.').len();
            spelled.push_str(&rest[..dots]);
            rest = &rest[dots..];
        }
        spelled.push_str(rest);
        spelled
    }

    fn is_prefix(self, family: &str) -> bool {
        let commands = self.registry.commands();
        commands.iter().any(|command| command.id.strip_prefix(family).is_some_and(|rest| rest.starts_with('.')))
    }

    /// A schema whose descriptions have them.
    pub(super) fn schema(self, schema: &Arc<Map<String, Value>>) -> Arc<Map<String, Value>> {
        if self.is_usual() {
            return Arc::clone(schema);
        }
        let mut spelled = Map::clone(schema);
        for value in spelled.values_mut() {
            self.fields(value, &["description"], &|_| true);
        }
        Arc::new(spelled)
    }

    /// A tool's result whose words have them.
    pub(super) fn result(self, mut result: CallToolResult) -> CallToolResult {
        if self.is_usual() {
            return result;
        }
        let words = if result.is_error == Some(true) { OF_FAILURES } else { OF_SUCCESSES };
        if let Some(structured) = &mut result.structured_content {
            let before = structured.to_string();
            self.fields(structured, words, &|field| AROUND_WORDS.contains(&field));
            // The same stands there as text, for clients that show text only.
            for block in &mut result.content {
                if block.as_text().is_some_and(|text| text.text == before) {
                    *block = ContentBlock::text(structured.to_string());
                }
            }
        }
        result
    }

    /// An error of the protocol whose words have them.
    pub(super) fn error(self, mut error: ErrorData) -> ErrorData {
        error.message = Cow::Owned(self.text(&error.message));
        error
    }

    fn fields(self, value: &mut Value, words: &[&str], around: &dyn Fn(&str) -> bool) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value {
                        Value::String(text) if words.contains(&name.as_str()) => *text = self.text(text),
                        Value::Object(_) | Value::Array(_) if around(name) => self.fields(value, words, around),
                        _ => {}
                    }
                }
            }
            Value::Array(all) => {
                for value in all {
                    self.fields(value, words, around);
                }
            }
            _ => {}
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tools_are_named_as_the_client_knows_them_and_nothing_else_changes() {
        let registry = Registry::new();
        let spelling = |names| Spelling { names, registry: &registry };
        for (text, spelled) in [
            ("use flightdeck.terminal.run", "use flightdeck_terminal_run"),
            ("`openspace.file.write`. Then go on.", "`openspace_file_write`. Then go on."),
            ("with flightdeck.terminal.read.", "with flightdeck_terminal_read."),
            ("flightdeck.terminal.run, openspace.pane.list", "flightdeck_terminal_run, openspace_pane_list"),
            ("all of openspace.pane.*", "all of openspace_pane_*"),
            ("list_tabs, src/main.rs, flightdeck.toml ...", "list_tabs, src/main.rs, flightdeck.toml ..."),
            ("flightdeck.terminal.nothing é.", "flightdeck.terminal.nothing é."),
        ] {
            assert_eq!(spelling(ToolNames::Underscore).text(text), spelled);
            assert_eq!(spelling(ToolNames::Dotted).text(text), text);
        }
    }

    #[test]
    fn output_is_left_as_it_is() {
        let registry = Registry::new();
        let spelling = Spelling { names: ToolNames::Underscore, registry: &registry };
        let name = "flightdeck.terminal.run";
        let told = json!({ "output": name, "warning": name, "data": { "text": name, "hint": name } });
        let CallToolResult { content, structured_content, .. } = spelling.result(CallToolResult::structured(told));
        let other = "flightdeck_terminal_run";
        let expected = json!({ "output": name, "warning": other, "data": { "text": name, "hint": other } });
        assert_eq!(structured_content, Some(expected.clone()));
        assert_eq!(content[0].as_text().map(|text| text.text.clone()), Some(expected.to_string()));
    }
}
